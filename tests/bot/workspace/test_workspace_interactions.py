"""Commands, buttons and modals, as a person uses them and as the app is told."""

from dataclasses import replace
from typing import Any

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.webhook import WebhookClient
from westhill import QUICK, SEED, App, Clock
from workspace_client import Refusal, Slack

from bot.workspace.server import Options, Workspace

BUTTONS: list[dict[str, Any]] = [
    {
        "type": "actions",
        "block_id": "row",
        "elements": [
            {
                "type": "button",
                "action_id": "evidence",
                "text": {"type": "plain_text", "text": "Show evidence"},
                "value": "record-1",
            }
        ],
    },
    {
        "type": "context_actions",
        "elements": [
            {
                "type": "feedback_buttons",
                "action_id": "feedback",
                "positive_button": {"text": {"type": "plain_text", "text": "Good"}, "value": "g:1"},
                "negative_button": {"text": {"type": "plain_text", "text": "Bad"}, "value": "b:1"},
            }
        ],
    },
]


def text_input(**more: Any) -> dict[str, Any]:
    return {
        "type": "input",
        "block_id": "words",
        "label": {"type": "plain_text", "text": "What was wrong?"},
        "element": {"type": "plain_text_input", "action_id": "text"},
        **more,
    }


def modal(title: str = "Evidence", **more: Any) -> dict[str, Any]:
    return {
        "type": "modal",
        "callback_id": "feedback_words",
        "title": {"type": "plain_text", "text": title},
        "submit": {"type": "plain_text", "text": "Send"},
        "blocks": [text_input()],
        **more,
    }


@pytest.fixture
def answered(slack: Slack, app: App) -> str:
    """The `ts` of a reply with buttons in #general."""
    ts = str(app.web.chat_postMessage(channel="C0GENERAL", text="x", blocks=BUTTONS)["ts"])
    slack.wait_for(lambda: app.events("message"))
    return ts


def opened(slack: Slack, app: App, answered: str, **more: Any) -> dict[str, Any]:
    """A modal that Ana opened by a click."""
    slack.clicks("U0ANA", "C0GENERAL", answered, "evidence")
    trigger = app.interactions("block_actions")[-1]["trigger_id"]
    view: dict[str, Any] = app.web.views_open(trigger_id=trigger, view=modal(**more))["view"]
    return view


def test_a_command_reaches_the_app_and_its_answer_the_person(slack: Slack, app: App) -> None:
    app.answers["slash_commands"] = {"text": "I look it up."}
    slack.command("U0ANA", "C0GENERAL", "/ask", "when is the exam?")
    (sent,) = [one.payload for one in app.requests if one.type == "slash_commands"]
    assert (sent["command"], sent["text"]) == ("/ask", "when is the exam?")
    assert (sent["user_id"], sent["channel_id"]) == ("U0ANA", "C0GENERAL")
    (shown,) = slack.messages("C0GENERAL", "U0ANA")
    assert (shown["text"], shown["ephemeral"]) == ("I look it up.", True)
    assert slack.messages("C0GENERAL", "U0BEN") == []


def test_a_command_that_fails_says_so_in_slacks_words(slack: Slack, app: App) -> None:
    def said(command: str) -> str:
        with pytest.raises(Refusal) as refused:
            slack.command("U0ANA", "C0GENERAL", command)
        return refused.value.say

    app.silent = 1
    assert said("/ask") == '/ask failed with the error "operation_timeout"'
    app.answers["slash_commands"] = {"blocks": [{"type": "nonsense"}]}
    assert said("/ask") == '/ask failed with the error "invalid_command_response"'
    assert said("/dance").startswith("/dance is not a valid command.")


def test_nothing_is_dispatched_while_the_bot_is_away(slack: Slack) -> None:
    with pytest.raises(Refusal) as refused:
        slack.command("U0ANA", "C0GENERAL", "/ask", "hello?")
    assert refused.value.say == '/ask failed with the error "dispatch_failed"'


def test_a_click_tells_who_where_and_what(slack: Slack, app: App, answered: str) -> None:
    slack.clicks("U0BEN", "C0GENERAL", answered, "evidence")
    (sent,) = app.interactions("block_actions")
    assert (sent["user"]["id"], sent["channel"]["id"]) == ("U0BEN", "C0GENERAL")
    assert sent["container"]["message_ts"] == sent["message"]["ts"] == answered
    (action,) = sent["actions"]
    assert (action["action_id"], action["block_id"]) == ("evidence", "row")
    assert (action["value"], action["type"]) == ("record-1", "button")


def test_feedback_carries_which_thumb_it_was(slack: Slack, app: App, answered: str) -> None:
    slack.clicks("U0ANA", "C0GENERAL", answered, "feedback", "b:1")
    feedback = app.interactions("block_actions")[0]["actions"][0]
    assert (feedback["type"], feedback["value"]) == ("feedback_buttons", "b:1")


