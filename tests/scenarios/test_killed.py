"""The bot is killed while people ask, again and again; nobody is forgotten or answered twice.

200 kills are affordable because the process is forked from one that has imported all it
needs, and because its models and its index are tiny (`tiny_bot`). All else is real: wiring,
Socket Mode, Bolt, inbox, line, pipeline and audit store. Other kills hit the program.
"""

import json
import logging
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import faults
import pytest
import tiny_bot
from vouch_home import Home
from workspace_client import Message, Refusal, Slack

from audit.log import open_reader
from audit.record import AuditEvent, AuditRecord, EventKind
from bot.slack import referring as asks
from bot.slack.exchange import Stage
from bot.slack.home import ABOUT_MESSAGE, ANYWHERE
from bot.slack.inbox.kept import ReferralStage
from bot.wording.slack import FOLDED
from bot.workspace.seed import BOT_USER, Command, Member, Room, Seed, Shortcut
from bot.workspace.server import Options, Workspace
from bot.workspace.web_api import LimitFigures

MOST_MORE = 200
"""Kills until it died at every step: one may be over before it was seen."""
STAGES = (Stage.PLACEHOLDER, Stage.ANSWERING, Stage.POSTING, Stage.DELIVERY)
SEED = 20260301
LIFE = (0.1, 0.6)
"""Seconds; a start takes about 0.2, and many times that on a busy machine, where most lives end
before anything was done: so every `AT_A_STEP`th lasts until a step is reached."""
AT_A_STEP = 4
LONGEST_LIFE = 10.0
"""Seconds, of one that is to end at a step."""
Work = tuple[int, Stage]
"""An exchange, by its number, and the step that a process is at."""
FAILING = 16
"""Questions while the disk fails."""
PATIENCE = 120.0
PEOPLE = tuple(Member(f"U0{n:03}", f"p{n}", f"Person {n}", f"p{n}@w.test") for n in range(150))
MEMBERS = (*(each.id for each in PEOPLE), BOT_USER)
CHANNELS = tuple(Room(f"C0{n:03}", f"room{n}", MEMBERS) for n in range(4))
STAFF = Room(tiny_bot.STAFF, "staff", MEMBERS)
"""Where people are asked."""
UNASKED = Room(tiny_bot.UNASKED, "unasked", MEMBERS)
"""Where what is sure is answered although nobody asked the bot."""
OFFERED = Room(tiny_bot.OFFERED, "offered", MEMBERS)
"""Where such an answer is offered to whoever asked, alone."""
MESSAGES = ("channel", "channel", "thread", "direct")
DOORS = (
    *MESSAGES,
    "change",
    "command",
    "menu",
    "person",
    "form",
    "post here",
    "again",
    "file",
    "unasked",
    "offered",
)
SHOW_ME = "ask_privately"
WITH_NAME = {asks.NAMED: {asks.NAMED: {"selected_option": {"value": "yes"}}}}


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    """Delivers again and again what was not acknowledged: the bot is away very often."""
    options = Options(limits=LimitFigures(enabled=False), redelivery=(0.1,) * 10_000)
    seed = Seed(
        *("Westhill", PEOPLE, (*CHANNELS, STAFF, UNASKED, OFFERED)),
        commands=(Command("/ask"),),
        shortcuts=(
            Shortcut(ABOUT_MESSAGE, "Ask Vouch about this", about_message=True),
            Shortcut(ANYWHERE, "Ask Vouch", about_message=False),
        ),
    )
    with Workspace(seed, options=options) as workspace:
        yield workspace


