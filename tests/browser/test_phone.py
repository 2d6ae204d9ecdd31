import re

import pytest
from page_setting import PHONE, QUESTION, Open, box_of, nothing_sticks_out
from playwright.sync_api import Page, expect
from scripted_bot import EVIDENCE, ScriptedBot
from workspace_client import Slack


@pytest.fixture
def phone(open_page: Open) -> Page:
    return open_page(**PHONE)


def test_the_rooms_are_a_drawer(phone: Page) -> None:
    rooms = phone.get_by_role("navigation", name="Rooms")
    expect(rooms).to_be_hidden()
    phone.get_by_role("button", name="Rooms").tap()
    expect(rooms).to_be_visible()
    nothing_sticks_out(phone)
    rooms.get_by_role("button", name="cs-undergraduates").tap()
    expect(rooms).to_be_hidden()
    expect(phone.get_by_role("heading", level=1)).to_have_text("cs-undergraduates")
    expect(phone.get_by_role("button", name="Rooms")).to_be_focused()


def test_escape_closes_the_drawer_and_the_focus_is_back(phone: Page) -> None:
    button = phone.get_by_role("button", name="Rooms")
    button.tap()
    expect(phone.get_by_role("button", name="You are Ana Silva BSc")).to_be_focused()
    phone.keyboard.press("Escape")
    expect(phone.get_by_role("navigation", name="Rooms")).to_be_hidden()
    expect(button).to_be_focused()


def test_an_example_a_thread_and_a_modal_fit_the_screen(phone: Page, bot: ScriptedBot) -> None:
    nothing_sticks_out(phone)
    phone.get_by_role("button", name="Ana Silva asks").tap()
    thread = phone.get_by_role("complementary", name="Thread")
    expect(thread).to_contain_text("repeated twice")
    assert box_of(thread)["width"] == pytest.approx(390, abs=1)
    nothing_sticks_out(phone)
    thread.get_by_role("button", name="Show evidence").tap()
    dialog = phone.get_by_role("dialog", name=EVIDENCE["title"]["text"])
    expect(dialog).to_be_visible()
    nothing_sticks_out(phone)
    dialog.get_by_role("button", name="Close").last.tap()
    thread.get_by_role("button", name="Close thread").tap()
    expect(phone.get_by_role("button", name="1 reply")).to_be_visible()


def test_a_note_under_the_field_hides_nothing_of_the_reply(
    phone: Page, bot: ScriptedBot, slack: Slack
) -> None:
    channel = slack.direct("U0BEN", "U0VOUCH")
    for count in range(3):
        slack.says("U0BEN", channel, f"Earlier question {count}")
    phone.get_by_role("button", name="Ben Okafor asks in a direct message").tap()
    main = phone.get_by_role("main")
    expect(main).to_contain_text("Nobody else reads this.")
    expect(main.get_by_role("button", name="Show evidence")).to_have_count(4)
    expect(main.get_by_role("button", name="Show evidence").last).to_be_in_viewport(ratio=1)


def test_one_can_be_somebody_else_and_ask(phone: Page, bot: ScriptedBot) -> None:
    phone.get_by_role("button", name="You are Ana Silva").tap()
    phone.get_by_role("option", name="Ben Okafor").tap()
    phone.get_by_label("Message #general").fill(f"@Vouch {QUESTION}")
    phone.get_by_role("button", name="Send").first.tap()
    expect(phone.get_by_role("button", name=re.compile("1 reply"))).to_be_visible()
    nothing_sticks_out(phone)


def test_what_comes_in_the_moment_in_which_the_field_grows_is_followed(phone: Page) -> None:
    """The page's own module, since nobody can type and be answered within one frame."""
    rest = phone.evaluate(
        """async () => {
          const { newestOf } = await import("/static/parts/messages.js");
          const [scroller, list] = [document.createElement("div"), document.createElement("div")];
          scroller.style.cssText = "height: 400px; overflow: auto";
          scroller.append(list);
          document.body.append(scroller);
          const newest = newestOf(list, scroller);
          const come = () => {
            const message = document.createElement("div");
            message.style.height = "200px";
            list.append(message);
            if (newest.isRead()) newest.show();
          };
          for (let count = 0; count < 3; count++) come();
          scroller.style.height = "250px";
          come();
          for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
          return scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
        }"""
    )
    assert rest == 0
