"""Who may give files to be read in, for whom, and what is believed of what comes from outside."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from office import ANA, BEN, EVE, GENERAL, LOUNGE, Office, open_office
from slack_bolt import Ack
from slack_reading import words

from audit.record import EventKind
from bot.access.entries import Facets
from bot.access.people import People, Person
from bot.errors import JobFailed
from bot.slack.attached_files import FetchPosted
from bot.slack.blocks.reading_in import READERS, choose, files_of
from bot.slack.directory import SlackChannels, SlackPeople
from bot.slack.exchange import AttachedFile
from bot.slack.file_download import Download
from bot.slack.given_files import (
    MOST_AT_ONCE,
    GivenFiles,
    GivenQueue,
    Outcome,
    audience_of,
    check_name,
    key_of,
)
from bot.slack.reading_in import ReadIn, asks_to_read
from bot.slack.steps.reading_in import ReadInStep
from bot.wording import reading_in as wording
from bot.wording.slack import FILE_ELSEWHERE
from retrieval.documents.locks import LockFile
from retrieval.errors import UnreadableDocument

PLAN = "plan.md"
STRANGER = "T0OTHER//U0ANA"
BEGAN = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    with open_office(tmp_path_factory.mktemp("reading-in")) as office:
        yield office


@dataclass
class Shelf:
    """Remembers what it was given, and may fail."""

    given: list[tuple[str, bytes]]
    failing: Exception | None = None

    def __call__(self, given: GivenFiles, files: Mapping[str, bytes]) -> list[Outcome]:
        self.given += files.items()
        if self.failing:
            raise self.failing
        return [Outcome(name, passages=2, readers=given.audience) for name in files]


def door(
    office: Office, folder: Path, common_in: Callable[[str], Facets | None] = lambda _: None
) -> ReadIn:
    return ReadIn(
        GivenQueue(folder),
        office.people,
        SlackChannels(office.client),
        common_in,
        lambda: {"departments": ["cs", "is"]},
        check_name,
        office.clock,
    )


def step(office: Office, folder: Path, shelf: Shelf) -> ReadInStep:
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
    read_in: ReadIn, user: str, file: AttachedFile, key: str = "everyone", channel: str = GENERAL
) -> str:
    """What is wrong with a form; empty where it was taken."""
    packed = json.dumps([{"file_id": file.file_id, "name": file.name}])
    values = {READERS: {READERS: {"selected_option": {"value": key}}}}
    view = {"private_metadata": f"{channel}:{packed}", "state": {"values": values}}
    ack = Ack()
    read_in.given(ack, {"user": {"id": user}}, view)
    answer: dict[str, Any] = json.loads(ack.response.body) if ack.response else {}
    return str((answer.get("errors") or {}).get(READERS, ""))


def told(office: Office) -> list[str]:
    said = office.bot_said(office.direct(ANA))
    return [" ".join(words(each).split()) for each in said]


@pytest.mark.parametrize("user", [BEN, EVE, STRANGER])
def test_a_form_that_no_administrator_sends_is_not_taken(
    office: Office, tmp_path: Path, user: str
) -> None:
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


@pytest.mark.parametrize("key", ["departments=law", "departments=cs&departments=is", "", "*"])
def test_readers_who_were_not_offered_are_not_taken(
    office: Office, tmp_path: Path, key: str
) -> None:
    assert sent(door(office, tmp_path), ANA, posted(office), key) == wording.CHOOSE_AGAIN
    assert list(tmp_path.iterdir()) == []


def test_all_of_a_channel_are_offered_where_it_is_certain_what_they_have(
    office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, one = posted(office), {"departments": frozenset({"cs"}), "batches": frozenset({"1"})}
    both = key_of((("batches", ("1",)), ("departments", ("cs",))))

    def taken(common: Facets | None, channel: str = GENERAL) -> bool:
        return sent(door(office, tmp_path, lambda _: common), ANA, file, both, channel) == ""

    assert taken(one)
    assert not taken(None)
    assert not taken({**one, "departments": frozenset({"cs", "is"})})
    assert not taken(one, office.direct(ANA))
    shared = {"channel": {"id": GENERAL, "is_ext_shared": True}}
    monkeypatch.setattr(office.client, "conversations_info", lambda **_: shared)
    assert not taken(one)


def test_it_is_recorded_and_told_once_however_often_it_is_broken_off(
    office: Office, tmp_path: Path
) -> None:
    before, shelf = len(told(office)), Shelf([], JobFailed("the index is away"))
    assert sent(door(office, tmp_path), ANA, posted(office), "departments=cs") == ""
    doing = step(office, tmp_path, shelf)
    assert doing()
    assert not doing(), "it waits a little"
    assert len(told(office)) == before
    [(path, kept)] = [(path, path.read_bytes()) for path in tmp_path.glob("*.json")]
    office.clock.forward(60)
    shelf.failing = None
    assert doing()
    path.write_bytes(kept)  # as where it was killed before it was done
    assert doing()
    assert not list(tmp_path.glob("*.json"))
    assert shelf.given == [(PLAN, b"# Plan\n\nWe sail in May.\n")] * 3
    (said,) = told(office)[before:]
    assert "plan.md: is read, 2 passages; departments cs may read it" in said
    (event,) = office.records.happened(EventKind.UPLOADED, BEGAN)
    assert event.person is not None
    assert (event.person.id, event.channel.id) == ("ana", GENERAL)
    assert event.details["audience"] == {"departments": ["cs"]}


@pytest.mark.parametrize("forged", ["elsewhere", "renamed", "gone", "no administrator"])
def test_what_is_not_as_it_was_chosen_is_not_read_and_that_is_told(
    office: Office, tmp_path: Path, forged: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, shelf, file = len(told(office)), Shelf([]), posted(office)
    channel, now = LOUNGE if forged == "elsewhere" else GENERAL, office.clock()
    file = replace(file, name="other.md") if forged == "renamed" else file
    file = replace(file, file_id="F0NOWHERE0") if forged == "gone" else file
    given = GivenFiles(f"of-{forged[:4]}", ANA, channel, (file,), (), now, now)
    if forged == "no administrator":
        monkeypatch.setattr(office.people, "administrator", lambda _: None)
    GivenQueue(tmp_path).keep(given)
    assert step(office, tmp_path, shelf)()
    why = {
        "elsewhere": FILE_ELSEWHERE,
        "renamed": wording.RENAMED,
        "gone": wording.NOT_FOUND,
        "no administrator": wording.NO_LONGER_ADMIN,
    }
    assert why[forged] in told(office)[before]
    assert shelf.given == []


@pytest.mark.parametrize(
    "name",
    [
        *("../x.md", "a/b.md", "a\\b.md", ".x.md", " x.md", "x.md ", "x\n.md", "x\x00.md"),
        *("x\u202egpj.md", "\ud800.md", f"{'x' * 120}.md", f"{'語' * 90}.md"),
    ],
)
def test_a_hostile_name_is_refused(name: str) -> None:
    with pytest.raises(UnreadableDocument, match="rename it"):
        check_name(name)


def test_a_plain_name_is_kept() -> None:
    for name in ("Plan 2026 (final) [v2].pdf", "Übersicht*.md", "metallurgy.md", "{x}.md"):
        check_name(name)


@pytest.mark.parametrize(
    "audience",
    [(), (("departments", ("cs",)),), (("a", ("x/..", "é & =?")), ("b", ("..",)), ("c", ("",)))],
)
def test_an_audience_is_known_again_by_its_key(audience: Any) -> None:
    assert audience_of(key_of(audience)) == audience
    assert "/" not in key_of(audience)


@pytest.mark.parametrize("key", ["", "foo", ".given", "everyone=", "departments", "a=1&&b=2"])
def test_what_is_no_key_stands_for_nobody_rather_than_for_everyone(key: str) -> None:
    assert audience_of(key) in (None, (("everyone", ("",)),))


def test_however_files_are_called_the_button_takes_those_that_can_be_read_at_once() -> None:
    files = [AttachedFile(f"F{number:010}", '"' * 96 + ".md") for number in range(10)]
    value = str(choose(files).blocks[1]["elements"][0]["value"])
    assert len(value) <= 2000
    assert list(files_of(value)) == files[: len(files_of(value))]
    assert len(files_of(value)) > MOST_AT_ONCE


def test_few_words_ask_to_have_a_file_read_in() -> None:
    for said in ("read this", "Read this!", "please read these files.", "READ THIS FILE, please"):
        assert asks_to_read(said)
    for said in ("read this and say what it costs", "have you read this?", "please", "", "this"):
        assert not asks_to_read(said)