def test_a_page_cannot_invent_a_button_or_its_value(slack: Slack, app: App, answered: str) -> None:
    where = {"as": "U0ANA", "channel": "C0GENERAL", "message_ts": answered}
    for invented in (
        {"block_id": "row", "action_id": "delete_all"},
        {"block_id": "elsewhere", "action_id": "evidence"},
    ):
        with pytest.raises(Refusal, match="action_not_found"):
            slack.post("actions", {**where, **invented})
    with pytest.raises(Refusal, match="action_not_found"):
        slack.clicks("U0ANA", "C0GENERAL", answered, "feedback", "b:2")
    slack.clicks("U0ANA", "C0GENERAL", answered, "evidence", "record-2")
    assert app.interactions("block_actions")[-1]["actions"][0]["value"] == "record-1"
    outsider = {**where, "as": "U0EVE", "block_id": "row", "action_id": "evidence"}
    with pytest.raises(Refusal, match="not_in_channel"):
        slack.post("actions", outsider)


def test_a_click_that_nobody_answers_says_so(slack: Slack, app: App, answered: str) -> None:
    app.silent = 1
    with pytest.raises(Refusal, match="operation_timeout"):
        slack.clicks("U0ANA", "C0GENERAL", answered, "evidence")


def test_a_response_url_says_something_to_one_person(slack: Slack, app: App, answered: str) -> None:
    slack.clicks("U0ANA", "C0GENERAL", answered, "evidence")
    respond = WebhookClient(app.interactions("block_actions")[0]["response_url"])
    assert respond.send(text="for you alone").body == "ok"
    assert [one["text"] for one in slack.messages("C0GENERAL", "U0ANA")] == ["x", "for you alone"]
    assert len(slack.messages("C0GENERAL", "U0BEN")) == 1


@pytest.mark.parametrize("asked", ["response_type", "replace_original", "delete_original"])
def test_a_response_url_never_takes_what_others_would_see_for_words_to_one(
    slack: Slack, app: App, answered: str, asked: str
) -> None:
    slack.clicks("U0ANA", "C0GENERAL", answered, "evidence")
    respond = WebhookClient(app.interactions("block_actions")[0]["response_url"])
    value = "in_channel" if asked == "response_type" else True
    assert respond.send_dict({"text": "new", asked: value}).status_code == 400
    assert [one["text"] for one in slack.messages("C0GENERAL", "U0ANA")] == ["x"]


def test_a_click_in_what_one_person_was_told_says_so(slack: Slack, app: App) -> None:
    app.web.chat_postEphemeral(channel="C0GENERAL", user="U0ANA", text="a", blocks=BUTTONS)
    (whisper,) = slack.messages("C0GENERAL", "U0ANA")
    slack.clicks("U0ANA", "C0GENERAL", whisper["ts"], "evidence")
    (sent,) = app.interactions("block_actions")
    assert sent["container"]["is_ephemeral"] is True


def test_a_response_url_lasts_for_five_uses_and_half_an_hour(clock: Clock) -> None:
    with Workspace(SEED, options=replace(QUICK, clock=clock)) as workspace:
        slack, app = Slack(workspace.url), App(workspace)
        slack.wait_for_bot()
        slack.command("U0ANA", "C0GENERAL", "/ask")
        respond = WebhookClient(app.requests[0].payload["response_url"])
        assert [respond.send(text="x").status_code for _ in range(6)] == [200] * 5 + [404]
        assert '"used_url"' in respond.send(text="x").body
        slack.command("U0ANA", "C0GENERAL", "/ask")
        clock.pass_by(1801)
        late = WebhookClient(app.requests[1].payload["response_url"]).send(text="x")
        assert (late.status_code, '"expired_url"' in late.body) == (404, True)
        app.close()


def test_a_modal_opens_for_the_person_who_clicked(slack: Slack, app: App, answered: str) -> None:
    with slack.page("U0ANA") as page:
        view = opened(slack, app, answered, private_metadata="record-1")
        shown = page.next("view")["view"]
    assert shown["id"] == view["id"]
    assert (shown["private_metadata"], shown["callback_id"]) == ("record-1", "feedback_words")


def test_a_trigger_opens_one_modal_within_three_seconds(clock: Clock) -> None:
    with Workspace(
        SEED, options=replace(QUICK, clock=clock, trigger_lasts=Options().trigger_lasts)
    ) as workspace:
        slack, app = Slack(workspace.url), App(workspace)
        slack.wait_for_bot()

        def trigger() -> str:
            slack.command("U0ANA", "C0GENERAL", "/ask")
            return str(app.requests[-1].payload["trigger_id"])

        used = trigger()
        app.web.views_open(trigger_id=used, view=modal())
        with pytest.raises(SlackApiError, match="exchanged_trigger_id"):
            app.web.views_open(trigger_id=used, view=modal())
        late = trigger()
        clock.pass_by(3.1)
        with pytest.raises(SlackApiError, match="expired_trigger_id"):
            app.web.views_open(trigger_id=late, view=modal())
        app.close()


