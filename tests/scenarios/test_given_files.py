"""Files that were given stand in the home, and are read as those of any other source."""

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Event

import pytest
from vouch_home import Home, write

from bot.errors import JobFailed
from bot.jobs.ingesting import Finished
from bot.slack.given_files import GivenFiles, Outcome
from bot.wiring.given_files import GivenFolder
from bot.wording import reading_in as wording
from retrieval.metadata.access import Audience

AT = datetime(2026, 3, 2, tzinfo=UTC)
HR: Audience = (("departments", ("hr",)),)
KIM = {"id": "kim", "departments": ["hr"]}
POOL = "The pool of the house is cleaned on every second Thursday."
ASKED = "when is the pool cleaned?"


@dataclass
class Given:
    """A home in which files are given."""

    home: Home
    ingests: int = 0

    @property
    def folder(self) -> GivenFolder:
        return GivenFolder(self.home.path, self.home.library, self._run)

    def _run(self, words: Sequence[str], _: Event) -> Finished:
        self.ingests += 1
        ended = self.home.vouch(*words)
        return Finished(ended.status, None, (ended.err.strip().splitlines() or [""])[-1])

    def give(self, files: Mapping[str, str], to: Audience = (), name: str = "one") -> list[Outcome]:
        given = GivenFiles(name, "U0ANA", "C0GENERAL", (), to, AT, AT)
        return self.folder(given, {each: text.encode() for each, text in files.items()})

    def standing(self) -> list[str]:
        root: Path = self.folder.root
        found = root.glob("[!.]*/*")
        names = (each.relative_to(root).as_posix() for each in found)
        return sorted(each for each in names if not each.endswith("metadata.yaml"))

    def is_read_by(self, *options: str, text: str = POOL) -> bool:
        return text in str(self.home.ask(ASKED, *options))


@pytest.fixture
def given(home: Home) -> Given:
    home.people(KIM)
    home.ingest(write(home.path.parent / "docs", {"garage.md": "The garage has forty places.\n"}))
    return Given(home)


def test_a_file_is_for_those_who_were_chosen_whatever_it_is_called(given: Given) -> None:
    names = ["pool [2026]*.md", "{pool}.md", "a: pool.md", "metallurgy.md"]
    for number, name in enumerate(names):
        (outcome,) = given.give({name: f"# Pool {number}\n\n{number} {POOL}\n"}, HR)
        assert (outcome.why, outcome.readers) == ("", HR)
    assert given.is_read_by("--as", "kim")
    assert not given.is_read_by()
    assert given.home.vouch("ingest", "--all").status == 0


def test_what_may_be_metadata_of_others_is_never_put_beside_them(given: Given) -> None:
    given.give({"pool.md": POOL})
    for name in ("metadata.yaml.md", "metadata.yml.txt", "metdata.md"):
        (outcome,) = given.give({name: "audience: {departments: hr}\n"})
        assert outcome.why == wording.LIKE_METADATA, name
    assert given.standing() == ["everyone/pool.md"]
    assert given.is_read_by()


def test_a_newer_version_has_the_readers_that_were_chosen_for_it(given: Given) -> None:
    given.give({"pool.md": POOL})
    new = POOL.replace("second", "third")
    (outcome,) = given.give({"pool.md": new}, HR)
    assert outcome.readers == HR
    assert given.standing() == ["departments=hr/pool.md"]
    assert not given.is_read_by()
    assert not given.is_read_by(text=new)
    assert given.is_read_by("--as", "kim", text=new)
    given.give({"pool.md": new})
    assert given.is_read_by(text=new), "the same again, for more"


def test_a_version_that_cannot_be_read_leaves_nothing_and_the_one_before_stays(
    given: Given,
) -> None:
    given.give({"pool.md": POOL}, HR)
    draft = f"---\ndraft: true\n---\n{POOL} Perhaps.\n"
    read, refused = given.give({"garage.md": "The garage is long.\n", "pool.md": draft})
    assert (read.why, "is a draft" in refused.why) == ("", True)
    assert given.standing() == ["departments=hr/pool.md", "everyone/garage.md"]
    assert given.is_read_by("--as", "kim")
    assert not given.is_read_by()
    assert given.home.vouch("ingest", "--all").status == 0, "nothing is kept out"


def test_a_file_narrows_its_readers_itself_and_that_is_told(given: Given) -> None:
    text = f"---\naudience: {{departments: hr}}\n---\n{POOL}\n"
    (outcome,) = given.give({"pool.md": text})
    assert outcome.readers == HR
    assert not given.is_read_by()


