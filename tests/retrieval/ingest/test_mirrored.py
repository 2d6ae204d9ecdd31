"""Documents that live elsewhere are read in as a folder of them would be, or not at all."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ingests import SourceReader, held, write

from retrieval.errors import SourceShrank, SourceUnavailable, UnreadableDocument
from retrieval.ingest.source_files import IngestReport
from retrieval.metadata.access import EVERYBODY, Audience
from retrieval.ports import Fetched, SourceFile, SourceListing
from retrieval.remote.mirror import MOST_FAILURES, Mirror
from retrieval.remote.names import planned

URL = "s3://place/docs"
HR = '"*": {audience: {departments: [hr]}}'
DOCS = {"a.md": "Parking costs two euros.", "hr/pay.md": "Pay comes on the twentieth."}


@dataclass
class Elsewhere:
    """A place of documents that can be away, in whole or in part."""

    files: dict[str, str] = field(default_factory=dict)
    links: tuple[str, ...] = ()
    unlisted: Mapping[str, str] = field(default_factory=dict)
    faults: dict[str, Exception] = field(default_factory=dict)
    """By path; of the listing under an empty one."""
    fetched: list[str] = field(default_factory=list)
    page: str = ""

    def listing(self) -> SourceListing:
        if "" in self.faults:
            raise self.faults[""]
        files = (SourceFile(path, etag=str(hash(text))) for path, text in self.files.items())
        links = (SourceFile(path, is_link=True) for path in self.links)
        return SourceListing((*files, *links), self.unlisted)

    def fetch(self, file: SourceFile, held: str = "") -> Fetched:
        if file.path in self.faults:
            raise self.faults[file.path]
        self.fetched.append(file.path)
        return Fetched([self.files[file.path].encode()])

    def link(self, path: str) -> str:
        return self.page and f"{self.page}/{path}"


AWAY = SourceUnavailable("did not answer in time")


class Reader(SourceReader):
    def __init__(self, home: Path, place: Elsewhere) -> None:
        super().__init__(home, URL, lambda: place)
        self.place = place

    def read(self, said: Audience = EVERYBODY, *, may_shrink: bool = False) -> IngestReport:
        self.place.fetched.clear()
        return super().read(said, may_shrink=may_shrink)


@pytest.fixture
def reader(tmp_path: Path) -> Reader:
    reader = Reader(tmp_path, Elsewhere({**DOCS, "hr/metadata.yaml": HR, "film.mp4": "x"}))
    reader.read()
    return reader


OPEN: tuple[object, ...] = ()
FOR_HR = (("departments", ("hr",)),)
AS_FIRST = {"a.md": OPEN, "hr/pay.md": FOR_HR}


def test_only_what_changed_is_fetched(reader: Reader) -> None:
    assert reader.served == AS_FIRST
    report = reader.read()
    assert (reader.place.fetched, report.unchanged) == ([], 2)
    reader.place.files["a.md"] = "Parking costs three euros."
    assert reader.read().changed == ("a.md",)
    assert reader.place.fetched == ["a.md"]
    assert "three" in held(reader.ingest)["a.md"]


def test_what_left_leaves_and_what_was_renamed_stays_the_same_document(reader: Reader) -> None:
    reader.place.files["b.md"] = reader.place.files.pop("a.md")
    assert reader.read().renamed == (("a.md", "b.md"),)
    del reader.place.files["b.md"]
    assert reader.read().removed == ("b.md",)
    assert reader.served == {"hr/pay.md": FOR_HR}


@pytest.mark.parametrize("faults", [{"": AWAY}, {"hr/metadata.yaml": AWAY}])
def test_a_place_that_is_away_for_a_moment_changes_nothing(
    reader: Reader, faults: dict[str, Exception]
) -> None:
    reader.place.files |= {"hr/metadata.yaml": f"{HR} ", "a.md": "New words here."}
    reader.place.faults = faults
    with pytest.raises(SourceUnavailable, match="did not answer in time"):
        reader.read()
    assert reader.served == AS_FIRST
    assert "Parking" in held(reader.ingest)["a.md"]
    reader.place.faults = {}
    reader.read()
    assert "New words" in held(reader.ingest)["a.md"]


def test_a_server_that_fails_every_file_is_not_asked_for_all_of_them(reader: Reader) -> None:
    many = {f"{number}.md": f"Room {number} is open." for number in range(3 * MOST_FAILURES)}
    reader.place.files |= many
    reader.place.faults = dict.fromkeys(many, AWAY)
    with pytest.raises(SourceUnavailable):
        reader.read()
    assert reader.served == AS_FIRST


def test_a_changed_document_that_cannot_be_fetched_is_kept_and_not_served(reader: Reader) -> None:
    reader.place.files["a.md"] = "Now for managers."
    reader.place.faults = {"a.md": AWAY}
    report = reader.read()
    assert (report.suspended, report.removed) == (("a.md",), ())
    assert [each.file for each in report.problems] == ["a.md"]
    assert reader.served == {"hr/pay.md": FOR_HR}
    reader.place.faults = {}
    assert reader.served_then() == AS_FIRST


NOT_FOR_US = UnreadableDocument("may not be read with the credentials that are set")


@pytest.mark.parametrize("unlisted", [{}, {"closed.html": "may not be read"}, {".": "closed"}])
def test_a_source_that_keeps_single_files_out_was_read(
    tmp_path: Path, unlisted: Mapping[str, str]
) -> None:
    reader = Reader(tmp_path, Elsewhere(dict(DOCS), unlisted=unlisted))
    reader.place.faults = {"hr/pay.md": UnreadableDocument("is gone")}
    reader.read()
    [times] = reader.ingest.indexed.library.source_times()
    assert (times.read_at is None) == ("." in unlisted)


def test_below_a_metadata_file_that_may_not_be_fetched_nothing_is_served(reader: Reader) -> None:
    reader.place.files |= {"hr/metadata.yaml": "audience: everyone", "hr/new.md": "New pay."}
    reader.place.faults = {"hr/metadata.yaml": NOT_FOR_US}
    assert reader.read().suspended == ("hr/pay.md",)
    assert reader.served == {"a.md": OPEN}


def test_documents_whose_readers_changed_while_they_were_copied_wait(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What came last may have been written for readers that were named after metadata came."""

    def narrowed_meanwhile(file: SourceFile, held: str = "") -> Fetched:
        reader.place.files["metadata.yaml"] = HR
        return Elsewhere.fetch(reader.place, file, held)

    reader.place.files["a.md"] = "The salary of the dean is secret."
    with monkeypatch.context() as patched:
        patched.setattr(reader.place, "fetch", narrowed_meanwhile)
        with pytest.raises(SourceUnavailable, match="who may read it"):
            reader.read()
    assert reader.served == AS_FIRST
    reader.read()
    assert reader.served["a.md"] == FOR_HR


