"""Somebody backs a home up, loses it, and has it back."""

import json
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from backups import (
    appending,
    back_up,
    contents,
    empty_beside,
    forged,
    head_of,
    open_to_others,
    parts_of,
)
from vouch_home import Home, vouch_after, write

from audit.log import open_reader
from bot.backup.making import workplace
from bot.settings import Settings
from bot.slack.inbox.store import Inbox
from bot.wiring.backup import write_backup
from retrieval.metadata import ontology as ontology_module

LEAVE = "Employees have 28 days of annual leave a year."
QUESTION = "how many days of annual leave do employees have?"
OLD = Path(__file__).parents[1] / "fixtures" / "homes" / "0.2"


@pytest.fixture(scope="module")
def answered(shared_home: Home) -> Home:
    """A home that has read one document and answered one question."""
    shared_home.people({"id": "ana", "name": "Ana Silva"})
    shared_home.reads({"staff/leave.md": LEAVE})
    shared_home.ask(QUESTION, "--as", "ana")
    return shared_home


@pytest.fixture
def kept(answered: Home, tmp_path: Path) -> Home:
    """A copy that a test may change."""
    return answered.copy_to(tmp_path / "home")


@pytest.fixture(scope="module")
def archive(answered: Home, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("archive") / "backup.zip"
    back_up(answered, file)
    return file


def assert_refused(new: Home, archive: Path, status: int, why: str, **settings: str) -> None:
    """Nothing is restored, and what stands there stays."""
    before = contents(new)
    refused = new.vouch("restore", archive, **settings)
    assert (refused.status, why in refused.said) == (status, True), refused.said
    assert contents(new) == before


def answer(home: Home) -> tuple[str, list[str]]:
    reply = home.ask(QUESTION, "--as", "ana")
    return reply["decision"], [claim["text"] for claim in reply["claims"]]


def test_a_restored_home_answers_and_verifies_as_before(kept: Home, tmp_path: Path) -> None:
    (kept.path / "audit-heads.txt").write_text(f"2026-01-01 {head_of(kept)}\n")
    before, people = head_of(kept), (kept.path / "people.yaml").read_bytes()
    said = back_up(kept, tmp_path / "backup.zip").said
    assert before in said
    assert "1 entries" in said
    assert "No key is in it. Keep library.key and audit.key" in said
    assert open_to_others(tmp_path / "backup.zip") == []
    new = empty_beside(kept)
    restored = new.does("restore", tmp_path / "backup.zip")
    assert before in restored.said
    assert head_of(new) == before
    assert (new.path / "people.yaml").read_bytes() == people
    assert before in (new.path / "audit-heads.txt").read_text()
    assert new.indexed() == kept.indexed()
    assert answer(new) == answer(kept)
    assert answer(new)[1] == [LEAVE]
    assert new.vouch("audit", "verify", "--head", before).status == 0, "the chain goes on"
    assert open_to_others(new.path) == []
    assert not (new.path / "restoring").exists()


def test_the_manifest_says_what_is_in_the_archive(kept: Home, archive: Path) -> None:
    parts = parts_of(archive)
    manifest = json.loads(parts.pop("manifest.json"))
    assert manifest["format"] == 1
    assert manifest["audit"] == {"entries": 1, "head": head_of(kept)}
    assert {part["name"]: part["size"] for part in manifest["parts"]} == {
        name: len(content) for name, content in parts.items()
    }
    assert set(parts) == {"audit.sqlite", "library.sqlite", "people.yaml", "settings.json"}


def test_what_names_something_is_copied_before_what_it_names(kept: Home, tmp_path: Path) -> None:
    Inbox.open(f"sqlite:///{kept.path / 'inbox.sqlite'}").close()
    copied: list[str] = []
    settings = Settings(home=kept.path)
    write_backup(settings, tmp_path / "b.zip", progress=lambda _, __, name: copied.append(name))
    assert list(dict.fromkeys(copied))[:3] == ["inbox.sqlite", "audit.sqlite", "library.sqlite"]


def test_no_secret_goes_into_an_archive(kept: Home, tmp_path: Path) -> None:
    key = (kept.path / "library.key").read_text()
    secrets = {"VOUCH_SLACK_BOT_TOKEN": "xoxb-secret-word", "VOUCH_OPENAI_API_KEY": "sk-secret"}
    (kept.path / ".env").write_text("VOUCH_SLACK_APP_TOKEN=xapp-secret-word\n")
    (kept.path / ".env").chmod(0o600)
    kept.vouch("backup", tmp_path / "backup.zip", **secrets)
    everything = b"".join(parts_of(tmp_path / "backup.zip").values())
    assert b"secret-word" not in everything
    assert b"sk-secret" not in everything
    assert key.encode() not in everything


@pytest.mark.parametrize("stated", [False, True], ids=["in a file", "in a setting"])
def test_the_key_goes_along_where_it_is_asked_for(home: Home, tmp_path: Path, stated: bool) -> None:
    key = {"VOUCH_LIBRARY_KEY": "a key of thirty-two characters !"} if stated else {}
    docs = write(tmp_path / "docs", {"leave.md": LEAVE})
    home.does("ingest", "--for=everyone", docs, **key)
    said = home.vouch("backup", tmp_path / "backup.zip", "--with-key", **key)
    assert (said.status, "key is in it" in said.said) == (0, True)
    new = empty_beside(home, with_key=False)
    new.does("restore", tmp_path / "backup.zip")
    assert [claim["text"] for claim in new.ask(QUESTION)["claims"]] == [LEAVE]


IN_THE_WAY: dict[str, tuple[dict[str, str] | None, int, str]] = {
    "no key": (None, 2, "Put the library.key of then into"),
    "another key": ({"library.key": "ab" * 32}, 1, "sealed with another key"),
    "a log": ({"audit.sqlite": "mine"}, 2, "it holds audit.sqlite"),
    "people": ({"people.yaml": "mine"}, 2, "it holds people.yaml"),
    "something": ({"notes.txt": "mine"}, 2, "it holds notes.txt"),
}
"""What stands in the new home: None where not even the key does."""


@pytest.mark.parametrize("what", IN_THE_WAY)
def test_a_home_in_which_something_is_missing_or_in_the_way_stays_as_it_was(
    kept: Home, archive: Path, what: str
) -> None:
    stands, status, why = IN_THE_WAY[what]
    new = empty_beside(kept, with_key=stands is not None)
    write(new.path, stands or {})
    assert_refused(new, archive, status, why)


def test_what_somebody_put_into_a_half_restored_home_is_not_removed(
    kept: Home, archive: Path
) -> None:
    new = empty_beside(kept)
    (new.path / "restoring").mkdir()
    (new.path / "notes.txt").write_text("mine")
    assert_refused(new, archive, 2, "it holds notes.txt")


def test_a_key_that_somebody_put_there_is_not_replaced_by_another(
    kept: Home, tmp_path: Path
) -> None:
    back_up(kept, tmp_path / "backup.zip", "--with-key")
    new = empty_beside(kept)
    new.does("restore", tmp_path / "backup.zip")
    other = empty_beside(kept, "other")
    (other.path / "library.key").write_text("ab" * 32)
    assert_refused(other, tmp_path / "backup.zip", 2, "holds another key")


def test_where_the_key_is_lost_all_but_the_library_comes_back(
    kept: Home, archive: Path, tmp_path: Path
) -> None:
    new, head = empty_beside(kept, with_key=False), head_of(kept)
    restored = new.vouch("restore", archive, "--without-library")
    assert (restored.status, "vouch ingest FOLDER" in restored.said) == (0, True)
    assert head_of(new) == head
    assert not (new.path / "library.sqlite").exists()
    new.ingest(write(tmp_path / "docs", {"staff/leave.md": LEAVE}))
    assert answer(new)[1] == [LEAVE]


def test_where_the_key_of_the_log_is_not_put_back_a_restore_says_so(
    kept: Home, tmp_path: Path
) -> None:
    kept.does("jobs", "run", "checkpoint")
    back_up(kept, tmp_path / "backup.zip")
    missing = "The key is missing with which the audit log was signed"
    said = empty_beside(kept).does("restore", tmp_path / "backup.zip").said
    assert missing in said
    assert "vouch jobs run checkpoint" not in said, "which needs that key"
    new = empty_beside(kept, "whole")
    (new.path / "audit.key").write_bytes((kept.path / "audit.key").read_bytes())
    assert missing not in new.does("restore", tmp_path / "backup.zip").said
    new.does("audit", "verify", "--all")


def test_an_archive_that_is_there_is_replaced_only_when_one_says_so(
    kept: Home, tmp_path: Path
) -> None:
    file = tmp_path / "backup.zip"
    file.write_text("of last year")
    refused = kept.vouch("backup", file)
    assert (refused.status, file.read_text()) == (2, "of last year")
    back_up(kept, file, "--force")
    assert parts_of(file)["people.yaml"]
    assert open_to_others(file) == []


def test_a_database_elsewhere_is_not_written_over(
    kept: Home, archive: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere.sqlite"
    elsewhere.write_text("somebody's")
    url = {"VOUCH_AUDIT_URL": f"sqlite:///{elsewhere}"}
    new = empty_beside(kept)
    assert_refused(new, archive, 2, "already holds something", **url)
    elsewhere.unlink()
    new.does("restore", archive, **url)
    with open_reader(f"sqlite:///{elsewhere}") as reader:
        assert reader.verify(head_of(kept)).ok


def test_nothing_is_backed_up_of_a_home_that_holds_nothing(home: Home, tmp_path: Path) -> None:
    home.refuses("nothing to back up", "backup", tmp_path / "backup.zip")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["home"]


@pytest.fixture
def busy(kept: Home) -> Iterator[subprocess.Popen[str]]:
    with appending(f"sqlite:///{kept.path / 'audit.sqlite'}") as program:
        yield program


def test_a_backup_while_the_bot_answers_holds_the_log_as_it_was_at_one_moment(
    kept: Home, tmp_path: Path, busy: subprocess.Popen[str]
) -> None:
    assert busy.stdout
    for number in range(3):
        file = tmp_path / f"{number}.zip"
        for _ in range(200):  # else it waits for somebody to read what it says
            busy.stdout.readline()
        back_up(kept, file)
        assert busy.poll() is None
        stated = json.loads(parts_of(file)["manifest.json"])["audit"]
        new = empty_beside(kept, str(number))
        new.does("restore", file)
        assert head_of(new) == stated["head"]
        with open_reader(f"sqlite:///{new.path / 'audit.sqlite'}") as reader:
            assert reader.head()[0] == stated["entries"] > 1


@pytest.mark.exhaustive
def test_a_backup_while_documents_are_read_in_holds_a_whole_library(
    kept: Home, tmp_path: Path
) -> None:
    many = write(tmp_path / "many", {f"n{n}.md": f"Room {n} has {n} chairs." for n in range(300)})
    program = kept.start("ingest", "--for=everyone", many)
    taken = 0
    while program.poll() is None or not taken:
        back_up(kept, tmp_path / f"{taken}.zip")
        taken += 1
    program.communicate()
    for number in {0, taken // 2, taken - 1}:
        new = empty_beside(kept, f"of-{number}")
        new.does("restore", tmp_path / f"{number}.zip")
        assert new.indexed() == new.library.passage_ids()
        assert new.library.broken() == {}
        assert answer(new)[1] == [LEAVE]


def test_a_full_disk_leaves_nothing_of_a_backup(kept: Home, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    finished = vouch_after(SMALL_DISK, kept, "backup", folder / "backup.zip")
    assert finished.returncode == 1
    assert "is not written, and nothing of it is left" in finished.stderr
    assert "disk" in finished.stderr
    assert list(folder.iterdir()) == []


def test_a_full_disk_leaves_nothing_of_a_restore(kept: Home, archive: Path) -> None:
    new = empty_beside(kept)
    before = contents(new)
    finished = vouch_after(SMALL_DISK, new, "restore", archive)
    assert finished.returncode == 1
    assert "is not restored, and nothing of it is left" in finished.stderr
    assert contents(new) == before
    new.does("restore", archive)


SMALL_DISK = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))"
"""No file takes more than so many bytes."""
DIES = {
    "unpacked": "import os; from retrieval.ingest.indexed_library import IndexedLibrary; "
    "IndexedLibrary.embed_all = lambda *_: os._exit(9)",
    "moved": "import os; os.sync = lambda: os._exit(9)",
}
"""Kills a restore in the midst of its way, and at the last moment before its mark goes."""


@pytest.mark.exhaustive
@pytest.mark.parametrize("after", DIES)
def test_a_restore_that_is_killed_says_so_until_it_is_done_again(
    kept: Home, archive: Path, tmp_path: Path, after: str
) -> None:
    new, head = empty_beside(kept), head_of(kept)
    assert vouch_after(DIES[after], new, "restore", archive).returncode == 9
    assert (new.path / "audit.sqlite").exists() == (after == "moved")
    for command in (["ask", QUESTION], ["audit", "verify"], ["check"], ["backup", tmp_path / "b"]):
        new.refuses("is half restored", *command)
    new.does("restore", archive)
    assert head_of(new) == head
    assert answer(new)[1] == [LEAVE]


def test_what_a_killed_backup_left_goes_with_the_next(kept: Home, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    dies = "import os; os.fsync = lambda _: os._exit(9)"
    assert vouch_after(dies, kept, "backup", folder / "backup.zip").returncode == 9
    assert [each.name for each in folder.iterdir()] == [".vouch-backup"]
    back_up(kept, folder / "backup.zip")
    assert [each.name for each in folder.iterdir()] == ["backup.zip"]


@pytest.mark.parametrize(
    "name", ["inbox.sqlite", "audit.sqlite", "library.sqlite", "settings.json"]
)
def test_an_archive_of_what_is_no_database_restores_nothing(
    kept: Home, archive: Path, tmp_path: Path, name: str
) -> None:
    parts = parts_of(archive)
    stated = json.loads(parts.pop("manifest.json"))["audit"]
    forged(tmp_path / "f.zip", {**parts, name: b"[" * 5_000}, lambda m: m.update(audit=stated))
    assert_refused(empty_beside(kept), tmp_path / "f.zip", 1, "vouch: ")


def test_two_backups_into_one_folder_do_not_meet(kept: Home, tmp_path: Path) -> None:
    with workplace(tmp_path / ".vouch-backup") as place:
        (place.path / "audit.sqlite").write_bytes(b"in the midst of it")
        kept.refuses("Another backup", "backup", tmp_path / "backup.zip")
        assert (place.path / "audit.sqlite").exists()


def test_verifying_with_a_head_from_after_the_backup_says_that_the_log_went_back(
    kept: Home, archive: Path
) -> None:
    early = head_of(kept)
    kept.ask(QUESTION, "--as", "ana")
    late = head_of(kept)
    new = empty_beside(kept)
    new.does("restore", archive)
    new.does("audit", "verify", "--head", early)
    lost = new.refuses("the log went back to before that head", "audit", "verify", "--head", late)
    assert "This home was restored on" in lost.said
    assert "with 1 entries" in lost.said
    elsewhere = kept.vouch("audit", "verify", "--head", "sha256:" + 64 * "a")
    assert "This home was restored" not in elsewhere.said


def test_a_log_that_was_broken_at_the_backup_is_restored_and_called_broken(
    kept: Home, tmp_path: Path
) -> None:
    with closing(sqlite3.connect(kept.path / "audit.sqlite")) as store:
        store.execute("DROP TRIGGER audit_erased_entry_update")
        store.execute("UPDATE audit_entry SET payload = replace(payload, '28', '29')")
        store.commit()
    back_up(kept, tmp_path / "backup.zip")
    empty_beside(kept).refuses("The chain is broken", "restore", tmp_path / "backup.zip")
    assert (kept.path.parent / "restored" / "audit.sqlite").exists()


def test_a_home_of_an_earlier_version_is_brought_up_when_it_is_restored(
    home: Home, tmp_path: Path
) -> None:
    for file in OLD.iterdir():
        shutil.copy(file, home.path)
    back_up(home, tmp_path / "backup.zip")
    new = empty_beside(home, with_key=False)
    new.path.mkdir()
    (new.path / "library.key").write_text("cd" * 32)  # 0.2 sealed nothing, so any key will do
    restored = new.does("restore", tmp_path / "backup.zip")
    assert "4 passages embedded anew" in restored.said
    assert new.library.counts() == {"documents": 4, "passages": 4}
    assert head_of(new) == head_of(home)


def test_files_that_settings_name_come_back_and_one_is_told_to_name_them(
    home: Home, tmp_path: Path
) -> None:
    ontology = tmp_path / "levels.yaml"
    shipped = Path(ontology_module.__file__).with_name("ontology.yaml").read_text()
    ontology.write_text(shipped.replace("batches", "cohorts"))
    glossary = tmp_path / "words.yaml"
    glossary.write_text("annual leave: [holidays]\n")
    settings = {
        "VOUCH_ONTOLOGY": str(ontology),
        "VOUCH_GLOSSARY": str(glossary),
        "VOUCH_ORGANISATION": "Westhill",
    }
    docs = write(tmp_path / "docs", {"leave.md": LEAVE})
    home.does("ingest", "--for=everyone", docs, **settings)
    home.does("backup", tmp_path / "backup.zip", **settings)
    ontology_then = ontology.read_text()
    ontology.unlink()
    glossary.unlink()
    new = empty_beside(home)
    restored = new.does("restore", tmp_path / "backup.zip")
    assert (new.path / "ontology.yaml").read_text() == ontology_then
    assert (new.path / "glossary.yaml").read_text() == "annual leave: [holidays]\n"
    named = {
        "VOUCH_ONTOLOGY": str(new.path / "ontology.yaml"),
        "VOUCH_GLOSSARY": str(new.path / "glossary.yaml"),
    }
    for name, path in named.items():
        assert f"Set {name}={path}" in restored.said
    assert "VOUCH_ORGANISATION=Westhill" in restored.said
    assert [claim["text"] for claim in new.ask(QUESTION, **named)["claims"]] == [LEAVE]


def test_dated_archives_are_kept_as_many_as_the_setting_says(kept: Home, tmp_path: Path) -> None:
    folder = tmp_path / "archives"
    folder.mkdir()
    ours = [f"vouch-2026010{day}T000000Z.zip" for day in (1, 2, 3)]
    others = ["vouch-old.zip", "notes.txt", "vouch-20260101T000000Z.zip.bak"]
    for name in (*ours, *others):
        (folder / name).write_text("old")
    settings = {"VOUCH_BACKUP_FOLDER": str(folder), "VOUCH_BACKUPS_KEPT": "2"}
    done = kept.vouch("backup", **settings)
    assert (done.status, "2 older archives removed" in done.said) == (0, True)
    left = {each.name for each in folder.iterdir()}
    assert left >= {ours[2], *others}
    (newest,) = left - {*ours, *others}
    assert parts_of(folder / newest)["people.yaml"]
    assert len(left) == 2 + len(others)


def test_the_archive_that_was_just_made_is_kept_whatever_a_clock_said_before(
    kept: Home, tmp_path: Path
) -> None:
    folder = tmp_path / "archives"
    folder.mkdir()
    (folder / "vouch-29990101T000000Z.zip").write_text("of a wrong clock")
    settings = {"VOUCH_BACKUP_FOLDER": str(folder), "VOUCH_BACKUPS_KEPT": "1"}
    kept.does("backup", **settings)
    (left,) = folder.iterdir()
    assert parts_of(left)["people.yaml"]


def test_a_backup_that_fails_removes_no_older_one(home: Home, tmp_path: Path) -> None:
    folder = tmp_path / "archives"
    folder.mkdir()
    (folder / "vouch-20260101T000000Z.zip").write_text("old")
    settings = {"VOUCH_BACKUP_FOLDER": str(folder), "VOUCH_BACKUPS_KEPT": "1"}
    assert home.vouch("backup", **settings).status == 1
    assert [each.name for each in folder.iterdir()] == ["vouch-20260101T000000Z.zip"]


def test_without_a_file_and_without_a_folder_one_is_told_what_to_name(kept: Home) -> None:
    kept.calls_wrong("VOUCH_BACKUP_FOLDER", "backup")
