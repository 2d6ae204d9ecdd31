"""A document stays the same when its folder moves, its file is renamed, or somebody changes it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from ingests import House, house_in, write
from libraries import tampered_with, url_in

from retrieval.errors import PassageChanged, SourceNameTaken
from retrieval.metadata.access import EVERYBODY

FILES = {"rules.md": "Coursework is due on Friday.", "is/fees.md": "The fee is ten euros."}


@pytest.fixture
def house(tmp_path: Path) -> House:
    house = house_in(tmp_path, FILES)
    house.reads()
    return house


def identities(house: House) -> dict[str, str]:
    return {file: each.document.document_id for file, each in house.holdings.items()}


def passage_ids(house: House) -> frozenset[str]:
    return house.ingest.indexed.library.passage_ids()


def test_the_same_folder_somewhere_else_is_the_same_source(house: House, tmp_path: Path) -> None:
    before, passages = identities(house), passage_ids(house)
    elsewhere = tmp_path / "mnt" / "docs"
    elsewhere.parent.mkdir()
    house.docs.rename(elsewhere)
    report = house.ingest.run(elsewhere, EVERYBODY, named="docs")
    assert report.moved_from == str(house.docs)
    assert (report.unchanged, report.added, report.removed) == (2, (), ())
    assert (identities(house), passage_ids(house)) == (before, passages)


def test_another_folder_of_the_same_name_is_never_merged_in_silence(
    house: House, tmp_path: Path
) -> None:
    other = tmp_path / "other" / "docs"
    write(other, {"rules.md": "Other rules."})
    with pytest.raises(SourceNameTaken, match="--source") as raised:
        house.ingest.run(other, EVERYBODY)
    assert str(tmp_path / "docs") in str(raised.value)
    assert house.held == FILES
    house.ingest.run(other, EVERYBODY, named="other docs")
    assert sorted(house.ingest.indexed.library.holdings("other docs")) == ["rules.md"]
    assert len(passage_ids(house)) == 3


def test_a_folder_that_is_known_is_not_given_a_second_name(house: House) -> None:
    for path in (house.docs, house.docs / "is", house.docs / "rules.md"):
        with pytest.raises(SourceNameTaken, match="known as the source docs"):
            house.ingest.run(path, EVERYBODY, named="handbook")
    assert house.ingest.run(house.docs, EVERYBODY, named="docs").unchanged == 2


def test_a_renamed_file_is_the_same_document(house: House) -> None:
    before, passages = identities(house), passage_ids(house)
    (house.docs / "rules.md").rename(house.docs / "is" / "coursework.md")
    report = house.reads()
    assert report.renamed == (("rules.md", "is/coursework.md"),)
    assert (report.added, report.changed, report.removed) == ((), (), ())
    assert identities(house)["is/coursework.md"] == before["rules.md"]
    assert passage_ids(house) == passages


def test_a_file_renamed_into_a_closed_folder_is_for_those_who_may_read_that(house: House) -> None:
    write(house.docs, {"is/metadata.yaml": '"*": {audience: {departments: [is]}}'})
    (house.docs / "rules.md").rename(house.docs / "is" / "rules.md")
    house.reads()
    rule = house.holdings["is/rules.md"].document.metadata.access
    assert rule.audience == (("departments", ("is",)),)


def test_an_ingest_that_dies_after_a_rename_leaves_it_unserved_until_it_is_read(
    house: House,
) -> None:
    before = identities(house)
    house.ingest.indexed.library.rename(before["rules.md"], "moved.md")
    (house.docs / "rules.md").rename(house.docs / "moved.md")
    assert sorted(house.held) == ["is/fees.md"]
    house.reads()
    assert identities(house)["moved.md"] == before["rules.md"]
    assert sorted(house.held) == ["is/fees.md", "moved.md"]


def test_of_two_that_may_have_been_renamed_nobody_guesses(house: House) -> None:
    before = identities(house)
    text = (house.docs / "rules.md").read_text()
    (house.docs / "rules.md").unlink()
    report = house.reads({"one.md": text, "two.md": text})
    assert report.renamed == ()
    assert (report.added, report.removed) == (("one.md", "two.md"), ("rules.md",))
    assert before["rules.md"] not in identities(house).values()


def test_a_copy_is_no_rename(house: House) -> None:
    report = house.reads({"copy.md": FILES["rules.md"]})
    assert (report.renamed, report.added) == ((), ("copy.md",))


def test_a_new_file_at_an_old_path_is_another_document(house: House) -> None:
    before = identities(house)
    (house.docs / "rules.md").rename(house.docs / "old rules.md")
    write(house.docs, {"rules.md": "Coursework is due on Monday."})
    house.reads()  # one was changed, and one is new: no path vanished
    assert identities(house)["rules.md"] == before["rules.md"]
    assert identities(house)["old rules.md"] != before["rules.md"]


def test_what_is_purged_stays_out_while_its_file_stands(house: House) -> None:
    document_id = identities(house)["rules.md"]
    house.ingest.purge(document_id)
    assert sorted(house.held) == ["is/fees.md"]
    assert house.ingest.indexed.index.ids() == passage_ids(house)
    (house.docs / "rules.md").rename(house.docs / "again.md")
    report = house.reads()
    (problem,) = report.problems
    assert problem.file == "again.md"
    assert "was purged on" in problem.reason
    assert sorted(house.held) == ["is/fees.md"]
    write(house.docs, {"again.md": "Coursework is due on Monday."})
    assert house.reads().is_clean


def test_what_was_changed_behind_its_back_is_read_anew(house: House, tmp_path: Path) -> None:
    tampered_with(
        url_in(tmp_path / "home"),
        "UPDATE library_passage SET source = replace(source, 'ten', 'one')",
    )
    with pytest.raises(PassageChanged):
        list(house.ingest.indexed.library.all_passages())
    report = house.reads()
    assert report.changed == ("is/fees.md",)
    assert house.held == FILES


def test_earlier_versions_are_forgotten_but_for_those_that_are_cited(house: House) -> None:
    before = identities(house)
    house.reads({"rules.md": "Coursework is due on Monday.", "is/fees.md": "The fee is 12 euros."})
    later = datetime.now(UTC) + timedelta(days=1)
    forgotten = house.ingest.forget_versions(later, lambda key: key == (before["rules.md"], "1"))
    library = house.ingest.indexed.library
    assert forgotten == 1
    assert library.original(before["rules.md"], "1") == FILES["rules.md"].encode()
    assert library.original(before["is/fees.md"], "1") is None
    assert library.original(before["is/fees.md"], "2") == b"The fee is 12 euros."


# --- changed behind its back ---------------------------------------------------------------

RULES = {f"{number}.md": f"# Rules {number}\n\nOnly {number} apply here." for number in range(4)}


@pytest.fixture
def tampered(tmp_path: Path) -> House:
    """It looks at two documents at a time, after every passage was changed."""
    house = house_in(tmp_path, RULES)
    house.reads()
    tampered_with(
        url_in(tmp_path / "home"),
        "UPDATE library_passage SET source = replace(source, 'apply', 'never apply')",
    )
    return replace(house, ingest=replace(house.ingest, seals_of=2))


def broken(tampered: House) -> list[str]:
    return sorted(tampered.ingest.indexed.library.broken().values())


@pytest.mark.exhaustive
def test_an_ingest_mends_as_many_documents_as_it_looks_at_until_none_is_left(
    tampered: House,
) -> None:
    assert len(broken(tampered)) == 4
    assert len(tampered.reads().changed) == 2
    assert len(broken(tampered)) == 2
    with pytest.raises(PassageChanged):
        list(tampered.ingest.indexed.library.all_passages())
    for _ in range(50):
        tampered.reads()
    assert broken(tampered) == []
    assert all("Only" in text and "never" not in text for text in tampered.held.values())


def test_an_ingest_that_looks_at_every_seal_mends_all_at_once(tampered: House) -> None:
    assert len(tampered.ingest.run(tampered.docs, EVERYBODY, all_seals=True).changed) == 4
    assert tampered.held == {file: text.split("\n\n")[1] for file, text in RULES.items()}


def test_a_file_that_is_named_is_looked_at(tampered: House) -> None:
    assert tampered.ingest.run(tampered.docs / "3.md", EVERYBODY).changed == ("3.md",)
    assert broken(tampered) == ["0.md", "1.md", "2.md"]
