"""The canonical text store: documents, their versions, their passages.

Text lives here once; index entries hold vectors and, for the lexical search, words.
"""

import sqlite3
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path, PurePosixPath

from filelock import FileLock

from retrieval.documents.holdings import UNKNOWN, Acquisition, Fingerprint, Holding, KeptOut
from retrieval.documents.rows import (
    document_values,
    fingerprint_value,
    holding_of,
    metadata_of,
    passage_of,
    passage_values,
)
from retrieval.errors import LibraryUnavailable
from retrieval.types import AccessRule, Passage

FORMAT = 1
"""Of what is stored; a library of another format is refused, not misread."""
SCHEMA = """
CREATE TABLE IF NOT EXISTS documents (
    document_id TEXT PRIMARY KEY, root TEXT NOT NULL, file TEXT NOT NULL,
    version INTEGER NOT NULL, ingested_at TEXT NOT NULL, title TEXT NOT NULL,
    metadata TEXT NOT NULL, access_id TEXT NOT NULL, fingerprint TEXT NOT NULL,
    UNIQUE (root, file));
CREATE TABLE IF NOT EXISTS versions (
    document_id TEXT NOT NULL, version INTEGER NOT NULL, root TEXT NOT NULL,
    file TEXT NOT NULL, sha256 TEXT NOT NULL, ingested_at TEXT NOT NULL, removed_at TEXT,
    PRIMARY KEY (document_id, version));
CREATE TABLE IF NOT EXISTS passages (
    passage_id TEXT PRIMARY KEY, document_id TEXT NOT NULL REFERENCES documents,
    ordinal INTEGER NOT NULL, section_path TEXT NOT NULL, source TEXT NOT NULL,
    sentences TEXT NOT NULL);
CREATE UNIQUE INDEX IF NOT EXISTS passages_in_order ON passages (document_id, ordinal);
CREATE TABLE IF NOT EXISTS whole_roots (root TEXT PRIMARY KEY);
CREATE TABLE IF NOT EXISTS kept_out (
    root TEXT NOT NULL, file TEXT NOT NULL, reason TEXT NOT NULL);
"""
SERVED = "CREATE VIEW IF NOT EXISTS served AS SELECT * FROM documents WHERE NOT suspended"
"""What anybody may be told of; the rest waits until it is known whether it still stands."""
AT_ONCE = 500
"""Ids in one statement; SQLite's limit on variables was 999 for long."""


