"""What stays of an entry whose content was erased, and how that is still proven.

The entry's hash in the chain and its leaf in the tree stay. In place of its payload stands a
*blank*: id, time, kind and decision, who erased it, when and why, and which places of documents it
cited. Each of these the leaf commits to (`proof.hashes`), and of each the salt is kept that opens
it. Of all else the salts are gone, with the entry's own and its `nonce`: so neither the leaf nor
the hash tells a word to whoever guesses. Entries of before have no nonce; who knows all but a word
of one can guess that from its hash.

In place of the leaf's salt `audit_tree` has canonical JSON: `commitments`, and `salts` by name.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, select

from audit.proof.hashes import canonical_json, commitment, leaf, leaf_with, salt_of, values
from audit.storing.store import REVISIONS
from audit.storing.tables import WITHOUT_ERASED
from audit.storing.tables import erased as erased_rows
from audit.values import is_attached

EVENTS = ("erased", "expired")
"""Kinds of those that say which entries were erased."""
_ALWAYS = ("entry", "audit_id", "time", "kind", "decision")
_OF_AN_ENTRY = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}.*\.md", re.DOTALL)
"""The file of an answer that somebody gave is called by the id of its event, which is an entry's
own or begins with that of the record that it is about."""


def note(on: str, by: str, because: str) -> dict[str, Any]:
    """Who erased it, when (UTC, ISO 8601) and why."""
    return {"on": on, "by": by, "because": because}


def blank(
    payload: Mapping[str, Any], erased: Mapping[str, Any], cited: Mapping[str, Any]
) -> dict[str, Any]:
    """What stands in a payload's place; the same for what is blank already."""
    common = {
        "audit_id": payload["audit_id"],
        "channel": {"id": ""},
        "erased": {**note(erased["on"], erased["by"], erased["because"]), "cited": dict(cited)},
        "kind": payload["kind"],
        "nonce": "",
        "time": payload["time"],
    }
    if payload["kind"] != "answer":
        said = {"details": {}, "event_id": payload["event_id"], "person": None, "text": ""}
        return common | said | {"schema_version": 1}
    lists: dict[str, Any] = {
        name: [] for name in ("candidates", "claims", "contradictions", "dropped", "nearest")
    }
    return {
        **common,
        **lists,
        "decision": payload["decision"],
        "embedding_model": "",
        "filter": {"on": payload["time"][: len("2026-01-31")]},
        "person": {"id": "", "name": ""},
        "question": "",
        "reply": "",
        "schema_version": 2,
        "standalone_question": "",
        "versions": {"software": ""},
        "writer": {"name": ""},
    }


def emptied(
    payload: Mapping[str, Any], entry_hash: str, salt: bytes, erased: Mapping[str, Any]
) -> tuple[dict[str, Any], str]:
    """The blank of an entry, and what takes the place of its leaf's salt."""
    committed = values(payload, entry_hash)
    cited = {name: value for name, value in committed.items() if _is_of_documents(name, committed)}
    opened = [name for name in committed if name in _ALWAYS or name in cited]
    kept = {
        "commitments": json.loads(leaf(committed, salt))["commitments"],
        "salts": {name: salt_of(name, salt) for name in opened},
    }
    return blank(payload, erased, cited), canonical_json(kept).decode()


def _is_of_documents(name: str, committed: Mapping[str, Any]) -> bool:
    """Whether it says which place was cited, and that is of no file or answer of a person's own."""
    source = committed.get(name.removesuffix("/judged"))
    if not isinstance(source, dict) or "document_id" not in source:
        return False
    name_of_file = str(source["file"]).rsplit("/", 1)[-1]
    return not is_attached(source["document_id"]) and not _OF_AN_ENTRY.fullmatch(name_of_file)


def stored_leaf(payload: Mapping[str, Any], entry_hash: str, kept: str) -> bytes | str:
    """The leaf of an emptied entry, or what is wrong with it; raise one of `hashes.NO_ENTRY`."""
    erased = payload.get("erased")
    if erased is None or blank(payload, erased, erased["cited"]) != payload:
        return "it was erased, and has other content than what stays of such an entry"
    held = json.loads(kept)
    told = {
        **erased["cited"],
        "entry": entry_hash,
        **{name: payload[name] for name in _ALWAYS if name in payload},
    }
    known = set(held["commitments"])
    for name, value in told.items():
        if commitment(held["salts"].get(name, ""), name, value) not in known:
            return f"what stays of it is not what was recorded: {name}"
    return leaf_with(held["commitments"])


def digest(rows: Iterable[Sequence[Any]]) -> str:
    """What an event says of the entries that it names: number, payload and salt of each."""
    hashed = hashlib.sha256()
    for sequence, payload, salt in rows:
        hashed.update(f"{sequence}\n{payload}\n{salt}\n".encode("utf-8", "surrogateescape"))
    return f"sha256:{hashed.hexdigest()}"


def ranges(numbers: Sequence[int]) -> list[list[int]]:
    """Ascending numbers as the first and the last of each run."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return runs


def erased_by(connection: Connection, first: int, last: int) -> dict[int, int]:
    """Of the erased ones of some entries, the numbers of the events; none in an earlier store."""
    if REVISIONS.stated(connection) in WITHOUT_ERASED:
        return {}
    query = select(erased_rows).where(erased_rows.c.sequence.between(first, last))
    return {row.sequence: row.event for row in connection.execute(query)}