def test_a_modal_that_breaks_a_rule_is_refused(slack: Slack, app: App, answered: str) -> None:
    with pytest.raises(SlackApiError) as refused:
        opened(slack, app, answered, title="x" * 25)
    assert refused.value.response["error"] == "invalid_arguments"
    assert refused.value.response["response_metadata"]["messages"] == [
        "[ERROR] must be less than 25 characters [json-pointer:/view/title/text]"
    ]


def test_a_submitted_modal_closes(slack: Slack, app: App, answered: str) -> None:
    view = opened(slack, app, answered)
    values = {"words": {"text": {"type": "plain_text_input", "value": "wrong page"}}}
    with slack.page("U0ANA") as page:
        assert slack.submits("U0ANA", view["id"], values) == {}
        assert page.next("view_closed")["view_id"] == view["id"]
    (sent,) = app.interactions("view_submission")
    assert sent["view"]["state"]["values"] == values
    assert sent["view"]["callback_id"] == "feedback_words"
    with pytest.raises(Refusal, match="not_found"):
        slack.submits("U0ANA", view["id"], values)


def test_what_is_required_is_asked_for_before_the_app_is(
    slack: Slack, app: App, answered: str
) -> None:
    view = opened(slack, app, answered)
    assert slack.submits("U0ANA", view["id"]) == {"words": "Please complete this required field."}
    assert app.interactions("view_submission") == []


def test_what_may_be_left_empty_may_be_left_empty(slack: Slack, app: App, answered: str) -> None:
    view = opened(slack, app, answered, blocks=[text_input(optional=True)])
    assert slack.submits("U0ANA", view["id"]) == {}
    (sent,) = app.interactions("view_submission")
    assert sent["view"]["state"]["values"]["words"]["text"]["value"] is None


def test_an_app_may_find_errors_or_show_another_modal(
    slack: Slack, app: App, answered: str
) -> None:
    view = opened(slack, app, answered)
    values = {"words": {"text": {"type": "plain_text_input", "value": "hm"}}}
    with slack.page("U0ANA") as page:
        app.answers["view_submission"] = {
            "response_action": "errors",
            "errors": {"words": "Say more, please."},
        }
        assert slack.submits("U0ANA", view["id"], values) == {"words": "Say more, please."}
        app.answers["view_submission"] = {"response_action": "update", "view": modal("Updated")}
        slack.submits("U0ANA", view["id"], values)
        assert page.next("view")["view"]["title"]["text"] == "Updated"


def test_a_button_in_a_modal_may_push_another_and_closing_shows_the_first(
    slack: Slack, app: App, answered: str
) -> None:
    view = opened(slack, app, answered, blocks=BUTTONS[:1], notify_on_close=True)
    with slack.page("U0ANA") as page:
        slack.clicks_in_view("U0ANA", view, "evidence")
        sent = app.interactions("block_actions")[-1]
        assert sent["container"] == {"type": "view", "view_id": view["id"]}
        pushed = app.web.views_push(trigger_id=sent["trigger_id"], view=modal("Second"))["view"]
        shown = page.next("view")["view"]
        assert (shown["id"], shown["previous_view_id"]) == (pushed["id"], view["id"])
        slack.closes("U0ANA", pushed["id"])
        assert page.next("view")["view"]["id"] == view["id"]
        assert app.interactions("view_closed") == []
        slack.closes("U0ANA", view["id"])
        slack.wait_for(lambda: app.interactions("view_closed"))


def test_nobody_uses_the_modal_of_another(slack: Slack, app: App, answered: str) -> None:
    view = opened(slack, app, answered)
    with pytest.raises(Refusal, match="not_found"):
        slack.submits("U0BEN", view["id"])


@pytest.mark.parametrize("answer", [{"response_action": "update"}, {"response_action": "?"}])
def test_a_modal_stays_when_the_app_answers_nonsense(
    slack: Slack, app: App, answered: str, answer: dict[str, Any]
) -> None:
    view = opened(slack, app, answered, blocks=[text_input(optional=True)])
    app.answers["view_submission"] = answer
    with pytest.raises(Refusal) as refused:
        slack.submits("U0ANA", view["id"])
    assert refused.value.say == "We had some trouble connecting. Try again?"
    app.answers["view_submission"] = {}
    assert slack.submits("U0ANA", view["id"]) == {}
