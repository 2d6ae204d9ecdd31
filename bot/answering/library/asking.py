"""Questions about the library itself are answered from it: by titles, headings, owners and dates.

Nothing is said of what the scope may not read, and nothing of what holds no longer, but where it is
asked what ended: then of what the scope could read on its own last day. Where the
library has nothing to say, the question is asked like any other; where it was asked which documents
there are, a refusal then says that there are none.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from audit.record import Decision
from audit.values import ClaimKind, Status
from bot.answering.anchors import is_for_people
from bot.answering.library.comparison import Comparison
from bot.answering.library.summaries import Summaries
from bot.answering.library.values import Asking, FromLibrary, lead_in, listed, nothing
from bot.answering.values import Citation, Claim, Draft
from bot.wording import FILES_UNREAD, document_kind
from bot.wording import library as wording
from retrieval.language.library_questions import Wanted
from retrieval.language.since import Period, period_of
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


@dataclass(frozen=True, slots=True)
class _Listing:
    entries: Sequence[CatalogueEntry]
    lead: Callable[[int], str]
    """What is said above them; it is told how many are shown."""
    scope: Scope
    is_sought: bool = True
    """Whether there are none of them at all where there is no entry."""


@dataclass(frozen=True, slots=True)
class LibraryAnswers:
    wanted: Callable[[str], Wanted | None]
    """Tells what a question wants to know of the library; None for an ordinary one."""
    topic: Callable[[str, Wanted], str]
    """What such a question is about; empty for everything."""
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
        wanted = self.wanted(asked)
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
            case _:
                return self._listed(asking, wanted)

    def of_files(
        self, asked: str, scope: Scope, files: Sequence[Passage], *, alone: bool
    ) -> FromLibrary | None:
        """What files that came with a question say in short; None where it asks more of them.

        It abstains where none of them could be read.
        """
        wanted, topic = self.wanted(asked), stems(words_of(self.topic(asked, Wanted.OUTLINE)))
        if wanted not in (None, Wanted.OUTLINE) or (topic and wanted is None):
            return None
        asking = Asking(asked, scope, wording.ALONE if alone else wording.IN_CHANNEL)
        if not files:
            return None if topic else nothing(asking, FILES_UNREAD)
        documents = {each.document.document_id: each.document for each in files}
        meant = {
            key: each
            for key, each in documents.items()
            if topic <= NameStems.of(each).all | stems(words_of(each.file))
        }
        text = [each for each in files if each.document.document_id in meant]
        title = ", ".join(each.title for each in meant.values())
        return self.summed_up(asking, title, text) if meant else None

    def _listed(self, asking: Asking, wanted: Wanted) -> FromLibrary | None:
        listing = self._listing(asking, wanted)
        if listing is None or (listing.is_sought and not listing.entries):
            return None if listing is None else nothing(asking)
        few = listing.entries[:MOST_LISTED]
        return self._told(replace(asking, scope=listing.scope), listing.lead(len(few)), few)

    def _rest(self, asking: Asking, previous: Sequence[str]) -> FromLibrary | None:
        """What a list left out that the question before asked for, or the list before that."""
        told = MOST_LISTED
        for number, before in enumerate(reversed(previous)):
            wanted = self.wanted(before)
            if wanted is not Wanted.REST:
                break
            told = MOST_LISTED + (number + 1) * MOST_MORE
        else:
            return None
        earlier = replace(asking, asked=before)
        listing = self._listing(earlier, wanted) if wanted else None
        if listing is None or not listing.entries:
            return None
        few = listing.entries[told : told + MOST_MORE]
        lead = wording.rest(told + 1, told + len(few), of=len(listing.entries))
        return self._told(replace(earlier, scope=listing.scope), lead, few)

    def _listing(self, asking: Asking, wanted: Wanted) -> _Listing | None:
        """What a question asks for by a list; None where it asks for none."""
        match wanted:
            case Wanted.LIST | Wanted.OWNED:
                return self._of_topic(asking, wanted)
            case Wanted.MENTIONS:
                return self._mentioning(asking)
            case Wanted.CHANGES:
                return self._changed(asking)
            case Wanted.BEGINS | Wanted.ENDS:
                return self._dated(asking, wanted)
        return None

    def _of_topic(self, asking: Asking, wanted: Wanted) -> _Listing:
        topic = self.topic(asking.asked, wanted)
        complete = True
        if wanted is Wanted.OWNED:
            entries = self.catalogue.owned(topic, asking.scope)
        else:
            entries, complete = self._on(topic, asking.scope)

        def lead(shown: int) -> str:
            return wording.listed(
                len(entries), shown=shown, topic=topic, readers=asking.readers, complete=complete
            )

        return _Listing(entries, lead, asking.scope, is_sought=bool(topic))

    def _mentioning(self, asking: Asking) -> _Listing | None:
        if not (topic := self.topic(asking.asked, Wanted.MENTIONS)):
            return None
        found = self.catalogue.mentioning(topic, asking.scope)

        def lead(shown: int) -> str:
            return wording.mentioned(
                len(found.documents),
                shown=shown,
                topic=found.words or topic,
                readers=asking.readers,
                complete=found.complete,
            )

        return _Listing(found.documents, lead, asking.scope)

    def _changed(self, asking: Asking) -> _Listing:
        period, undated = period_of(asking.asked, asking.scope.on)
        topic = self.topic(undated, Wanted.CHANGES)
        found, _ = self._on(topic, asking.scope)
        sought = bool(topic) and not found
        if period:
            found = [e for e in found if period.first <= _read_in(e.document) <= period.last]
        latest = sorted(found, key=lambda each: each.document.ingested_at, reverse=True)

        def lead(shown: int) -> str:
            return wording.changed(
                len(latest),
                shown=shown,
                topic=topic,
                readers=asking.readers,
                when=_days(period, asking.scope.on) if period else "",
            )

        return _Listing(latest, lead, asking.scope, sought)

    def _dated(self, asking: Asking, wanted: Wanted) -> _Listing | None:
        """By the day from which they hold, or the last one; of days ahead as they are then."""
        ends, scope = wanted is Wanted.ENDS, asking.scope
        past = ends and self._is_past(asking.asked)
        period, undated = period_of(asking.asked, scope.on, ahead=True, coming=ends and not past)
        topic = self.topic(undated, wanted)
        whole = period or Period(date.min, scope.on)
        if ends and (past or whole.last < scope.on):
            return self._over(asking, whole, topic)
        if ends and period:
            period = Period(max(period.first, scope.on), period.last)
        if period and period.last > scope.on and not ends:
            scope = replace(scope, on=period.last, expired=True)
        found, _ = self._on(topic, scope)
        days = [
            (day, each)
            for each in found
            if (day := last_day(each.document, scope) if ends else first_day(each.document))
            and (period is None or period.first <= day <= period.last)
            and (scope is asking.scope or _holds(each.document, asking.scope, day))
        ]
        if ends and not days and whole.first < scope.on and whole.last == date.max:
            return None  # "no longer valid since October" may ask what ended
        days.sort(key=lambda each: each[0], reverse=not ends)
        if scope is not asking.scope:  # as of the last of them, if any is ahead
            scope = replace(scope, on=max([asking.scope.on, *(day for day, _ in days)]))

        def lead(shown: int) -> str:
            say = wording.ending if ends else wording.beginning
            days_asked = _days(period) if period else ""
            return say(len(days), shown=shown, topic=topic, readers=asking.readers, when=days_asked)

        return _Listing([each for _, each in days], lead, scope, bool(topic) and not found)

    def _is_past(self, asked: str) -> bool:
        """Whether it asks what ended: some word of how it asks is in the past tense."""
        words = words_of(asked)
        asking = (each for each in words if not self.topic(each, Wanted.ENDS))
        past = (each for each in asking if each.endswith("ed") and each not in stems([each]))
        return "will" not in words and any(past)

    def _over(self, asking: Asking, period: Period, topic: str) -> _Listing | None:
        """What ended until today, as of a day on which the scope may read all of it.

        None where there is no such day or no such document, for one may have left the library.
        """
        period = Period(period.first, min(period.last, asking.scope.on))
        found, _ = self._on(topic, replace(asking.scope, expired=True))
        days = [
            (day, each)
            for each in found
            if (day := last_day(each.document, asking.scope))
            and period.first <= day <= period.last
            and permits(each.document.metadata.access, replace(asking.scope, on=day))
        ]
        days.sort(key=lambda each: each[0], reverse=True)
        scope = replace(asking.scope, on=min((day for day, _ in days), default=asking.scope.on))
        over = [each for _, each in days]
        if not over or not all(permits(e.document.metadata.access, scope) for e in over):
            return None

        def lead(shown: int) -> str:
            when, readers = _days(period), asking.readers
            return wording.ending(len(over), shown=shown, topic=topic, readers=readers, when=when)

        return _Listing(over, lead, scope)

    def _about(self, asking: Asking) -> FromLibrary | None:
        meant = self._called(asking, Wanted.ABOUT)[:MOST_LISTED]
        return self._told(asking, "", [CatalogueEntry(each) for each in meant]) if meant else None

    def _summed_up(self, asking: Asking) -> FromLibrary | None:
        """Where several are called so, they are named; of one title, the first in force is told."""
        meant = self._called(asking, Wanted.OUTLINE)
        if not meant:
            return None
        first, *others = meant
        few = [CatalogueEntry(each) for each in meant[:MOST_LISTED]]
        if any(each.title != first.title for each in others):
            lead = wording.several(len(meant), shown=len(few))
            return self._told(asking, lead, few)
        text = self.catalogue.text(first, asking.scope)
        told = self.summed_up(asking, first.title, text)
        if not told or not others:
            return told
        lead = wording.of_the_same_title(first.file, len(others), shown=len(few) - 1)
        return told.followed_by(self._told(asking, lead, few[1:], by_file=True))

    def _called(self, asking: Asking, wanted: Wanted) -> list[Document]:
        return self.catalogue.called(self.topic(asking.asked, wanted), asking.scope)

    def _on(self, topic: str, scope: Scope) -> tuple[list[CatalogueEntry], bool]:
        """The documents on a topic, and whether that is all of them."""
        if not topic:
            return [CatalogueEntry(each) for each in self.catalogue.all(scope)], True
        found = self.catalogue.on(topic, scope)
        return list(found.documents), found.complete

    def _told(
        self,
        asking: Asking,
        lead: str,
        few: Sequence[CatalogueEntry],
        *,
        by_file: bool = False,
    ) -> FromLibrary:
        """`by_file`: each is named by its file, too, and not those alone that share a title."""
        titles = Counter(each.document.title for each in few)
        begins = self.catalogue.begins([e.document for e in few if not e.passage], asking.scope)
        placed = [(e, e.passage or begins.get(e.document.document_id)) for e in few]
        unowned = "" if lead else wording.NOT_STATED  # of a document itself that may be asked
        claims = [
            _entry(each, passage, asking.scope, unowned, by_file or titles[each.document.title] > 1)
            for each, passage in placed
            if passage
        ]
        passages = tuple(passage for _, passage in placed if passage)
        said = listed(Decision.ANSWER, *([lead_in(lead)] if lead else []), *claims)
        return FromLibrary(asking.evidence(passages), Draft((), passages), said)


def _entry(
    found: CatalogueEntry, passage: Passage, scope: Scope, unowned: str, by_file: bool
) -> Claim:
    document, at = found.document, _said(found, passage)
    metadata, file = document.metadata, document.file if by_file else ""
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
    if at is not None:
        text = wording.mention(document.title, file, passage.sentences[at].text, found.passages)
    cited = Citation(passage, at or 0, at or 0, Status.VERIFIED, 1.0)
    return Claim(text, Status.VERIFIED, ClaimKind.LISTED, (cited,), 1.0)


def _said(found: CatalogueEntry, passage: Passage) -> int | None:
    """The sentence that has the words, but none that is there to steer."""
    return next((n for n in found.sentences if is_for_people(passage, n, n)), None)


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