def test_a_folder_that_may_not_be_listed_opens_nothing_by_a_rule_above_it(reader: Reader) -> None:
    for file in ("hr/metadata.yaml", "hr/pay.md"):
        del reader.place.files[file]
    reader.place.unlisted = {"hr": "may not be listed"}
    report = reader.read()
    assert (report.removed, reader.served) == ((), {"a.md": OPEN})
    reader.place.unlisted = {}
    reader.place.files |= {"hr/pay.md": DOCS["hr/pay.md"], "hr/metadata.yaml": HR}
    assert reader.served_then() == AS_FIRST


def test_losing_more_than_half_at_once_removes_nothing_until_somebody_says_so(
    reader: Reader,
) -> None:
    reader.place.files.clear()
    with pytest.raises(SourceShrank, match="--may-shrink"):
        reader.read()
    assert reader.served == AS_FIRST
    shutil.rmtree(reader.mirror.files.parent)  # as in a home that was restored
    with pytest.raises(SourceShrank):
        reader.read()
    assert len(reader.read(may_shrink=True).removed) == 2


def test_a_reading_that_was_killed_goes_on_where_it_stood(tmp_path: Path) -> None:
    place = Elsewhere({f"{number}.md": f"Room {number} is open." for number in range(4)})
    reader = Reader(tmp_path, place)
    place.faults = {"2.md": KeyboardInterrupt()}  # type: ignore[dict-item]
    with pytest.raises(KeyboardInterrupt):
        reader.read()
    assert (place.fetched, reader.served) == (["0.md", "1.md"], {})
    place.faults = {}
    reader.read()
    assert place.fetched == ["2.md", "3.md"]
    assert len(reader.served) == 4


