"""What many records say together: counted in sets of records, and in the newest ones in full."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import islice
from operator import itemgetter
from statistics import quantiles
from typing import Any

from sqlalchemy import Connection, select

from audit.found import Found, Terms, as_bits, newest_first, open_found
from audit.queries import RecordQuery, matching, stands
from audit.record import Decision
from audit.tables import entries
from audit.terms import term

NEWEST = 300
"""Records that are read in full."""
MOST = 8
"""Lines of a list."""
_AT_ONCE = 50
_MOST_DAYS, _MOST_SPANS = 62, 120
_DAY, _MONTH = len("2026-01-31"), len("2026-01")


@dataclass(frozen=True, slots=True)
class Span:
    """So many were asked in a day or a month, by decision."""

    name: str
    """Such as 2026-01-31 or 2026-01."""
    by_decision: Mapping[str, int]

    @property
    def asked(self) -> int:
        return sum(self.by_decision.values())


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage took so long, in milliseconds."""

    name: str
    median: float
    slow: float
    """One of twenty is slower."""


@dataclass(frozen=True, slots=True)
class Overview:
    """All counts are of records; lists are sorted, the most first, but for `least`."""

    records: int
    by_decision: Mapping[str, int]
    spans: Sequence[Span]
    reasons: Sequence[tuple[str, int]]
    """Of refusals, in general."""
    confidence: Sequence[int]
    """By tenths, from 0."""
    unmeasured: int
    """Of them, those without a confidence."""
    read: int
    """So many of the newest were read for what follows."""
    stages: Sequence[Stage]
    most: Sequence[tuple[str, int]]
    """File to how many replies cite it."""
    least: Sequence[tuple[str, int]]
    """Of those that a draft was written from."""


def overview(connection: Connection, query: RecordQuery, today: date) -> Overview:
    """Of all that the query asks for; spans end with `today`, and begin with the first record."""
    bits = matching(connection, replace(query, before=None))
    if query.feedback is not None:
        said = (each for each in newest_first(bits) if stands(connection, each, query.feedback))
        bits = as_bits(set(said))
    found = open_found(connection)
    refused, *decided = _sets(found, bits, [term("decision", each) for each in _DECISIONS])
    decisions = dict(zip(_DECISIONS, (refused, *decided), strict=True))
    tenths = _sets(found, bits, [f"confidence:{tenth}" for tenth in range(10)])
    read = list(_payloads(connection, islice(newest_first(bits), NEWEST)))
    return Overview(
        records=bits.bit_count(),
        by_decision={each: those.bit_count() for each, those in decisions.items()},
        spans=_spans(connection, found, bits, decisions, today),
        reasons=_reasons(found, refused),
        confidence=[each.bit_count() for each in tenths],
        unmeasured=bits.bit_count() - sum(each.bit_count() for each in tenths),
        read=len(read),
        stages=_stages(read),
        **_documents(read),
    )


_DECISIONS = (Decision.ABSTAIN, Decision.PARTIAL, Decision.ANSWER)


def _sets(found: Found, bits: int, terms: Sequence[str]) -> list[int]:
    return [each & bits for each in found.having([Terms(each) for each in terms])]


def _spans(
    connection: Connection, found: Found, bits: int, decisions: Mapping[Decision, int], today: date
) -> list[Span]:
    """Each day up to 62, else each month; from the first record of the chain to the last, or today.

    What was appended long after it was asked may lie before the first, and is left out.
    """
    if not bits:
        return []
    ends = ((bits & -bits).bit_length(), bits.bit_length())
    first, last = sorted(_day(connection, number) for number in ends)
    days = [first + timedelta(days=n) for n in range((max(last, today) - first).days + 1)]
    name = _MONTH if len(days) > _MOST_DAYS else _DAY
    names = list(dict.fromkeys(day.isoformat()[:name] for day in days))[-_MOST_SPANS:]
    sets = found.having([Terms.beginning(f"day:{each}") for each in names])
    return [
        Span(each, {why: (those & within).bit_count() for why, those in decisions.items()})
        for each, within in zip(names, sets, strict=True)
    ]


def _day(connection: Connection, number: int) -> date:
    time = connection.scalar(select(entries.c.time).where(entries.c.sequence == number))
    return date.fromisoformat(str(time)[:_DAY])


def _reasons(found: Found, refused: int) -> list[tuple[str, int]]:
    terms = sorted(found.terms(Terms.beginning("reason:")))
    counts = [each.bit_count() for each in _sets(found, refused, terms)]
    counted = zip((each.removeprefix("reason:") for each in terms), counts, strict=True)
    return sorted(((why, n) for why, n in counted if n), key=itemgetter(1), reverse=True)[:MOST]


def _payloads(connection: Connection, numbers: Iterable[int]) -> list[Mapping[str, Any]]:
    wanted, read = list(numbers), []
    for start in range(0, len(wanted), _AT_ONCE):
        some = wanted[start : start + _AT_ONCE]
        query = select(entries.c.payload).where(entries.c.sequence.in_(some))
        read += [json.loads(payload) for payload in connection.scalars(query)]
    return read


def _stages(records: Iterable[Mapping[str, Any]]) -> list[Stage]:
    taken: dict[str, list[float]] = defaultdict(list)
    for record in records:
        for stage, milliseconds in record.get("latency_ms", {}).items():
            taken[stage].append(milliseconds)
    found = [Stage(name, *_slow(times)) for name, times in taken.items()]
    return sorted(found, key=lambda each: each.slow, reverse=True)[:MOST]


def _slow(times: list[float]) -> tuple[float, float]:
    cuts = quantiles(times, n=20, method="inclusive") if len(times) > 1 else times * 19
    return cuts[9], cuts[18]


def _documents(records: Iterable[Mapping[str, Any]]) -> dict[str, list[tuple[str, int]]]:
    cited: Counter[str] = Counter()
    for record in records:
        files = {c["file"] for claim in record.get("claims", ()) for c in claim["citations"]}
        used = {each["file"] for each in record.get("candidates", ()) if each["used"]}
        cited.update(files)
        cited.update(dict.fromkeys(used - files, 0))
    ranked = sorted(cited.items(), key=lambda each: (-each[1], each[0]))
    most = [each for each in ranked[:MOST] if each[1]]
    least = [each for each in ranked[::-1] if each not in most]
    return {"most": most, "least": least[:MOST]}
