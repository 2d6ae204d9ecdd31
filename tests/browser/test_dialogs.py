import io
import time

import pytest
from page_setting import QUESTION
from PIL import Image
from playwright.sync_api import Locator, Page, expect
from scripted_bot import EVIDENCE, WHAT_WAS_WRONG, ScriptedBot, plain, words

from bot.workspace.server import Options


@pytest.fixture
def reply(page: Page, bot: ScriptedBot) -> Locator:
    """The bot's answer to Ana, in the open thread."""
    page.get_by_label("Message #general").fill(f"@Vouch {QUESTION}")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="1 reply").click()
    return page.get_by_role("complementary", name="Thread").get_by_role("article", name="Vouch")


def test_someone_looks_at_the_evidence_and_is_back_at_the_button(
    page: Page, reply: Locator
) -> None:
    reply.get_by_role("button", name="Show evidence").click()
    dialog = page.get_by_role("dialog", name="Evidence")
    expect(dialog).to_contain_text("Academic Regulations, page 2, lines 3-5")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(reply.get_by_role("button", name="Show evidence")).to_be_focused()


def test_a_picture_that_comes_later_leaves_the_reader_where_they_were(
    page: Page, reply: Locator, bot: ScriptedBot
) -> None:
    reply.get_by_role("button", name="Show evidence").click()
    body = page.get_by_role("dialog", name="Evidence").locator(".dialog-body")
    view = page.locator("form[data-view]").get_attribute("data-view")
    lines = [words(f"Line {number}") for number in range(60)]
    bot.web.views_update(view_id=view, view={**EVIDENCE, "blocks": lines})
    expect(body).to_contain_text("Line 59")
    body.evaluate("node => { node.scrollTop = 500; node.focus(); }")
    picture = {"type": "image", "slack_file": {"id": uploaded(bot)}, "alt_text": "Thirteen days."}
    bot.web.views_update(view_id=view, view={**EVIDENCE, "blocks": [*lines, picture]})
    shown = page.get_by_role("img", name="Thirteen days.")
    expect(shown).to_have_js_property("naturalWidth", 40)
    assert body.evaluate("node => node.scrollTop") == 500
    expect(body).to_be_focused()


def test_a_picture_that_cannot_be_loaded_says_what_it_showed(
    page: Page, reply: Locator, bot: ScriptedBot
) -> None:
    page.route("**/page/files/**", lambda route: route.abort())
    reply.get_by_role("button", name="Show evidence").click()
    view = page.locator("form[data-view]").get_attribute("data-view")
    picture = {"type": "image", "slack_file": {"id": uploaded(bot)}, "alt_text": "Thirteen days."}
    bot.web.views_update(view_id=view, view={**EVIDENCE, "blocks": [picture]})
    expect(page.get_by_role("dialog")).to_contain_text("Image: Thirteen days.")


def uploaded(bot: ScriptedBot) -> str:
    """A picture 40 pixels wide, which Slack has looked at."""
    file = io.BytesIO()
    Image.new("RGB", (40, 20), "yellow").save(file, "PNG")
    answer = bot.web.files_upload_v2(content=file.getvalue(), filename="lines.png")
    time.sleep(Options().file_processing)
    return str(answer["file"]["id"])


def test_a_good_answer_is_marked_so(page: Page, reply: Locator, bot: ScriptedBot) -> None:
    good = reply.get_by_role("button", name="Good answer")
    good.click()
    expect(good).to_have_attribute("aria-pressed", "true")
    expect(reply.get_by_role("button", name="Bad answer")).to_have_attribute(
        "aria-pressed", "false"
    )
    while not bot.clicks:  # the page shows it before the bot hears of it
        page.wait_for_timeout(20)
    assert [click["value"] for click in bot.clicks] == ["good:1"]


def test_a_bad_answer_asks_for_words_and_says_what_is_wrong_with_them(
    page: Page, reply: Locator, bot: ScriptedBot
) -> None:
    reply.get_by_role("button", name="Bad answer").click()
    dialog = page.get_by_role("dialog", name="What was wrong?")
    field = dialog.get_by_label("In your words")
    dialog.get_by_role("button", name="Send").click()
    expect(dialog.get_by_role("alert").filter(has_text="required")).to_be_visible()
    expect(field).to_be_focused()
    field.fill("no")
    dialog.get_by_role("button", name="Send").click()
    expect(dialog).to_contain_text("Please say a little more.")
    dialog.get_by_role("radio", name="Outdated").check()
    dialog.get_by_label("Whom does it concern?").select_option("law")
    field.fill("This changed in 2025.")
    dialog.get_by_role("button", name="Send").click()
    expect(dialog).to_be_hidden()
    assert bot.submissions[-1]["words"]["text"]["value"] == "This changed in 2025."
    assert bot.submissions[-1]["why"]["choice"]["selected_option"]["value"] == "outdated"
    assert bot.submissions[-1]["whom"]["choice"]["selected_option"]["value"] == "law"
    assert bot.submissions[-2]["whom"]["choice"]["selected_option"] is None


def test_a_modal_that_changes_keeps_what_was_written_in_it(
    page: Page, reply: Locator, bot: ScriptedBot
) -> None:
    reply.get_by_role("button", name="Bad answer").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("In your words").fill("A long complaint")
    view_id = dialog.locator("form").get_attribute("data-view")
    bot.web.views_update(view_id=view_id, view={**WHAT_WAS_WRONG, "title": plain("Still wrong?")})
    expect(page.get_by_role("dialog", name="Still wrong?")).to_be_visible()
    expect(dialog.get_by_label("In your words")).to_have_value("A long complaint")


def test_a_click_that_the_bot_does_not_hear_says_so(
    page: Page, reply: Locator, bot: ScriptedBot
) -> None:
    expect(reply).to_be_visible()
    bot.close()
    expect(page.get_by_text("Vouch is not connected.")).to_be_visible()
    reply.get_by_role("button", name="Show evidence").click()
    thread = page.get_by_role("complementary", name="Thread")
    expect(thread.get_by_role("alert")).to_contain_text("The bot is not connected.")
