"""Documents of one source that are alike bear on each other: copies, and editions.

A copy or an export of a restricted document, which states no readers itself, has that one's. Of
two editions, whose paths and titles differ by a year or a version alone, the older holds until the
newer begins. Likeness is the share of pairs of words that two texts have in common (Jaccard),
estimated from sketches of them (MinHash; Broder 1997). What another says that it replaces is over.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache
from itertools import pairwise
from pathlib import PurePosixPath
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from retrieval.documents.holdings import Holding
from retrieval.errors import NobodyByLikeness
from retrieval.metadata.readers import Audience, is_for_nobody, narrowed
from retrieval.metadata.status import NEVER
from retrieval.types import AccessRule, Metadata, ParsedDocument

COPY = 0.9
"""From here on one text is a copy of another. Forms filled in by two people have less in common,
but for the shortest entries in the longest forms: see `tests/retrieval/ingest/test_likeness.py`."""
EDITION = 0.3
"""Likeness of editions, whose paths and titles a year or a version alone tells apart."""
BY_ANOTHER = "another document, "
"""How a place begins that says whose readers or time a document has."""
_NUMBERS = 128
_PRIME = 4_294_967_311
_WORD = re.compile(r"\w+")
_EDITION = re.compile(
    r"(?<![^\W_])(?:(?:19|20)\d\d(?:[-/_\u2013](?:20)?\d\d(?![^\W_]))?"
    r"|v(?:ersion)?[ ._-]?\d+(?:[._]\d+)*)(?![^\W_])",
    re.IGNORECASE,
)
"""A year, an academic year or a version."""
_YEAR = re.compile(r"(?:19|20)\d\d")

Sketch = NDArray[np.uint16]


def sketch_of(parsed: ParsedDocument) -> str:
    """What tells how alike a text is to others: 512 hexadecimal digits, empty for no text."""
    texts = (each.text for fragment in parsed.fragments for each in fragment.sentences)
    words = _WORD.findall(" ".join(texts).casefold())
    pairs = {crc32(f"{one} {other}".encode()) for one, other in pairwise(words)}
    if not pairs:
        return ""
    known = np.fromiter(pairs, dtype=np.uint64)
    factors, terms = _drawn()
    least = np.full(_NUMBERS, _PRIME, dtype=np.uint64)
    for start in range(0, len(known), 4096):
        some = known[start : start + 4096, None]
        least = np.minimum(least, ((some * factors + terms) % _PRIME).min(axis=0))
    return least.astype(np.uint16).tobytes().hex()


@cache
def _drawn() -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """The same functions in every process; small enough for products to fit 64 bits."""
    drawn = np.random.default_rng(1997).integers(1, 2**31, (2, _NUMBERS), dtype=np.uint64)
    return drawn[0], drawn[1]


@dataclass(frozen=True, slots=True)
class _Known:
    metadata: Metadata
    title: str
    sketch: Sketch

    def likeness(self, other: "_Known") -> float:
        return float((self.sketch == other.sketch).mean())


class Likeness:
    """What one source holds, as far as documents bear on each other."""

    def __init__(self) -> None:
        self._known: dict[str, _Known] = {}
        self._restricted: set[str] = set()
        self._editions: dict[str, set[str]] = {}
        self._replacing: dict[str, set[str]] = {}
        self._changed: set[str] = set()

    def hold(self, held: Iterable[Holding]) -> None:
        """Documents stand in the source as the library has them."""
        for each in held:
            document = each.document
            self._note(document.file, document.metadata, document.title, each.fingerprint.sketch)

    def applied(self, file: str, metadata: Metadata, title: str, sketch: str) -> Metadata:
        """The metadata of a document that is read, with what those that are like it bring along.

        Raise `NobodyByLikeness` where that leaves nobody.
        """
        self._note(file, metadata, title, sketch)
        self._changed.add(file)
        now = self._with_others(file, metadata) if file in self._known else metadata
        if is_for_nobody(now.access.audience) and not is_for_nobody(metadata.access.audience):
            raise NobodyByLikeness(f"is for nobody by {now.restricted_in[-1]}; say who may read it")
        return self._note(file, now, title, sketch)

    def still(self, held: Holding, allowed: Audience | None) -> bool:
        """Whether a document that has another's readers or time has them rightly still.

        `allowed` are the source's own readers; of itself such a document states none.
        """
        metadata, file = held.document.metadata, held.document.file
        if not is_by_likeness(metadata) or allowed is None:
            return True
        own = replace(metadata, access=AccessRule(allowed), restricted_in=())
        return self._with_others(file, own) == metadata

    def late(self) -> list[str]:
        """Documents which one that was read after them bears on."""
        return [
            file
            for file, known in self._known.items()
            if not known.metadata.restricted_in
            and self._with_others(file, known.metadata, self._changed) != known.metadata
        ]

    def _note(self, file: str, metadata: Metadata, title: str, sketch: str) -> Metadata:
        self._restricted.discard(file)
        for names in self._replacing.values():
            names.discard(file)
        if sketch:
            as_numbers = np.frombuffer(bytes.fromhex(sketch), dtype=np.uint16)
            self._known[file] = _Known(metadata, title, as_numbers)
            self._editions.setdefault(_without_edition(file), set()).add(file)
            for name in metadata.replaces:
                self._replacing.setdefault(_named(name), set()).add(file)
            if metadata.restricted_in and not is_by_likeness(metadata):
                self._restricted.add(file)
        return metadata

    def _with_others(
        self, file: str, own: Metadata, others: Collection[str] | None = None
    ) -> Metadata:
        """What a document has that states no readers and no time; any other keeps its own."""
        if own.restricted_in:
            return own
        mine = self._known[file]
        for other in sorted(self._restricted - {file}):
            if others is None or other in others:
                own = self._as_copy(mine, other, own)
        newer = sorted(self._editions[_without_edition(file)] - {file}, key=_edition, reverse=True)
        for other in newer:
            if not own.restricted_in or is_by_likeness(own):
                own = self._as_older(file, mine, other, own)
        names = {_named(each) for each in (file, PurePosixPath(file).name, mine.title)}
        for name in sorted(names & self._replacing.keys()):
            for other in sorted(self._replacing[name] - {file}):
                begins = self._known[other].metadata.access.valid_from
                ends = begins - timedelta(1) if begins else NEVER
                own = _over(own, ends, f"{BY_ANOTHER}{other}, which replaces it")
        return own

    def _as_copy(self, mine: _Known, other: str, own: Metadata) -> Metadata:
        theirs = self._known[other]
        audience = narrowed(theirs.metadata.access.audience, own.access.audience)
        if audience == own.access.audience or mine.likeness(theirs) < COPY:
            return own
        places = (*own.restricted_in, f"{BY_ANOTHER}{other}, which it is like")
        return replace(own, access=replace(own.access, audience=audience), restricted_in=places)

    def _as_older(self, file: str, mine: _Known, other: str, own: Metadata) -> Metadata:
        theirs = self._known[other]
        is_newer = _edition(file) < _edition(other)
        is_alike = _without_edition(mine.title) == _without_edition(theirs.title)
        if other in self._restricted or not is_newer or not is_alike:
            return own
        if mine.likeness(theirs) < EDITION:
            return own
        year = _YEAR.search(other)
        ends = date(int(year[0]), 1, 1) - timedelta(1) if year and _YEAR.search(file) else NEVER
        return _over(own, ends, f"{BY_ANOTHER}{other}, which is newer")


def _over(own: Metadata, ends: date, why: str) -> Metadata:
    access = replace(own.access, valid_to=min(ends, own.access.valid_to or ends))
    return replace(own, access=access, restricted_in=(*own.restricted_in, why))


def _named(name: str) -> str:
    """A title as another document may write it, or a path."""
    return " ".join(name.casefold().strip("./\"'“”").split())


def is_by_likeness(metadata: Metadata) -> bool:
    """Whether a document has another's readers or time."""
    return any(place.startswith(BY_ANOTHER) for place in metadata.restricted_in)


def _without_edition(name: str) -> str:
    return _EDITION.sub("#", name.casefold())


def _edition(name: str) -> tuple[int, ...]:
    """Of a path, in the order of time; versions and years of one kind compare."""
    return tuple(
        int(each) for found in _EDITION.findall(name) for each in re.findall(r"\d+", found)
    )
