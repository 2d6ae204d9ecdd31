"""Who may read what, as it was told during a listing that did not come to its end.

So that the next try goes on where that one stopped, and not for longer than an hour.
"""

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from pydantic import ValidationError

from retrieval.remote.api import Answered
from retrieval.remote.sharepoint_files import Item, Permission

BELIEVED = 3_600
"""Seconds, from when it was asked for."""
Permissions = tuple[Permission, ...]


class _Line(Answered):
    of: str
    asked_at: float
    told: Permissions

    @property
    def is_believed(self) -> bool:
        """Not what a clock says that was turned back since."""
        return 0 <= time.time() - self.asked_at < BELIEVED

    def written(self) -> str:
        return f"{self.model_dump_json(by_alias=True, exclude_unset=True)}\n"


class Told:
    """Of one listing at a time. What cannot be kept, or be read again, is asked for again."""

    def __init__(self, folder: Path, whose: Sequence[str]) -> None:
        """`whose`: the source and as whom it is read; what others were told is not believed."""
        self._folder, self._whose = folder, tuple(whose)
        self._file = folder / "told.jsonl"
        self._known: dict[str, _Line] = {}
        self._marks: dict[str, str] = {}

    def begin(self, root: str, whole: Sequence[Permission], below: Sequence[Item]) -> None:
        """`whole`: who may read all, as told now; `below`: each after what it stands in.

        An item is known again where neither it nor anything above it has another tag, no tag or
        another place, and the readers of the whole are the same.
        """
        same = sorted(each.model_dump_json() for each in whole)
        self._marks = {root: _digest(*self._whose, *same)}
        for each in below:
            above = self._marks[each.above]
            mark = _digest(above, each.id, each.e_tag, each.c_tag)
            self._marks[each.id] = mark if above and each.e_tag else ""
        self._known = {each.of: each for each in self._kept() if each.is_believed}
        with suppress(OSError):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            part = self._file.with_suffix(".part")
            part.write_text("".join(each.written() for each in self._known.values()), "utf-8")
            part.replace(self._file)

    def _kept(self) -> Iterator[_Line]:
        with suppress(OSError):
            for line in self._file.read_bytes().splitlines():
                with suppress(ValidationError):
                    yield _Line.model_validate_json(line)

    def of(self, item: Item) -> Permissions | None:
        line = self._known.get(self._marks[item.id])
        return line.told if line and line.is_believed else None

    def note(self, item: Item, asked_at: float, told: Permissions) -> None:
        if mark := self._marks[item.id]:
            line = _Line(of=mark, asked_at=asked_at, told=told)
            with suppress(OSError), self._file.open("a", encoding="utf-8") as out:
                out.write(line.written())

    def forget(self) -> None:
        """The listing was whole: the next one asks for all of it."""
        with suppress(OSError):
            self._file.unlink(missing_ok=True)


def _digest(*said: str) -> str:
    return sha256("\0".join(said).encode()).hexdigest()
