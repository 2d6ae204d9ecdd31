"""What many records say together: counted in sets of records, and in the newest ones in full."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import islice
from operator import itemgetter
from statistics import quantiles
from typing import Any

from sqlalchemy import Connection, select

from audit.finding.queries import (
    Page,
    RecordQuery,
    Summary,
    before,
    cited_files,
    matching,
    page_of,
    read,
    with_opinion,
)
from audit.finding.term_index import (
    AFTER_ANY,
    TermIndex,
    Terms,
    as_bits,
    newest_first,
    open_term_index,
)
from audit.finding.terms import term
from audit.record import Decision
from audit.storing.tables import entries

NEWEST = 100
SURVEYED = 1000
"""Records of which the terms are read."""
MOST = 8
_AT_ONCE = 1000
_MOST_DAYS, _MOST_SPANS = 62, 120
_DAY, _MONTH = len("2026-01-31"), len("2026-01")


@dataclass(frozen=True, slots=True)
class TimeSpan:
    name: str
    """Such as 2026-01-31 or 2026-01."""
    by_decision: Mapping[str, int]

    @property
    def asked(self) -> int:
        return sum(self.by_decision.values())


@dataclass(frozen=True, slots=True)
class StageTimes:
    name: str
    median: float
    slow: float
    """One of twenty is slower."""


@dataclass(frozen=True, slots=True)
class Overview:
    """All counts are of records; lists are sorted, the most first, but for `least`."""

    records: int
    by_decision: Mapping[str, int]
    spans: Sequence[TimeSpan]
    reasons: Sequence[tuple[str, int]]
    confidence: Sequence[int]
    unmeasured: int
    """Of them, those without a confidence."""
    read: int
    """So many of the newest were read for the next."""
    stages: Sequence[StageTimes]
    surveyed: int
    """So many of the newest were read for what follows."""
    most: Sequence[tuple[str, int]]
    """File to how many replies cite it."""
    least: Sequence[tuple[str, int]]
    page: Page
    refused: Sequence[Summary]
    """The newest of all that the query asks for."""


def overview(
    connection: Connection,
    query: RecordQuery,
    today: date,
    refused: int,
    files: Collection[str] = (),
) -> Overview:
    """`refused`: at most so many that were not answered are listed. `files`: of the library."""
    found = open_term_index(connection)
    bits = matching(found, replace(query, before=None))
    if query.feedback is not None:
        bits &= ~as_bits(_taken_back(found, bits, query.feedback))
    decided = found.each(Terms.beginning("decision:"), bits)
    decisions = {each: decided.get(term("decision", each), 0) for each in _DECISIONS}
    abstained = decisions[Decision.ABSTAIN]
    sure = found.each(Terms("confidence:0", "confidence::"), bits)
    tenths = [sure.get(f"confidence:{each}", 0).bit_count() for each in range(10)]
    surveyed = list(islice(newest_first(bits), SURVEYED))
    newest = surveyed[:NEWEST]
    shown = list(islice(newest_first(before(bits, query.before)), query.limit + 1))
    listed = list(islice(newest_first(abstained), refused))
    lines = list(read(connection, {*newest, *shown[: query.limit], *listed}))
    records = [summary for summary, _ in lines]
    stored = [stored for summary, stored in lines if summary.sequence in newest]
    return Overview(
        records=bits.bit_count(),
        by_decision={each: those.bit_count() for each, those in decisions.items()},
        spans=_spans(connection, found, bits, decisions, today),
        reasons=_reasons(found, abstained),
        confidence=tenths,
        unmeasured=bits.bit_count() - sum(tenths),
        read=len(stored),
        stages=_stages(stored),
        surveyed=len(surveyed),
        **_documents(found, surveyed, files),
        page=page_of(shown, query.limit, records),
        refused=[each for each in records if each.sequence in listed],
    )


_DECISIONS = (Decision.ABSTAIN, Decision.PARTIAL, Decision.ANSWER)


def _taken_back(found: TermIndex, bits: int, opinion: str) -> set[int]:
    """Those of which nobody says it any more: only where somebody said something else, too."""
    said = term("feedback", opinion)
    others = (Terms("feedback:", said), Terms(f"{said}\x01", f"feedback:{AFTER_ANY}"))
    doubtful = list({n for each in others for n in newest_first(found.having(each, bits))})
    parts = (doubtful[start : start + _AT_ONCE] for start in range(0, len(doubtful), _AT_ONCE))
    return set(doubtful).difference(
        *(with_opinion(found.connection, each, opinion) for each in parts)
    )


def _spans(
    connection: Connection,
    found: TermIndex,
    bits: int,
    decisions: Mapping[Decision, int],
    today: date,
) -> list[TimeSpan]:
    """Days up to 62, else months; what was appended long after it was asked may be left out."""
    if not bits:
        return []
    ends = ((bits & -bits).bit_length(), bits.bit_length())
    first, last = sorted(_day(connection, number) for number in ends)
    days = [first + timedelta(days=n) for n in range((max(last, today) - first).days + 1)]
    width = _MONTH if len(days) > _MOST_DAYS else _DAY
    names = list(dict.fromkeys(day.isoformat()[:width] for day in days))[-_MOST_SPANS:]
    days_asked = Terms(f"day:{names[0]}", f"day:{names[-1]}{AFTER_ANY}")
    spans = found.each(days_asked, bits, lambda day: day.removeprefix("day:")[:width])
    return [
        TimeSpan(
            name,
            {why: (those & spans.get(name, 0)).bit_count() for why, those in decisions.items()},
        )
        for name in names
    ]


def _day(connection: Connection, number: int) -> date:
    time = connection.scalar(select(entries.c.time).where(entries.c.sequence == number))
    return date.fromisoformat(str(time)[:_DAY])


def _reasons(found: TermIndex, abstained: int) -> list[tuple[str, int]]:
    said = sorted(found.each(Terms.beginning("reason:"), abstained).items())
    counted = [(term.removeprefix("reason:"), bits.bit_count()) for term, bits in said]
    return sorted(((why, n) for why, n in counted if n), key=itemgetter(1), reverse=True)[:MOST]


def _stages(records: Iterable[Mapping[str, Any]]) -> list[StageTimes]:
    taken: dict[str, list[float]] = defaultdict(list)
    for record in records:
        for stage, milliseconds in record.get("latency_ms", {}).items():
            taken[stage].append(milliseconds)
    found = [StageTimes(name, *_slow(times)) for name, times in taken.items()]
    return sorted(found, key=lambda each: each.slow, reverse=True)[:MOST]


def _slow(times: list[float]) -> tuple[float, float]:
    cuts = quantiles(times, n=20, method="inclusive") if len(times) > 1 else times * 19
    return cuts[9], cuts[18]


def _documents(
    found: TermIndex, records: Collection[int], files: Collection[str]
) -> dict[str, list[tuple[str, int]]]:
    cited = Counter(dict.fromkeys(files, 0))
    for said in found.said_by(records):
        cited.update(cited_files(said))
    ranked = sorted(cited.items(), key=lambda each: (-each[1], each[0]))
    most = [each for each in ranked[:MOST] if each[1]]
    least = [each for each in ranked[::-1] if each not in most]
    return {"most": most, "least": least[:MOST]}
