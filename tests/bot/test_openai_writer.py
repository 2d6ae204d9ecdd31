"""What a language model writes, and where and as whom it is asked."""

import json
import subprocess
import sys
from collections.abc import Sequence

import pytest
from openai_fixtures import (
    ANSWER,
    DEADLINE,
    FEE,
    KEY,
    Scripted,
    ScriptedServer,
    a_brief,
    a_claim,
    a_completion,
    a_port_where_nobody_listens,
    a_writer,
    an_answer,
    the_stub_sends,
)
from stubllm.fixtures.models import MockResponse
from stubllm.pytest_plugin import MockLLMServerFixture

from audit.values import ClaimKind
from bot.answering.values import DraftClaim
from bot.errors import BadConfiguration, WriterUnavailable


def written(
    server: ScriptedServer, *claims: dict[str, object], parts: Sequence[str] = ()
) -> tuple[DraftClaim, ...]:
    """What becomes of what a model writes."""
    server.script = [Scripted(a_completion(an_answer(*claims)))]
    return a_writer(server.url).write(a_brief(parts=parts)).claims


def test_a_cited_sentence_comes_back_with_its_anchor(stubllm_server: MockLLMServerFixture) -> None:
    usage = {"prompt_tokens": 321, "completion_tokens": 45, "total_tokens": 366}
    url = the_stub_sends(stubllm_server, MockResponse(content=ANSWER, usage=usage))
    draft = a_writer(url).write(a_brief())
    assert draft.claims == (DraftClaim("A re-evaluation costs 20 euros.", ("1.1",)),)
    assert draft.passages == (FEE, DEADLINE)
    assert draft.raw == ANSWER
    assert draft.tokens == {"prompt": 321, "completion": 45}
    assert not draft.only_copies


def test_the_model_is_asked_for_a_strict_form_at_temperature_0(
    stubllm_server: MockLLMServerFixture,
) -> None:
    a_writer(the_stub_sends(stubllm_server, MockResponse(content=ANSWER))).write(a_brief())
    [call] = stubllm_server.calls
    sent = call["body"]
    assert (sent["model"], sent["temperature"]) == ("a-model", 0)
    form = sent["response_format"]["json_schema"]
    assert form["strict"] is True
    for part in (form["schema"], *form["schema"]["$defs"].values()):
        assert part["additionalProperties"] is False
        assert set(part["required"]) == set(part["properties"])


def test_an_inference_keeps_its_reasoning_and_a_cited_claim_has_none(
    server: ScriptedServer,
) -> None:
    inference, cited = written(
        server,
        a_claim("Two of them cost 40.", "1.1", kind="inference", reasoning="Twice 20."),
        a_claim("One costs 20.", "1.1", reasoning="It says so."),
    )
    assert (inference.kind, inference.reasoning) == (ClaimKind.INFERENCE, "Twice 20.")
    assert (cited.kind, cited.reasoning) == (ClaimKind.CITED, "")


@pytest.mark.parametrize(
    ("numbers", "parts"),
    [((2,), (1,)), ((2, 1, 2), (0, 1)), ((), ()), ((0, 2, 3, -1), (1,)), (None, ())],
)
def test_a_claim_is_for_the_parts_that_the_model_names_by_number(
    server: ScriptedServer, numbers: tuple[int, ...] | None, parts: tuple[int, ...]
) -> None:
    claim = a_claim("It costs 20 euros.", "1.1", parts=numbers or ())
    if numbers is None:
        del claim["parts"]
    [read] = written(server, claim, parts=["Until when?", "What does it cost?"])
    assert read.parts == parts


