"""Files that were given stand in the home, each choice of readers as a source of its own."""

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from threading import Event

import pytest
from vouch_home import Home, write

from bot.errors import JobFailed
from bot.jobs.work import Finished
from bot.slack.given_files import FetchedFile, FileOutcome, GivenFiles
from bot.wiring.given_files import GivenFolder
from bot.wording import reading_in as wording
from retrieval.metadata.access import Audience

AT = datetime(2026, 3, 2, tzinfo=UTC)
HR: Audience = (("departments", ("hr",)),)
KIM = {"id": "kim", "departments": ["hr"]}
CARL = {"id": "carl", "departments": ["cs"]}
POOL = "The pool of the house is cleaned on every second Thursday."
NEW = POOL.replace("second", "third")
DRAFT = f"---\ndraft: true\n---\n{POOL} Perhaps.\n"
ASKED = "when is the pool cleaned?"


def broken(_: Sequence[str], __: Event) -> Finished:
    return Finished(1, None, "vouch: the index is away")


@dataclass
class Given:
    """A home in which files are given."""

    home: Home

    @property
    def folder(self) -> GivenFolder:
        return GivenFolder(self.home.path, self.home.library, self._run)

    def _run(self, words: Sequence[str], _: Event) -> Finished:
        ended = self.home.vouch(*words)
        return Finished(ended.status, None, (ended.err.strip().splitlines() or [""])[-1])

    def fetched(
        self, text: str, to: Audience, name: str = "pool.md", of: str = "one"
    ) -> GivenFiles:
        content = text.encode()
        file = FetchedFile(0, name, sha256(content).hexdigest())
        given = GivenFiles(of, "U0ANA", "C0GENERAL", (), to, AT, AT, fetched=(file,))
        self.folder.keep(given, name, content)
        self.folder.keep_before(given, [name])
        return given

    def read(self, given: GivenFiles) -> FileOutcome:
        return self.folder.read(given, given.fetched[0])

    def give(
        self, text: str, to: Audience = (), name: str = "pool.md", of: str = "one"
    ) -> FileOutcome:
        given = self.fetched(text, to, name, of)
        outcome = self.read(given)
        self.folder.forget(given)
        return outcome

    def broken_off(self, text: str, to: Audience = ()) -> GivenFiles:
        """It was put in place, and the ingest failed."""
        given = self.fetched(text, to, of="two")
        with pytest.raises(JobFailed, match="the index is away"):
            GivenFolder(self.home.path, self.home.library, broken).read(given, given.fetched[0])
        return given

    def standing(self) -> list[str]:
        root: Path = self.folder.root
        return sorted(each.relative_to(root).as_posix() for each in root.glob("[!.]*/*"))

    def all_again(self) -> int:
        return self.home.vouch("ingest", "--all").status

    def is_read_by(self, *options: str, text: str = POOL) -> bool:
        return text in str(self.home.ask(ASKED, *options))


@pytest.fixture
def given(home: Home) -> Given:
    home.people(KIM, CARL)
    home.ingest(write(home.path.parent / "docs", {"garage.md": "The garage has forty places.\n"}))
    return Given(home)


def test_files_are_for_those_who_were_chosen_whatever_they_are_called(given: Given) -> None:
    for number, name in enumerate(["pool [2026]*.md", "{pool}.md", "a: pool.md"]):
        outcome = given.give(f"# Pool {number}\n\n{number} {POOL}\n", HR, name)
        assert (outcome.why, outcome.readers) == ("", HR)
    assert given.is_read_by("--as", "kim")
    assert not given.is_read_by()
    assert given.all_again() == 0
    assert not given.is_read_by()


@pytest.mark.parametrize("stated", ['{departments: "*"}', "{departments: [hr, cs]}", "everyone"])
def test_a_file_that_says_it_is_for_more_is_for_those_who_were_chosen(
    given: Given, stated: str
) -> None:
    outcome = given.give(f"---\naudience: {stated}\n---\n{POOL}\n", HR)
    assert outcome.readers in (HR, ())
    assert not outcome.why or outcome.readers == ()
    assert not given.is_read_by("--as", "carl")
    assert not given.is_read_by()


