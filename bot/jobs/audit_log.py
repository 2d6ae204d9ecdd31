"""The jobs `verify-audit` and `checkpoint`.

The chain is verified, also against the head that was noted last; the log is signed as it stands,
and each witness is handed what is new.
"""

import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from audit.engines import append_durably, text_of
from audit.errors import AuditDamaged
from audit.proof.checkpoints import Checkpoint, Notary, Witness
from audit.proof.verification import Verification
from bot.errors import JobFailed
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
    """None where nobody is told."""
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
