"""Documents of one source that are alike bear on each other: copies, and editions.

A copy or an export of a restricted document, which states no readers itself, has that one's. Of two
editions, told apart by a year or a version alone, the older holds until the newer begins. Likeness
is the share of pairs of words in common, estimated from sketches (MinHash; Broder 1997). What
another says that it replaces is over. What ends a document ends it for those who may read that.
"""

import re
from bisect import bisect_right, insort
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache, cached_property
from itertools import pairwise
from math import ceil
from pathlib import PurePosixPath
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from retrieval.documents.holdings import Holding
from retrieval.errors import NobodyByLikeness
from retrieval.language.dates import BEGUN, is_no_year
from retrieval.metadata.access import NOBODY, Audience, is_for_nobody, narrowed
from retrieval.metadata.restrictions import NEVER
from retrieval.types import AccessRule, Metadata, ParsedDocument

COPY = 0.9
"""From here on one text is a copy of another. Forms filled in by two people have less in common,
but for the shortest entries in the longest forms: see `tests/retrieval/ingest/test_likeness.py`."""
EDITION = 0.3
"""Likeness of editions, whose paths and titles a year or a version alone tells apart."""
BY_ANOTHER = "another document, "
"""How a place begins that says whose readers or time a document has."""
_ALIKE = ", which it is like"
_NUMBERS = 128
_PARTS = _NUMBERS - ceil(COPY * _NUMBERS) + 1
"""One more than the numbers in which two copies may differ."""
_PRIME = 4_294_967_311
_WORD = re.compile(r"\w+")
_EDITION = re.compile(
    r"(?<![^\W_])(?:(?:19|20)\d\d(?:[-/_\u2013](?:20)?\d\d(?![^\W_]))?(?![-.]\d{3})"
    r"|v(?:ersion)?[ ._-]?\d+(?:[._]\d+)*)(?![^\W_])",
    re.IGNORECASE,
)
"""A year, an academic year or a version; not the years of "CVE-2026-0464" and of room 2026."""
_PAGE_ID = re.compile(r"_(?!(?:19|20)\d\d(?:[01]\d(?:[0-3]\d)?)?\.)[1-9]\d{3,}(?=\.\w+$)")
"""Behind the name of a page, as Confluence exports it: no year and no date."""
_SPACED = str.maketrans("-_./", "   \n")

Sketch = NDArray[np.uint16]
Edition = tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]


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


@dataclass(frozen=True)
class _Known:
    file: str
    metadata: Metadata
    title: str
    sketch: Sketch

    @cached_property
    def of_editions(self) -> tuple[str, str]:
        """Path and title without years, versions and the id of a page."""
        return self._parted_file[0], _parted(self.title)[0]

    @cached_property
    def edition(self) -> Edition:
        return self._parted_file[1]

    @cached_property
    def _parted_file(self) -> tuple[str, Edition]:
        return _parted(_PAGE_ID.sub("", self.file))

    def likeness(self, other: "_Known") -> float:
        return float((self.sketch == other.sketch).mean())

    def parts(self) -> Iterator[tuple[int, bytes]]:
        """Of two copies one part at least is the same, as they differ in fewer places."""
        for number, part in enumerate(np.array_split(self.sketch, _PARTS)):
            yield number, part.tobytes()


