"""The operator lets a server embed, and no key in the environment does so by itself."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from embedding_server import EmbeddingServer, embedding_server
from test_checking_the_house import findings
from vouch_home import Home, write

QUESTION = "how many days of leave may staff carry over?"
LEAVE = "Staff may carry over five days of leave."
WRITERS, OWN = "sk-of-the-writer", "sk-of-the-embedder"


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with embedding_server() as running:
        yield running


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    return write(tmp_path / "docs", {"leave.md": f"# Leave\n\n{LEAVE}"})


def test_a_key_in_the_environment_sends_no_document_anywhere(
    home: Home, docs: Path, server: EmbeddingServer
) -> None:
    keys = {"VOUCH_OPENAI_API_KEY": WRITERS, "VOUCH_OPENAI_BASE_URL": server.url}
    keys |= {"OPENAI_API_KEY": WRITERS, "OPENAI_BASE_URL": server.url}
    home.does("ingest", "--for=everyone", docs, **keys)
    home.ask(QUESTION, **keys)
    assert server.received == []


def test_an_embedder_that_the_settings_name_is_asked_with_its_own_key(
    home: Home, docs: Path, server: EmbeddingServer
) -> None:
    named = {
        "VOUCH_EMBEDDER": "openai:words",
        "VOUCH_EMBEDDINGS_BASE_URL": server.url,
        "VOUCH_EMBEDDINGS_API_KEY": OWN,
        "VOUCH_OPENAI_API_KEY": WRITERS,
    }
    home.does("ingest", "--for=everyone", docs, **named)
    assert any(LEAVE in text for text in server.texts)
    found = findings(home.vouch("check", **named))
    assert found["embedder"] == ("ok", f"openai:words, at {server.url[7:-3]}, 64 dimensions")
    assert found["index"][0] == "ok"
    record = home.record(home.ask(QUESTION, **named)["audit_id"])
    assert record["versions"]["models"]["embedder"] == "openai:words"
    assert OWN not in str(record)
    assert set(server.keys) == {OWN}


def test_the_writers_key_is_not_sent_to_another_server(
    home: Home, docs: Path, server: EmbeddingServer
) -> None:
    named = {
        "VOUCH_EMBEDDER": "openai:words",
        "VOUCH_EMBEDDINGS_BASE_URL": server.url,
        "VOUCH_OPENAI_API_KEY": WRITERS,
    }
    home.does("ingest", "--for=everyone", docs, **named)
    assert server.received
    assert WRITERS not in server.keys


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"VOUCH_EMBEDDER": "text-embedding-3-large"}, "has no key"),
        ({"VOUCH_EMBEDDER": "openai:"}, "names no model"),
        ({"VOUCH_EMBEDDINGS_API_KEY": OWN}, "are for an embedder on a server"),
        (
            {"VOUCH_EMBEDDER": "openai:words", "VOUCH_EMBEDDINGS_BASE_URL": "nowhere"},
            "not the address of a server",
        ),
        (
            {"VOUCH_EMBEDDER": "openai:words", "VOUCH_EMBEDDINGS_BASE_URL": "http://127.0.0.1:9"},
            "cannot be reached",
        ),
    ],
)
def test_what_cannot_embed_is_told_in_one_line(
    home: Home, docs: Path, settings: dict[str, str], told: str
) -> None:
    finished = home.vouch("ingest", "--for=everyone", docs, **settings)
    assert finished.status != 0
    assert told in finished.said
