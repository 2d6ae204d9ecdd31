"""The digest of a week, made of what the audit store kept and the library has today."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

import numpy as np

from audit.log import AuditReader
from audit.record import AuditRecord, Decision, EventKind
from audit.teams import known_as, slack_id, team_of
from bot.access.channels import Channels
from bot.access.people import Person
from bot.access.reading import RecordAccess, is_of_team
from bot.access.units import units_of
from bot.answering.recording import NO_ANSWER
from bot.digest.showing import MOST_EXAMPLES, CommonIn, Names, documents_named, shown_of, sought
from bot.digest.values import Digest, Line, Page, UnitDigest, Week
from bot.wording.links import document_link
from retrieval.documents.port import LibraryReader
from retrieval.metadata.ontology import Ontology
from retrieval.ports import Embedder
from retrieval.types import Document

MOST_PAGES = 3
ALIKE = 0.78
"""Cosine, by the bundled embedder, from which two questions ask alike. "How many days of paternity
leave" and "paternity leave length?" have 0.81; with "maternity" in one of them it is 0.76."""
_Place = tuple[str, str]
"""A unit, and the channel that hears of it."""
_TAKEN_BACK = frozenset({EventKind.WITHDRAWN, EventKind.FOLDED})


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
        """Return the week that is not over yet."""
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
        lines: dict[_Place, list[Line]] = {}
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
        """Return what nobody took back, the newest first."""
        for stored in self.records.asked_between(*week.times(self.zone)):
            record = stored.record
            if _is_unanswered(record) and (only is None or is_of_team(record, only)):
                later = self.records.happened_to(record.audit_id)
                if not any(each.kind in _TAKEN_BACK for each in later):
                    yield record

    def _documents(self, asked: Sequence[AuditRecord]) -> Mapping[str, Document]:
        """Return those that came near and stand in the library today, by id."""
        named = {document_id for record in asked for document_id in documents_named(record)}
        passages = self.library.passages(self.library.passage_ids(named)) if named else {}
        return {each.document.document_id: each.document for each in passages.values()}

    def _unit(self, record: AuditRecord, near: Mapping[str, Document], channels: Channels) -> str:
        """Return the unit of the nearest document, by the name that a channel answers for."""
        nearest = next((near[each] for each in documents_named(record) if each in near), None)
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
    asked = record.writer.name not in NO_ANSWER and record.corrects is None
    return asked and record.decision is not Decision.ANSWER


def _line(
    group: Sequence[AuditRecord],
    shown: Sequence[AuditRecord],
    near: Mapping[str, Document],
    names: Names,
) -> Line:
    said = dict.fromkeys(names.without(sought(each), each.person.name) for each in shown)
    pages = Counter(
        document_id
        for each in shown
        for document_id in documents_named(each)[:MOST_PAGES]
        if document_id in near
    )
    return Line(
        asked=len(group),
        people=len({each.person.id for each in group}),
        examples=tuple(said)[:MOST_EXAMPLES],
        pages=tuple(_page(near[each]) for each, _ in pages.most_common(MOST_PAGES)),
    )


def _page(document: Document) -> Page:
    return Page(document.title or document.file, document_link(document.metadata.link, None))