@dataclass
class Crowd:
    """People who ask, by each of the bot's doors; and what they see."""

    workspace: Workspace
    home: Path
    chance: random.Random
    doors: Sequence[str] = MESSAGES
    asked: int = 0
    heard: set[str] = field(default_factory=set)
    """What the bot has to answer, as it was asked."""
    unsure: set[str] = field(default_factory=set)
    """What it may: whoever asked was told that it failed, or changed it."""
    passed_on: set[str] = field(default_factory=set)
    """The records of what people who may know are to be asked."""
    threads: list[tuple[str, str]] = field(default_factory=list)
    """Channel and `ts` of questions that somebody can follow up."""
    changeable: list[tuple[str, str, str, str]] = field(default_factory=list)
    """Who asked what in which channel, and its `ts`."""
    in_place: list[tuple[str, str]] = field(default_factory=list)
    """Channels, and who is answered there alone."""
    posted: set[str] = field(default_factory=set)
    """What somebody was answered alone and had posted, so that it is asked twice."""
    shown: set[str] = field(default_factory=set)
    """What somebody was offered, and had shown, so that it is, too."""
    used: set[str] = field(default_factory=set)
    """Doors by which somebody asked."""
    to_come: list[str] = field(default_factory=list)
    """Of the doors, of which each comes once before any comes again."""

    def __post_init__(self) -> None:
        self.slack = Slack(self.workspace.url)

    def asks(self) -> None:  # noqa: C901  # a case for each door
        """The next person asks; some events come twice, or the mention before the message."""
        self.workspace.faults.mention_first = self.chance.random() < 0.5
        if self.chance.random() < 0.3:
            self.workspace.faults.deliver_twice()
        person = PEOPLE[self.asked % len(PEOPLE)].id
        text = f"{tiny_bot.QUESTION}, case {self.asked}?"
        self.asked += 1
        self.to_come = self.to_come or self.chance.sample(self.doors, len(self.doors))
        door = self.to_come.pop()
        if (door == "thread" and not self.threads) or (door == "change" and not self.changeable):
            door = "channel"
        self.used.add(door)
        match door:
            case "direct":
                self._says(person, self.slack.direct(person), text)
            case "thread":
                channel, ts = self.chance.choice(self.threads)
                self._says(person, channel, f"@Vouch {text}", ts)
            case "change":
                self._changes(text)
            case "command":
                channel = self._goes_where_it_is_answered_alone(person)
                self._once(text, lambda: self.slack.command(person, channel, "/ask", text))
            case "menu":
                channel = self._goes_where_it_is_answered_alone(person)
                ts = self.slack.says(PEOPLE[0].id, channel, text)
                self._once(text, lambda: self.slack.shortcut(person, ABOUT_MESSAGE, channel, ts))
            case "form":
                channel = self.chance.choice(("", self.chance.choice(CHANNELS).id))
                self._once(text, lambda: self._fills_the_form(person, channel, text))
            case "post here":
                self._has_it_posted(person, text)
            case "again":
                self._asks_too_much(person, text)
            case "file":
                file = {"notes.md": f"# Leave\n\n{tiny_bot.TEXT}\n".encode()}
                self.heard.add(text)
                self.slack.says(person, self.slack.direct(person), text, files=file)
            case "unasked":
                self._says(person, UNASKED.id, text)
            case "offered":
                self._is_offered_it(person, text)
            case "person":
                self._asks_a_person(person, f"{tiny_bot.NOT_ENGLISH}, Fall {self.asked}?")
            case _:
                channel = self.chance.choice(CHANNELS).id
                ts = self._says(person, channel, f"@Vouch {text}")
                self.threads.append((channel, ts))
                self.changeable.append((person, text, channel, ts))

    def _says(self, person: str, channel: str, text: str, thread: str | None = None) -> str:
        self.heard.add(text.removeprefix("@Vouch "))
        return self.slack.says(person, channel, text, thread)

    def _changes(self, text: str) -> None:
        person, before, channel, ts = self.changeable.pop()
        self.heard.remove(before)
        self.unsure.add(before)
        self.heard.add(text)
        self.slack.edits(person, channel, ts, f"@Vouch {text}")

    def _goes_where_it_is_answered_alone(self, person: str) -> str:
        channel = self.chance.choice(CHANNELS).id
        self.in_place.append((channel, person))
        return channel

    def _once(self, what: str, does: Callable[[], object], kept: set[str] | None = None) -> None:
        """Slack delivers it once, to a bot that is there; whoever it fails for is told so."""
        self.slack.wait_for_bot(PATIENCE)
        try:
            does()
        except Refusal:
            self.unsure.add(what)
        else:
            (self.heard if kept is None else kept).add(what)

    def _fills_the_form(self, person: str, channel: str, text: str) -> None:
        with self.slack.page(person) as page:
            self.slack.shortcut(person, ANYWHERE)
            view = page.next("view")["view"]
        chosen = {"selected_conversation": channel} if channel else {}
        filled = {"question": {"question": {"value": text}}, "channel": {"channel": chosen}}
        assert self.slack.submits(person, view["id"], filled) == {}

    def _has_it_posted(self, person: str, text: str) -> None:
        """They wait for what they asked alone, and have everyone there told."""
        channel = self._goes_where_it_is_answered_alone(person)
        self._once(text, lambda: self.slack.command(person, channel, "/ask", text))
        if text in self.unsure:
            return

        def shown() -> Message | None:
            said = self.slack.messages(channel, person)
            return next((m for m in reversed(said) if buttons(m, "post_here")), None)

        reply = self.slack.wait_for(shown, PATIENCE)
        [audit_id] = answers(reply)
        click = partial(self.slack.clicks, person, channel, reply["ts"], "post_here", audit_id)
        self._once(text, click, self.posted)

    def _is_offered_it(self, person: str, text: str) -> None:
        """Every other one waits, and has it shown; a bot that died just then offers nothing."""
        ts = self._says(person, OFFERED.id, text)
        if self.chance.random() < 0.5:
            return

        def offered() -> list[Message]:
            said = self.slack.messages(OFFERED.id, person)
            return [m for m in said if m["ts"] > ts and buttons(m, SHOW_ME)]

        def settled() -> bool:
            return bool(offered()) or (text, Stage.DONE) in exchanges_of(self.home)

        self.slack.wait_for(settled, PATIENCE)
        for offer in offered():
            [audit_id] = buttons(offer, SHOW_ME)
            show = partial(self.slack.clicks, person, OFFERED.id, offer["ts"], SHOW_ME, audit_id)
            self._once(text, show, self.shown)

    def _asks_too_much(self, person: str, text: str) -> None:
        """More than may wait, with a file each; what is refused they ask again."""
        channel = self.slack.direct(person)
        each_of = [f"{text[:-1]}, part {n}?" for n in range(tiny_bot.MOST_WAITING + 2)]
        self.heard.update(each_of)
        for each in each_of:
            file = {"notes.md": f"# Leave\n\n{tiny_bot.TEXT}\n".encode()}
            self.slack.says(person, channel, each, files=file)

        def settled() -> bool:
            stages = {text: stage for text, stage in exchanges_of(self.home) if text in each_of}
            refused = str([again_in(each) for each in self.slack.messages(channel, person)])
            answered = all(stage >= Stage.DONE for stage in stages.values())
            return answered and all(each in stages or each in refused for each in each_of)

        self.slack.wait_for(settled, PATIENCE)
        for message in self.slack.messages(channel, person):
            for value in again_in(message):
                asked = json.loads(value)["text"]
                if asked in each_of:
                    self.heard.discard(asked)
                    press = partial(self.slack.clicks, person, channel, message["ts"])
                    self._once(asked, partial(press, "ask_refused", value))

    def _asks_a_person(self, person: str, text: str) -> None:
        """They wait for "I don't know", and have it passed on."""
        channel = self.slack.direct(person)
        ts = self._says(person, channel, text)

        def refused() -> Message | None:
            said = self.slack.messages(channel, person)
            return next((m for m in said if m["ts"] > ts and asks.ASK in str(m)), None)

        reply = self.slack.wait_for(refused, PATIENCE)
        (audit_id,) = answers(reply)

        def passes_on() -> None:
            with self.slack.page(person) as page:
                self.slack.clicks(person, channel, reply["ts"], asks.ASK, audit_id)
                view = page.next("view")["view"]
            assert self.slack.submits(person, view["id"], WITH_NAME) == {}

        self._once(audit_id, passes_on, self.passed_on)

    def bot_said(self) -> list[Message]:
        """Every message of the bot that anybody sees, but what it told somebody alone."""
        rooms = [(room.id, PEOPLE[0].id) for room in (*CHANNELS, UNASKED, OFFERED)]
        for person in PEOPLE:
            rooms += [
                (room["id"], person.id) for room in self.slack.rooms(person.id) if room["is_im"]
            ]
        said = [each for room, user in rooms for each in self.slack.messages(room, user)]
        return [each for each in said if each["user"] == BOT_USER and not each.get("ephemeral")]

    def told_alone(self) -> set[str]:
        """The records of what was answered where somebody asked, to them alone."""
        told = [each for where in set(self.in_place) for each in self.slack.messages(*where)]
        return {audit_id for each in told if each.get("ephemeral") for audit_id in answers(each)}

    def offers(self) -> list[str]:
        """The records of what was offered to whoever asked, alone."""
        told = [each for who in PEOPLE for each in self.slack.messages(OFFERED.id, who.id)]
        return [value for each in told for value in buttons(each, SHOW_ME)]

    def asked_of_people(self) -> list[str]:
        """The records of what those who may know are asked."""
        said = self.slack.messages(STAFF.id, PEOPLE[0].id)
        return [value for each in said for value in buttons(each, asks.GIVE)]


