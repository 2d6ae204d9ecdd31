"""Questions about the library itself are answered from it: by titles, headings, owners and dates.

Nothing is said of what the scope may not read, nor of what holds no longer. Where the library has
nothing to say, the question is asked like any other; where it was asked which documents there are,
a refusal then says that there are none.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from typing import Protocol

from audit.record import Decision
from audit.values import ClaimKind, Status
from bot.answering.anchors import is_for_people
from bot.answering.library.documents import (
    Asking,
    Comparison,
    FromLibrary,
    Summaries,
    lead_in,
    listed,
    nothing,
)
from bot.answering.values import Citation, Claim, Draft
from bot.wording import FILES_UNREAD, document_kind
from bot.wording import library as wording
from retrieval.language.dates import Period, period_of
from retrieval.language.meanings import LibraryQuestions, Wanted
from retrieval.language.words import stems, words_of
from retrieval.metadata.access import permits
from retrieval.search.catalogue import (
    Catalogue,
    CatalogueEntry,
    NameStems,
    first_day,
    last_day,
)
from retrieval.types import Document, Passage, Scope

MOST_LISTED = 7
"""Documents that are named; on a phone each takes three lines, and one more below."""
MOST_MORE = 15
"""Of the rest, for who asks on: as many as a reply shows of sentences, but its first line."""


class _Lead(Protocol):
    def __call__(self, number: int, *, shown: int) -> str:
        """What is said above a list, of how many documents there are and are shown."""


@dataclass(frozen=True, slots=True)
class _Listing:
    entries: Sequence[CatalogueEntry]
    lead: _Lead
    scope: Scope
    is_sought: bool = True
    """Whether there are none of them at all where there is no entry."""


@dataclass(frozen=True, slots=True)
class LibraryAnswers:
    questions: LibraryQuestions
    catalogue: Catalogue
    summed_up: Summaries
    compared: Comparison

    def __call__(
        self, asked: str, scope: Scope, previous: Sequence[str] = (), *, alone: bool
    ) -> FromLibrary | None:
        """None for a question that is to be answered like any other; it abstains for want of any.

        `previous`: earlier questions of the thread; `alone`: only who asks reads the reply. Raise
        what index and library raise, and `WriterUnavailable`.
        """
        wanted = self.questions(asked)
        if wanted is None:
            return None
        asking = Asking(asked, scope, wording.ALONE if alone else wording.IN_CHANNEL)
        match wanted:
            case Wanted.ABOUT:
                return self._about(asking)
            case Wanted.OUTLINE:
                return self._summed_up(asking)
            case Wanted.COMPARED:
                return self.compared(asking)
            case Wanted.REST:
                return self._rest(asking, previous)
        listing = self._listing(asking, wanted)
        if listing is None or (listing.is_sought and not listing.entries):
            return None if listing is None else nothing(asking)
        few = listing.entries[:MOST_LISTED]
        lead = listing.lead(len(listing.entries), shown=len(few))
        return self._named(replace(asking, scope=listing.scope), lead, few)

    def of_files(
        self, asked: str, scope: Scope, files: Sequence[Passage], *, alone: bool
    ) -> FromLibrary | None:
        """What files that came with a question say in short; None where it asks more of them.

        It abstains where none of them could be read.
        """
        wanted = self.questions.of_a_file(asked)
        topic = stems(words_of(self.questions.topic(asked, Wanted.OUTLINE)))
        asking = Asking(asked, scope, wording.ALONE if alone else wording.IN_CHANNEL)
        if not files and wanted in (None, Wanted.OUTLINE) and not topic:
            return nothing(asking, FILES_UNREAD)
        if not files or wanted is not Wanted.OUTLINE:
            return None
        documents = {each.document.document_id: each.document for each in files}
        meant = {
            key: each
            for key, each in documents.items()
            if topic <= NameStems.of(each).all | stems(words_of(each.file))
        }
        text = [each for each in files if each.document.document_id in meant]
        title = ", ".join(each.title for each in meant.values())
        return self.summed_up(asking, title, text) if meant else None

    def _rest(self, asking: Asking, previous: Sequence[str]) -> FromLibrary | None:
        """What a list left out that the question before asked for, or the list before that."""
        shown = MOST_LISTED
        for before in reversed(previous):
            wanted = self.questions(before)
            if wanted is not Wanted.REST:
                break
            shown += MOST_MORE
        else:
            return None
        earlier = replace(asking, asked=before)
        listing = self._listing(earlier, wanted) if wanted else None
        if listing is None or not listing.entries:
            return None
        few = listing.entries[shown : shown + MOST_MORE]
        lead = wording.rest(shown + 1, shown + len(few), of=len(listing.entries))
        return self._named(replace(earlier, scope=listing.scope), lead, few)

    def _listing(self, asking: Asking, wanted: Wanted) -> _Listing | None:
        """What a question asks for by a list, of what has any words; None for no list."""
        match wanted:
            case Wanted.LIST | Wanted.OWNED:
                listing: _Listing | None = self._of_topic(asking, wanted)
            case Wanted.MENTIONS:
                listing = self._mentioning(asking)
            case Wanted.CHANGES:
                listing = self._changed(asking)
            case Wanted.BEGINS | Wanted.ENDS:
                listing = self._dated(asking, wanted)
            case _:
                listing = None
        if listing is None:
            return None
        names = [e.document.document_id for e in listing.entries if not e.passage]
        has_words = self.catalogue.library.with_passages(names)
        told = [e for e in listing.entries if e.passage or e.document.document_id in has_words]
        return replace(listing, entries=told)

    def _of_topic(self, asking: Asking, wanted: Wanted) -> _Listing:
        topic = self.questions.topic(asking.asked, wanted)
        if wanted is Wanted.OWNED:
            found = self.catalogue.owned(topic, asking.scope)
        else:
            found = self.catalogue.on(topic, asking.scope)
        readers, complete = asking.readers, found.complete
        say = partial(wording.listed, topic=topic, readers=readers, complete=complete)
        return _Listing(found.documents, say, asking.scope, is_sought=bool(topic))

    def _mentioning(self, asking: Asking) -> _Listing | None:
        found = self.catalogue.mentioning(self.questions.mentioned(asking.asked), asking.scope)
        if found is None:
            return None
        say = partial(
            wording.mentioned,
            terms=found.terms,
            kind=found.kind,
            readers=asking.readers,
            complete=found.complete,
        )
        return _Listing(found.documents, say, asking.scope)

    def _changed(self, asking: Asking) -> _Listing:
        period, undated = period_of(asking.asked, asking.scope.on)
        topic = self.questions.topic(undated, Wanted.CHANGES)
        found = self.catalogue.on(topic, asking.scope).documents
        sought, days = bool(topic) and not found, period or Period(date.min, date.max)
        then = [e for e in found if days.first <= _read_in(e.document) <= days.last]
        latest = sorted(then, key=lambda each: each.document.ingested_at, reverse=True)
        when = _days(period, asking.scope.on) if period else ""
        say = partial(wording.changed, topic=topic, readers=asking.readers, when=when)
        return _Listing(latest, say, asking.scope, sought)

    def _dated(self, asking: Asking, wanted: Wanted) -> _Listing | None:
        """By the day from which they hold, or the last one; of days ahead as they are then.

        None where it is asked what ended, for of that some may have left the library.
        """
        ends, scope = wanted is Wanted.ENDS, asking.scope
        if ends and self._is_past(asking.asked):
            return None
        period, undated = period_of(asking.asked, scope.on, ahead=True, coming=ends)
        topic = self.questions.topic(undated, wanted)
        began = ends and period and period.first < scope.on
        if began and period and period.last < scope.on:
            return None
        if ends and period:
            period = Period(max(period.first, scope.on), period.last)
        if period and period.last > scope.on and not ends:
            scope = replace(scope, on=period.last, expired=True)
        found = self.catalogue.on(topic, scope).documents
        stated = [
            (day, each)
            for each in found
            if (day := last_day(each.document, scope) if ends else first_day(each.document))
        ]
        days = [
            (day, each)
            for day, each in stated
            if (period is None or period.first <= day <= period.last)
            and (scope is asking.scope or _holds(each.document, asking.scope, day))
        ]
        if began and not days and period and period.last == date.max:
            return None  # "no longer valid since October" may ask what ended
        days.sort(key=lambda each: each[0], reverse=not ends)
        if scope is not asking.scope:  # as of the last of them, if any is ahead
            scope = replace(scope, on=max([asking.scope.on, *(day for day, _ in days)]))
        say = partial(
            wording.ending if ends else wording.beginning,
            topic=topic,
            readers=asking.readers,
            when=_days(period) if period and stated else "",
        )
        return _Listing([each for _, each in days], say, scope, bool(topic) and not found)

    def _is_past(self, asked: str) -> bool:
        """Whether it asks what ended: some word of how it asks is in the past tense."""
        words = words_of(asked)
        asking = (each for each in words if not self.questions.topic(each, Wanted.ENDS))
        past = (each for each in asking if each.endswith("ed") and each not in stems([each]))
        return "will" not in words and any(past)

    def _about(self, asking: Asking) -> FromLibrary | None:
        meant = self._called(asking, Wanted.ABOUT)
        few = meant[:MOST_LISTED]
        lead = wording.several(len(meant), shown=len(few)) if len(few) < len(meant) else ""
        return self._named(asking, lead, few, unowned=wording.NOT_STATED) if meant else None

    def _summed_up(self, asking: Asking) -> FromLibrary | None:
        """Where several are called so, they are named; of one title, the first in force is told."""
        meant = self._called(asking, Wanted.OUTLINE)
        if not meant:
            return None
        few, (first, *others) = meant[:MOST_LISTED], (each.document for each in meant)
        if any(each.title != first.title for each in others):
            return self._named(asking, wording.several(len(meant), shown=len(few)), few)
        text = self.catalogue.text(first, asking.scope)
        told = self.summed_up(asking, first.title, text)
        if not told or not others:
            return told
        lead = wording.of_the_same_title(first.file, len(others), shown=len(few) - 1)
        return told.followed_by(self._named(asking, lead, few[1:], by_file=True))

    def _called(self, asking: Asking, wanted: Wanted) -> list[CatalogueEntry]:
        topic = self.questions.topic(asking.asked, wanted)
        return self.catalogue.called(topic, asking.asked, asking.scope)

    def _named(
        self,
        asking: Asking,
        lead: str,
        few: Sequence[CatalogueEntry],
        *,
        by_file: bool = False,
        unowned: str = "",
    ) -> FromLibrary:
        """`by_file`: files tell them apart; `unowned`: what is said where no owner is stated."""
        titles = Counter(each.document.title for each in few)
        begins = self.catalogue.begins([e.document for e in few if not e.passage], asking.scope)
        placed = ((e, e.passage or begins.get(e.document.document_id)) for e in few)
        claims = [
            _entry(e, passage, asking.scope, unowned, by_file or titles[e.document.title] > 1)
            for e, passage in placed
            if passage
        ]
        cited = (each.passage for claim in claims for each in claim.citations)
        passages = tuple(dict.fromkeys(cited))
        said = listed(Decision.ANSWER, *([lead_in(lead)] if lead else []), *claims)
        return FromLibrary(asking.evidence(passages), Draft((), passages), said)


def _entry(
    found: CatalogueEntry, passage: Passage, scope: Scope, unowned: str, by_file: bool
) -> Claim:
    document, said = found.document, _said(found)
    metadata, file = document.metadata, document.file if by_file else ""
    if said:
        quotes = [wording.excerpt(p.sentences[n].text, at) for p, n, at in said]
        text = wording.mention(document.title, file, quotes, found.passages)
    else:
        text = wording.entry(
            passage.heading if found.by_heading else document.title,
            file=file,
            kind=document_kind(metadata.subtype, metadata.level),
            owner=metadata.owner or unowned,
            version=document.version,
            read_in=_read_in(document),
            effective=first_day(document),
            until=last_day(document, scope),
        )
    places = dict.fromkeys((p, n) for p, n, _ in said or [(passage, 0, 0)])
    cited = tuple(Citation(p, n, n, Status.VERIFIED, 1.0) for p, n in places)
    return Claim(text, Status.VERIFIED, ClaimKind.LISTED, cited, 1.0)


def _said(found: CatalogueEntry) -> list[tuple[Passage, int, int]]:
    """The sentences that have the terms, and where, but none that is there to steer."""
    said: dict[tuple[str, int], tuple[Passage, int, int]] = {}
    for passage, sentences in ((each.passage, each.said) for each in found.mentions):
        for n, at in sentences:
            if is_for_people(passage, n, n):
                said.setdefault((passage.passage_id, n), (passage, n, at))
                break
    return list(said.values())


def _holds(document: Document, scope: Scope, day: date) -> bool:
    """Whether it may be read today, or, where it begins on a day ahead, then."""
    rule = document.metadata.access
    first = max(day, rule.valid_from or day, scope.on)
    return permits(rule, scope) or (day > scope.on and permits(rule, replace(scope, on=first)))


def _days(period: Period, today: date = date.max) -> str:
    """`today`: for what is never ahead."""
    first, last = (each.isoformat() for each in (period.first, period.last))
    if period.first == date.min:
        return wording.until(last)
    if period.last >= today:
        return wording.since(first, on=today == date.max)
    return wording.between(first, last)


def _read_in(document: Document) -> date:
    return document.ingested_at.astimezone().date()