class Likeness:
    """What one source holds, as far as documents bear on each other."""

    def __init__(self) -> None:
        self._known: dict[str, _Known] = {}
        self._originals: dict[tuple[int, bytes], set[str]] = {}
        self._editions: dict[tuple[str, str], list[tuple[Edition, str]]] = {}
        self._replacing: dict[str, set[str]] = {}
        self._unread: dict[str, tuple[Audience, frozenset[str]]] = {}

    def hold(self, held: Iterable[Holding], files: Collection[str]) -> None:
        """Documents are in the library; what stands beside them as a file may not be read."""
        for each in held:
            document = each.document
            self._note(document.file, document.metadata, document.title, each.fingerprint.sketch)
        for file, known in self._known.items():
            originals = frozenset(_likened_to(known.metadata)) - self._known.keys()
            if unread := originals & frozenset(files):
                self._unread[file] = known.metadata.access.audience, unread

    def refuse(self, file: str, sketch: str) -> None:
        """A document may restrict who reads it and is not understood: nor is any copy of it."""
        nobody = Metadata(
            access=AccessRule(NOBODY), states_readers=True, restricted_in=("its refusal",)
        )
        self._note(file, nobody, file, sketch)

    def applied(self, file: str, metadata: Metadata, title: str, sketch: str) -> Metadata:
        """Its metadata with what those like it bring along. Raise `NobodyByLikeness`."""
        self._note(file, metadata, title, sketch)
        now = self._with_others(file, metadata) if file in self._known else metadata
        if is_for_nobody(now.access.audience) and not is_for_nobody(metadata.access.audience):
            raise NobodyByLikeness(f"is for nobody by {now.restricted_in[-1]}; say who may read it")
        return self._note(file, now, title, sketch)

    def still(self, held: Holding, allowed: Audience | None) -> bool:
        """Whether it has rightly still what others bring; `allowed`: None where nobody said."""
        file = held.document.file
        return not is_by_likeness(held.document.metadata) or self._is_right(file, allowed)

    def late(self, allowed: Audience | None) -> list[str]:
        """Documents which one that was read after them bears on; `allowed` as above."""
        return [file for file in self._known if not self._is_right(file, allowed)]

    def _is_right(self, file: str, allowed: Audience | None) -> bool:
        if file not in self._known:
            return True
        metadata = self._known[file].metadata
        now = self._with_others(file, _by_itself(metadata, allowed))
        return now.access == metadata.access if allowed is None else now == metadata

    def _note(self, file: str, metadata: Metadata, title: str, sketch: str) -> Metadata:
        if before := self._known.pop(file, None):
            self._editions[before.of_editions].remove((before.edition, file))
            for part in before.parts():
                self._originals.get(part, set()).discard(file)
            for name in before.metadata.replaces:
                self._replacing[_named(name)].discard(file)
        if sketch:
            as_numbers = np.frombuffer(bytes.fromhex(sketch), dtype=np.uint16)
            known = self._known[file] = _Known(file, metadata, title, as_numbers)
            insort(self._editions.setdefault(known.of_editions, []), (known.edition, file))
            for name in metadata.replaces:
                self._replacing.setdefault(_named(name), set()).add(file)
            for part in known.parts() if metadata.states_readers else ():
                self._originals.setdefault(part, set()).add(file)
        return metadata

    def _with_others(self, file: str, own: Metadata) -> Metadata:
        """What a document has that states no readers and no time; any other keeps its own."""
        mine = self._known[file]
        if not own.states_readers:
            found = {each for part in mine.parts() for each in self._originals.get(part, ())}
            for other in sorted(found - {file}):
                own = self._as_copy(mine, other, own)
            audience, originals = self._unread.get(file, ((), frozenset()))
            if unread := sorted(originals - self._known.keys()):
                own = _narrowed(own, audience, unread[0])
        if all(place.startswith(BY_ANOTHER) for place in own.restricted_in):
            of_one = self._editions[mine.of_editions]
            newer = of_one[bisect_right(of_one, (mine.edition, file)) :]
            for ends, theirs in filter(None, (self._ends_by(mine, other) for _, other in newer)):
                own = _over(own, ends, theirs, "which is newer")
                if own.access.valid_to is not None:
                    break
            names = {_named(each) for each in (file, PurePosixPath(file).name, mine.title)}
            replacing = {o for n in names for o in self._replacing.get(n, ())} - {file}
            for theirs in (self._known[each] for each in sorted(replacing)):
                begins = theirs.metadata.access.valid_from
                ends = begins - timedelta(1) if begins else NEVER
                own = _over(own, ends, theirs, "which replaces it")
        return own

    def _as_copy(self, mine: _Known, other: str, own: Metadata) -> Metadata:
        theirs = self._known[other]
        if mine.likeness(theirs) < COPY:
            return own
        return _narrowed(own, theirs.metadata.access.audience, other)

    def _ends_by(self, mine: _Known, other: str) -> tuple[date, _Known] | None:
        """The last day of an older edition, and the newer one; None where that is none."""
        theirs = self._known[other]
        if not all(place.startswith(BY_ANOTHER) for place in theirs.metadata.restricted_in):
            return None
        ends = _ends(mine.edition, theirs.edition)
        return (ends, theirs) if ends and mine.likeness(theirs) >= EDITION else None


