"""Files are fetched from Slack alone; of what its search says only messages of people are taken."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from office import ANA, ASKED, GENERAL, Office
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.access.people import Person
from bot.slack import attachments
from bot.slack.attachments import (
    METHOD,
    MOST_OF_ONE,
    Download,
    NotHandedOver,
    SlackSearch,
    TooLarge,
    action_token_in,
)
from bot.slack.exchange import Stage, asked_with_button, to_button
from bot.wording import slack as wording

PAGE = b"<!DOCTYPE html><title>Sign in</title>"
_heard: list[tuple[str, str]] = []


class _Server(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        _heard.append((self.path, self.headers.get("Authorization", "")))
        if self.path == "/away":
            self.send_response(302)
            self.send_header("Location", "/elsewhere")
            self.end_headers()
            return
        kind = "text/html" if self.path in ("/page", "/own.html") else "application/pdf"
        self.send_response({"/gone": 404, "/ill": 503}.get(self.path, 200))
        self.send_header("Content-Type", kind)
        self.end_headers()
        if self.path == "/endless":
            for _ in range(100):
                self.wfile.write(b"x" * 1000)
        else:
            self.wfile.write(PAGE if kind == "text/html" else b"12345")

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def served() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Server) as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    with served() as base:
        yield base


@pytest.fixture
def fetch(base: str) -> Download:
    _heard.clear()
    return Download("xoxb-1", f"{base}/api/")


def test_the_token_brings_the_file(fetch: Download, base: str) -> None:
    assert fetch(f"{base}/plan.pdf", 5, html=False) == b"12345"
    assert fetch(f"{base}/own.html", len(PAGE), html=True) == PAGE
    assert _heard == [("/plan.pdf", "Bearer xoxb-1"), ("/own.html", "Bearer xoxb-1")]


@pytest.mark.parametrize(
    "url",
    [
        "https://files.example.org/files-pri/T1-F1/download/plan.pdf",
        "https://slack.com.example.org/plan.pdf",
        "https://notslack.com/plan.pdf",
        "https://files.slack.com@example.org/plan.pdf",
        "https://user@files.slack.com/plan.pdf",
        "https://files.slack.com:8443/plan.pdf",
        "http://files.slack.com/plan.pdf",
        "file:///etc/passwd",
        "",
    ],
)
def test_the_token_goes_to_no_other_host(fetch: Download, url: str) -> None:
    with pytest.raises(NotHandedOver, match="host"):
        fetch(url, 5, html=False)


def test_no_redirect_is_followed(fetch: Download, base: str) -> None:
    with pytest.raises(NotHandedOver):
        fetch(f"{base}/away", 5, html=False)
    assert [path for path, _ in _heard] == ["/away"]


@pytest.mark.parametrize(("path", "html"), [("/page", False), ("/page", True), ("/gone", False)])
def test_a_page_to_sign_in_on_is_no_file(fetch: Download, base: str, path: str, html: bool) -> None:
    with pytest.raises(NotHandedOver):
        fetch(f"{base}{path}", 5 if html else len(PAGE), html=html)


def test_where_slack_is_ill_it_may_work_another_time(fetch: Download, base: str) -> None:
    with pytest.raises(OSError, match="503"):
        fetch(f"{base}/ill", 5, html=False)


def test_200_megabytes_are_not_asked_for_and_what_never_ends_is_given_up(
    fetch: Download, base: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(TooLarge):
        fetch(f"{base}/huge.pdf", 200_000_000, html=False)
    assert _heard == []
    monkeypatch.setattr(attachments, "MOST_BYTES", 10_000)
    with pytest.raises(TooLarge):
        fetch(f"{base}/endless", 5, html=False)


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
