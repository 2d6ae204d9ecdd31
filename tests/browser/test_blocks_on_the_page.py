from typing import Any

import pytest
from block_records import an_abstention
from page_setting import PHONE, Open
from playwright.sync_api import Page, expect
from scripted_bot import ScriptedBot, words
from sound_pages import is_sound, kept

from audit.values import CellRecord
from bot.slack.blocks.reply import reply
from bot.slack.blocks.system_messages import working


def post(bot: ScriptedBot, *blocks: dict[str, Any]) -> None:
    bot.web.chat_postMessage(channel="C0GENERAL", text="Blocks", blocks=blocks)


def test_mrkdwn_is_shown_as_slack_shows_it(page: Page, bot: ScriptedBot) -> None:
    post(
        bot,
        words(
            "*bold* _slanted_ ~gone~ `*code*` <https://a.example/x|a link> <@U0BEN> <#C0GENERAL> "
            "2*3*4 snake_case_name :white_check_mark:\n"
            "> quoted *text*\nafter\n```pre *text* &lt;b&gt;```"
        ),
    )
    text = page.get_by_role("article", name="Vouch").locator(".text")

    expect(text.locator("strong")).to_have_text(["bold", "text"])
    expect(text.locator("em")).to_have_text("slanted")
    expect(text.locator("s")).to_have_text("gone")
    expect(text.locator("code")).to_have_text("*code*")
    expect(text.locator("pre")).to_have_text("pre *text* <b>")
    expect(text.locator("blockquote")).to_have_text("quoted text")
    expect(text.locator(".mention")).to_have_text(["@Ben Okafor", "#general"])
    expect(text.get_by_role("link", name="a link")).to_have_attribute("href", "https://a.example/x")
    expect(text).to_contain_text("2*3*4 snake_case_name ✅")


def test_rich_text_and_tables_are_shown(page: Page, bot: ScriptedBot) -> None:
    item = {"type": "rich_text_section", "elements": [{"type": "text", "text": "an item"}]}
    rich = [
        {
            "type": "rich_text_section",
            "elements": [
                {"type": "text", "text": "bold", "style": {"bold": True}},
                {"type": "link", "url": "https://a.example", "text": "link"},
            ],
        },
        {"type": "rich_text_list", "style": "ordered", "elements": [item, item]},
        {"type": "rich_text_quote", "elements": [{"type": "text", "text": "quoted"}]},
    ]
    cells = [{"type": "raw_text", "text": "Fee"}, {"type": "raw_text", "text": "45"}]
    post(bot, {"type": "rich_text", "elements": rich}, {"type": "table", "rows": [cells, cells]})
    shown = page.get_by_role("article", name="Vouch")

    expect(shown.locator("strong", has_text="bold")).to_be_visible()
    expect(shown.get_by_role("listitem")).to_have_count(2)
    expect(shown.locator("blockquote")).to_have_text("quoted")
    expect(shown.get_by_role("cell")).to_have_text(["Fee", "45"])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_plan_tells_on_a_phone_what_is_done_and_what_is_being_done(
    open_page: Open, bot: ScriptedBot, scheme: str
) -> None:
    page = open_page(**PHONE, color_scheme=scheme)
    steps = ["Found 50 passages in 12 documents, reading 16", "Checking 3 claims"]
    message = working(7, "How late?", quoted=False, steps=steps, as_plan=True)
    post(bot, *message.blocks)
    shown = page.get_by_role("article", name="Vouch")

    expect(shown.get_by_role("listitem")).to_have_text(
        [f"{steps[0]} (complete)", f"{steps[1]} (in progress)"]
    )
    expect(shown).not_to_contain_text("Unsupported")
    is_sound(page)
    kept(page, f"plan-{scheme}")


def test_a_reply_that_changes_is_changed_in_place(page: Page, bot: ScriptedBot) -> None:
    posted = bot.web.chat_postMessage(channel="C0GENERAL", text="Reading…")
    shown = page.get_by_role("article", name="Vouch")
    expect(shown).to_contain_text("Reading…")

    bot.web.chat_update(channel="C0GENERAL", ts=posted["ts"], text="Answered", blocks=bot.blocks)
    expect(shown.get_by_role("button", name="Show evidence")).to_be_visible()
    bot.web.chat_delete(channel="C0GENERAL", ts=posted["ts"])

    expect(shown).to_have_count(0)


def test_a_refusal_shows_rows_as_a_table_and_asks_which_passage_was_it(
    page: Page, bot: ScriptedBot
) -> None:
    fees = {"Service": "Late enrolment", "Fee": "60 euros"}
    row = tuple(CellRecord(name=name, value=value, sentence=0) for name, value in fees.items())
    [parking] = an_abstention().nearest
    nearest = (parking.model_copy(update={"rows": (row,)}), parking)
    post(bot, *reply(an_abstention(nearest=nearest), 7, quoted=False).blocks)
    shown = page.get_by_role("article", name="Vouch")

    expect(shown).to_contain_text("Not sure: the closest I found")
    expect(shown.get_by_role("columnheader")).to_have_text(["Service", "Fee"])
    expect(shown.get_by_role("cell")).to_have_text(["Late enrolment", "60 euros"])
    expect(shown.get_by_role("button", name="This was it")).to_have_count(2)
    expect(shown.get_by_role("button", name="helped")).to_have_count(0)
