"""What every engine does alike: its certificate, entries, days and matches."""

import json
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrieval.errors import IndexMismatch, IndexUnavailable
from retrieval.ports import MATCH_DIGITS, IndexEntry, Match

CERTIFICATE = "index.json"
SHIPPED = "vouch-embedder-"
"""So begins the name of each embedder that came with Vouch."""
RE_EMBED = "make it anew from the library with `vouch ingest --re-embed`"

Origin = tuple[int, int]
"""Tells one certificate file from a later one in its place: its inode and time of writing."""


FORMAT = 5
"""Of what is stored; 1 filtered by the ids of rules, 2 had no document's id on a server, 3 further
entries that led to passages, and 4 vectors of several embedders."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate says what an index holds, and who may ask it."""

    embedder: str
    dimension: int
    facets: tuple[str, ...]
    """All that the ontology knows: of another one an entry says nothing."""
    format: int = FORMAT

    def is_outdated(self, wanted: "Certificate") -> bool:
        """Whether it is of another form, of an earlier shipped embedder, or for other facets.

        Other embedders are named on purpose, or taken back.
        """
        if self.format != FORMAT or self._is_of_earlier_embedder(wanted):
            return True
        return set(self.facets) != set(wanted.facets) and self._is_of_embedder(wanted)

    def _is_of_embedder(self, wanted: "Certificate") -> bool:
        return (self.embedder, self.dimension) == (wanted.embedder, wanted.dimension)

    def _is_of_earlier_embedder(self, wanted: "Certificate") -> bool:
        both_ship = self.embedder.startswith(SHIPPED) and wanted.embedder.startswith(SHIPPED)
        return both_ship and not self._is_of_embedder(wanted)

    def check(self, wanted: "Certificate") -> None:
        """Raise `IndexMismatch` where the index is not what is wanted."""
        if self.format != wanted.format:
            raise IndexMismatch(f"The index was made by another version of Vouch; {RE_EMBED}.")
        if not self._is_of_embedder(wanted):
            raise IndexMismatch(
                f"The index was made by the embedder {self.embedder} ({self.dimension} dimensions),"
                f" and the settings name {wanted.embedder} ({wanted.dimension}). Set "
                f"VOUCH_EMBEDDER back, or {RE_EMBED}."
            )
        if set(self.facets) != set(wanted.facets):
            raise IndexMismatch(
                f"The index was made for the facets {', '.join(self.facets)}, and the ontology "
                f"names {', '.join(wanted.facets)}. Set VOUCH_ONTOLOGY back, or {RE_EMBED}."
            )


def read_certificate(folder: Path) -> tuple[Certificate, Origin] | None:
    """It and what tells a later one; None without an index. Raise `IndexUnavailable`."""
    try:
        with (folder / CERTIFICATE).open("rb") as file:
            status = os.fstat(file.fileno())
            return certificate_in(file.read()), (status.st_ino, status.st_mtime_ns)
    except FileNotFoundError:
        if folder.is_dir() and any(folder.iterdir()):
            raise IndexUnavailable(
                f"The index in {folder} has lost its {CERTIFICATE}; {RE_EMBED}."
            ) from None
        return None
    except OSError as error:
        raise IndexUnavailable(
            f"The index in {folder} cannot be read ({error.strerror}); make the folder readable."
        ) from error
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise IndexUnavailable(f"{folder / CERTIFICATE} is damaged; {RE_EMBED}.") from error


def certificate_in(text: str | bytes) -> Certificate:
    """Raise `AttributeError`, `KeyError`, `TypeError` or `ValueError` for what is none."""
    content = json.loads(text)
    made_as = int(content.get("format", 1))
    if made_as != FORMAT:  # it is made anew, whatever it holds
        return Certificate("", 0, (), made_as)
    facets = tuple(map(str, content["facets"]))
    return Certificate(str(content["embedder"]), int(content["dimension"]), facets)


def as_text(certificate: Certificate) -> str:
    return json.dumps(asdict(certificate))


def write_certificate(folder: Path, certificate: Certificate) -> None:
    """Write it whole or not at all. Raise `OSError`."""
    folder.mkdir(parents=True, exist_ok=True)
    new = folder.with_name(f"{folder.name}.{CERTIFICATE}.new")
    with new.open("w", encoding="utf-8") as file:
        file.write(as_text(certificate))
        file.flush()
        os.fsync(file.fileno())
    new.replace(folder / CERTIFICATE)


FIRST_DAY, LAST_DAY = date.min.toordinal(), date.max.toordinal()
"""Of what is valid at any time."""


def distinct(entries: Iterable[IndexEntry]) -> list[IndexEntry]:
    """Of two entries of one passage the last."""
    return list({entry.passage_id: entry for entry in entries}.values())


def demand_direction(vectors: NDArray[np.float32], dimension: int) -> None:
    """Raise `ValueError` where a row has another dimension or points nowhere."""
    if vectors.shape[1:] != (dimension,):
        raise ValueError(f"a vector must have {dimension} dimensions")
    if not (np.isfinite(vectors).all() and vectors.any(axis=1).all()):
        raise ValueError("a vector must be finite and not all zeros: it has no direction")


def ordinal(day: date | None, otherwise: int) -> int:
    """A day as a number, as `date.toordinal`."""
    return otherwise if day is None else day.toordinal()


def clean(words: str) -> str:
    """Without lone surrogates, which no UTF-8 can hold."""
    return words.encode("utf-8", "ignore").decode()


def batches(ids: Collection[str], at_once: int) -> Iterator[list[str]]:
    """Each id once, in order."""
    in_order = sorted(set(ids))
    for start in range(0, len(in_order), at_once):
        yield in_order[start : start + at_once]


def match(passage_id: str, document_id: str, score: float) -> Match:
    return Match(passage_id, document_id, round(float(score), MATCH_DIGITS))


def best(search: Callable[[int], Sequence[Match]], limit: int, most: int) -> list[Match]:
    """The best matches; equal ones by id, however they are stored.

    `search` returns so many at most, best first; `most` is what an engine gives at once.
    """
    asked = min(limit + 1, most)
    while True:
        found = search(asked)
        ranked = sorted(found, key=lambda each: (-each.score, each.passage_id))
        is_settled = len(ranked) > limit and found[-1].score < ranked[limit - 1].score
        if len(found) < asked or is_settled or asked == most:
            return ranked[:limit]
        asked = min(asked * 8, most)
