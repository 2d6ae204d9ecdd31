"""A document stays the same when its folder moves or its file is renamed; its readers may not."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from ingests import held, ingest_into, write
from libraries import tampered_with, url_in

from retrieval.documents.holdings import Holding
from retrieval.errors import PassageChanged, SourceNameTaken
from retrieval.ingest.sync import Ingest
from retrieval.metadata.access import EVERYBODY

FILES = {"rules.md": "Coursework is due on Friday.", "is/fees.md": "The fee is ten euros."}


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    write(folder, FILES)
    return folder


@pytest.fixture
def ingest(tmp_path: Path, docs: Path) -> Ingest:
    ingest = ingest_into(tmp_path / "home")
    ingest.run(docs, EVERYBODY)
    return ingest


def holdings(ingest: Ingest, source: str = "docs") -> dict[str, Holding]:
    return ingest.indexed.library.holdings(source)


def identities(ingest: Ingest, source: str = "docs") -> dict[str, str]:
    return {file: each.document.document_id for file, each in holdings(ingest, source).items()}


def passage_ids(ingest: Ingest) -> frozenset[str]:
    return ingest.indexed.library.passage_ids()


def test_the_same_folder_somewhere_else_is_the_same_source(
    ingest: Ingest, docs: Path, tmp_path: Path
) -> None:
    before, passages = identities(ingest), passage_ids(ingest)
    elsewhere = tmp_path / "mnt" / "docs"
    elsewhere.parent.mkdir()
    docs.rename(elsewhere)
    report = ingest.run(elsewhere, EVERYBODY, named="docs")
    assert report.moved_from == str(docs)
    assert (report.unchanged, report.added, report.removed) == (2, (), ())
    assert (identities(ingest), passage_ids(ingest)) == (before, passages)


def test_another_folder_of_the_same_name_is_never_merged_in_silence(
    ingest: Ingest, tmp_path: Path
) -> None:
    other = tmp_path / "other" / "docs"
    write(other, {"rules.md": "Other rules."})
    with pytest.raises(SourceNameTaken, match="--source") as raised:
        ingest.run(other, EVERYBODY)
    assert str(tmp_path / "docs") in str(raised.value)
    assert held(ingest) == FILES
    ingest.run(other, EVERYBODY, named="other docs")
    assert sorted(holdings(ingest, "other docs")) == ["rules.md"]
    assert len(passage_ids(ingest)) == 3


def test_a_folder_that_is_known_is_not_given_a_second_name(ingest: Ingest, docs: Path) -> None:
    for path in (docs, docs / "is", docs / "rules.md"):
        with pytest.raises(SourceNameTaken, match="known as the source docs"):
            ingest.run(path, EVERYBODY, named="handbook")
    assert ingest.run(docs, EVERYBODY, named="docs").unchanged == 2


def test_a_renamed_file_is_the_same_document(ingest: Ingest, docs: Path) -> None:
    before, passages = identities(ingest), passage_ids(ingest)
    (docs / "rules.md").rename(docs / "is" / "coursework.md")
    report = ingest.run(docs, EVERYBODY)
    assert report.renamed == (("rules.md", "is/coursework.md"),)
    assert (report.added, report.changed, report.removed) == ((), (), ())
    assert identities(ingest)["is/coursework.md"] == before["rules.md"]
    assert passage_ids(ingest) == passages


def test_a_file_renamed_into_a_closed_folder_is_for_those_who_may_read_that(
    ingest: Ingest, docs: Path
) -> None:
    write(docs, {"is/metadata.yaml": '"*": {audience: {departments: [is]}}'})
    (docs / "rules.md").rename(docs / "is" / "rules.md")
    ingest.run(docs, EVERYBODY)
    rule = holdings(ingest)["is/rules.md"].document.metadata.access
    assert rule.audience == (("departments", ("is",)),)


def test_an_ingest_that_dies_after_a_rename_leaves_it_unserved_until_it_is_read(
    ingest: Ingest, docs: Path
) -> None:
    before = identities(ingest)
    ingest.indexed.library.rename(before["rules.md"], "moved.md")
    (docs / "rules.md").rename(docs / "moved.md")
    assert sorted(held(ingest)) == ["is/fees.md"]
    ingest.run(docs, EVERYBODY)
    assert identities(ingest)["moved.md"] == before["rules.md"]
    assert sorted(held(ingest)) == ["is/fees.md", "moved.md"]


def test_of_two_that_may_have_been_renamed_nobody_guesses(ingest: Ingest, docs: Path) -> None:
    before = identities(ingest)
    text = (docs / "rules.md").read_text()
    (docs / "rules.md").unlink()
    write(docs, {"one.md": text, "two.md": text})
    report = ingest.run(docs, EVERYBODY)
    assert report.renamed == ()
    assert (report.added, report.removed) == (("one.md", "two.md"), ("rules.md",))
    assert before["rules.md"] not in identities(ingest).values()


def test_a_copy_is_no_rename(ingest: Ingest, docs: Path) -> None:
    write(docs, {"copy.md": FILES["rules.md"]})
    report = ingest.run(docs, EVERYBODY)
    assert (report.renamed, report.added) == ((), ("copy.md",))


def test_a_new_file_at_an_old_path_is_another_document(ingest: Ingest, docs: Path) -> None:
    before = identities(ingest)
    (docs / "rules.md").rename(docs / "old rules.md")
    write(docs, {"rules.md": "Coursework is due on Monday."})
    ingest.run(docs, EVERYBODY)  # one was changed, and one is new: no path vanished
    assert identities(ingest)["rules.md"] == before["rules.md"]
    assert identities(ingest)["old rules.md"] != before["rules.md"]


def test_what_is_purged_stays_out_while_its_file_stands(ingest: Ingest, docs: Path) -> None:
    document_id = identities(ingest)["rules.md"]
    ingest.purge(document_id)
    assert sorted(held(ingest)) == ["is/fees.md"]
    assert ingest.indexed.index.ids() == passage_ids(ingest)
    (docs / "rules.md").rename(docs / "again.md")
    report = ingest.run(docs, EVERYBODY)
    (problem,) = report.problems
    assert problem.file == "again.md"
    assert "was purged on" in problem.reason
    assert sorted(held(ingest)) == ["is/fees.md"]
    write(docs, {"again.md": "Coursework is due on Monday."})
    assert ingest.run(docs, EVERYBODY).is_clean


def test_what_was_changed_behind_its_back_is_read_anew(
    ingest: Ingest, docs: Path, tmp_path: Path
) -> None:
    tampered_with(
        url_in(tmp_path / "home"),
        "UPDATE library_passage SET source = replace(source, 'ten', 'one')",
    )
    with pytest.raises(PassageChanged):
        held(ingest)
    report = ingest.run(docs, EVERYBODY)
    assert report.changed == ("is/fees.md",)
    assert held(ingest) == FILES


def test_earlier_versions_are_forgotten_but_for_those_that_are_cited(
    ingest: Ingest, docs: Path
) -> None:
    before = identities(ingest)
    write(docs, {"rules.md": "Coursework is due on Monday.", "is/fees.md": "The fee is 12 euros."})
    ingest.run(docs, EVERYBODY)
    later = datetime.now(UTC) + timedelta(days=1)
    forgotten = ingest.forget_versions(later, lambda key: key == (before["rules.md"], "1"))
    library = ingest.indexed.library
    assert forgotten == 1
    assert library.original(before["rules.md"], "1") == FILES["rules.md"].encode()
    assert library.original(before["is/fees.md"], "1") is None
    assert library.original(before["is/fees.md"], "2") == b"The fee is 12 euros."