def test_a_file_for_others_than_were_chosen_is_for_nobody(given: Given) -> None:
    assert given.give(f"---\naudience: {{departments: cs}}\n---\n{POOL}\n", HR).why
    assert not given.is_read_by("--as", "carl")
    assert given.standing() == []


def test_a_file_narrows_its_readers_itself_and_that_is_told(given: Given) -> None:
    outcome = given.give(f"---\naudience: {{departments: hr}}\n---\n{POOL}\n")
    assert outcome.readers == HR
    assert not given.is_read_by()


def test_a_newer_version_has_the_readers_that_were_chosen_for_it(given: Given) -> None:
    given.give(POOL)
    assert given.give(NEW, HR).readers == HR
    assert given.standing() == ["departments=hr/pool.md"]
    assert not given.is_read_by()
    assert not given.is_read_by(text=NEW)
    assert given.is_read_by("--as", "kim", text=NEW)
    assert given.give(NEW).why == ""
    assert given.is_read_by(text=NEW), "the same again, for more"


def test_a_version_that_is_not_read_leaves_nothing_and_the_one_before_stays(given: Given) -> None:
    given.give(POOL, HR)
    for to in ((), HR):
        assert "is a draft" in given.give(DRAFT, to).why
        assert given.standing() == ["departments=hr/pool.md"]
    assert given.is_read_by("--as", "kim")
    assert not given.is_read_by()
    assert given.all_again() == 0, "nothing is kept out"


def test_the_same_again_that_is_refused_stands_as_before(given: Given) -> None:
    given.give(POOL)
    by_hand = write(given.folder.root / "everyone", {"metadata.yml": "audience: hr\n"})
    assert given.give(POOL).why
    (by_hand / "metadata.yml").unlink()
    assert given.standing() == ["everyone/pool.md"]
    assert given.all_again() == 0
    assert given.is_read_by()


def test_what_is_given_up_is_not_served_by_a_later_ingest(given: Given) -> None:
    given.give(POOL, HR)
    for to in ((), HR):
        given.folder.undo(given.broken_off(NEW, to), "pool.md")
    assert given.all_again() == 0
    assert given.standing() == ["departments=hr/pool.md"]
    assert not given.is_read_by(text=NEW)
    assert not given.is_read_by("--as", "kim", text=NEW)
    assert given.is_read_by("--as", "kim")


def test_what_was_broken_off_is_done_again(given: Given) -> None:
    given.give(POOL, HR)
    half = given.broken_off(NEW)
    assert given.read(half).why == ""
    assert given.read(half).why == "", "and once more, as where it was killed before that was kept"
    assert given.standing() == ["everyone/pool.md"]
    assert given.is_read_by(text=NEW)
    assert not given.is_read_by("--as", "kim")


def by_removing(given: Given) -> None:
    said = given.home.vouch("ingest", "--remove", given.folder.root / "everyone" / "pool.md")
    assert "1 documents removed" in said.said


def by_removing_all_of_some(given: Given) -> None:
    (given.folder.root / "everyone" / "old").mkdir()
    given.home.does("ingest", "--remove", given.folder.root / "everyone")
    (given.folder.root / "everyone" / "old").rmdir()


def by_purging(given: Given) -> None:
    given.home.does("purge", "pool.md", "--yes")


@pytest.mark.parametrize("taken", [by_removing, by_removing_all_of_some, by_purging])
def test_what_is_taken_back_does_not_come_again(
    given: Given, taken: Callable[[Given], None]
) -> None:
    given.give(POOL)
    half = given.broken_off(DRAFT)
    taken(given)
    left = (each for each in given.folder.root.rglob("*") if each.is_file())
    assert POOL not in "".join(each.read_text() for each in left)
    assert given.read(half).why == wording.TAKEN_BACK
    given.give("It is blue.\n", name="other.md")
    assert given.all_again() == 0
    assert given.standing() == ["everyone/other.md"]
    assert not given.is_read_by()


def test_a_file_of_another_source_stays_when_its_documents_leave(given: Given) -> None:
    given.give(POOL)
    docs = given.home.path.parent / "docs"
    given.home.does("ingest", "--remove", docs)
    given.home.does("ingest", "--remove", given.home.path.parent)
    assert (docs / "garage.md").exists()
    assert given.standing() == ["everyone/pool.md"], "a folder above takes no file away"
    assert not given.home.library.holdings("given-files/everyone")


