"""What most tests of the way from a question to a reply stand on."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from loaded_once import warm_pool
from openai_fixtures import GOOD, ScriptedServer
from shelves import Shelves

from audit.record import AuditRecord
from bot.answering.verification import ClaimVerifier
from retrieval.ingest import parser_pool
from retrieval.models.cross_encoders import BundledCrossEncoder, CrossEncoderEntailment


@pytest.fixture(autouse=True)
def readers_that_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """A container's documents are read by processes that the next test's are read by, too."""
    monkeypatch.setattr(parser_pool, "ParserPool", warm_pool)


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer().running() as running:
        running.script = [GOOD]
        yield running


@pytest.fixture
def shelves(tmp_path: Path) -> Shelves:
    return Shelves(tmp_path)


@pytest.fixture
def records() -> list[AuditRecord]:
    return []


@pytest.fixture(scope="session")
def shipped() -> ClaimVerifier:
    """As Vouch ships: with the bundled model."""
    return ClaimVerifier(CrossEncoderEntailment(BundledCrossEncoder("entailment")))
