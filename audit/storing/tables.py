"""The rows of the audit database, and its columns, which derive from a payload and nothing else.

The writer fills the columns in from here and verification derives them again, so a column cannot
say anything that the hashed payload does not. They work on the bare JSON, so that records of older
forms verify too. The registry is their own: other tables live in other databases.
"""

import lzma
import re
from collections.abc import Mapping
from typing import Any, ClassVar

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Dialect,
    Integer,
    LargeBinary,
    Table,
    Text,
    TypeDecorator,
    not_,
)
from sqlalchemy.orm import registry
from sqlmodel import Field, SQLModel

from audit.values import SEARCHED, TEAM_ID, known_as

KEY_LENGTH = 400
"""Characters of an indexed value: at 4 bytes each, under PostgreSQL's 2,704 byte limit."""
QUESTION_LENGTH = 2_000
WORD_LENGTH = 64
WORD_COUNT = 4_000
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_WORD = re.compile(r"[^\W_]+")


def key(text: str) -> str:
    """The text as an indexed column holds it: also what a query must compare with."""
    return storable(text)[:KEY_LENGTH]


def of_team(person_id: ColumnElement[str], team: str) -> ColumnElement[bool]:
    """Whether somebody is of a workspace; `team`: empty for the home's own."""
    if team:
        return person_id.startswith(known_as(team, ""), autoescape=True)
    return not_(person_id.regexp_match(f"^{TEAM_ID.pattern}//"))


def storable(text: str) -> str:
    """Without what PostgreSQL's text refuses (NUL, lone surrogates): U+FFFD stands in."""
    return _UNSTORABLE.sub("\ufffd", text)


def words(text: str) -> list[str]:
    """The distinct words of a text, case folded: the same on every store."""
    found = (word[:WORD_LENGTH] for word in _WORD.findall(text.casefold()))
    return list(dict.fromkeys(found))[:WORD_COUNT]


def columns(payload: Mapping[str, Any]) -> dict[str, str | None]:
    """Column to value; `KeyError` and the like for what is no entry."""
    is_answer = payload["kind"] == "answer"
    person = payload["person"] or {"id": "", "name": ""}
    return {
        "kind": payload["kind"],
        "entry_id": key(payload["audit_id" if is_answer else "event_id"]),
        "audit_id": key(payload["audit_id"]),
        "time": payload["time"],
        "person_id": key(person["id"]),
        "person_name": key(person["name"]),
        "channel_id": key(payload["channel"]["id"]),
        "decision": payload["decision"] if is_answer else None,
        "question": storable(payload["question"])[:QUESTION_LENGTH] if is_answer else None,
        "words": " ".join(words(_searched(payload)) if is_answer else []),
    }


def _searched(payload: Mapping[str, Any]) -> str:
    """The question, and the reply where it answers; an abstention only lists what was near."""
    lists = payload["decision"] == "ABSTAIN" and payload["schema_version"] > 1
    return "\n".join([payload["question"], "" if lists else payload["reply"]])


def cited_names(payload: Mapping[str, Any]) -> frozenset[str]:
    """The ids and files of the documents that the posted claims cite, and whose words it keeps."""
    citations = [citation for claim in payload.get("claims", ()) for citation in claim["citations"]]
    names = [each[name] for each in citations for name in ("document_id", "file")]
    names += [words_of(each["by"]) for each in payload.get("shown", ()) if each.get("by")]
    return frozenset(map(key, names))


def words_of(person: str) -> str:
    """By which a record is found that keeps what they said elsewhere; no document is called so."""
    return f"{SEARCHED}by:{person}"


REVISION = "0008"
"""The migration that these rows belong to; a test holds it to Alembic's head.

Another one is due whenever entries or what derives from them have a new form, even where the tables
stay as they are: earlier programs would take such entries for altered.
"""
WITHOUT_TREE = ("0001", "0002")
WITHOUT_TERMS = (*WITHOUT_TREE, "0003")
WITHOUT_ERASED = (*WITHOUT_TERMS, "0004")
WITHOUT_KIND = (*WITHOUT_ERASED, "0005")
EARLIER = (*WITHOUT_KIND, "0006", "0007")
"""Those whose entries read the same, so that an old store is read before it is brought up, too.

Their terms, where they have any, are not all that there are by now.
"""
REVISION_TABLE = "audit_revision"
Sequence = BigInteger().with_variant(Integer, "sqlite")
"""SQLite makes only an INTEGER primary key the row's own number."""


