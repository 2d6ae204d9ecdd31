"""The terms that a record is found by: they derive from its payload and nothing else.

A term is `kind:value`. A record's are those of its own payload and of the feedback that came later,
whose terms speak of the record that it is about. Values are compared as `tables.key` has them.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping
from typing import Any

from audit.record import Decision, EventKind, badge_of
from audit.storing.tables import key
from audit.values import team_of

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_MARK = re.compile(r"\[(?:\d+|src:[^\]]*|inference)\]")
"""Behind a sentence of a reply, of what it cites."""
_SENTENCE_END = re.compile(r"(?<=[.!?;:])\s+|\n")
WORD = "word:"
"""What those of words begin with."""
BETWEEN = "\n"
"""Between a document and its version: the latter has no line's end."""
_MOST_OF_A_VERSION = 100
"""Characters; a whole term must fit into a row of an index of PostgreSQL (2.7 kB)."""


def terms_of(payload: Mapping[str, Any]) -> list[str]:
    """But words, sorted; of events feedback alone has any. Raise one of `hashes.NO_ENTRY`."""
    if "erased" in payload:
        found = _of_erased(payload)
    elif payload["kind"] == "answer":
        found = _of_record(payload)
    elif payload["kind"] == EventKind.FEEDBACK:
        found = iter([term("feedback", str(payload["details"].get("value") or ""))])
    else:
        found = iter(())
    return sorted(set(found))


def of_words(stored: str) -> list[str]:
    """Those of the column `words`."""
    return [term("word", word) for word in stored.split(" ") if word]


def term(kind: str, value: str) -> str:
    return f"{kind}:{key(value)}"


def edition(document_id: str, version: str) -> str:
    """A document in one of its versions; what all of a document's begin with where it is empty."""
    return f"edition:{key(document_id)}{BETWEEN}{key(version)[:_MOST_OF_A_VERSION]}"


def sentence_term(sentence: str) -> str:
    """A sentence of a reply, whatever its case, its marks and its blanks."""
    said = " ".join(_in_order(_MARK.sub(" ", sentence)))
    return term("told", hashlib.sha256(said.encode()).hexdigest()[:32])


def _of(parts: int, confidence: float) -> int:
    """Which one of so many equal parts it is in, from 0, whichever the number."""
    return int(min(max(confidence, 0.0), 0.99) * parts + 1e-9)


def reason_in_general(reason: str) -> str:
    """Without its numbers, so that reasons can be counted."""
    return _NUMBER.sub("…", reason)


def _of_erased(payload: Mapping[str, Any]) -> Iterator[str]:
    """No other than it had before, so that what it was found by only gets less."""
    if payload["kind"] == "answer":
        yield "kind:answer"
        yield term("day", payload["time"][: len("2026-01-31")])
        yield term("decision", payload["decision"])


def _of_record(payload: Mapping[str, Any]) -> Iterator[str]:
    person = str(payload["person"]["id"])
    decision = str(payload["decision"])
    yield "kind:answer"
    yield term("person", person)
    yield term("team", team_of(key(person)))
    yield term("channel", payload["channel"]["id"])
    yield term("day", payload["time"][: len("2026-01-31")])
    yield term("decision", decision)
    yield term("badge", badge_of(Decision(decision), payload.get("missing", ())))
    overall = (payload.get("confidence") or {}).get("overall")
    yield term("confidence", "none" if overall is None else str(_of(10, overall)))
    if overall is not None:
        yield term("sure", f"{_of(100, overall):02d}")
    for name in ("name", "model"):
        if written_by := payload["writer"].get(name):
            yield term("writer", written_by)
    yield term("settings", payload["versions"].get("settings", {}).get("hash", ""))
    for reason in payload.get("reasons", ()):
        yield term("reason", reason_in_general(reason))
    yield from _of_claims(payload)
    yield from map(sentence_term, _quoted(payload))


def _of_claims(payload: Mapping[str, Any]) -> Iterator[str]:
    posted, dropped = payload.get("claims", ()), payload.get("dropped", ())
    for claim in (*posted, *dropped):
        yield term("claim", claim["status"])
    for claim in posted:
        for said in (claim, *claim.get("lines", ())):
            yield sentence_term(said["text"])
        for citation in claim["citations"]:
            yield from _sources("cited", citation)
            yield term("passage", citation["passage_id"])
            yield term("version", citation["version"])
            yield edition(citation["document_id"], citation["version"])
    for claim in dropped:
        for citation in claim["citations"]:
            yield from _sources("dropped", citation)


def _quoted(payload: Mapping[str, Any]) -> Iterator[str]:
    """What was shown of sources beside claims, whole and by sentences."""
    shown = [(near.get("text"), near.get("quote")) for near in payload.get("nearest", ())]
    for found in payload.get("contradictions", ()):
        sides = (found["holds"], found["against"])
        shown += [(side.get("text"), side["citation"].get("quote")) for side in sides]
    for text in {each for pair in shown for each in pair if each}:
        yield from (text, *filter(_in_order, _SENTENCE_END.split(text)))


def _sources(kind: str, citation: Mapping[str, Any]) -> Iterator[str]:
    yield term(kind, citation["document_id"])
    yield term(kind, citation["file"])


def _in_order(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())