def answers(message: Message) -> list[str]:
    """Audit ids behind the buttons of a reply; none for a placeholder."""
    return buttons(message, "evidence")


def buttons(message: Message, action_id: str) -> list[str]:
    """The values of a message's buttons that do this."""
    elements = [each for block in message.get("blocks", ()) for each in block.get("elements", ())]
    return [each["value"] for each in elements if each.get("action_id") == action_id]


def again_in(message: Message) -> list[str]:
    """The questions that a message says were refused, as its buttons bear them."""
    return buttons(message, "ask_refused")


def exchanges_of(home: Path) -> list[tuple[str, int]]:
    """What was asked, and how far it is."""
    with closing(sqlite3.connect(home / "inbox.sqlite")) as connection:
        return connection.execute("SELECT text, stage FROM inbox_exchange").fetchall()


def claims(home: Path) -> set[Work]:
    """What processes were at when they died, or are; nothing where no inbox was made yet."""
    if not (home / "inbox.sqlite").exists():
        return set()
    with closing(sqlite3.connect(home / "inbox.sqlite")) as connection:
        made = "SELECT name FROM sqlite_master WHERE name = 'inbox_exchange'"
        if connection.execute(made).fetchone() is None:
            return set()
        claimed = "SELECT exchange_id, stage FROM inbox_exchange WHERE claimed_until > 0"
        return {(exchange, Stage(stage)) for exchange, stage in connection.execute(claimed)}