def _narrowed(own: Metadata, audience: Audience, by: str) -> Metadata:
    both = narrowed(audience, own.access.audience)
    if both == own.access.audience:
        return own
    places = (*own.restricted_in, f"{BY_ANOTHER}{by}{_ALIKE}")
    return replace(own, access=replace(own.access, audience=both), restricted_in=places)


def _over(own: Metadata, ends: date, by: _Known, why: str) -> Metadata:
    """For those who may read what ends it: it is in force for the others."""
    access, newer = own.access, by.metadata.access.audience
    if narrowed(newer, access.audience) == access.audience:
        access = replace(access, valid_to=min(ends, access.valid_to or ends))
    else:
        access = replace(access, over_for=(*access.over_for, (newer, ends)))
    places = (*own.restricted_in, f"{BY_ANOTHER}{by.file}, {why}")
    return replace(own, access=access, restricted_in=places)


def _named(name: str) -> str:
    """A title as another document may write it, or a path."""
    return " ".join(name.casefold().strip("./\"'“”").split())


def _by_itself(metadata: Metadata, allowed: Audience | None) -> Metadata:
    """What it has without others; its present readers where nobody said whom its source allows."""
    if not is_by_likeness(metadata):
        return metadata
    access, places = metadata.access, metadata.restricted_in
    is_over = any(each.startswith(BY_ANOTHER) and not each.endswith(_ALIKE) for each in places)
    access = replace(access, valid_to=None, over_for=()) if is_over else access
    if allowed is not None and any(_likened_to(metadata)):
        access = replace(access, audience=allowed)
    own = tuple(place for place in places if not place.startswith(BY_ANOTHER))
    return replace(metadata, access=access, restricted_in=own)


def _likened_to(metadata: Metadata) -> Iterator[str]:
    """The documents whose readers it has."""
    for place in metadata.restricted_in:
        if place.startswith(BY_ANOTHER) and place.endswith(_ALIKE):
            yield place.removeprefix(BY_ANOTHER).removesuffix(_ALIKE)


def is_by_likeness(metadata: Metadata) -> bool:
    return any(place.startswith(BY_ANOTHER) for place in metadata.restricted_in)


def _parted(name: str) -> tuple[str, Edition]:
    """A name without its years and versions; and these, each kind in the order of time."""
    years: list[tuple[int, ...]] = []
    versions: list[tuple[int, ...]] = []
    spaced = (name := name.casefold()).translate(_SPACED)

    def taken(found: re.Match[str]) -> str:
        is_version = found[0][0] == "v"
        if not is_version and is_no_year(spaced, *found.span()):
            return found[0]
        numbers = tuple(int(each) for each in re.findall(r"\d+", found[0]))
        (versions if is_version else years).append(numbers)
        return "#"

    return _EDITION.sub(taken, name), (tuple(years), tuple(versions))


def _ends(older: Edition, newer: Edition) -> date | None:
    """The last day before the newer one's year; None where months of a year tell them apart."""
    for before, after in zip(older[0], newer[0], strict=False):
        if before[0] < after[0]:
            is_academic = len(after) > 1 and after[1] % 100 == (after[0] + 1) % 100
            return date(after[0], BEGUN if is_academic else 1, 1) - timedelta(1)
    return NEVER if older[0] == newer[0] and older[1] < newer[1] else None
