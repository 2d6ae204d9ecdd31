"""What the jobs do: `verify-audit`, `checkpoint`, `digest`, `ingest`, and one for each source.

The log is verified, also against the head that was noted last; it is signed as it stands, and each
witness is handed what is new. Known sources are read again by a command, a process of its own, so
that answers stay fast meanwhile.
"""

import json
import logging
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from typing import Any

from audit.engines import append_durably, text_of
from audit.errors import AuditDamaged
from audit.proof.checkpoints import Checkpoint, Notary, Witness
from audit.proof.verification import Verification
from bot.answering.digest import Digest, UnitDigest, Week
from bot.errors import JobFailed, JobStopped
from bot.jobs.runner import Tell, notified
from bot.jobs.runs import Numbers
from bot.wording import jobs as wording

_LINE = re.compile(r"(\S+) (sha256:[0-9a-f]{64}) records=(\d+) events=(\d+) (told|not-told)")


@dataclass(frozen=True, slots=True)
class Noted:
    head: str
    told: bool
    """Whether administrators were told of it, where the head stands for comparison too."""


class AuditHeads:
    """A file of dated heads, which only grows; each line is on the disk when it is noted."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def newest(self) -> Noted | None:
        """Return the last whole line; one that was cut off by a power cut is passed over."""
        lines = text_of(self._path).splitlines()
        found = [match for line in lines if (match := _LINE.fullmatch(line))]
        return Noted(found[-1][2], found[-1][5] == "told") if found else None

    def note(self, now: datetime, held: Verification, *, is_told: bool) -> None:
        counts = f"records={held.records} events={held.events}"
        mark = "told" if is_told else "not-told"
        line = f"{now.astimezone(UTC).isoformat(timespec='seconds')} {held.head} {counts} {mark}\n"
        append_durably(self._path, line)


@dataclass(frozen=True, slots=True)
class VerifyAudit:
    """Verifies, tells a head that is new, and notes it."""

    verify: Callable[[str | None], Verification]
    heads: AuditHeads
    tell: Tell | None
    now: Callable[[], datetime]

    def __call__(self) -> Numbers:
        """Return how many entries hold, and the head; raise `JobFailed` where one does not."""
        noted = self._noted()
        held = self.verify(noted.head if noted else None)
        if not held.ok:
            raise JobFailed(_what_is_wrong(held))
        is_told = self._is_told(noted, held)
        try:
            self.heads.note(self.now(), held, is_told=is_told)
        except OSError as error:
            raise self._unwritable(error) from error
        return {"records": held.records, "events": held.events, "head": held.head}

    def _noted(self) -> Noted | None:
        try:
            return self.heads.newest()
        except OSError as error:
            raise self._unwritable(error) from error

    def _is_told(self, noted: Noted | None, held: Verification) -> bool:
        """What could not be told is told by the next run."""
        if noted and noted.told and noted.head == held.head:
            return True
        if self.tell is None:
            return False
        said = wording.audit_head(self.now(), held.head, held.records, held.events)
        return notified(self.tell, said)

    def _unwritable(self, error: OSError) -> JobFailed:
        return JobFailed(wording.heads_unwritable("audit-heads.txt", error.strerror or "no reason"))


def _what_is_wrong(held: Verification) -> str:
    bad = held.first_bad
    if bad is None:
        return wording.chain_broken("", "the reason is unknown")
    where = bad.audit_id or (str(bad.sequence) if bad.sequence else "")
    return wording.chain_broken(where, bad.what)


log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class HandedOn:
    """A file that says what each witness was handed last; it only grows."""

    path: Path

    def has(self, witness: Witness, checkpoint: Checkpoint) -> bool:
        lines = text_of(self.path).splitlines()
        own = [line for line in lines if line.endswith(f" {witness.name}")]
        return own[-1:] == [_line(witness, checkpoint)]

    def note(self, witness: Witness, checkpoint: Checkpoint) -> None:
        append_durably(self.path, f"{_line(witness, checkpoint)}\n")


def _line(witness: Witness, checkpoint: Checkpoint) -> str:
    return f"{checkpoint.at} {checkpoint.size} {witness.name}"


@dataclass(frozen=True, slots=True)
class WitnessLog:
    """Signs, and hands on; what a witness could not take it is handed by the next run."""

    notary: Notary
    witnesses: Sequence[Witness]
    handed_on: HandedOn

    def __call__(self) -> Numbers:
        """Return how many entries are signed; raise `JobFailed` where a witness could not."""
        checkpoint = self.notary.note()
        failed = {each.name: self._hand(each, checkpoint) for each in self.witnesses}
        numbers: Numbers = {"entries": checkpoint.size, "witnesses": len(self.witnesses)}
        alarms = [str(each) for each in failed.values() if isinstance(each, AuditDamaged)]
        away = [
            f"{name} ({type(each).__name__})"
            for name, each in failed.items()
            if each and not isinstance(each, AuditDamaged)
        ]
        if alarms or away:
            said = [*alarms, wording.witnesses_away(away)] if away else alarms
            raise JobFailed(" ".join(said), numbers)
        return numbers

    def _hand(self, witness: Witness, checkpoint: Checkpoint) -> Exception | None:
        """Why it could not take it. Killed in between, it is told twice."""
        try:
            if not self.handed_on.has(witness, checkpoint):
                witness.keep(checkpoint)
                self.handed_on.note(witness, checkpoint)
        except Exception as error:
            log.warning("The witness %s cannot be handed a checkpoint: %s", witness.name, error)
            return error
        return None


Post = Callable[[Week, str, Sequence[UnitDigest]], bool]
"""Posts a week's digest into a channel, and tells whether it did not stand there already.

