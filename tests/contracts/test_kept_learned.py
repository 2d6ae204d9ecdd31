"""Which questions lead where is kept by their hashes, until the index follows and afterwards."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from retrieval.documents.holdings import Acquisition, Fingerprint
from retrieval.documents.port import LearnedQuestion
from retrieval.documents.sql_library import SqlLibrary
from retrieval.types import Document, Metadata

pytest_plugins = ["audit_stores", "libraries"]

FIRST = LearnedQuestion("audit-1", "p-1", "fees", "hash-1", "key-1")
SECOND = replace(FIRST, audit_id="audit-2", passage_id="p-2", document_id="leave")


@pytest.fixture
def kept(library: SqlLibrary) -> SqlLibrary:
    for name in ("fees", "leave"):
        owner = Document(name, f"{name}.md", "1", datetime.now(UTC), name, Metadata())
        library.store([Acquisition("docs", owner, Fingerprint(1, 2, name, ""), [])])
    return library


def test_what_is_learned_is_told_to_the_index_once(kept: SqlLibrary) -> None:
    kept.learn([FIRST, SECOND])
    assert sorted(kept.learned(), key=lambda each: each.audit_id) == [FIRST, SECOND]
    assert kept.learned(["leave"]) == [SECOND]
    assert kept.learned([]) == []
    assert kept.unsettled() == {"p-1", "p-2"}
    kept.settle_learned(["p-1"])
    assert kept.unsettled() == {"p-2"}
    kept.learn([replace(FIRST, content_hash="hash-2")])
    assert kept.unsettled() == {"p-1", "p-2"}
    assert kept.learned(["fees"]) == [replace(FIRST, content_hash="hash-2")]


def test_what_is_unlearned_leads_nowhere_at_once_and_is_gone_once_the_index_knows(
    kept: SqlLibrary,
) -> None:
    kept.learn([FIRST, SECOND])
    kept.settle_learned(["p-1", "p-2"])
    kept.unlearn([("audit-1", "p-1"), ("audit-1", "p-2")])
    assert kept.learned() == [SECOND]
    assert kept.unsettled() == {"p-1"}
    kept.settle_learned(kept.unsettled())
    assert (kept.unsettled(), kept.learned()) == (frozenset(), [SECOND])


@pytest.mark.parametrize("way", ["removed", "purged"])
def test_it_goes_with_the_document(kept: SqlLibrary, way: str) -> None:
    kept.learn([FIRST, SECOND])
    if way == "purged":
        kept.purge("fees")
    else:
        kept.remove(["fees"])
        kept.forget_strays()
    assert kept.learned() == [SECOND]
    assert kept.unsettled() == {"p-2"}
