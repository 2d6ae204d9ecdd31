"""Servers in trouble, and what the person who asked is told."""

import json
import time
from collections.abc import Sequence
from dataclasses import replace

import pytest
from openai_fixtures import (
    ANSWER,
    GOOD,
    KEY,
    Scripted,
    ScriptedServer,
    a_brief,
    a_claim,
    a_completion,
    a_port_where_nobody_listens,
    a_writer,
    an_answer,
    an_error,
    the_stub_sends,
)
from pydantic import SecretStr
from stubllm.fixtures.models import MockResponse
from stubllm.pytest_plugin import MockLLMServerFixture

from bot.answering.values import Writer
from bot.errors import WriterUnavailable
from bot.settings import Settings
from bot.wiring.answering import build_writer
from bot.wiring.container import ModelsInUse
from bot.wording.redaction import Address
from retrieval.models import openai_client


def failure(writer: Writer) -> str:
    """The message of a failing writer; whatever it says, it never gives the key away."""
    with pytest.raises(WriterUnavailable) as caught:
        writer.write(a_brief())
    seen: BaseException | None = caught.value
    while seen is not None:
        assert KEY not in str(seen)
        seen = seen.__cause__
    return str(caught.value)


def test_after_a_rate_limit_the_request_is_sent_again(server: ScriptedServer) -> None:
    limited = Scripted(an_error("slow down"), 429, {"Retry-After": "0.01"})
    server.script = [limited, GOOD]
    assert a_writer(server.url, retries=1).write(a_brief()).raw == ANSWER
    assert len(server.received) == 2


def test_a_rate_limit_that_lasts_too_long_is_told_and_not_waited_for(
    server: ScriptedServer,
) -> None:
    server.script = [Scripted(an_error("slow down"), 429, {"Retry-After": "3600"})]
    assert "takes no more requests" in failure(a_writer(server.url, retries=2))
    assert len(server.received) == 1


def test_a_used_up_quota_is_told_as_such(server: ScriptedServer) -> None:
    server.script = [Scripted(an_error("You exceeded", "insufficient_quota"), 429)]
    assert "billing" in failure(a_writer(server.url))


def test_a_server_that_keeps_failing_is_given_up(stubllm_server: MockLLMServerFixture) -> None:
    url = the_stub_sends(stubllm_server, MockResponse(http_status=500, error_message="boom"))
    assert "out of order (500)" in failure(a_writer(url, retries=1))
    assert stubllm_server.call_count == 2


