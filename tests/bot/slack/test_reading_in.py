"""Who may give files to be read in, for whom, and what is believed of what comes from outside."""

import itertools
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from office import ANA, BEN, EVE, GENERAL, LOUNGE, Clock, Office, open_office
from slack_bolt import Ack
from slack_reading import words

from audit.record import EventKind
from bot.access.entries import Facets
from bot.access.people import People, Person
from bot.errors import JobFailed
from bot.slack.attachments import Download, FetchPosted
from bot.slack.blocks.system_messages import choose, files_of
from bot.slack.directory import SlackChannels, SlackPeople
from bot.slack.exchange import MOST_GIVEN, MOST_OF_A_VALUE, AttachedFile, Intent, Stage
from bot.slack.given_files import (
    ATTEMPTS,
    FetchedFile,
    FileOutcome,
    GivenFiles,
    GivenQueue,
    ReadInStep,
    check_name,
    folder_of,
    option_of,
)
from bot.slack.message_events import asks_to_read
from bot.slack.reading_in import READERS, ReadIn, readers_form
from bot.wording import reading_in as wording
from bot.wording.slack import FILE_ELSEWHERE
from retrieval.documents.locks import LockFile
from retrieval.errors import UnreadableDocument
from retrieval.metadata.access import Audience

PLAN = "plan.md"
VIEWS = itertools.count()
STRANGER = "T0OTHER//U0ANA"
CS: Audience = (("departments", ("cs",)),)
LONG = "Кафедра прикладной математики и информатики"
VALUES = ["cs", "is", LONG, "a, b", "*"]
BEGAN = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    with open_office(tmp_path_factory.mktemp("reading-in")) as office:
        yield office


@pytest.fixture(autouse=True)
def at_the_machines_time(office: Office) -> None:
    office.clock = Clock()


@dataclass
class Folder:
    """Remembers what it was given to read, and may fail."""

    failing: Exception | None = None
    kept: dict[str, bytes] = field(default_factory=dict)
    read_in: list[tuple[str, bytes]] = field(default_factory=list)
    undone: list[str] = field(default_factory=list)

    def keep(self, given: GivenFiles, name: str, content: bytes) -> None:
        self.kept[name] = content

    def keep_before(self, given: GivenFiles, names: Sequence[str]) -> None:
        assert set(names) <= self.kept.keys()

    def read(self, given: GivenFiles, file: FetchedFile) -> FileOutcome:
        self.read_in.append((file.name, self.kept[file.name]))
        if self.failing:
            raise self.failing
        return FileOutcome(file.name, passages=2, readers=given.audience)

    def undo(self, given: GivenFiles, name: str) -> None:
        self.undone.append(name)

    def forget(self, given: GivenFiles) -> None:
        self.kept.clear()


def door(
    office: Office, folder: Path, common_in: Callable[[str], Facets | None] = lambda _: None
) -> ReadIn:
    return ReadIn(
        GivenQueue(folder),
        office.people,
        SlackChannels(office.client),
        common_in,
        lambda: {"departments": VALUES, "batches": ["1"]},
        check_name,
        office.clock,
    )


def step(office: Office, folder: Path, shelf: Folder) -> ReadInStep:
    token, url = office.workspace.bot_token, office.workspace.api_url
    fetch = FetchPosted(office.client, lambda _: Download(token, url), check_name)
    turn, append = LockFile(folder / "turn.lock"), office.writer.append
    return ReadInStep(
        office.client, GivenQueue(folder), office.people, fetch, shelf, append, turn, office.clock
    )


def posted(office: Office, channel: str = GENERAL, user: str = ANA) -> AttachedFile:
    ts = office.slack.says(user, channel, "The plan", files={PLAN: b"# Plan\n\nWe sail in May.\n"})
    message = next(m for m in office.slack.messages(channel, user) if m["ts"] == ts)
    return AttachedFile(message["files"][0]["id"], PLAN)


