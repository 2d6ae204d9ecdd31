"""What people asked, week by week, and whether the last week is like the ones before: pure.

A week is the seven days before a moment, so it is always whole. The usual band of a measure is the
median of the eight weeks before, three robust deviations to each side: 1.4826 times the median
absolute deviation, which is the standard deviation where values are normal (Rousseeuw and Croux,
"Alternatives to the median absolute deviation", 1993), or the standard error of the week that is
looked at where that is larger, for a few questions deviate by chance.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import fmean, median, pstdev
from typing import Any, Final

from bot.quality.alarms import Measure, OutOfBand, SourceUnchanged, SourceUnread
from retrieval.documents.holdings import SourceTimes

WEEK: Final = timedelta(days=7)
WEEKS_BEFORE: Final = 8
LEAST_WEEKS: Final = 4
LEAST_QUESTIONS: Final = 20
"""Of a week, for it to count."""
DEVIATIONS: Final = 3.0
SCALE: Final = 1.4826
WATCHED: Final = (Measure.ABSTENTIONS, Measure.FAILED_CLAIMS, Measure.CONFIDENCE)


@dataclass(frozen=True, slots=True)
class AnsweredInTraffic:
    at: datetime
    abstained: bool
    claims: int
    """That were drafted, whatever became of them."""
    failed: int
    """Of those, what their sources did not bear out."""
    confidence: float | None

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> "AnsweredInTraffic":
        drafted = [*record.get("claims", ()), *record.get("dropped", ())]
        return cls(
            at=datetime.fromisoformat(record["time"]),
            abstained=record["decision"] == "ABSTAIN",
            claims=len(drafted),
            failed=sum(claim["status"] != "VERIFIED" for claim in drafted),
            confidence=record.get("confidence", {}).get("overall"),
        )

    def values(self, measure: Measure) -> list[float]:
        if measure is Measure.ABSTENTIONS:
            return [float(self.abstained)]
        if measure is Measure.FAILED_CLAIMS:
            return [1.0] * self.failed + [0.0] * (self.claims - self.failed)
        return [] if self.confidence is None else [self.confidence]


Week = Sequence[AnsweredInTraffic]


def since(now: datetime) -> datetime:
    """From when on questions count."""
    return now - WEEK * (WEEKS_BEFORE + 1)


def weeks(answered: Iterable[AnsweredInTraffic], now: datetime) -> Sequence[Week]:
    """Nine of them, the one just past first, with what was asked in each."""
    found: list[list[AnsweredInTraffic]] = [[] for _ in range(WEEKS_BEFORE + 1)]
    for each in answered:
        ago = math.ceil((now - each.at) / WEEK) - 1 if each.at < now else -1
        if 0 <= ago < len(found):
            found[ago].append(each)
    return found


def traffic_alarms(found: Sequence[Week]) -> list[OutOfBand]:
    """`found`: the week just past, then those before."""
    alarms = (_out_of_band(measure, found) for measure in WATCHED)
    return [alarm for alarm in alarms if alarm is not None]


def mean(measure: Measure, week: Week) -> float | None:
    """None where nothing tells."""
    values = _values(measure, week)
    return fmean(values) if values else None


def _values(measure: Measure, week: Week) -> list[float]:
    return [value for each in week for value in each.values(measure)]


def _out_of_band(measure: Measure, found: Sequence[Week]) -> OutOfBand | None:
    last, before = found[0], [week for week in found[1:] if _counts(week)]
    value = mean(measure, last)
    usual = [figure for week in before if (figure := mean(measure, week)) is not None]
    if value is None or not _counts(last) or len(usual) < LEAST_WEEKS:
        return None
    low, high = band(usual, standard_error(_values(measure, last)))
    if low <= value <= high:
        return None
    return OutOfBand(measure, value, low, high, len(usual), len(last))


def _counts(week: Week) -> bool:
    return len(week) >= LEAST_QUESTIONS


def band(usual: Sequence[float], error: float) -> tuple[float, float]:
    """From where to where a measure of weeks like those lies; `usual` is not empty."""
    middle = median(usual)
    robust = SCALE * median(abs(each - middle) for each in usual)
    reach = DEVIATIONS * max(robust, error)
    return middle - reach, middle + reach


def standard_error(values: Sequence[float]) -> float:
    """Of their mean, never 0: a 0 and a 1 are added (the rule of succession)."""
    with_both = [*values, 0.0, 1.0]
    return pstdev(with_both) / math.sqrt(len(with_both))


def source_alarms(
    sources: Iterable[SourceTimes], now: datetime, unread_days: int, unchanged_days: int
) -> list[SourceUnread | SourceUnchanged]:
    """Days of 0 say nothing; nor does a source of which no time is known."""
    found: list[SourceUnread | SourceUnchanged] = []
    for each in sources:
        # What changed was read; of a source that was read before that was noted, no more is known.
        read = max(filter(None, (each.read_at, each.changed_at)), default=None)
        if read and 0 < unread_days < (now - read).days:
            found.append(SourceUnread(each.name, read, unread_days))
        if each.changed_at and 0 < unchanged_days < (now - each.changed_at).days:
            found.append(SourceUnchanged(each.name, each.changed_at, unchanged_days))
    return found
