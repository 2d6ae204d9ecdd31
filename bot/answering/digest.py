"""The digest of a week, made of what the audit store kept and the library has today.

A question in a direct message is its asker's own, and alone its words may tell who asked. So they
are shown where two people or more asked alike, and of these the shortest, which tells least. What
was asked in a channel is shown where whoever reads the digest is of that channel's audience.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo

import numpy as np

from audit.log import AuditReader
from audit.record import AuditRecord, Decision
from audit.values import known_as, slack_id, team_of
from bot.access.channels import Channels, units_of
from bot.access.entries import Facets
from bot.access.people import Person
from bot.access.reading import RecordAccess, is_of_team, is_private, is_still_asked
from bot.answering.recording import is_sought
from bot.wording import digest as wording
from bot.wording.links import document_link
from bot.wording.untrusted_text import in_one_line, shortened
from retrieval.documents.port import LibraryReader
from retrieval.metadata.access import TEAM
from retrieval.metadata.ontology import Ontology
from retrieval.ports import Embedder
from retrieval.types import Document

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


LONGEST = 200
"""Characters of an example."""
MOST_EXAMPLES = 3
FEWEST_PEOPLE = 2
"""Who asked alike in private, for their words to be shown."""
_ADDRESS = re.compile(r"<[@#!][^>]*>|[\w.+'’-]+@[\w-]+(?:\.[\w-]+)+|@?\b[UW][A-Z0-9]{8,}\b")
_MENTION = re.compile(r"(?<!\w)@\w[\w.'’-]*(?: [A-Z][\w.'’-]*)*")
"""With the capitalised words behind it: a display name may have several."""
_NUMBER = re.compile(r"(?<!\w)(?!\d{4}-\d\d-\d\d\b)\+?\d(?:[ ()/-]{0,2}\d){6,}(?!\w)")
"""Of a telephone, a person, an account: seven digits or more, and no ISO date."""


class Names:
    """Takes out of a text who is named in it."""

    def __init__(self, known: Collection[str]) -> None:
        """`known`: whole names; one of a single word may be any word, and is left."""
        several = sorted({each for each in known if len(each.split()) > 1}, key=len, reverse=True)
        any_of_them = "|".join(" ".join(map(re.escape, each.split())) for each in several) or "(?!)"
        self._known = re.compile(rf"@?(?<!\w)(?:{any_of_them})(?!\w)", re.IGNORECASE)

    def without(self, text: str, asker: str) -> str:
        """Without known names, the asker's too, mentions, addresses and long numbers."""
        said = _ADDRESS.sub(wording.SOMEBODY, in_one_line(text))
        said = _MENTION.sub(wording.SOMEBODY, self._known.sub(wording.SOMEBODY, said))
        for name in asker.split():
            if name[:1].isupper() and len(name) > 1:
                said = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", wording.SOMEBODY, said)
        return shortened(_NUMBER.sub(wording.NUMBER, said), LONGEST)


def sought(record: AuditRecord) -> str:
    """What was asked, as it was asked; with its subject where it leans on a question before."""
    leans = record.previous_questions and len(record.standalone_question) > len(record.question)
    return record.standalone_question if leans else record.question


CommonIn = Callable[[str], Facets | None]
"""What everyone in a channel has; None where that is not known for certain."""


def is_open(record: AuditRecord, channel: str, common_in: CommonIn) -> bool:
    """Whether it was asked where everyone in a channel of its workspace might have heard it."""
    asked_in = record.channel.id
    if is_private(asked_in):
        return False
    own, theirs = common_in(channel) or {}, common_in(asked_in)
    return asked_in == channel or (
        theirs is not None
        and all(
            values <= own.get(facet, frozenset())
            for facet, values in theirs.items()
            if facet != TEAM
        )
    )


def documents_named(record: AuditRecord) -> tuple[str, ...]:
    """The ids of the documents that a reply quoted, cited or was written from, nearest first."""
    return tuple(
        dict.fromkeys(
            [
                *(each.document_id for each in record.nearest),
                *(each.document_id for claim in record.claims for each in claim.citations),
                *(each.document_id for each in record.candidates if each.used),
                *(each.source.document_id for each in record.expired),
            ]
        )
    )


def shown_of(
    group: Sequence[AuditRecord],
    channel: str,
    common_in: CommonIn,
    withheld: Callable[[AuditRecord, str], Collection[str]],
) -> list[AuditRecord]:
    """Those whose words a channel may see, the most typical first; none where none may be seen.

    `group` asks alike. `withheld`: the ids of a record's documents that not everyone in a channel
    may read; a question to which such a one came near is not shown.
    """
    readable = [
        record
        for record in group
        if not set(withheld(record, channel)).intersection(documents_named(record))
    ]
    open_ones = [record for record in readable if is_open(record, channel, common_in)]
    if open_ones:
        return open_ones
    if len({record.person.id for record in readable}) < FEWEST_PEOPLE:
        return []
    return [min(readable, key=lambda record: len(sought(record)))]


MOST_PAGES = 3
ALIKE = 0.78
"""Cosine, by the bundled embedder, from which two questions ask alike. "How many days of paternity
leave" and "paternity leave length?" have 0.81; with "maternity" in one of them it is 0.76."""
_Place = tuple[str, str]
"""A unit, and the channel that hears of it."""