def wait_for_step(home: Path, stage: Stage, died_at: set[Work]) -> None:
    """Until a process is at this step, or a later one, of an exchange where none died at it."""
    until = time.monotonic() + LONGEST_LIFE
    while time.monotonic() < until:
        if any(step >= stage for _, step in claims(home) - died_at):
            return
        time.sleep(0.002)


def reached(home: Path, stage: Stage, count: int) -> bool:
    """Whether so many questions got that far."""
    with closing(sqlite3.connect(home / "inbox.sqlite")) as connection:
        query = "SELECT 1 FROM inbox_exchange WHERE stage >= ?"
        return len(connection.execute(query, [stage.value]).fetchall()) >= count


def still_to_come(home: Path, crowd: Crowd) -> int:
    """Questions without an answer, what is to be taken away, and what is to be passed on."""
    exchanges = exchanges_of(home)
    with closing(sqlite3.connect(home / "inbox.sqlite")) as connection:
        stale = connection.execute("SELECT 1 FROM inbox_stale_message WHERE ts != ''").fetchall()
        referrals = connection.execute("SELECT stage FROM inbox_referral").fetchall()
    missing = crowd.heard - {text for text, _ in exchanges}
    unfinished = [stage for _, stage in exchanges if stage < Stage.DONE]
    unsent = [stage for (stage,) in referrals if stage == ReferralStage.POSTING]
    return len(missing) + len(unfinished) + len(stale) + len(unsent)


