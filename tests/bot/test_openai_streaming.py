"""Somebody has a slow language model write piece by piece: what comes of it, and what may fail.

Against `ScriptedServer` alone: stubllm breaks off its streams with the FastAPI of today.
"""

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest
from openai_fixtures import (
    ANSWER,
    Scripted,
    ScriptedServer,
    a_brief,
    a_writer,
)
from pydantic import SecretStr

from bot.answering.values import Writer
from bot.errors import WriterUnavailable
from bot.settings import Settings
from bot.wiring.answering import build_writer
from bot.wiring.stores_and_models import ModelsInUse
from bot.wording.redaction import Address

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
