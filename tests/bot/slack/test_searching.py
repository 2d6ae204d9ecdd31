"""Of what Slack's search says only messages of people are taken, and those that are understood."""

from collections.abc import Callable
from typing import Any

import pytest
from office import ANA, ASKED, GENERAL, Office
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.access.people import Person
from bot.slack.attachments import METHOD, MOST_OF_ONE, SlackSearch, action_token_in
from bot.slack.exchange import Stage, asked_with_button, to_button
from bot.wording import slack as wording

MESSAGE = {
    "author_user_id": "U0BEN",
    "author_name": "Ben Okafor",
    "channel_id": "C0GENERAL",
    "channel_name": "general",
    "message_ts": "1790000000.000100",
    "content": "Leave is <https://hr.example.org|twelve weeks> long.",
    "is_author_bot": False,
    "permalink": "https://acme.slack.com/archives/C0GENERAL/p1790000000000100",
}


class Searching(WebClient):
    """Slack, as a test has it answer; asked alone, which a stand-in would never answer so."""

    def __init__(self, *messages: object, answer: object = None) -> None:
        super().__init__()
        self.asked: list[dict[str, Any]] = []
        self.answer = {"results": {"messages": messages}} if answer is None else answer

    def api_call(self, api_method: str, **options: Any) -> Any:
        assert api_method == METHOD
        self.asked.append(options["json"])
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def found(office: Office, client: Searching, **how: Any) -> tuple[list[str], str]:
    """What is found for a question, and why nothing was searched."""
    channel = how.pop("channel", office.direct(ANA))
    office.say(ANA, ASKED, channel=channel, **({"action_token": "12.ab"} | how))
    search = SlackSearch(
        client, office.inbox.attachments.is_wanted, office.people.named, office.clock
    )
    searched = search(office.claimed(Stage.PLACEHOLDER), ASKED)
    texts = [sentence.text for each in searched.passages for sentence in each.sentences]
    return texts, searched.why_not


def test_a_message_is_read_as_its_author_said_it_and_public_channels_alone_are_asked(
    office: Office,
) -> None:
    client = Searching(MESSAGE)
    texts, why_not = found(office, client)
    assert texts == ["Leave is twelve weeks (https://hr.example.org) long."]
    assert why_not == ""
    (asked,) = client.asked
    assert (asked["query"], asked["action_token"]) == (ASKED, "12.ab")
    assert asked["channel_types"] == ["public_channel"]
    assert asked["content_types"] == ["messages"]


@pytest.mark.parametrize(
    "odd",
    [
        {"is_author_bot": True},
        {"is_author_bot": None},
        {"channel_id": "D0DIRECT"},
        {"channel_id": "G0PRIVATE"},
        {"channel_id": "../x"},
        {"message_ts": "soon"},
        {"permalink": "javascript:alert(1)"},
        {"permalink": "http://acme.slack.com/archives/x"},
        {"content": None},
        {"content": " "},
        {"content": "How long is leave? Does anybody know?"},
    ],
)
def test_a_bots_message_and_what_is_not_understood_are_left_out(
    office: Office, odd: dict[str, Any]
) -> None:
    texts, why_not = found(office, Searching({**MESSAGE, **odd}, "no message", MESSAGE))
    assert len(texts) == 1
    assert why_not == ""


@pytest.mark.parametrize("how", [{"quoted": True}, {"channel": GENERAL}])
def test_after_a_command_and_where_others_read_the_reply_nothing_is_asked(
    office: Office, how: dict[str, Any]
) -> None:
    client = Searching(MESSAGE)
    assert found(office, client, **how) == ([], "")
    assert client.asked == []


def test_a_question_that_came_without_a_token_is_not_searched_for_and_that_is_said(
    office: Office,
) -> None:
    client = Searching(MESSAGE)
    assert found(office, client, action_token="") == ([], wording.NOT_SEARCHED)
    assert client.asked == []


@pytest.mark.parametrize(
    "event",
    [{"action_token": "12.ab"}, {"assistant_thread": {"action_token": "12.ab"}}],
)
def test_a_token_is_found_where_slack_has_it(event: dict[str, Any]) -> None:
    assert action_token_in(event) == "12.ab"
    assert action_token_in({"assistant_thread": None}) == ""


def test_people_are_named_in_a_message_and_what_it_asks_is_left_out(office: Office) -> None:
    said = f"Lost a key? It goes to <@{ANA}>, and not to me. Any questions?"
    texts, _ = found(office, Searching({**MESSAGE, "content": said}))
    assert texts == ["It goes to @ana, and not to me."]


def test_who_said_what_is_told_where_words_are_to_be_kept_and_all_authors_are_known(
    office: Office,
) -> None:
    """Whose words nobody could erase are not kept."""
    office.say(ANA, ASKED, channel=office.direct(ANA), action_token="12.ab")
    asked, wanted = office.claimed(Stage.PLACEHOLDER), office.inbox.attachments.is_wanted

    def said_by(author: Callable[[str], Person | None] | None) -> list[str]:
        named = office.people.named
        search = SlackSearch(Searching(MESSAGE, MESSAGE), wanted, named, office.clock, author)
        found = search(asked, ASKED)
        assert len(found.passages) == 2
        return [by for _, by in found.said_by]

    def nobody(_: str) -> Person:
        raise TimeoutError

    assert said_by(None) == []
    assert said_by(lambda _: None) == ["U0BEN"]
    assert said_by(lambda _: Person("ben", "Ben", "", {})) == ["ben"]
    assert said_by(nobody) == []


def test_a_question_that_is_deleted_meanwhile_has_no_evidence(office: Office) -> None:
    class Slow(Searching):
        """The person deletes the question before Slack has answered."""

        def api_call(self, api_method: str, **options: Any) -> Any:
            office.inbox.withdraw(asked.key, office.clock())
            return super().api_call(api_method, **options)

    asked = office.say(ANA, ASKED, channel=office.direct(ANA), action_token="12.ab")
    wanted = office.inbox.attachments.is_wanted
    search = SlackSearch(Slow(MESSAGE), wanted, office.people.named, office.clock)
    assert search(office.claimed(Stage.PLACEHOLDER), ASKED).passages == ()


def test_a_message_without_end_is_read_in_part(office: Office) -> None:
    said = "\n\n".join(f"{'Leave is long and well earned here. ' * 9}Row {n}." for n in range(90))
    search = SlackSearch(
        Searching({**MESSAGE, "content": said}),
        office.inbox.attachments.is_wanted,
        office.people.named,
        office.clock,
    )
    office.say(ANA, ASKED, channel=office.direct(ANA), action_token="12.ab")
    assert len(search(office.claimed(Stage.PLACEHOLDER), ASKED).passages) == MOST_OF_ONE


@pytest.mark.parametrize(
    "answer",
    [
        SlackApiError("no", {"ok": False, "error": "missing_scope"}),
        TimeoutError(),
        {"results": None},
        {"results": ["what?"]},
        "nothing",
    ],
)
def test_where_nothing_was_searched_that_is_said(office: Office, answer: object) -> None:
    assert found(office, Searching(answer=answer)) == ([], wording.NOT_SEARCHED)


def test_a_question_asked_again_with_a_button_has_no_token(office: Office) -> None:
    asked = office.say(ANA, ASKED, channel=office.direct(ANA), action_token="12.ab")
    packed = to_button(asked)
    assert "12.ab" not in packed
    assert asked_with_button(packed).action_token == ""