def wait_for_answers(home: Path, crowd: Crowd) -> None:
    """Until everybody has one; hundreds have waited, so it is patient as long as more are given."""
    while left := still_to_come(home, crowd):
        crowd.slack.wait_for(lambda: still_to_come(home, crowd) < left, PATIENCE)


def check_nothing_is_lost_or_doubled(home: Path, crowd: Crowd) -> None:
    with open_reader(f"sqlite:///{home / 'audit.sqlite'}") as reader:
        entries = [stored.entry for stored in reader.entries()]
        assert reader.verify().ok
    records = [each for each in entries if isinstance(each, AuditRecord)]
    events = [each for each in entries if isinstance(each, AuditEvent)]
    asked = Counter(record.question for record in records)
    twice = {question for question, times in asked.items() if times == 2}
    assert set(asked.values()) <= {1, 2}
    wanted = crowd.posted | crowd.shown
    assert wanted <= twice <= wanted | crowd.unsure
    assert crowd.heard <= set(asked) <= crowd.heard | crowd.unsure
    audit_ids = {record.audit_id for record in records}
    happened = {kind: Counter(e.audit_id for e in events if e.kind is kind) for kind in EventKind}
    ended = happened[EventKind.DELIVERED] + happened[EventKind.WITHDRAWN]
    kept = {each.audit_id for each in records if each.channel.id == OFFERED.id}
    assert ended == Counter(audit_ids - kept)
    offers = Counter(crowd.offers())
    assert set(offers) <= kept
    assert set(offers.values()) <= {1}
    said, alone = crowd.bot_said(), crowd.told_alone()
    stand = Counter(audit_id for message in said for audit_id in answers(message))
    over = FOLDED.values()
    known = (answers(each) or again_in(each) or each["text"] in over for each in said)
    assert all(known), "a placeholder"
    changed = set(happened[EventKind.WITHDRAWN] + happened[EventKind.FOLDED])
    assert {each.question for each in records if each.audit_id in changed} <= crowd.unsure
    assert set(stand.values()) == {1}
    assert set(stand) | alone == audit_ids - changed - kept
    where = {record.audit_id: record.channel for record in records}
    for message in said:
        for audit_id in answers(message):
            assert where[audit_id].thread == message.get("thread_ts", "")
    passed_on = Counter(crowd.asked_of_people())
    assert passed_on == happened[EventKind.REFERRED]
    assert crowd.passed_on <= set(passed_on) <= crowd.passed_on | crowd.unsure
    assert set(passed_on.values()) <= {1}