def test_a_server_that_is_down_is_left_alone_for_a_while(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(openai_client, "REST", 0.2)
    server.script = [Scripted("", 503)] * openai_client.MOST_FAILURES + [GOOD]
    writer = a_writer(server.url)
    for _ in range(openai_client.MOST_FAILURES):
        assert "out of order (503)" in failure(writer)
    asked = len(server.received)
    assert "is not asked" in failure(writer)
    assert len(server.received) == asked
    time.sleep(0.3)
    assert writer.write(a_brief()).raw == ANSWER


def test_a_server_that_refuses_a_request_is_asked_the_next_one(server: ScriptedServer) -> None:
    server.script = [Scripted(an_error("no such model"), 404)] * 5 + [GOOD]
    writer = a_writer(server.url)
    for _ in range(5):
        assert "does not accept the request" in failure(writer)
    assert writer.write(a_brief()).raw == ANSWER


def test_a_server_that_stays_silent_is_not_waited_for(server: ScriptedServer) -> None:
    server.script = [Scripted("", silent=True)]
    message = failure(a_writer(server.url, timeout=0.2))
    assert "VOUCH_OPENAI_TIMEOUT_SECONDS" in message


def test_a_refused_key_is_not_tried_again_or_repeated(stubllm_server: MockLLMServerFixture) -> None:
    url = the_stub_sends(
        stubllm_server, MockResponse(http_status=401, error_message=f"Bad key {KEY}")
    )
    assert "VOUCH_OPENAI_API_KEY" in failure(a_writer(url, retries=2))
    assert stubllm_server.call_count == 1


def test_a_rejected_request_is_explained_in_the_servers_words_without_the_key(
    server: ScriptedServer,
) -> None:
    server.script = [Scripted(an_error(f"The model `a-model` is not for {KEY}."), 404)]
    message = failure(a_writer(server.url))
    assert "404 - The model `a-model` is not for ....)" in message
    assert "VOUCH_OPENAI_MODEL" in message


def test_documents_do_not_follow_a_redirect(
    server: ScriptedServer, stubllm_server: MockLLMServerFixture
) -> None:
    elsewhere = f"{the_stub_sends(stubllm_server, MockResponse(content=ANSWER))}chat/completions"
    server.script = [Scripted("", 307, {"Location": elsewhere})]
    assert "VOUCH_OPENAI_BASE_URL" in failure(a_writer(server.url))
    assert stubllm_server.call_count == 0


def test_where_nobody_listens_the_address_is_named_without_its_password() -> None:
    port = a_port_where_nobody_listens()
    message = failure(a_writer(f"http://user:{KEY}@127.0.0.1:{port}/v1"))
    assert f"127.0.0.1:{port} cannot be reached" in message
    assert "VOUCH_OPENAI_BASE_URL" in message


def test_an_answer_that_is_cut_off_is_no_answer(stubllm_server: MockLLMServerFixture) -> None:
    url = the_stub_sends(stubllm_server, MockResponse(content=ANSWER, finish_reason="length"))
    assert "cut off" in failure(a_writer(url))


@pytest.mark.parametrize(
    "held_back",
    [
        Scripted(a_completion("", finish_reason="content_filter")),
        Scripted(an_error("The prompt was filtered", "content_filter"), 400),
    ],
)
def test_an_answer_that_a_filter_holds_back_is_told_as_such(
    server: ScriptedServer, held_back: Scripted
) -> None:
    server.script = [held_back]
    assert "content filter" in failure(a_writer(server.url))


@pytest.mark.parametrize(
    "content",
    [
        '{"claims": [{"text": "It costs',
        "It costs 20 euros.",
        "",
        "{}",
        '{"claims": [{"text": "It costs 20 euros."}]}',
        '{"claims": null}',
        an_answer(a_claim("It costs 20 euros.", "1.1", kind="certain")),
        an_answer({**a_claim("It costs 20 euros.", "1.1"), "confidence": 1}),
        an_answer(a_claim("<c>1.1</c>", "1.1")),
    ],
)
def test_an_answer_in_another_form_than_asked_for_is_nonsense(
    server: ScriptedServer, content: str
) -> None:
    server.script = [Scripted(a_completion(content))]
    message = failure(a_writer(server.url))
    assert "a form that it was not asked for" in message
    assert "20 euros" not in message


HOTEL = Scripted("<html>Welcome to this hotel</html>", headers={"Content-Type": "text/html"})
BODIES = ("", '{"choices": [{"mess', '{"choices": []}', '{"object": "list", "data": []}')


@pytest.mark.parametrize("response", [HOTEL, *map(Scripted, BODIES)])
def test_a_server_that_speaks_something_else_is_nonsense(
    server: ScriptedServer, response: Scripted
) -> None:
    server.script = [response]
    assert "a form that it was not asked for" in failure(a_writer(server.url))


USAGE = {"prompt_tokens": 321, "completion_tokens": 45, "total_tokens": 366}


def streaming(server: ScriptedServer, timeout: float = 10) -> Writer:
    return a_writer(server.url, stream=True, timeout=timeout)


def chunk(finish_reason: str | None = None, **delta: str) -> dict[str, object]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}]}


def events(*chunks: object, done: bool = True) -> Scripted:
    """As a server sends them; what is no chunk is sent as it is."""
    sent = [each if isinstance(each, str) else json.dumps(each) for each in chunks]
    text = "".join(f"data: {each}\n\n" for each in [*sent, *(["[DONE]"] if done else [])])
    return Scripted(text, headers={"Content-Type": "text/event-stream"})