def test_copies_whose_state_is_damaged_are_made_anew(reader: Reader) -> None:
    state = reader.mirror.files.parent / "state.sqlite"
    state.write_bytes(b"not a database" * 100)
    write(reader.mirror.files, {"stray.md": "Nobody listed this."})
    assert reader.served_then() == AS_FIRST


def test_a_copy_that_a_power_cut_emptied_is_fetched_again(reader: Reader) -> None:
    (reader.mirror.files / "a.md").write_text("")
    reader.read()
    assert reader.place.fetched == ["a.md"]
    assert reader.served == AS_FIRST


def test_another_process_that_reads_the_same_source_is_not_disturbed(reader: Reader) -> None:
    other = Mirror(reader.mirror.files.parent, URL, 1)
    with other.turn(), pytest.raises(SourceUnavailable, match="another process"):
        reader.read()


def test_too_large_a_document_is_left_out_and_the_entry_that_names_it_holds(
    reader: Reader,
) -> None:
    reader.place.files["hr/big.md"] = "x" * 1_100_000
    reader.place.files["hr/metadata.yaml"] = f"{HR}\nbig.md: {{audience: {{departments: [it]}}}}"
    report = reader.read()
    assert [each.file for each in report.problems] == ["hr/big.md"]
    assert reader.served == AS_FIRST


def test_people_open_a_document_where_it_lives_unless_it_says_otherwise(reader: Reader) -> None:
    reader.place.page = "https://files.example.org"
    reader.place.files |= {
        "b.md": "The gym opens at six.",
        "c.md": "---\nlink: https://own.example.org\n---\nThe pool opens at eight.",
    }
    reader.read()
    passages = reader.ingest.indexed.library.all_passages()
    links = {p.document.file: p.document.metadata.link for p in passages}
    assert links["b.md"] == "https://files.example.org/b.md"
    assert links["c.md"] == "https://own.example.org"


# --- names ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        *("../out.md", "/etc/out.md", "hr/../../out.md", "hr//out.md", "./out.md", "nul\0.md"),
        *("A.md", "hr/pay.md/under.md", "HR/other.md", "\udcff.md", "n" * 300 + ".md", "b\n.md"),
    ],
)
def test_no_name_leads_out_of_the_mirror_or_over_another(
    reader: Reader, name: str, tmp_path: Path
) -> None:
    reader.place.files[name] = "What an outsider wrote."
    report = reader.read()
    assert name.encode("utf-8", "replace").decode() in {
        each.file.encode("utf-8", "replace").decode() for each in report.problems
    }
    assert "outsider" not in str(held(reader.ingest))
    assert not list(tmp_path.rglob("*out.md"))


@pytest.mark.parametrize(
    "name", ["hr//metadata.yaml", "hr/Metadata.yaml", "hr/../hr/metadata.yaml", "HR/metadata.yaml"]
)
def test_a_metadata_file_whose_name_cannot_be_kept_closes_its_folder(
    reader: Reader, name: str
) -> None:
    reader.place.files[name] = "audience: everyone"
    reader.read()
    assert "hr/pay.md" not in reader.served


@pytest.mark.parametrize("link", ["metadata.yaml", "hr/metadata.yml"])
def test_a_link_in_the_place_of_a_metadata_file_closes_its_folder(
    reader: Reader, link: str
) -> None:
    reader.place.links = (link,)
    reader.read()
    assert "hr/pay.md" not in reader.served


PARTS = st.sampled_from(["a", "A", "é", "e\u0301", "..", ".", "", "\0", "metadata.yaml", "b.md"])


@given(st.lists(st.lists(PARTS, min_size=1, max_size=4).map("/".join), max_size=8, unique=True))
def test_whatever_is_listed_each_kept_name_stands_below_the_mirror_once(names: list[str]) -> None:
    plan = planned(SourceListing(tuple(map(SourceFile, names))))
    kept = [Path("/mirror", path) for path in plan.files]
    assert all(not {"..", "."} & {*path.parts} and path.is_relative_to("/mirror") for path in kept)
    assert len({str(path).casefold() for path in kept}) == len(kept)
    assert not {path.parent for path in kept} & {*kept}
