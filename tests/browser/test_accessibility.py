"""Who cannot see the page, or sees it badly, learns as much as everybody else."""

from itertools import count

import pytest
from page_setting import Open
from playwright.sync_api import Page, expect
from scripted_bot import ScriptedBot

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