class Sorted(Text):
    """Text that PostgreSQL sorts by code point, so that times and beginnings of ids are ranges."""


_XZ: Any = [{"id": lzma.FILTER_LZMA2, "preset": 6, "dict_size": 1 << 16, "pb": 0}]
"""Its dictionary, in bytes, is larger than a record."""
_PACKED_FROM = 1024
"""Characters; what is shorter, as most events, can be read with any tool."""


class Packed(TypeDecorator[str]):
    """Text of which SQLite keeps the xz form: most of a record are names that repeat."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> Any:
        if value is None or dialect.name != "sqlite" or len(value) < _PACKED_FROM:
            return value
        return lzma.compress(value.encode(), check=lzma.CHECK_CRC32, filters=_XZ)

    def process_result_value(self, value: Any, dialect: Dialect) -> str | None:  # noqa: ARG002
        """What was damaged comes back as text that fits no hash."""
        if not isinstance(value, bytes):
            return None if value is None else str(value)
        try:
            return lzma.decompress(value).decode()
        except (lzma.LZMAError, EOFError, UnicodeDecodeError):
            return value.decode("latin-1")


class AuditTable(SQLModel, registry=registry()):
    """All audit tables derive from it."""


class EntryRow(AuditTable, table=True):
    """An entry is one link of the chain; all but the last three columns derive from `payload`."""

    __tablename__: ClassVar[str] = "audit_entry"

    sequence: int = Field(primary_key=True, sa_type=Sequence)
    kind: str = Field(sa_type=Sorted)
    entry_id: str = Field(sa_type=Sorted, unique=True)
    audit_id: str = Field(sa_type=Sorted, index=True)
    time: str = Field(sa_type=Sorted)
    person_id: str = Field(sa_type=Sorted)
    person_name: str = Field(sa_type=Sorted)
    channel_id: str = Field(sa_type=Sorted)
    decision: str | None = Field(sa_type=Sorted)
    question: str | None = Field(sa_type=Text)
    words: str = Field(sa_type=Text)
    payload: str = Field(sa_type=Packed)
    previous_hash: str = Field(sa_type=Sorted)
    hash: str = Field(sa_type=Sorted)


class CitedRow(AuditTable, table=True):
    """An entry cites a document: its id and its file each have a row."""

    __tablename__: ClassVar[str] = "audit_cited"

    name: str = Field(primary_key=True, sa_type=Sorted)
    sequence: int = Field(primary_key=True, sa_type=Sequence, index=True)


class TreeRow(AuditTable, table=True):
    """What an entry adds to the tree: of a leaf and the nodes that it completes, the hashes."""

    __tablename__: ClassVar[str] = "audit_tree"

    sequence: int = Field(primary_key=True, sa_type=Sequence)
    salt: str = Field(sa_type=Text)
    """32 random bytes in base64, without which nobody can guess what the leaf is a hash of."""
    nodes: str = Field(sa_type=Text)
    """In base64, blanks between, the leaf first."""


class TermsRow(AuditTable, table=True):
    """What an entry says that a record is found by."""

    __tablename__: ClassVar[str] = "audit_terms"

    sequence: int = Field(primary_key=True, sa_type=Sequence)
    record: int = Field(sa_type=Sequence)
    """The number of the record that is found by them: of feedback, the one that it is about."""
    terms: str = Field(sa_type=Text)
    """A list in JSON, sorted; the words stand in the entry."""


class TermBlockRow(AuditTable, table=True):
    """Which records of a block have a term, as far as the entries of another block say."""

    __tablename__: ClassVar[str] = "audit_found"

    term: str = Field(primary_key=True, sa_type=Sorted)
    block: int = Field(primary_key=True, sa_type=Sequence)
    """The records', from 0."""
    closed: int = Field(primary_key=True, sa_type=Sequence)
    """The entries'; not before the records'."""
    numbers: bytes = Field(sa_type=LargeBinary)


class ErasedRow(AuditTable, table=True):
    __tablename__: ClassVar[str] = "audit_erased"

    sequence: int = Field(primary_key=True, sa_type=Sequence)
    event: int = Field(sa_type=Sequence, index=True)


entries: Table = AuditTable.metadata.tables["audit_entry"]
cited: Table = AuditTable.metadata.tables["audit_cited"]
tree: Table = AuditTable.metadata.tables["audit_tree"]
terms: Table = AuditTable.metadata.tables["audit_terms"]
term_blocks: Table = AuditTable.metadata.tables["audit_found"]
erased: Table = AuditTable.metadata.tables["audit_erased"]