def written(text: str, finish_reason: str = "stop") -> Sequence[dict[str, object]]:
    pieces = [chunk(content=text[start : start + 7]) for start in range(0, len(text), 7)]
    return [
        chunk(role="assistant"),
        *pieces,
        chunk(finish_reason),
        {"choices": [], "usage": USAGE},
    ]


def reason(server: ScriptedServer, *script: Scripted) -> str:
    """Why nothing was written."""
    server.script = list(script)
    with pytest.raises(WriterUnavailable) as raised:
        streaming(server).write(a_brief())
    return str(raised.value)


def test_what_came_in_pieces_is_the_same_as_at_once_and_its_tokens_are_counted(
    server: ScriptedServer,
) -> None:
    server.script = [events(*written(ANSWER))]
    draft = streaming(server).write(a_brief())
    assert draft.raw == ANSWER
    assert draft.tokens == {"prompt": 321, "completion": 45}
    [request] = server.received
    assert (request.body["stream"], request.body["stream_options"]) == (
        True,
        {"include_usage": True},
    )


def test_the_setting_has_the_writer_ask_for_pieces(server: ScriptedServer) -> None:
    server.script = [events(*written(ANSWER))]
    settings = Settings(  # type: ignore[call-arg]  # settings by name
        _env_file=None,
        writer="openai",
        openai_base_url=Address(server.url),
        openai_api_key=SecretStr("sk-none"),
        openai_stream=True,
    )
    assert build_writer(ModelsInUse(settings)).write(a_brief()).raw == ANSWER
    assert server.received[0].body["stream"] is True


def test_a_refusal_in_pieces_is_a_refusal(server: ScriptedServer) -> None:
    server.script = [events(chunk(refusal="I "), chunk(refusal="won't."), chunk("stop"))]
    draft = streaming(server).write(a_brief())
    assert (draft.claims, draft.raw) == ((), "I won't.")


NONSENSE = "a form that it was not asked for"
BROKEN = ("{", '"text"', "[]", '{"choices": 7}', '{"choices": [{"delta": {"content": 7}}]}')


@pytest.mark.parametrize(
    ("response", "words"),
    [
        (events(*written(ANSWER, "length")), "cut off"),
        (events(*written(ANSWER, "content_filter")), "content filter"),
        *((events(each), NONSENSE) for each in BROKEN),
        (events(*written(ANSWER)[:4], done=False), NONSENSE),
    ],
    ids=["cut off", "filtered", *BROKEN, "ends early"],
)
def test_what_was_not_finished_or_is_broken_is_no_answer(
    server: ScriptedServer, response: Scripted, words: str
) -> None:
    assert words in reason(server, response)


def test_an_error_amid_the_pieces_is_told_in_the_servers_words(server: ScriptedServer) -> None:
    failed = {"error": {"message": "The model ran out of memory."}}
    said = reason(server, events(*written(ANSWER)[:3], failed))
    assert "The model ran out of memory." in said


def test_a_slow_server_is_waited_for_as_long_as_pieces_come(server: ScriptedServer) -> None:
    server.script = [replace(events(*written(ANSWER)), drip=0.05)]
    assert streaming(server, timeout=1).write(a_brief()).raw == ANSWER


@pytest.mark.parametrize(
    ("response", "timeout"),
    [
        (replace(events(*([chunk(content=" ")] * 10_000)), drip=0.01), 0.1),
        (Scripted("", silent=True), 0.2),
    ],
    ids=["never comes to an end", "falls silent"],
)
def test_a_server_that_does_not_end_is_not_waited_for(
    server: ScriptedServer, response: Scripted, timeout: float
) -> None:
    server.script = [response]
    with pytest.raises(WriterUnavailable, match="did not answer in time"):
        streaming(server, timeout=timeout).write(a_brief())
