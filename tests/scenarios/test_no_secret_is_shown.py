"""Somebody looks for keys, tokens and passwords wherever the program says or writes something."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from marked_settings import NOWHERE, SEVERAL_TEAMS, mark, marked_secret, secret_settings
from slack_scene import Program
from stubllm.fixtures.models import Fixture, MockResponse
from stubllm.pytest_plugin import MockLLMServerFixture
from test_slack_over_http import answer
from two_workspaces import free_url
from vouch_home import Finished, Home

CARD = "A lost student card costs 20 euros, and the desk prints a new one at once."
QUESTION = "how much does a lost student card cost?"
EMBEDDED = {"index": "lancedb", "weaviate_url": ""}
HERE = {"embedder": "bundled", "embeddings_base_url": "", "embeddings_api_key": ""}
"""No embedder on a server."""
DATABASES = ("audit_url", "inbox_url", "library_url")


def variables(**values: str) -> dict[str, str]:
    return {f"VOUCH_{name.upper()}": value for name, value in values.items()}


@pytest.fixture(scope="module")
def furnished(shared_home: Home) -> Home:
    """A home with one document."""
    of_slack = ("slack_tokens_key", "slack_url", "slack_client_secret", "web_url")
    sealed = variables(
        **{name: marked_secret(name) for name in ("library_key", *of_slack)},
        **SEVERAL_TEAMS,
        slack_client_id="1.2",
    )
    home = replace(shared_home, environment={**shared_home.environment, **sealed})
    home.reads({"card.md": CARD})
    return home


@pytest.fixture
def marked(furnished: Home, tmp_path: Path) -> Home:
    """The same, whose every secret has its mark, and no address leads anywhere."""
    home = furnished.copy_to(tmp_path / "home")
    secrets = {name: marked_secret(name) for name in secret_settings()}
    secrets["slack_api_url"] = marked_secret("slack_api_url", "localhost")  # takes it for a port
    databases = {name: marked_secret(name, scheme="postgresql") for name in DATABASES}
    set_up = {
        **home.environment,
        **variables(**secrets | databases, index="weaviate", embedder="text-embedding-3-small"),
        **variables(web_port="0"),
    }
    return Home(home.path, set_up)


@pytest.fixture
def answered(marked: Home, stubllm_server: MockLLMServerFixture) -> Home:
    """The same, whose language model answers: the stub, at an address with a password."""
    written = '{"claims": [{"text": "%s", "anchors": ["1.1"], "kind": "cited", "reasoning": ""}]}'
    answers = [MockResponse(content=written % CARD)]
    stubllm_server.reset()
    stubllm_server.replace_fixtures([Fixture(name="scripted", sequence=answers)])
    place = str(stubllm_server.openai_url).removeprefix("http://")
    url = f"http://{mark('openai_base_url', 'user')}:{mark('openai_base_url', 'password')}@{place}"
    chosen = variables(
        writer="openai",
        openai_base_url=url,
        audit_url="",
        inbox_url="",
        library_url="",
        **EMBEDDED,
        **HERE,
    )
    return replace(marked, environment={**marked.environment, **chosen})


def kept(folder: Path) -> Iterator[tuple[Path, str]]:
    for path in folder.rglob("*"):
        if path.is_file():
            yield path, path.read_bytes().decode("latin-1")


def assert_no_secret(where: object, text: str) -> None:
    assert text
    for name in secret_settings():
        assert mark(name) not in text, f"{name} stands in {where}"


def assert_says_none(finished: Finished) -> None:
    assert_no_secret("what it says", f"{finished.out}{finished.err}")


def test_no_secret_is_shown_or_written_with_an_answer(answered: Home, tmp_path: Path) -> None:
    asked = answered.vouch_apart("ask", QUESTION, "--json")
    assert [claim["text"] for claim in asked.json["claims"]] == [CARD]
    assert_says_none(asked)
    audit_id = asked.json["audit_id"]
    for options in ([audit_id, "--json"], [audit_id]):
        assert_says_none(answered.vouch("audit", "show", *options))
    shown = answered.record(audit_id)["versions"]["settings"]["values"]
    assert shown["openai_base_url"].startswith("http://127.0.0.1:")
    answered.does("audit", "export", "--out", tmp_path / "export.jsonl")
    for path, text in (*kept(answered.path), *kept(tmp_path)):
        assert_no_secret(path, text or "empty")


def test_no_secret_is_said_when_everything_fails(marked: Home) -> None:
    checked = marked.refuses("audit store", "check", VOUCH_WRITER="openai")
    assert f"The embedder at {NOWHERE} cannot be reached" in checked.out
    assert "Slack bot token: Slack cannot be reached" in checked.out
    assert_says_none(checked)
    failed = marked.vouch("audit", "list")
    assert failed.status == 1
    assert_says_none(failed)
    assert_says_none(marked.vouch("ask", QUESTION))
    here = variables(audit_url="", library_url="", **HERE)
    without_index = marked.vouch("ask", QUESTION, **here)
    assert f"The Weaviate server at https://{NOWHERE} cannot be reached" in without_index.said
    assert_says_none(without_index)
    here |= variables(**EMBEDDED)
    unreachable = marked.refuses(NOWHERE, "ask", QUESTION, VOUCH_WRITER="openai", **here)
    assert_says_none(unreachable)


def test_no_secret_is_said_while_the_bot_runs(marked: Home) -> None:
    url, health = free_url(), free_url()
    ports = {"port": url.rpartition(":")[2], "health_port": health.rpartition(":")[2]}
    chosen = {"audit_url": "", "inbox_url": "", "library_url": ""}
    chosen |= HERE
    program = Program(marked, **variables(**chosen, **ports))
    try:
        program.wait_for(lambda: answer(f"{health}/readyz")[0] == 503)
        assert_no_secret("/readyz", answer(f"{health}/readyz")[1])
        program.wait_for_log("Slack cannot be reached")
    finally:
        program.end()
    assert_no_secret("the log", program.log)
