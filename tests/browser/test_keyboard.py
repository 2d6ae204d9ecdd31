"""Who has no mouse, or sees the page badly or not at all, does and learns as much as others."""

import re
from itertools import count

import pytest
from page_setting import QUESTION, Open
from playwright.sync_api import Page, expect
from scripted_bot import ScriptedBot
from workspace_client import Slack


def test_someone_without_a_mouse_asks_reads_and_rates(page: Page, bot: ScriptedBot) -> None:
    press = page.keyboard.press
    press("Tab")
    expect(page.get_by_role("link", name="Skip to the message field")).to_be_focused()
    press("Enter")
    expect(page.get_by_label("Message #general")).to_be_focused()
    page.keyboard.type("@Vou")
    press("Enter")
    page.keyboard.type(QUESTION)
    press("Shift+Enter")
    page.keyboard.type("Thanks!")
    press("Enter")
    replies = page.get_by_role("button", name="1 reply")
    expect(replies).to_be_visible()
    tab_until(page, "1 reply", back=True)
    press("Enter")
    expect(page.get_by_label("Reply in the thread")).to_be_focused()
    tab_until(page, "Show evidence", back=True)
    press("Enter")
    expect(page.get_by_role("dialog", name="Evidence")).to_be_visible()
    press("Escape")
    tab_until(page, "Good answer", back=True)
    press("Space")
    expect(page.get_by_role("button", name="Good answer")).to_have_attribute("aria-pressed", "true")
    press("Escape")
    expect(page.get_by_role("complementary", name="Thread")).to_be_hidden()
    expect(replies).to_be_focused()
    assert QUESTION + "\nThanks!" in page.get_by_role("main").inner_text()


def test_after_ctrl_k_one_writes_in_the_room_that_was_chosen(page: Page) -> None:
    chooser = page.get_by_role("dialog", name="Go to a channel or a person")
    for sought, title, room in (
        ("okaf", "Ben Okafor", r"D\w+"),
        ("cs-u", "cs-undergraduates", "C0CS"),
        ("okaf", "Ben Okafor", r"D\w+"),
    ):
        page.keyboard.press("Control+k")
        expect(chooser).to_be_visible()
        page.keyboard.type(sought)
        page.keyboard.press("Enter")
        expect(chooser).to_be_hidden()
        expect(page.get_by_role("heading", level=1)).to_contain_text(title)
        expect(page.get_by_label(re.compile(f"Message #?{title}"))).to_be_focused()
        expect(page).to_have_url(re.compile(f"#U0ANA/{room}$"))
        expect(page).to_have_title(f"{title} – Greenfield University")


def test_what_is_typed_at_once_after_choosing_a_channel_is_not_lost(page: Page) -> None:
    page.keyboard.press("Control+k")
    page.keyboard.type("cs-u")
    page.keyboard.press("Enter")
    page.keyboard.type("Hello")
    expect(page.get_by_label("Message #cs-undergraduates")).to_have_value("Hello")


def test_a_thread_that_closes_leaves_the_focus_to_the_room_that_was_chosen(
    open_page: Open, slack: Slack
) -> None:
    ts = slack.says("U0BEN", "C0GENERAL", "Who can help?")
    page = open_page(f"U0ANA/C0GENERAL/{ts}")
    page.get_by_role("button", name="Close thread").click()
    page.get_by_role("button", name="Example questions").focus()
    page.go_back()
    expect(page.get_by_label("Reply in the thread")).to_be_focused()
    page.keyboard.press("Control+k")
    page.keyboard.type("cs-u")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Message #cs-undergraduates")).to_be_focused()