Raises `JobFailed` where it does not now."""


@dataclass(frozen=True, slots=True)
class TellDigest:
    """Tells the newest whole week: of one in which no bot ran nothing is told later."""

    digest: Callable[[Week], Digest]
    this_week: Callable[[], Week]
    post: Post

    def __call__(self, stopping: Event) -> Numbers:
        """Raise `JobFailed` for those not told; what was told is not told again."""
        digest = self.digest(self.this_week().earlier())
        told, failed = 0, list[str]()
        for channel, units in digest.by_channel().items():
            if stopping.is_set():
                raise JobStopped("The bot stops.")
            try:
                if channel and self.post(digest.week, channel, units):
                    told += 1
            except JobFailed as error:
                failed.append(str(error))
        homes = [unit for unit in digest.units if not unit.team]
        asked = sum(unit.unseen + sum(line.asked for line in unit.lines) for unit in homes)
        numbers: Numbers = {"week": digest.week.name, "unanswered": asked, "channels_told": told}
        if failed:
            raise JobFailed(" ".join(failed), numbers)
        return numbers


LOOK_AGAIN = 0.2
"""Seconds between two looks whether it ended, or is to be stopped."""
MERCY = 5.0
"""Seconds that it has to end by itself."""
_GIVING_WAY = 10
"""Of 19: what answers questions comes first."""


@dataclass(frozen=True, slots=True)
class Finished:
    status: int
    """Negative: the signal that killed it."""
    told: Any
    """The JSON that it printed; None where it printed none."""
    last_words: str


def run_command(words: Sequence[str], stopping: Event) -> Finished:
    """Run `vouch ...` to its end; raise `JobStopped` where the bot stops, or systemd ends both."""
    command = [sys.executable, "-m", "bot.cli", *words]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        # A session of its own: Ctrl-C at a terminal is for the bot, which ends this.
        with subprocess.Popen(  # noqa: S603 - our own program
            command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True
        ) as program:
            with suppress(OSError):  # it may have ended
                os.setpriority(os.PRIO_PROCESS, program.pid, _GIVING_WAY)
            try:
                was_stopped = _wait(program, stopping)
            finally:
                _end(program)
        if was_stopped or program.returncode == -signal.SIGTERM:
            raise JobStopped("The bot stops.")
        out.seek(0)
        err.seek(0)
        lines = err.read().decode(errors="replace").strip().splitlines()
        return Finished(program.returncode, _json(out.read()), lines[-1] if lines else "")


def _wait(program: "subprocess.Popen[bytes]", stopping: Event) -> bool:
    while program.poll() is None:
        if stopping.wait(LOOK_AGAIN):
            return True
    return False


def _end(program: "subprocess.Popen[bytes]") -> None:
    if program.poll() is not None:
        return
    program.terminate()
    try:
        program.wait(MERCY)
    except subprocess.TimeoutExpired:
        program.kill()


def _json(printed: bytes) -> Any:
    try:
        return json.loads(printed)
    except ValueError:
        return None


WORDS = ("ingest", "--all", "--json")


def read_all_again(run: Callable[[Event], Finished], stopping: Event) -> Numbers:
    """Return the numbers of the reports; raise `JobFailed` naming sources that failed."""
    finished = run(stopping)
    if not isinstance(finished.told, Mapping):
        raise JobFailed(wording.ingest_broke(finished.status, finished.last_words))
    failed = finished.told["failed"]
    numbers = {name: value for name, value in finished.told.items() if name != "failed"}
    if failed:
        reasons = [f"{each['source']}: {each['reason']}" for each in failed]
        raise JobFailed(wording.sources_failed(reasons), numbers)
    return numbers