class Breeder:
    """One bot after another, each in a process of its own."""

    def __init__(self, home: Path, workspace: Workspace) -> None:
        self._process = subprocess.Popen(
            [
                *(sys.executable, tiny_bot.__file__, str(home)),
                *(workspace.api_url, workspace.bot_token, workspace.app_token),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._living = 0
        """Pid of the bot that lives now; 0 for none."""
        assert self._heard() == "ready"

    def born(self) -> int:
        """The pid of a new bot."""
        assert self._process.stdin
        self._process.stdin.write("live\n")
        self._process.stdin.flush()
        self._living = int(self._heard())
        return self._living

    def ended(self, pid: int, by: signal.Signals) -> int:
        """End a bot; its exit status."""
        os.kill(pid, by)
        status, self._living = int(self._heard()), 0
        return status

    def __enter__(self) -> "Breeder":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        if self._living:  # which holds the breeder's output open
            os.kill(self._living, signal.SIGKILL)
        self._process.communicate()

    def _heard(self) -> str:
        assert self._process.stdout
        return self._process.stdout.readline().strip()


@pytest.mark.timeout(900)
@pytest.mark.parametrize("least", [16, pytest.param(200, marks=pytest.mark.exhaustive)])
def test_the_bot_is_killed_again_and_again_while_people_ask(
    workspace: Workspace, tmp_path: Path, least: int
) -> None:
    chance = random.Random(SEED)
    crowd, died_at = Crowd(workspace, tmp_path, chance, DOORS), set[Work]()
    with Breeder(tmp_path, workspace) as breeder:
        for kills in range(least + MOST_MORE):
            missing = [stage for stage in STAGES if stage not in {step for _, step in died_at}]
            if kills >= least and not missing:
                break
            pid, begun = breeder.born(), time.monotonic()
            life = chance.uniform(*LIFE)
            for _ in range(chance.choice([1, 1, 2, 3])):
                time.sleep(life / 5)
                crowd.asks()
            if kills % AT_A_STEP == 0 or kills >= least:
                wait_for_step(tmp_path, chance.choice(missing or STAGES), died_at)
            else:
                time.sleep(max(0.0, life - (time.monotonic() - begun)))
            breeder.ended(pid, signal.SIGKILL)
            died_at |= claims(tmp_path)
        counted = Counter(step for _, step in died_at)
        logging.getLogger(__name__).info("Killed during %s", counted)
        pid = breeder.born()
        crowd.asks()
        wait_for_answers(tmp_path, crowd)
        assert breeder.ended(pid, signal.SIGTERM) == 0
    check_nothing_is_lost_or_doubled(tmp_path, crowd)
    assert set(counted) == set(STAGES)
    assert crowd.used == set(DOORS)


def test_the_disk_fails_again_and_again_while_people_ask(
    workspace: Workspace, tmp_path: Path
) -> None:
    """Each thread of the bot meets failures of its own; nobody sees a reply without a record."""
    faults.demand_strace()
    crowd = Crowd(workspace, tmp_path, random.Random(SEED))
    files = [
        tmp_path / f"{name}.sqlite{end}" for name in ("audit", "inbox") for end in ("", "-wal")
    ]
    failing = ("inject=pwrite64:error=ENOSPC:when=9+25", "inject=fdatasync:error=EIO:when=2+3")
    with Breeder(tmp_path, workspace) as breeder:
        pid = breeder.born()
        crowd.slack.wait_for_bot(PATIENCE)
        crowd.asks()
        wait_for_answers(tmp_path, crowd)
        with faults.tracing(pid, tmp_path / "strace.log", files, *failing):
            for _ in range(FAILING):
                crowd.asks()
                time.sleep(0.2)
        wait_for_answers(tmp_path, crowd)
        assert breeder.ended(pid, signal.SIGTERM) == 0
    injected = (tmp_path / "strace.log").read_text().count("(INJECTED)")
    assert injected >= FAILING
    check_nothing_is_lost_or_doubled(tmp_path, crowd)


def up(home: Home, workspace: Workspace) -> subprocess.Popen[str]:
    return home.start(
        "up",
        VOUCH_SLACK_API_URL=workspace.api_url,
        VOUCH_SLACK_BOT_TOKEN=workspace.bot_token,
        VOUCH_SLACK_APP_TOKEN=workspace.app_token,
    )


@pytest.mark.exhaustive
def test_the_program_itself_is_killed(workspace: Workspace, own_university: Home) -> None:
    """When a placeholder is on its way, when the answer is made, and when it is posted."""
    home = own_university.path
    crowd = Crowd(workspace, home, random.Random(SEED))
    for question, stage in enumerate((Stage.PLACEHOLDER, Stage.ANSWERING, Stage.POSTING)):
        with up(own_university, workspace) as program:
            crowd.slack.wait_for_bot(PATIENCE)
            crowd.asks()
            crowd.slack.wait_for(partial(reached, home, stage, question + 1), PATIENCE)
            program.kill()
            program.communicate()
    with up(own_university, workspace) as program:
        crowd.asks()
        wait_for_answers(home, crowd)
        program.terminate()
        program.communicate(timeout=PATIENCE)
    assert program.returncode == 0
    check_nothing_is_lost_or_doubled(home, crowd)