def test_anchors_that_were_never_given_are_left_for_the_verification(
    server: ScriptedServer,
) -> None:
    anchors = ("7.1", "1.99", "<c>1.1</c>", "fee.md")
    [claim] = written(server, a_claim("It is free.", *anchors))
    assert claim.anchors == anchors


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("It costs 20 euros <c>1.1</c>.", "It costs 20 euros."),
        ("<c>1.1</c> It costs <c>1.2, 2.1</c>\n20 euros.", "It costs 20 euros."),
        ("<c>It costs 20 euros.</c>", "It costs 20 euros."),
        ("[1.1]", "[1.1]"),
    ],
)
def test_tags_that_slip_into_a_sentence_are_taken_out(
    server: ScriptedServer, said: str, text: str
) -> None:
    [claim] = written(server, a_claim(said, "1.1"))
    assert claim.text == text


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("It costs 20 euros [1.1].", "It costs 20 euros."),
        ("[1.2] It costs 20 euros [1.1, 2.1].", "It costs 20 euros."),
        ("It costs 20 euros, as section [7.1] says.", "It costs 20 euros, as section [7.1] says."),
        ("It costs 20 euros [1.1, 1.99].", "It costs 20 euros [1.1, 1.99]."),
        ("It costs [20] euros.", "It costs [20] euros."),
    ],
)
def test_an_anchor_in_brackets_is_taken_out_of_a_sentence_where_it_was_given(
    server: ScriptedServer, said: str, text: str
) -> None:
    [claim] = written(server, a_claim(said, "1.1", kind="inference", reasoning=said))
    assert (claim.text, claim.reasoning) == (text, text)


@pytest.mark.parametrize("refusal", [None, "I can't help with that."])
def test_a_model_that_finds_no_answer_or_refuses_makes_no_claims_and_is_kept_word_for_word(
    server: ScriptedServer, refusal: str | None
) -> None:
    server.script = [Scripted(a_completion(None if refusal else an_answer(), refusal=refusal))]
    draft = a_writer(server.url).write(a_brief())
    assert (draft.claims, draft.passages) == ((), (FEE, DEADLINE))
    assert draft.raw == (refusal or an_answer())
    assert draft.tokens == {"prompt": 321, "completion": 45}


@pytest.mark.slow
def test_making_a_writer_does_not_load_the_openai_package() -> None:
    program = (
        "import sys; from bot.answering.chat.server import ChatServer; "
        "from bot.answering.writers.openai import OpenAIWriter; "
        "OpenAIWriter(ChatServer('k', None, 'm', 1, 0)); "
        "sys.exit('openai' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_without_a_passage_nothing_is_sent(server: ScriptedServer) -> None:
    writer = a_writer(server.url)
    draft = writer.write(a_brief([]))
    assert writer.name == "openai a-model"
    assert (draft.claims, draft.passages, server.received) == ((), (), [])


def test_nothing_in_the_environment_changes_where_or_as_whom_a_request_is_sent(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    foreign = {
        "OPENAI_API_KEY": "sk-foreign",
        "OPENAI_ADMIN_KEY": "sk-foreign",
        "OPENAI_ORG_ID": "foreign",
        "OPENAI_PROJECT_ID": "foreign",
        "OPENAI_BASE_URL": f"http://127.0.0.1:{a_port_where_nobody_listens()}/foreign",
        "OPENAI_CUSTOM_HEADERS": "X-Foreign: foreign\nAuthorization: Bearer sk-foreign",
    }
    for name, value in foreign.items():
        monkeypatch.setenv(name, value)
    a_writer(server.url).write(a_brief())
    a_writer(server.url, key="").write(a_brief())
    with_key, without = server.received
    assert with_key.headers["authorization"] == f"Bearer {KEY}"
    assert "foreign" not in json.dumps([with_key.headers, without.headers]).lower()
    assert not any(name.startswith("openai-") for name in with_key.headers)


def test_without_an_address_openai_is_asked_whatever_address_the_environment_names(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    for name in ("NO_PROXY", "no_proxy", "https_proxy"):
        monkeypatch.delenv(name, raising=False)
    # a proxy that is down keeps the request on this machine
    monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{a_port_where_nobody_listens()}")
    with pytest.raises(WriterUnavailable, match=r"api\.openai\.com cannot be reached"):
        a_writer(None).write(a_brief())
    assert server.received == []


def test_a_key_in_the_environment_is_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-foreign")
    with pytest.raises(BadConfiguration, match="VOUCH_OPENAI_API_KEY"):
        a_writer(None, key="")


@pytest.mark.parametrize("key", ["sk-with a space", "sk-with-line-end\n", "sk-ключ"])
def test_a_key_that_was_copied_badly_is_told_without_repeating_it(key: str) -> None:
    with pytest.raises(BadConfiguration) as caught:
        a_writer(None, key=key)
    assert key not in str(caught.value)


@pytest.mark.parametrize("url", ["localhost:8000", "ftp://example.org", "http://", "http://a:b/"])
def test_an_address_that_is_none_is_told_at_once(url: str) -> None:
    with pytest.raises(BadConfiguration, match="VOUCH_OPENAI_BASE_URL"):
        a_writer(url)
