"""Checkpoints are noted beside the database, and handed on to witnesses, who keep them elsewhere.

A file of checkpoints only grows, and each is on the disk when it was noted. Whoever can alter the
database can alter that file, too, but not sign what they put there; and not what a witness has.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from audit.durable import append_durably, text_of
from audit.errors import AuditDamaged, AuditUnavailable
from audit.proof.checkpoints import Checkpoint, Signer, checkpoints_in


class Witness(Protocol):
    """Keeps checkpoints where whoever alters the database does not reach them."""

    @property
    def name(self) -> str:
        """As the settings name it."""

    def keep(self, checkpoint: Checkpoint) -> None:
        """Keep it for good; raise what is said of why not. Twice does no harm."""


@dataclass(frozen=True, slots=True)
class CheckpointFile:
    """A file of checkpoints, one after the other; a witness, where it lies elsewhere."""

    path: Path

    @property
    def name(self) -> str:
        return str(self.path)

    def all(self) -> tuple[Checkpoint, ...]:
        """Every whole one, in the file's order; raise `OSError` where it cannot be read."""
        return tuple(checkpoints_in(text_of(self.path)))

    def keep(self, checkpoint: Checkpoint) -> None:
        """Append it; raise `OSError`."""
        append_durably(self.path, f"\n{checkpoint.note}")


class Bucket(Protocol):
    """A folder of objects, none of which can be appended to."""

    def all(self) -> Mapping[str, bytes]: ...

    def read(self, name: str) -> bytes | None: ...

    def create(self, name: str, content: bytes) -> None: ...


_OBJECT = re.compile(r"[0-9]{18}\.checkpoint")


@dataclass(frozen=True, slots=True)
class CheckpointBucket:
    """A witness that keeps each checkpoint as an object, called by its size, which stays as it is.

    Raise `AuditDamaged` for an object that is another than was kept, and what the bucket raises.
    """

    name: str
    open: Callable[[], Bucket]

    def all(self) -> tuple[Checkpoint, ...]:
        """Every one, the smallest first."""
        kept = sorted(self.open().all().items())
        return tuple(self._held(*each) for each in kept if _OBJECT.fullmatch(each[0]))

    def keep(self, checkpoint: Checkpoint) -> None:
        """Put it there, unless that was signed of this log and size before."""
        bucket, called = self.open(), f"{checkpoint.size:018}.checkpoint"
        content = bucket.read(called)
        if content is None:
            bucket.create(called, checkpoint.note.encode())
            return
        held = self._held(called, content)
        if (held.origin, held.root) != (checkpoint.origin, checkpoint.root):
            raise self._is_another(called)

    def _held(self, called: str, content: bytes) -> Checkpoint:
        found = next(checkpoints_in(content.decode(errors="replace")), None)
        if found is None or found.size != int(called.partition(".")[0]):
            raise self._is_another(called)
        return found

    def _is_another(self, called: str) -> AuditDamaged:
        return AuditDamaged(
            f"{self.name}/{called} is not the checkpoint of this log: it was altered, the log went "
            "back and grew otherwise, or another log is witnessed there. It was left as it is. "
            f"`vouch audit verify --checkpoint {self.name}` tells more."
        )


@dataclass(frozen=True, slots=True)
class Notary:
    """Signs the tree as it stands, and notes what it signed."""

    signer: Signer
    file: CheckpointFile
    tree_head: Callable[[int | None], tuple[int, bytes]]
    """Size and root of the tree, or of its first so many leaves."""
    now: Callable[[], datetime]

    def note(self, at_least: int | None = None) -> Checkpoint:
        """The newest noted checkpoint of the log, over `at_least` so many entries.

        One is made where that is not there; None for all entries that there are. Raise
        `AuditUnavailable` where it cannot be noted, and `AuditDamaged` where the log is not what
        was signed before.
        """
        try:
            return self._noted(at_least)
        except OSError as error:
            raise AuditUnavailable(
                f"A checkpoint cannot be noted in {self.file.path} ({error.strerror}). See that "
                "there is room and that the bot may write there."
            ) from error

    def _noted(self, at_least: int | None) -> Checkpoint:
        newest = self.newest()
        if newest:
            self._demand_grown(newest)
        if newest and at_least is not None and newest.size >= at_least:
            return newest
        size, root = self.tree_head(None)
        if newest and (newest.size, newest.root) == (size, root):
            return newest
        made = self.signer.sign(size, root, self.now())
        self.file.keep(made)
        return made

    def _demand_grown(self, newest: Checkpoint) -> None:
        if self.tree_head(newest.size) != (newest.size, newest.root):
            raise AuditDamaged(
                f"The audit log is not what was signed on {newest.at} over {newest.size} entries, "
                "so nothing more of it is signed. `vouch audit verify` tells what became of it; "
                "restore the store from a backup. Where an older one was put back on purpose, "
                f"move {self.file.path} elsewhere and keep it there."
            )

    def newest(self) -> Checkpoint | None:
        """The last one of the log's own key."""
        noted = reversed(self.file.all())
        return next((each for each in noted if each.is_of(self.signer.key)), None)