class Library:
    """A SQLite file. Every method is one transaction and safe from any thread."""

    def __init__(self, path: Path) -> None:
        self._path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        # SQLite waits for a lock, but not for the one that a change of its journal needs.
        with self._database() as database, FileLock(f"{path}.lock"):
            database.execute("PRAGMA journal_mode = WAL")
            made = database.execute("PRAGMA user_version").fetchone()[0]
            if made not in (0, FORMAT):
                raise LibraryUnavailable(
                    f"The library {path} was made by another version of Vouch. Move it away and "
                    "ingest your documents again; the audit store is not touched by that."
                )
            database.executescript(SCHEMA)
            columns = {row["name"] for row in database.execute("PRAGMA table_info(documents)")}
            if "suspended" not in columns:
                database.execute("ALTER TABLE documents ADD COLUMN suspended INTEGER DEFAULT 0")
            database.execute(SERVED)
            database.execute(f"PRAGMA user_version = {FORMAT}")

    @contextmanager
    def _database(self) -> Iterator[sqlite3.Connection]:
        """One connection a call: cheap, and no thread ever meets another's."""
        try:
            database = sqlite3.connect(self._path, timeout=30)
            database.row_factory = sqlite3.Row
            try:
                with database:
                    yield database
            finally:
                database.close()
        except (sqlite3.Error, OSError) as error:
            raise LibraryUnavailable(
                f"The library {self._path} cannot be used ({error}). Check that the disk has "
                "space and that the folder may be written to; if the file is damaged, move it "
                "away and run `vouch ingest` again."
            ) from error

    def holdings(self, root: str) -> dict[str, Holding]:
        """The documents of one source, by file."""
        with self._database() as database:
            rows = database.execute("SELECT * FROM documents WHERE root = ?", (root,))
            return {row["file"]: holding_of(row) for row in rows}

    def roots(self) -> dict[str, bool]:
        """The folders that were ingested and still hold documents, and those given as a whole.

        False where documents of it were given one by one. A library made before this was noted
        tells by whether it holds documents of folders below.
        """
        with self._database() as database:
            held = database.execute(
                "SELECT root, max(instr(file, '/')) > 0 AS deep FROM documents GROUP BY root"
            ).fetchall()
            whole = {row["root"] for row in database.execute("SELECT root FROM whole_roots")}
        known = {row["root"]: bool(row["deep"]) for row in held}
        return {root: known.get(root, False) or root in whole for root in sorted({*known, *whole})}

    def note_whole(self, root: str, whole: bool = True) -> None:
        """Note that a folder was given as a whole, or that it is no source any more."""
        with self._database() as database:
            database.execute("DELETE FROM whole_roots WHERE root = ?", (root,))
            if whole:
                database.execute("INSERT INTO whole_roots VALUES (?)", (root,))

    def next_version(self, document_id: str) -> str:
        """Versions count from 1 and go on when a document returns after leaving."""
        with self._database() as database:
            row = database.execute(
                "SELECT coalesce(max(version), 0) + 1 AS version FROM versions"
                " WHERE document_id = ?",
                (document_id,),
            ).fetchone()
            return str(row["version"])

    def store(self, acquisitions: Iterable[Acquisition]) -> None:
        """Replace each document and all its passages by its new version."""
        with self._database() as database:
            for acquisition in acquisitions:
                _delete(database, acquisition.document.document_id)
                _insert(database, acquisition)

    def touch(self, document_id: str, fingerprint: Fingerprint) -> None:
        """Note that a file was written anew with the same content."""
        with self._database() as database:
            database.execute(
                "UPDATE documents SET fingerprint = ? WHERE document_id = ?",
                (fingerprint_value(fingerprint), document_id),
            )

    def doubt(self, document_ids: Iterable[str]) -> None:
        """Forget what the files of documents looked like, so that they are read again."""
        with self._database() as database:
            database.executemany(
                "UPDATE documents SET fingerprint = ? WHERE document_id = ?",
                ((fingerprint_value(UNKNOWN), document_id) for document_id in document_ids),
            )

    def suspend(self, document_ids: Iterable[str], suspended: bool = True) -> None:
        """Keep documents without serving them, or serve them again as they were."""
        with self._database() as database:
            database.executemany(
                "UPDATE documents SET suspended = ? WHERE document_id = ?",
                ((suspended, document_id) for document_id in document_ids),
            )

    def keep_out(self, root: str, replaced: Collection[str], kept_out: Iterable[KeptOut]) -> None:
        """Note what was kept out of a source, in place of what was noted of these files."""
        with self._database() as database:
            database.executemany(
                "DELETE FROM kept_out WHERE root = ? AND file = ?",
                ((root, file) for file in replaced),
            )
            database.executemany(
                "INSERT INTO kept_out VALUES (?, ?, ?)",
                ((each.root, each.file, each.reason) for each in kept_out),
            )

    def kept_out(self) -> list[KeptOut]:
        """All that was kept from everyone when it was last looked at, by source and file."""
        with self._database() as database:
            rows = database.execute("SELECT * FROM kept_out ORDER BY root, file, rowid")
            return [KeptOut(row["root"], row["file"], row["reason"]) for row in rows]

    def remove(self, document_ids: Iterable[str]) -> None:
        """Let documents leave; their version history stays."""
        with self._database() as database:
            for document_id in document_ids:
                _delete(database, document_id)

    def passages(self, passage_ids: Collection[str]) -> dict[str, Passage]:
        """Passages by id; an id that is not there is left out."""
        found: dict[str, Passage] = {}
        wanted = list(passage_ids)
        with self._database() as database:
            for start in range(0, len(wanted), AT_ONCE):
                some = wanted[start : start + AT_ONCE]
                marks = ", ".join("?" * len(some))
                rows = database.execute(
                    f"{_SELECT_PASSAGES} WHERE passage_id IN ({marks})",
                    some,
                )
                found.update((row["passage_id"], passage_of(row)) for row in rows)
        return found

    def neighbours(self, passage: Passage, distance: int) -> list[Passage]:
        """Up to `distance` passages of the document on each side, in reading order."""
        with self._database() as database:
            rows = database.execute(
                f"{_SELECT_PASSAGES} WHERE document_id = ? AND ordinal BETWEEN ? AND ?"
                " AND ordinal <> ? ORDER BY ordinal",
                (
                    passage.document.document_id,
                    passage.ordinal - distance,
                    passage.ordinal + distance,
                    passage.ordinal,
                ),
            )
            return [passage_of(row) for row in rows]

    def all_passages(self) -> Iterator[Passage]:
        """Every passage, document by document, in reading order."""
        with self._database() as database:
            rows = database.execute(f"{_SELECT_PASSAGES} ORDER BY root, file, ordinal")
            for row in rows:
                yield passage_of(row)

    def passage_ids(self) -> frozenset[str]:
        with self._database() as database:
            return frozenset(row["passage_id"] for row in database.execute(_SELECT_IDS))

    def has_expired(self, on: date) -> bool:
        """Whether the time of any document is over on a day."""
        query = "SELECT 1 FROM served WHERE json_extract(metadata, '$.access.valid_to') < ? LIMIT 1"
        with self._database() as database:
            return database.execute(query, (on.isoformat(),)).fetchone() is not None

    def access_of(self, document_ids: Collection[str]) -> dict[str, AccessRule]:
        """Who may read documents today; one that has left the library is left out."""
        one = "SELECT metadata FROM served WHERE document_id = ?"
        with self._database() as database:
            found = {each: database.execute(one, (each,)).fetchone() for each in document_ids}
        return {each: metadata_of(row).access for each, row in found.items() if row}

    def files_like(self, name: str) -> tuple[str, ...]:
        """The document whose id or file this is, else every file that may be meant by it.

        A document may be meant by its path, its base name or its title, in any case.
        """
        with self._database() as database:
            query = "SELECT document_id, file, title FROM documents ORDER BY file"
            rows = database.execute(query).fetchall()
        if any(name in (row["document_id"], row["file"]) for row in rows):
            return (name,)
        like = (row["file"] for row in rows if _folded(name) in _names(row))
        return tuple(dict.fromkeys(like))

    def shelves_like(self, name: str) -> list[tuple[str, Holding]]:
        """Every document that a name may mean, with its source's root; also suspended ones."""
        with self._database() as database:
            rows = database.execute("SELECT * FROM documents ORDER BY root, file").fetchall()
        like = [row for row in rows if name in (row["document_id"], row["file"])]
        like = like or [row for row in rows if _folded(name) in _names(row)]
        return [(row["root"], holding_of(row)) for row in like]

    def shelves_at(self, path: Path) -> list[tuple[str, Holding]]:
        """The document of a file of the system, in each source that it was read for."""
        roots = [root for root in self.roots() if path.is_relative_to(root)]
        found = ((r, self.holdings(r).get(path.relative_to(r).as_posix())) for r in roots)
        return [(root, held) for root, held in found if held]

    def is_empty(self) -> bool:
        """Whether there is no document at all."""
        with self._database() as database:
            return database.execute("SELECT 1 FROM documents LIMIT 1").fetchone() is None

    def counts(self) -> Mapping[str, int]:
        """How many documents and passages there are."""
        with self._database() as database:
            row = database.execute(
                "SELECT (SELECT count(*) FROM served) AS documents,"
                " (SELECT count(*) FROM passages JOIN served USING (document_id)) AS passages"
            ).fetchone()
            return dict(row)


