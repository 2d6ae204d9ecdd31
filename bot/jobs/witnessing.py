"""The job `checkpoint`: the log is signed as it stands, and each witness is handed what is new."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from audit.checkpoints import Checkpoint
from audit.durable import append_durably, text_of
from audit.witnesses import Notary, Witness
from bot.errors import JobFailed
from bot.jobs.runs import Numbers
from bot.wording import jobs as wording

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
        failed = [said for each in self.witnesses if (said := self._hand(each, checkpoint))]
        numbers: Numbers = {"entries": checkpoint.size, "witnesses": len(self.witnesses)}
        if failed:
            raise JobFailed(wording.witnesses_away(failed), numbers)
        return numbers

    def _hand(self, witness: Witness, checkpoint: Checkpoint) -> str:
        """Why it could not take it; empty where it has it. Killed in between, it is told twice."""
        try:
            if not self.handed_on.has(witness, checkpoint):
                witness.keep(checkpoint)
                self.handed_on.note(witness, checkpoint)
        except Exception as error:
            log.warning("The witness %s cannot be handed a checkpoint: %s", witness.name, error)
            return f"{witness.name} ({type(error).__name__})"
        return ""