def test_arrow_keys_walk_through_the_rooms(page: Page) -> None:
    rooms = page.get_by_role("navigation")
    rooms.get_by_role("button", name="general").focus()
    page.keyboard.press("ArrowDown")
    expect(rooms.get_by_role("button", name="cs-undergraduates")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("cs-undergraduates")
    expect(page.get_by_label("Message #cs-undergraduates")).to_be_focused()


def test_arrow_keys_choose_who_to_be(page: Page) -> None:
    you = page.get_by_role("button", name="You are")
    you.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(you).to_contain_text("Ben Okafor")
    expect(you).to_be_focused()


def test_escape_closes_suggestions_before_the_thread(open_page: Open, slack: Slack) -> None:
    ts = slack.says("U0BEN", "C0GENERAL", "Who can help?")
    page = open_page(f"U0ANA/C0GENERAL/{ts}")
    field = page.get_by_label("Reply in the thread")
    field.press_sequentially("@B")
    expect(page.get_by_role("option", name="Ben Okafor")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("option", name="Ben Okafor")).to_be_hidden()
    expect(field).to_be_visible()
    page.keyboard.press("Escape")
    expect(field).to_be_hidden()


def test_everything_that_can_be_focused_has_a_name(page: Page, bot: ScriptedBot) -> None:
    page.get_by_role("button", name="Ana Silva asks").click()
    expect(page.get_by_role("button", name="Show evidence")).to_be_visible()
    nameless = page.evaluate(
        """() => [...document.querySelectorAll("button, a[href], input, textarea, select")]
            .filter((node) => node.checkVisibility())
            .filter((node) => !(node.ariaLabel || node.innerText?.trim() || node.labels?.length))
            .map((node) => node.outerHTML)"""
    )
    assert nameless == []


def tab_until(page: Page, name: str, *, back: bool = False) -> None:
    """Presses Tab until the focus is on what is called so."""
    for _ in range(40):
        page.keyboard.press("Shift+Tab" if back else "Tab")
        focused = page.evaluate(
            "document.activeElement.ariaLabel || document.activeElement.textContent"
        )
        if name in focused:
            return
    raise AssertionError(f"No key leads to {name}.")


LEAST_CONTRAST = 4.5
"""Of text on its background: WCAG 2.2, success criterion 1.4.3."""


def test_a_reply_is_read_out_and_no_placeholder_stays(open_page: Open, bot: ScriptedBot) -> None:
    page = open_page("U0ANA/C0CS")
    heard = page.get_by_role("log", name="New messages")
    expect(heard).to_have_attribute("aria-live", "polite")
    placeholder = bot.web.chat_postMessage(channel="C0CS", text="Reading the documents")
    expect(heard.get_by_text("Vouch: Reading the documents")).to_have_count(1)
    bot.web.chat_postMessage(channel="C0CS", text="It may be repeated twice.")
    bot.web.chat_delete(channel="C0CS", ts=str(placeholder["ts"]))
    expect(heard.get_by_text("Vouch: It may be repeated twice.")).to_have_count(1)
    room = page.get_by_role("main")
    expect(room.get_by_text("It may be repeated twice.")).to_be_visible()
    expect(room.get_by_text("Reading the documents")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_initials_of_everybody_can_be_read(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]  # one of its literals
    colours = page.evaluate(
        """async () => {
            const {avatar} = await import("/static/parts/person.js");
            return [...Array(12).keys()].map((hue) => {
                const disc = avatar({name: "Ana", hue});
                document.body.append(disc);
                const {color, backgroundColor} = getComputedStyle(disc);
                disc.remove();
                return [color, backgroundColor].map((one) => one.match(/[\\d.]+/g).map(Number));
            });
        }"""
    )
    for hue, (text, background) in zip(count(), colours, strict=False):
        assert contrast(text, background) >= LEAST_CONTRAST, (hue, text, background)
    assert len({tuple(background) for _, background in colours}) == len(colours)


def contrast(one: list[float], other: list[float]) -> float:
    """The ratio that WCAG 2.2 defines, of two colours in sRGB, 0 to 255."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: list[float]) -> float:
    red, green, blue = (linear(each / 255) for each in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def linear(share: float) -> float:
    if share <= 0.04045:
        return share / 12.92
    return float(((share + 0.055) / 1.055) ** 2.4)
