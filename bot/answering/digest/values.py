"""A week, and what it left unanswered: plain frozen values, which every door shows alike."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo

_NAME = re.compile(r"(2[0-9]{3})-W([0-9]{2})")


@dataclass(frozen=True, slots=True, order=True)
class Week:
    """A calendar week, from Monday to Sunday (ISO 8601)."""

    monday: date

    @classmethod
    def of(cls, day: date) -> "Week":
        return cls(day - timedelta(days=day.weekday()))

    @classmethod
    def named(cls, name: str) -> "Week | None":
        """Read `2026-W47`; None for what names no week."""
        found = _NAME.fullmatch(name)
        try:
            return cls(date.fromisocalendar(int(found[1]), int(found[2]), 1)) if found else None
        except ValueError:
            return None

    @property
    def name(self) -> str:
        year, week, _ = self.monday.isocalendar()
        return f"{year}-W{week:02}"

    @property
    def sunday(self) -> date:
        return self.monday + timedelta(days=6)

    def earlier(self, weeks: int = 1) -> "Week":
        return Week(self.monday - timedelta(weeks=weeks))

    def times(self, zone: tzinfo) -> tuple[datetime, datetime]:
        """Its first moment, and the first one after it."""
        ends = self.monday + timedelta(days=7)
        return datetime.combine(self.monday, time(), zone), datetime.combine(ends, time(), zone)


@dataclass(frozen=True, slots=True)
class DigestPage:
    """A document that came near."""

    title: str
    link: str
    """Where it opens; empty where it says nothing of that."""


@dataclass(frozen=True, slots=True)
class DigestLine:
    asked: int
    """How often; 1 or more."""
    people: int
    """By how many."""
    examples: tuple[str, ...]
    """From one to three, without names; the most typical first."""
    pages: tuple[DigestPage, ...]
    """The nearest first."""


@dataclass(frozen=True, slots=True)
class UnitDigest:
    """What a unit's documents did not answer."""

    unit: str
    """By the name that its documents give it; empty for what is nobody's yet."""
    channel: str
    """Who hears of it, and for whose eyes it is made; empty where there is none."""
    lines: tuple[DigestLine, ...]
    """What was asked most often first."""
    unseen: int
    """How many questions are not among these: their words might tell who asked, or what."""
    team: str = ""
    """The workspace in which they were asked; empty for the home's own."""


@dataclass(frozen=True, slots=True)
class Digest:
    """What was asked in a week and not answered; without units where that was nothing."""

    week: Week
    units: tuple[UnitDigest, ...]

    def by_channel(self) -> Mapping[str, Sequence[UnitDigest]]:
        found: dict[str, list[UnitDigest]] = {}
        for each in self.units:
            found.setdefault(each.channel, []).append(each)
        return found
