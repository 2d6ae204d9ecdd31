"""The columns that queries use are derived from a payload and from nothing else.

The writer fills them in from here and verification derives them again, so a column
cannot say anything that the hashed payload does not. They work on the bare JSON, not
on today's classes, so that records of older forms verify too.
"""

import re
from collections.abc import Mapping
from typing import Any

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
    """The ids and files of the documents that the posted claims cite."""
    citations = [citation for claim in payload.get("claims", ()) for citation in claim["citations"]]
    return frozenset(
        key(name) for citation in citations for name in (citation["document_id"], citation["file"])
    )
