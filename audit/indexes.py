"""SQLite's full-text index must find what the records say, and nothing else.

FTS5's own integrity check is an INSERT, which a reader may not run. So the words are
indexed anew in a temporary database, and both indexes are read side by side.
"""

import sqlite3
from contextlib import closing
from itertools import zip_longest
from pathlib import Path

from audit.guards import SQLITE
from audit.read_only import connect_to_read

_NEW = (
    SQLITE[0].replace("audit_text", "temp.anew", 1).replace("content='audit_entry'", "content=''")
)
"""The same columns and tokenizer, without a table that holds the text."""


def text_fault(path: Path) -> str | None:
    """The first word that differs; raise `sqlite3.Error` where the index cannot be read."""
    with closing(connect_to_read(path, isolation_level=None)) as connection:
        connection.execute("BEGIN")  # one state throughout
        connection.execute(_NEW)
        connection.execute(
            "INSERT INTO temp.anew (rowid, words) SELECT sequence, words FROM main.audit_entry"
        )
        stored, anew = (
            _words(connection, *each) for each in (("main", "audit_text"), ("temp", "anew"))
        )
        for found, expected in zip_longest(stored, anew):
            if found != expected:
                _, number = min(each for each in (found, expected) if each)
                return f"the full-text index audit_text does not agree with entry {number}"
    return None


def _words(connection: sqlite3.Connection, schema: str, index: str) -> sqlite3.Cursor:
    """Every word with the entry that it stands in, in the order of the words."""
    vocabulary = f"temp.words_of_{index}"
    connection.execute(
        f"CREATE VIRTUAL TABLE {vocabulary} USING fts5vocab({schema}, {index}, instance)"
    )
    return connection.execute(f"SELECT term, doc FROM {vocabulary}")  # noqa: S608 - names of ours