def test_what_was_broken_off_after_it_was_put_in_place_is_done_again(given: Given) -> None:
    given.give({"pool.md": POOL})

    def broken(_: Sequence[str], __: Event) -> Finished:
        return Finished(1, None, "vouch: the index is away")

    new = {"pool.md": f"---\ndraft: true\n---\n{POOL}\n", "other.md": "It is blue.\n"}
    files = {name: text.encode() for name, text in new.items()}
    asked = GivenFiles("two", "U0ANA", "C0GENERAL", (), HR, AT, AT)
    with pytest.raises(JobFailed, match="the index is away"):
        GivenFolder(given.home.path, given.home.library, broken)(asked, files)
    assert given.standing() == ["departments=hr/other.md", "departments=hr/pool.md"]
    refused, read = given.give(new, HR, "two")
    assert ("is a draft" in refused.why, read.why) == (True, "")
    assert given.standing() == ["departments=hr/other.md", "everyone/pool.md"]
    assert given.is_read_by(), "as it was"


def by_removing(given: Given) -> None:
    said = given.home.vouch("ingest", "--remove", given.folder.root / "everyone" / "pool.md")
    assert "1 documents removed" in said.said


def by_purging(given: Given) -> None:
    assert given.home.vouch("purge", "everyone/pool.md", "--yes").status == 0


def by_hand(given: Given) -> None:
    (given.folder.root / "everyone" / "pool.md").unlink()
    given.home.vouch("ingest", "--all")


@pytest.mark.parametrize("taken", [by_removing, by_purging, by_hand])
def test_what_is_taken_back_does_not_come_again(
    given: Given, taken: Callable[[Given], None]
) -> None:
    given.give({"pool.md": POOL})
    taken(given)
    given.give({"other.md": "It is blue.\n"})
    assert given.home.vouch("ingest", "--all").status == 0
    assert given.standing() == ["everyone/other.md"]
    assert not given.is_read_by()


@pytest.mark.parametrize("next_is", ["another file", "an ingest"])
def test_in_a_new_home_the_library_brings_them_back_with_their_readers(
    given: Given, next_is: str, tmp_path: Path
) -> None:
    given.give({"pool.md": POOL}, HR)
    moved = Given(given.home.copy_to(tmp_path / "new"))
    shutil.rmtree(given.folder.root)
    shutil.rmtree(moved.folder.root)
    if next_is == "another file":
        moved.give({"other.md": "It is blue.\n"})
    else:
        assert moved.home.vouch("ingest", "--all").status == 0
    assert "departments=hr/pool.md" in moved.standing()
    assert moved.is_read_by("--as", "kim")
    assert not moved.is_read_by()


def test_a_sample_whose_people_were_edited_is_opened_again_after_files_were_given(
    home: Home, tmp_path: Path
) -> None:
    stop = "{as: kim, question: how many places, note: forty}"
    files = {
        "tour.yaml": f"organisation: House\nstops: [{stop}]\n",
        "channels.yaml": "channels: []",
    }
    documents = {"documents/garage.md": "The garage has forty places.\n"}
    kim = {"people.yaml": "people: [{id: kim}]"}
    sample = write(tmp_path / "sample", files | documents | kim)
    assert home.vouch("tour", sample).status == 0
    Given(home).give({"pool.md": POOL})
    home.people(KIM)
    assert home.vouch("tour", sample).status == 0


def test_a_folder_that_lost_what_says_who_may_read_it_opens_nothing(given: Given) -> None:
    given.give({"pool.md": POOL}, HR)
    (given.folder.root / "departments=hr" / "metadata.yaml").unlink()
    assert given.home.vouch("ingest", "--all").status == 0
    assert given.is_read_by("--as", "kim")
    assert not given.is_read_by()


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("departments=hr/metadata.yaml", "{}\n"),
        ("pool.md", POOL),
        ("everyone at all/pool.md", POOL),
    ],
)
def test_what_somebody_put_there_by_hand_is_read_by_nobody_until_it_is_moved_away(
    given: Given, file: str, text: str
) -> None:
    given.give({"pool.md": POOL}, HR)
    write(given.folder.root, {file: text})
    with pytest.raises(JobFailed, match=r"move (that|it) away"):
        given.give({"pay.md": "The pay is low.\n"}, HR)
    read = given.home.vouch("ingest", "--all")
    assert (read.status, file.partition("/")[0] in read.said) == (1, True)
    assert not given.is_read_by()
    assert given.is_read_by("--as", "kim")