def sent(
    read_in: ReadIn,
    user: str,
    file: AttachedFile,
    option: str = option_of(()),
    channel: str = GENERAL,
    view_id: str = "",
) -> str:
    """What is wrong with a form; empty where it was taken."""
    packed = json.dumps([{"file_id": file.file_id, "name": file.name}])
    values = {READERS: {READERS: {"selected_option": {"value": option}}}}
    view_id = view_id or f"V{next(VIEWS)}"
    metadata = f"{channel}:{packed}"
    view = {"id": view_id, "private_metadata": metadata, "state": {"values": values}}
    ack = Ack()
    read_in.given(ack, {"user": {"id": user}}, view)
    answer: dict[str, Any] = json.loads(ack.response.body) if ack.response else {}
    return str((answer.get("errors") or {}).get(READERS, ""))


def told(office: Office) -> list[str]:
    said = office.bot_said(office.direct(ANA))
    return [" ".join(words(each).split()) for each in said]


@pytest.mark.parametrize("user", [BEN, EVE, STRANGER])
def test_a_form_of_no_administrator_is_not_taken(office: Office, tmp_path: Path, user: str) -> None:
    assert sent(door(office, tmp_path), user, posted(office)) == wording.NOT_ADMIN
    assert list(tmp_path.iterdir()) == []


def test_an_administrator_of_another_workspace_is_none_here(
    office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SlackPeople, "is_colleague", lambda *_: True)
    ana = Person(STRANGER, "Ana", "", {}, admin=True)
    people = SlackPeople(office.client, lambda: People({STRANGER: ana}))
    there = replace(door(office, tmp_path), people=people)
    assert sent(there, STRANGER, posted(office)) == wording.NOT_ADMIN


@pytest.mark.parametrize(
    "option",
    [
        *("", "*", "everyone", "departments=cs"),
        *(option_of((("departments", (value,)),)) for value in ("law", "*", "a, b")),
    ],
)
def test_readers_not_offered_are_not_taken(office: Office, tmp_path: Path, option: str) -> None:
    assert sent(door(office, tmp_path), ANA, posted(office), option) == wording.CHOOSE_AGAIN
    assert list(tmp_path.iterdir()) == []


def test_readers_of_a_long_name_are_offered(office: Office, tmp_path: Path) -> None:
    option = option_of((("departments", (LONG,)),))
    assert sent(door(office, tmp_path), ANA, posted(office), option) == ""
    form = readers_form(GENERAL, [], [], {"departments": {LONG: (("departments", (LONG,)),)}})
    assert option in str(form)


def test_a_form_that_is_delivered_again_gives_nothing_again(office: Office, tmp_path: Path) -> None:
    for _ in range(2):
        assert sent(door(office, tmp_path), ANA, posted(office), view_id="V1") == ""
        office.clock.forward(1)
    (queued,) = tmp_path.glob("*.json")
    doing = step(office, tmp_path, Folder())
    through(office, doing)
    assert sent(door(office, tmp_path), ANA, posted(office), view_id="V1") == ""
    assert not queued.exists()