def alike(texts: Sequence[str], embedder: Embedder) -> list[list[int]]:
    """The places of the texts in groups, each with its most typical one first.

    Each text of a group is like its first one, so nothing chains from one subject to another: as
    `community_detection` of sentence-transformers, which needs PyTorch.
    """
    if not texts:
        return []
    vectors = embedder.embed(texts)
    neighbours = [int((vectors @ vector >= ALIKE).sum()) for vector in vectors]
    left = np.ones(len(texts), dtype=bool)
    groups: list[list[int]] = []
    for centre in sorted(range(len(texts)), key=lambda place: -neighbours[place]):
        if left[centre]:
            likeness = np.where(left, vectors @ vectors[centre], -1.0)
            likeness[centre] = 2.0  # it comes first, also before another in the same words
            best_first = np.argsort(-likeness, kind="stable")
            members = [int(place) for place in best_first if likeness[place] >= ALIKE]
            left[members] = False
            groups.append(members)
    return groups


@dataclass(frozen=True, slots=True)
class Digests:
    """Makes digests; safe to share between threads.

    Raise what the audit store, the library and the embedder raise.
    """

    records: AuditReader
    library: LibraryReader
    visibility: RecordAccess
    ontology: Ontology
    channels: Callable[[], Channels]
    common_in: CommonIn
    people: Callable[[], Collection[Person]]
    embedder: Embedder
    admins: str
    """The channel that hears of what is no other's in the home's own workspace; empty where there
    is none, as in any further one."""
    zone: tzinfo
    """In which weeks begin."""
    now: Callable[[], datetime]

    def this_week(self) -> Week:
        return Week.of(self.now().astimezone(self.zone).date())

    def __call__(self, week: Week, only: str | None = None) -> Digest:
        """Make it: each unit's for the eyes of the channel that hears of it, in its workspace.

        `only`: the one workspace of which it is made, empty for the home's own; None for all.
        """
        asked: dict[str, list[AuditRecord]] = {}
        for each in list(self._unanswered(week, only))[::-1]:
            asked.setdefault(team_of(each.person.id), []).append(each)
        made = [unit for team, of_team in asked.items() for unit in self._units(team, of_team)]
        in_order = sorted(made, key=lambda each: (each.team, not each.unit, each.unit))
        return Digest(week, tuple(in_order))

    def _units(self, team: str, asked: Sequence[AuditRecord]) -> Iterator[UnitDigest]:
        """Make those of a workspace, of what was asked there."""
        near, channels, names = self._documents(asked), self.channels(), self._names()
        admins = known_as(team, "") if team else self.admins
        lines: dict[_Place, list[DigestLine]] = {}
        unseen = Counter[_Place]()
        for places in alike([sought(each) for each in asked], self.embedder):
            group = [asked[place] for place in places]
            owners = Counter(self._unit(each, near, channels) for each in group)
            unit = owners.most_common(1)[0][0]
            channel = channels.owning_channel([unit], team)
            shown = shown_of(group, channel or admins, self.common_in, self._withheld)
            if channel is None:  # a unit's name is its documents', so these must be readable
                owners = Counter(self._unit(each, near, channels) for each in shown)
                unit = next((each for each, _ in owners.most_common(1)), "")
            found = lines.setdefault((unit, channel or admins), [])
            if shown:
                found.append(_line(group, shown, near, names))
            else:
                unseen[unit, channel or admins] += len(group)
        for (unit, channel), found in lines.items():
            yield UnitDigest(
                unit,
                channel if slack_id(channel) else "",
                tuple(sorted(found, key=lambda line: (-line.asked, -line.people))),
                unseen[unit, channel],
                team,
            )

    def _unanswered(self, week: Week, only: str | None) -> Iterator[AuditRecord]:
        """Return what somebody was told and still asks, the newest first."""
        for stored in self.records.asked_between(*week.times(self.zone)):
            record = stored.record
            of_team = only is None or is_of_team(record, only)
            if not of_team or not _is_unanswered(record):
                continue
            if is_still_asked(record, self.records.happened_to(record.audit_id)):
                yield record

    def _documents(self, asked: Sequence[AuditRecord]) -> Mapping[str, Document]:
        """Return those that came near and stand in the library today, by id."""
        named = {document_id for record in asked for document_id in documents_named(record)}
        passages = self.library.passages(self.library.passage_ids(named)) if named else {}
        return {each.document.document_id: each.document for each in passages.values()}

    def _unit(self, record: AuditRecord, named: Mapping[str, Document], channels: Channels) -> str:
        """Return the unit of the nearest document, by the name that a channel answers for."""
        nearest = next((named[each] for each in documents_named(record) if each in named), None)
        units = units_of(nearest.metadata, self.ontology) if nearest else ()
        team = team_of(record.person.id)
        answered_for = (unit for unit in units if channels.owning_channel([unit], team))
        return next(answered_for, next(iter(units), ""))

    def _names(self) -> Names:
        known = [who.name for who in self.people()]
        return Names([*known, *(each.name for each in self.records.askers())])

    def _withheld(self, record: AuditRecord, channel: str) -> Collection[str]:
        return self.visibility.withheld(record, None, channel)


def _is_unanswered(record: AuditRecord) -> bool:
    """Whether an answer was sought, and not found, or only to a part, or not for sure."""
    return is_sought(record) and record.decision is not Decision.ANSWER


def _line(
    group: Sequence[AuditRecord],
    shown: Sequence[AuditRecord],
    named: Mapping[str, Document],
    names: Names,
) -> DigestLine:
    said = dict.fromkeys(names.without(sought(each), each.person.name) for each in shown)
    pages = Counter(
        document_id
        for each in shown
        for document_id in documents_named(each)[:MOST_PAGES]
        if document_id in named
    )
    return DigestLine(
        asked=len(group),
        people=len({each.person.id for each in group}),
        examples=tuple(said)[:MOST_EXAMPLES],
        pages=tuple(_page(named[each]) for each, _ in pages.most_common(MOST_PAGES)),
    )


def _page(document: Document) -> DigestPage:
    return DigestPage(document.title or document.file, document_link(document.metadata.link, None))
