"""What every part of a library in a SQL database has in common."""

import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import Any, TypeVar

from sqlalchemy import Connection, RowMapping, Select, and_, select

from retrieval.documents.database import Database
from retrieval.documents.packing import passage_of, sealed_parts
from retrieval.documents.seal import KEY_CHECK, Seal
from retrieval.documents.tables import documents, passages, state, versions
from retrieval.errors import LibraryUnavailable, PassageChanged
from retrieval.types import Passage

AT_ONCE = 300
"""Keys in one statement, of up to three values each; SQLite's limit was 999 variables for long."""

Key = TypeVar("Key")

CURRENT = and_(
    documents.c.document_id == versions.c.document_id, documents.c.version == versions.c.version
)
OF_VERSION = and_(
    passages.c.document_id == versions.c.document_id, passages.c.version == versions.c.version
)
OF_PASSAGES = (
    passages,
    *(versions.c.file, versions.c.title, versions.c.metadata, versions.c.ingested_at),
)
PASSAGES = select(*OF_PASSAGES).join(versions, OF_VERSION)


class SqlBase:
    """A database, and the seals of what stands in it."""

    def __init__(self, url: str, key: bytes) -> None:
        """Open it, made or brought up where need be. Raise `LibraryUnavailable`."""
        self._seal = Seal(key)
        self._database = Database(url, self._seal)
        with self._database.reading() as connection:
            check = connection.scalar(select(state.c.key_check)) or ""
        if not self._seal.holds(check, KEY_CHECK):
            raise LibraryUnavailable(
                "The library was sealed with another key than the one in use. Bring its "
                "library.key back from a backup, or set VOUCH_LIBRARY_KEY to it; where it is "
                "lost, move the library away and ingest your documents again."
            )

    def _read(self, connection: Connection, query: Select[Any]) -> Iterator[Passage]:
        for row in connection.execute(query).mappings():
            if not self._is_sealed(row):
                raise PassageChanged(
                    f"A passage of {row['file']} is not as it was stored: somebody changed the "
                    "library behind Vouch's back. Run `vouch check`, then `vouch ingest --seals` "
                    "on its folder, which reads it anew."
                )
            yield passage_of(row)

    def _is_sealed(self, row: RowMapping) -> bool:
        return self._seal.holds(row["seal"], *sealed_parts(row))


def in_runs(keys: Iterable[Key]) -> Iterator[list[Key]]:
    """Return them in runs that one statement takes."""
    every = list(keys)
    return (every[start : start + AT_ONCE] for start in range(0, len(every), AT_ONCE))


def names_of(file: str, title: str) -> frozenset[str]:
    return frozenset(map(folded, (file, PurePosixPath(file).name, title)))


def folded(name: str) -> str:
    """Without case and spacing, and composed: some systems take an ü in a file's name apart."""
    return " ".join(unicodedata.normalize("NFC", name).casefold().split())
