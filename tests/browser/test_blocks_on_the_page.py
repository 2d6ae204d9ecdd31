"""What the bot and people write is shown as Slack shows it, and whatever it is it is text."""

from typing import Any

import pytest
from block_records import an_abstention
from page_setting import HANDHELD, PHONE, Open, box_of, nothing_sticks_out
from playwright.sync_api import Page, expect
from scripted_bot import ScriptedBot, words
from sound_pages import is_sound, kept
from workspace_client import Slack

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


HOSTILE = {
    "markup": '<img src=x onerror="document.title=1"> <script>alert(1)</script> &lt;b&gt; &amp;',
    "a word without end": "x" * 3000,
    "right to left": "كم مرة يمكنني إعادة الامتحان؟ \u202e gnikcart \u202c שאלה",
    "scripts": "परीक्षा दोबारा देना 补考可以几次？ 再試験 Prüfung ☕️👩🏽‍🔬🇵🇹",
    "marks": "*_~`*_~` ***** > &gt; ``` *a _b* c_ `*x*` :nothing: 10:30:15",
    "references": "<@U0NOBODY> <javascript:alert(1)|click> <!channel> <#C9|> <> <|x> <!date^x^{y}>",
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_what_people_write_is_shown_as_they_wrote_it(kind: str, page: Page, slack: Slack) -> None:
    text = HOSTILE[kind]
    if kind == "marks":
        text = text.replace("`", "'").replace("*", "×").replace("_", "-").replace("~", "=")
        text = text.replace(">", "›")
    slack.says("U0BEN", "C0GENERAL", text)
    article = page.get_by_role("article", name="Ben Okafor")
    expect(article).to_be_visible()
    assert text in (article.text_content() or "")
    harmless(page)
    nothing_sticks_out(page)
    page.set_viewport_size(HANDHELD)
    nothing_sticks_out(page)


@pytest.mark.parametrize("kind", HOSTILE)
def test_whatever_the_bot_quotes_runs_nothing_and_breaks_no_layout(
    kind: str, page: Page, bot: ScriptedBot
) -> None:
    text = HOSTILE[kind][:2000]
    everywhere = [
        {"type": "header", "text": {"type": "plain_text", "text": text[:150]}},
        words(text),
        {"type": "context", "elements": [{"type": "mrkdwn", "text": text[:1500]}]},
        {
            "type": "actions",
            "elements": [
                {
                    "type": "button",
                    "action_id": "b",
                    "text": {"type": "plain_text", "text": text[:75]},
                }
            ],
        },
        {"type": "table", "rows": [[{"type": "raw_text", "text": text[:300]}] * 3] * 2},
        {
            "type": "rich_text",
            "elements": [
                {"type": "rich_text_section", "elements": [{"type": "text", "text": text}]},
                {
                    "type": "rich_text_preformatted",
                    "elements": [{"type": "text", "text": text[:200]}],
                },
            ],
        },
    ]
    bot.web.chat_postMessage(channel="C0GENERAL", text="x", blocks=everywhere)
    article = page.get_by_role("article", name="Vouch")
    expect(article.get_by_role("table")).to_be_visible()
    assert text in (article.locator(".block-rich_text p").text_content() or "")
    harmless(page)
    nothing_sticks_out(page)
    page.set_viewport_size(HANDHELD)
    nothing_sticks_out(page)


def test_a_long_message_is_folded_and_opened(page: Page, slack: Slack) -> None:
    slack.says("U0BEN", "C0GENERAL", "A long story. " * 400 + "The end.")
    article = page.get_by_role("article", name="Ben Okafor")
    before = box_of(article)["height"]
    article.get_by_role("button", name="Show more").click()
    expect(article.get_by_role("button", name="Show less")).to_be_visible()
    assert box_of(article)["height"] > 2 * before


def harmless(page: Page) -> None:
    """No element came of text, and no link leads into a script."""
    assert page.locator("main img, main script").count() == 0
    assert page.locator("main a:not([href^='http']):not([href^='mailto:'])").count() == 0
    assert page.locator("main a:not([rel~='noopener'])").count() == 0
    assert page.title() != "1"
