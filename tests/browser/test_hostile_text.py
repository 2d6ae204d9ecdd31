import pytest
from page_setting import HANDHELD, box_of, nothing_sticks_out
from playwright.sync_api import Page, expect
from scripted_bot import ScriptedBot, words
from workspace_client import Slack

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
