"""`vouch up` is put under load in a local workspace, which tells how long people wait."""

import json
import os
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import Any

from rich.table import Table

from bot.cli.console import table_of
from bot.errors import BotError
from bot.quality.metrics import percentile
from bot.wiring import Container
from bot.workspace.events import ChangeKind, MessageChange
from bot.workspace.seed import BOT_USER, Member, Seed
from bot.workspace.server import Options, Workspace
from bot.workspace.web_api import LimitFigures

PATIENCE = 900.0
"""Seconds after which what is not answered yet is counted as it stands."""
PEOPLE = 60
"""So many that five questions a second are five a minute from each: nobody is slowed down."""


@dataclass(frozen=True, slots=True)
class Load:
    name: str
    questions: int
    people: int
    seconds: float = 0.0
    """Over which the questions are spread; 0: all at once, one person's one by one."""
    slack_limits: bool = True


LOADS = (
    Load("one person, one after another", questions=10, people=1),
    Load("20 people at once", questions=20, people=20),
    Load("5 a second for a minute", questions=300, people=PEOPLE, seconds=60.0),
    Load("the same, Slack limiting nothing", 300, PEOPLE, seconds=60.0, slack_limits=False),
    Load("200 people, 20 a second for a minute", 1_200, people=200, seconds=60.0),
)
_MARK = re.compile(r"vouch-(\d+)(-reply)?")
"""What marks the bot's placeholders and replies, with a number that grows as it hears questions."""
Said = tuple[str, int]


@dataclass(slots=True)
class Arrivals:
    """Placeholders and replies came at these seconds since the epoch."""

    placed: dict[Said, float] = field(default_factory=dict)
    replied: dict[Said, float] = field(default_factory=dict)
    waiting: set[Said] = field(default_factory=set)
    """Placeholders that said how many questions come before."""
    refused: int = 0
    """Messages that are neither: too many questions wait."""
    acknowledged: list[float] = field(default_factory=list)
    """Seconds that Slack waited to hear that a question was received."""

    def observe(self, change: MessageChange) -> None:
        message = change.message
        if message.get("user") != BOT_USER or change.kind is not ChangeKind.SAID:
            return
        first = (message.get("blocks") or [{}])[0]
        mark = _MARK.fullmatch(str(first.get("block_id")))
        if mark is None:
            self.refused += 1
            return
        said = (change.room.id, int(mark[1]))
        (self.replied if mark[2] else self.placed).setdefault(said, time.time())
        if "before yours" in str(message["text"]):
            self.waiting.add(said)


def slack_table(container: Container, questions: Sequence[str]) -> Table:
    """One row for each load; `container` has documents, its home is used and no other process's."""
    columns = ("received (99th %)", "placeholder", "reply", "told to wait", "answered", "in order")
    rows = ((load.name, *_measured(container, load, questions)) for load in LOADS)
    title = "In Slack: seconds from the message, at the median and the 95th %"
    return table_of(("load", *columns), rows, title)


def _measured(container: Container, load: Load, questions: Sequence[str]) -> tuple[str, ...]:
    seen = Arrivals()
    options = Options(
        limits=LimitFigures(enabled=load.slack_limits),
        observers=(seen.observe,),
        acknowledged=seen.acknowledged.append,
    )
    people = tuple(Member(f"U0{n}", f"p{n}", f"Person {n}") for n in range(load.people))
    workspace = Workspace(Seed("Bench", people, ()), options=options)
    with workspace, _program(container, workspace):
        asked = _ask_all(workspace, load, questions, seen)
        with suppress(BotError):
            _wait(lambda: len(seen.replied) + seen.refused >= load.questions)
    return _row(asked, seen)


def _ask_all(
    workspace: Workspace, load: Load, questions: Sequence[str], came: Arrivals
) -> dict[str, list[float]]:
    """Ask everything; when each question was asked, by direct message, in order."""
    rooms = [_post(workspace, "dm", {"as": f"U0{n}", "with": BOT_USER}) for n in range(load.people)]
    asked: dict[str, list[float]] = {room["channel"]: [] for room in rooms}
    start = time.time()
    for number in range(load.questions):
        person = number % load.people
        if load.seconds:
            time.sleep(max(0.0, start + number * load.seconds / load.questions - time.time()))
        elif number >= load.people:
            _wait(lambda: len(came.replied) >= number)  # noqa: B023  # called before it changes
        channel = rooms[person]["channel"]
        text = f"{questions[number % len(questions)]}, case {number}"
        said = _post(workspace, "messages", {"as": f"U0{person}", "channel": channel, "text": text})
        asked[channel].append(float(said["ts"]))
    return asked


def _row(asked: dict[str, list[float]], came: Arrivals) -> tuple[str, ...]:
    placed, replied, in_order = [], [], True
    for channel, times in asked.items():
        heard = sorted(
            said for said in came.placed.keys() | came.replied.keys() if said[0] == channel
        )
        for said, at in zip(heard, times, strict=False):  # what was refused has no number
            placed += [came.placed[said] - at] if said in came.placed else []
            replied += [came.replied[said] - at] if said in came.replied else []
        ends = [came.replied[said] for said in heard if said in came.replied]
        in_order &= all(a <= b for a, b in pairwise(ends))
    questions = sum(map(len, asked.values()))
    left = len(came.placed.keys() - came.replied.keys())
    untold = questions - len(came.placed.keys() | came.replied.keys()) - came.refused
    return (
        f"{percentile(came.acknowledged, 0.99):.3f}",
        f"{median(placed):.2f} / {percentile(placed):.2f}",
        f"{median(replied):.1f} / {percentile(replied):.1f}",
        f"{len(came.waiting)} of {questions}",
        f"{len(came.replied)} of {questions}; {left} wait, {came.refused} refused, {untold} untold",
        "yes" if in_order else "NO",
    )


@contextmanager
def _program(container: Container, workspace: Workspace) -> Iterator[None]:
    environment = os.environ | {
        "VOUCH_HOME": str(container.home),
        "VOUCH_SLACK_BOT_TOKEN": workspace.bot_token,
        "VOUCH_SLACK_APP_TOKEN": workspace.app_token,
        "VOUCH_SLACK_API_URL": workspace.api_url,
    }
    command = [sys.executable, "-m", "bot.cli", "up"]
    with subprocess.Popen(  # noqa: S603  # our own program
        command, env=environment, stderr=subprocess.DEVNULL
    ) as program:
        try:
            _wait(lambda: _asked(f"{workspace.url}/page/state")["bot"]["connected"])
            yield
        finally:
            program.terminate()


def _wait(until: Callable[[], object]) -> None:
    """Raise `BotError` where it does not come true."""
    end = time.monotonic() + PATIENCE
    while not until():
        if time.monotonic() > end:
            raise BotError(f"Something was still missing after {PATIENCE:.0f} s.")
        time.sleep(0.01)


def _post(workspace: Workspace, what: str, body: Mapping[str, str]) -> dict[str, Any]:
    return _asked(
        urllib.request.Request(  # noqa: S310  # loopback
            f"{workspace.url}/page/{what}",
            json.dumps(body).encode(),
            {"Content-Type": "application/json"},
        )
    )


def _asked(request: str | urllib.request.Request) -> dict[str, Any]:
    with urllib.request.urlopen(request) as answer:  # noqa: S310  # loopback
        return dict(json.load(answer))
