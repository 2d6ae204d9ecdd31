"""The job `verify-audit`: the chain is verified, also against the head that was noted last."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from audit.durable import append_durably, text_of
from audit.verification import Verification
from bot.errors import JobFailed
from bot.jobs.runner import Tell, told
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
        return told(self.tell, said)

    def _unwritable(self, error: OSError) -> JobFailed:
        return JobFailed(wording.heads_unwritable("audit-heads.txt", error.strerror or "no reason"))


def _what_is_wrong(held: Verification) -> str:
    bad = held.first_bad
    if bad is None:
        return wording.chain_broken("", "the reason is unknown")
    where = bad.audit_id or (str(bad.sequence) if bad.sequence else "")
    return wording.chain_broken(where, bad.what)