_SELECT_PASSAGES = "SELECT * FROM passages JOIN served USING (document_id)"
_SELECT_IDS = "SELECT passage_id FROM passages JOIN served USING (document_id)"


def _names(row: sqlite3.Row) -> frozenset[str]:
    file = str(row["file"])
    return frozenset(map(_folded, (file, PurePosixPath(file).name, row["title"])))


def _folded(name: str) -> str:
    """Without case and spacing, and composed: some systems take an ü in a file's name apart."""
    return " ".join(unicodedata.normalize("NFC", name).casefold().split())


def _delete(database: sqlite3.Connection, document_id: str) -> None:
    database.execute("DELETE FROM passages WHERE document_id = ?", (document_id,))
    database.execute("DELETE FROM documents WHERE document_id = ?", (document_id,))
    database.execute(
        "UPDATE versions SET removed_at = ? WHERE document_id = ? AND removed_at IS NULL",
        (datetime.now(UTC).isoformat(), document_id),
    )


def _insert(database: sqlite3.Connection, acquisition: Acquisition) -> None:
    document = acquisition.document
    database.execute(
        "INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0)", document_values(acquisition)
    )
    database.execute(
        "INSERT INTO versions VALUES (?, ?, ?, ?, ?, ?, NULL)",
        (
            document.document_id,
            int(document.version),
            acquisition.root,
            document.file,
            acquisition.fingerprint.sha256,
            document.ingested_at.isoformat(),
        ),
    )
    database.executemany(
        "INSERT INTO passages VALUES (?, ?, ?, ?, ?, ?)",
        (passage_values(passage) for passage in acquisition.passages),
    )