def in_a_new_home(given: Given, path: Path) -> Given:
    given.give("It is blue.\n", HR, "other.md")
    moved = Given(given.home.copy_to(path))
    shutil.rmtree(given.folder.root)
    shutil.rmtree(moved.folder.root)
    return moved


def test_in_a_new_home_they_are_served_as_before(given: Given, tmp_path: Path) -> None:
    given.give(POOL, HR)
    moved = in_a_new_home(given, tmp_path / "new")
    for _ in range(2):
        again = moved.home.vouch("ingest", "--all")
        assert (again.status, "given-files/departments=hr: not read again" in again.said) == (
            0,
            True,
        )
        assert moved.is_read_by("--as", "kim")
        assert not moved.is_read_by()
        assert moved.give("It is green.\n", HR, "other.md").why == "", "and the rest stays"


def test_in_a_new_home_one_is_replaced_and_taken_back(given: Given, tmp_path: Path) -> None:
    given.give(POOL, HR)
    moved = in_a_new_home(given, tmp_path / "new")
    assert "is a draft" in moved.give(DRAFT, HR).why
    assert moved.is_read_by("--as", "kim"), "as the library has it"
    assert moved.give(NEW).why == ""
    assert not moved.is_read_by("--as", "kim")
    assert moved.is_read_by(text=NEW)


def test_an_own_source_of_that_name_is_read_as_any_other(given: Given) -> None:
    own = given.home.path.parent / "elsewhere" / "given-files"
    given.home.ingest(write(own, {"boat.md": "The boat is red.\n", "pool.md": POOL}))
    given.home.vouch("ingest", own, "--source", "given-files")
    assert given.give(NEW, HR).why == ""
    assert given.all_again() == 0
    assert given.is_read_by()
    (own / "pool.md").unlink()
    assert given.all_again() == 0
    assert not given.is_read_by()


def test_nothing_is_put_where_a_source_for_others_would_read_it(given: Given) -> None:
    given.home.ingest(given.home.path.parent)
    assert given.give(POOL, HR).why == wording.NOT_APART
    assert given.standing() == []
    given.all_again()
    assert not given.is_read_by()


def test_nothing_takes_the_place_of_an_own_source_of_its_name(given: Given) -> None:
    own = write(given.home.path.parent / "own", {"boat.md": "The boat is red.\n"})
    given.home.vouch("ingest", own, "--source", "given-files/everyone", "--for", "everyone")
    assert given.give(POOL).why == wording.NOT_APART
    assert given.standing() == []


def test_nothing_is_for_more_where_somebody_changed_the_readers(given: Given) -> None:
    given.give(POOL, HR)
    given.home.does("sources", "given-files/departments=hr", "--for", "everyone")
    with pytest.raises(JobFailed, match="who may read"):
        given.read(given.fetched(NEW, HR))
    assert not given.is_read_by(text=NEW)


@pytest.mark.parametrize(
    "stands",
    [{"loose.md": POOL}, {"everyone at all/pool.md": POOL}, {"departments=hr/pool.md": POOL}],
)
def test_what_somebody_put_there_by_hand_is_for_no_more_than_its_folder(
    given: Given, stands: Mapping[str, str]
) -> None:
    given.give("It is blue.\n", HR, "other.md")
    write(given.folder.root, stands)
    assert given.give("The pay is low.\n", name="pay.md").why == ""
    assert given.all_again() == 0
    assert not given.is_read_by()


@pytest.mark.parametrize("at", ["given-files", "mydocs"])
def test_a_sample_whose_people_were_edited_opens_again_where_files_were_given_alone(
    home: Home, tmp_path: Path, at: str
) -> None:
    stop = "{as: kim, question: how many places, note: forty}"
    files = {
        "tour.yaml": f"organisation: House\nstops: [{stop}]\n",
        "channels.yaml": "channels: []",
        "documents/garage.md": "The garage has forty places.\n",
        "people.yaml": "people: [{id: kim}]",
    }
    sample = write(tmp_path / "sample", files)
    home.does("tour", sample)
    if at == "mydocs":
        home.ingest(write(home.path / at, {"boat.md": "The boat is red.\n"}))
    else:
        Given(home).give(POOL)
    home.people(KIM)
    assert (home.vouch("tour", sample).status == 0) is (at == "given-files")