def test_all_of_a_channel_are_offered_where_it_is_certain_what_they_have(
    office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, one = posted(office), {"departments": frozenset({"cs"}), "batches": frozenset({"1"})}
    both = option_of((("batches", ("1",)), ("departments", ("cs",))))

    def taken(common: Facets | None, channel: str = GENERAL) -> bool:
        return sent(door(office, tmp_path, lambda _: common), ANA, file, both, channel) == ""

    assert taken(one)
    assert not taken(None)
    assert not taken({**one, "departments": frozenset({"cs", "is"})})
    assert not taken(one, office.direct(ANA))
    shared = {"channel": {"id": GENERAL, "is_ext_shared": True}}
    monkeypatch.setattr(office.client, "conversations_info", lambda **_: shared)
    assert not taken(one)


def through(office: Office, doing: ReadInStep) -> None:
    """Until there is nothing to do, whatever it waits for."""
    for _ in range(60):
        while doing():
            pass
        office.clock.forward(3600)


def test_it_is_recorded_and_told_once_whatever_breaks_it_off(
    office: Office, tmp_path: Path
) -> None:
    before, folder = len(told(office)), Folder(JobFailed("the index is away"))
    assert sent(door(office, tmp_path), ANA, posted(office), option_of(CS)) == ""
    doing = step(office, tmp_path, folder)
    assert [doing(), doing()] == [True, True], "it is fetched, and not read in"
    assert not doing(), "it waits a little"
    assert len(told(office)) == before
    office.clock.forward(60)
    folder.failing = None
    assert doing()
    [(path, kept)] = [(path, path.read_bytes()) for path in tmp_path.glob("*.json")]
    assert doing()
    path.write_bytes(kept)  # as where it was killed before it was done
    assert doing()
    assert not list(tmp_path.glob("*.json"))
    assert folder.read_in == [(PLAN, b"# Plan\n\nWe sail in May.\n")] * 2
    (said,) = told(office)[before:]
    assert "plan.md: is read, 2 passages; departments cs may read it" in said
    event = office.records.happened(EventKind.UPLOADED, BEGAN)[-1]
    assert event.person is not None
    assert (event.person.id, event.channel.id) == ("ana", GENERAL)
    assert event.details["audience"] == {"departments": ["cs"]}


def test_what_is_recorded_is_what_is_read_though_the_file_is_edited_meanwhile(
    office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Folder(JobFailed("the index is away"))
    sent(door(office, tmp_path), ANA, posted(office))
    doing = step(office, tmp_path, folder)
    assert [doing(), doing()] == [True, True]
    fetch = FetchPosted.__call__
    edited = lambda *words: replace(fetch(*words), content=b"edited")  # noqa: E731
    monkeypatch.setattr(FetchPosted, "__call__", edited)
    monkeypatch.setattr(SlackPeople, "administrator", lambda *_: None)
    folder.failing = None
    before = len(told(office))
    through(office, doing)
    event = office.records.happened(EventKind.UPLOADED, BEGAN)[-1]
    assert {sha256(content).hexdigest() for _, content in folder.read_in} == {
        event.details["sha256"]
    }
    assert "is read" in told(office)[before], "who gave it was an administrator when it was fetched"


def test_what_was_given_first_is_read_first_and_waited_for(office: Office, tmp_path: Path) -> None:
    folder, order = Folder(JobFailed("the index is away")), list[tuple[str, bool]]()
    sent(door(office, tmp_path), ANA, posted(office))
    doing = step(office, tmp_path, folder)
    assert [doing(), doing()] == [True, True]
    office.clock.forward(0.1)
    sent(door(office, tmp_path), ANA, posted(office), option_of(CS))
    assert not doing(), "the first waits, and the second for it"
    folder.failing = None
    queue = GivenQueue(tmp_path)
    for _ in range(10):
        office.clock.forward(60)
        if given := queue.next(office.clock()):
            order.append((given.stage, bool(given.audience)))
        doing()
    assert order == [
        *(("read", False), ("tell", False)),
        *(("fetch", True), ("read", True), ("tell", True)),
    ]


def test_what_cannot_be_read_in_is_given_up_undone_and_told(office: Office, tmp_path: Path) -> None:
    before, folder = len(told(office)), Folder(JobFailed("it cannot be"))
    sent(door(office, tmp_path), ANA, posted(office))
    through(office, step(office, tmp_path, folder))
    assert len(folder.read_in) == ATTEMPTS
    assert folder.undone == [PLAN]
    assert [wording.GIVEN_UP in each for each in told(office)[before:]] == [True]
    assert not folder.kept
    assert not list(tmp_path.glob("*.json"))


def test_where_it_cannot_be_told_it_is_not_read_in_again(
    office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: Any) -> None:
        raise OSError("Slack is away")

    folder = Folder()
    sent(door(office, tmp_path), ANA, posted(office))
    monkeypatch.setattr("bot.slack.given_files.post", away)
    through(office, step(office, tmp_path, folder))
    assert len(folder.read_in) == 1
    assert not list(tmp_path.glob("*.json"))


def test_an_unreadable_submission_holds_up_no_other(office: Office, tmp_path: Path) -> None:
    (tmp_path / "0.json").write_text("{}")
    folder = Folder()
    sent(door(office, tmp_path), ANA, posted(office))
    through(office, step(office, tmp_path, folder))
    assert len(folder.read_in) == 1
    assert (tmp_path / "0.unreadable").exists()


def test_a_file_is_called_and_checked_as_slack_has_it_now(office: Office, tmp_path: Path) -> None:
    folder, before = Folder(), len(told(office))
    sent(door(office, tmp_path), ANA, replace(posted(office), name="other.md"))
    through(office, step(office, tmp_path, folder))
    assert [name for name, _ in folder.read_in] == [PLAN]
    ts = office.slack.says(ANA, GENERAL, "Rules", files={"metadata.yaml.md": b"audience: hr\n"})
    message = next(m for m in office.slack.messages(GENERAL, ANA) if m["ts"] == ts)
    renamed = AttachedFile(message["files"][0]["id"], "harmless.md")
    sent(door(office, tmp_path), ANA, renamed)
    through(office, step(office, tmp_path, folder))
    assert wording.LIKE_METADATA.partition(";")[0] in told(office)[before + 1]
    assert len(folder.read_in) == 1


@pytest.mark.parametrize("forged", ["elsewhere", "gone", "no administrator"])
def test_what_is_not_as_it_was_chosen_is_not_read_and_that_is_told(
    office: Office, tmp_path: Path, forged: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, folder, file = len(told(office)), Folder(), posted(office)
    channel, now = LOUNGE if forged == "elsewhere" else GENERAL, office.clock()
    file = replace(file, file_id="F0NOWHERE0") if forged == "gone" else file
    given = GivenFiles(f"of-{forged[:4]}", ANA, channel, (file,), (), now, now)
    if forged == "no administrator":
        monkeypatch.setattr(office.people, "administrator", lambda _: None)
    GivenQueue(tmp_path).keep(given)
    through(office, step(office, tmp_path, folder))
    why = {
        "elsewhere": FILE_ELSEWHERE,
        "gone": wording.NOT_FOUND,
        "no administrator": wording.NO_LONGER_ADMIN,
    }
    assert why[forged] in told(office)[before]
    assert folder.read_in == []


@pytest.mark.parametrize(("user", "kind"), [(ANA, Intent.READ_IN), (BEN, Intent.QUESTION)])
def test_read_this_is_a_question_of_all_but_admins(office: Office, user: str, kind: Intent) -> None:
    place = office.steps()[Stage.PLACEHOLDER]
    office.say(user, "read this", kind=Intent.UNTOLD, attached=(posted(office),))
    exchange = office.claimed(Stage.PLACEHOLDER)
    assert place(exchange).asked.kind is kind


@pytest.mark.parametrize(
    "name",
    [
        *("../x.md", "a/b.md", "a\\b.md", ".x.md", " x.md", "x.md ", "x\n.md", "x\x00.md"),
        *("metadata.yaml.md", "metadata.yml.txt", "metdata.md", "meta.txt"),
        *("x\u202egpj.md", "\ud800.md", f"{'x' * 120}.md", f"{'語' * 90}.md"),
    ],
)
def test_a_hostile_name_is_refused(name: str) -> None:
    with pytest.raises(UnreadableDocument, match="rename it"):
        check_name(name)


def test_a_plain_name_is_kept() -> None:
    for name in ("Plan 2026 (final) [v2].pdf", "Übersicht*.md", "{x}.md"):
        check_name(name)


def test_no_two_audiences_have_one_folder() -> None:
    values = ["a", "b", "x/..", "é & =?", LONG * 4, f"{LONG * 4}x", "a&b=c"]
    keys = {folder_of(()), *(folder_of((("departments", (each,)),)) for each in values)}
    assert len(keys) == len(values) + 1
    assert all("/" not in each and len(each) < 200 for each in keys)


@pytest.mark.parametrize("letter", ['"', "\x07", "語", "\\"])
def test_however_files_are_called_a_button_takes_more_than_are_read_at_once(letter: str) -> None:
    files = [AttachedFile(f"F{number:010}", letter * 96 + ".md") for number in range(10)]
    value = str(choose(files).blocks[1]["elements"][0]["value"])
    assert len(value) <= MOST_OF_A_VALUE
    assert [each.file_id for each in files_of(value)] == [
        each.file_id for each in files[: MOST_GIVEN + 1]
    ]


def test_few_words_ask_to_have_a_file_read_in() -> None:
    for said in ("read this", "Read this!", "please read these files.", "READ THIS FILE, please"):
        assert asks_to_read(said)
    for said in ("read this and say what it costs", "have you read this?", "please", "", "this"):
        assert not asks_to_read(said)
