"""Sources: their marks, where something stands in them, and where they contradict each other.

A page has one number, however often it is cited.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from audit.values import CitationRecord, Cited, ClaimRecord, ContradictionRecord, SideRecord
from bot import wording as shared
from bot.answering.citations import layout
from bot.answering.citations.layout import Page, numbered, page_of
from bot.answering.citations.links import opens_at, own_link
from bot.answering.contradictions import giving_way
from bot.slack.blocks.elements import (
    MOST_DETAIL,
    Element,
    RichPiece,
    bullets,
    ends,
    in_line,
    line,
    link,
    weight,
    words,
)
from bot.wording import slack as wording
from bot.wording.links import Link, host_of, links_in, names_another_host

_LONGEST_LINK = 1_000


def kind_in_words(source: Cited) -> str:
    kind = shared.document_kind(source.subtype, source.level)
    return in_line(kind, 80) if kind else ""


def web_link(source: Cited) -> str:
    """Return where a person can open its page, or else the document; empty where nowhere."""
    return own_link(source) if weight(source.link) <= _LONGEST_LINK else ""


MOST_MARKS = 6
_ROOM = 4_000
"""Most that a single source may weigh."""
_LEAST = 60
"""Room that is kept for each source still to come: number, title and page."""


@dataclass(frozen=True, slots=True)
class CitedSource:
    """A page that is cited, with its number in the reply and all that is cited of it."""

    number: int
    citations: tuple[CitationRecord, ...]
    """One at least."""

    @property
    def mark(self) -> str:
        return layout.marks([self.number])

    @property
    def also(self) -> bool:
        """Whether nothing was drafted from it."""
        return all(each.also for each in self.citations)

    @property
    def link(self) -> str:
        return opens_at(self.citations[0]) or web_link(self.citations[0])

    @property
    def where(self) -> str:
        return layout.places_in_words(
            layout.CitedPlace(each.place, each.references) for each in self.citations
        )


def sources_of(claims: Iterable[ClaimRecord]) -> dict[Page, CitedSource]:
    cited = [citation for claim in claims for citation in claim.citations]
    return {
        page: CitedSource(number, tuple(each for each in cited if page_of(each) == page))
        for page, number in numbered(map(page_of, cited)).items()
    }


def marks(cited: Sequence[CitedSource]) -> str:
    """Make marks such as `[1][3]`; a claim with very many sources names the first ones."""
    return layout.marks(each.number for each in cited[:MOST_MARKS]) + _left_out(cited)


def plain_marks(cited: Sequence[CitedSource]) -> list[Element]:
    return [words(marks(cited))] if cited else []


def linked_marks(cited: Sequence[CitedSource]) -> list[Element]:
    elements = [
        link(each.link, each.mark) if each.link else words(each.mark) for each in cited[:MOST_MARKS]
    ]
    return [*elements, *([words(_left_out(cited))] if _left_out(cited) else [])]


def _left_out(cited: Sequence[CitedSource]) -> str:
    return "…" * (len(cited) > MOST_MARKS)


def source_lines(sources: Sequence[CitedSource], detail: int) -> RichPiece:
    """Give each a line: number, title, place; a link as long as there is room for all others."""
    shown = ends(sources, 2 * detail)
    elements: list[Element] = []
    for count, source in enumerate(shown.kept):
        to_come = len(shown.kept) - count - 1
        room = (200 * detail - weight(elements) - to_come * _LEAST) // (1 + to_come // 4)
        break_before = "\n" if elements else ""
        named = _NamedSource.of(source.citations[0], source.where)
        also = f"{shared.ALSO_IN} " if source.also else ""
        elements += _source(f"{break_before}{source.mark} {also}", named, room)
        if shown.omitted and count + 1 == len(shown.first):
            elements.append(words(f"\n{wording.omitted_sources(shown.omitted)}"))
    return line(*elements)


def linked_lines(claims: Iterable[ClaimRecord], detail: int) -> list[RichPiece]:
    most = detail // 5
    found = [
        link
        for claim in claims
        for link in links_in(claim.text, (citation.quote for citation in claim.citations))
    ]
    once = list({each.url: each for each in found}.values())
    if not once:
        return []
    shown = [_led_to(each) for each in once[:most]]
    if len(once) > most:
        shown.append(line(words(shared.more_links(len(once) - most))))
    return [line(words(f"{shared.LINKED}:", bold=True)), bullets(shown)]


def _led_to(found: Link) -> RichPiece:
    return line(link(found.url, in_line(found.label, 100)), words(f" ({in_line(found.host, 100)})"))


def nearest_line(place: Cited, detail: int) -> RichPiece:
    named = _NamedSource.of(place, place.place.in_words())
    return line(*_source("", named, min(_ROOM, 100 * detail)))


def source_in_words(source: CitedSource) -> str:
    named = _NamedSource.of(source.citations[0], source.where)
    also = f"{shared.ALSO_IN} " if source.also else ""
    return also + named.title + named.after


@dataclass(frozen=True, slots=True)
class _NamedSource:
    """A document's title, the place in it, what it is, and where it can be opened."""

    title: str
    after: str
    url: str
    own: str = ""
    """Where the document itself opens, where `url` is a page of ours."""

    @classmethod
    def of(cls, document: Cited, where: str) -> "_NamedSource":
        title = in_line(document.title if document.title.strip() else document.file, 150)
        known = (in_line(where, 200) if where else "", kind_in_words(document))
        after = "".join(f" · {each}" for each in known if each)
        ours, own = opens_at(document), web_link(document)
        return cls(title, after, ours or own, own if ours else "")


def _source(mark: str, named: _NamedSource, room: int) -> list[Element]:
    after = beside(named.url, named.title) + named.after
    linked = [link(named.url, named.title), *([words(after)] if after else [])]
    if mark:
        linked.insert(0, words(mark))
    if named.own:
        itself = [words(" · "), link(named.own, wording.DOCUMENT_ITSELF)]
        if weight([*linked, *itself]) <= room:
            return [*linked, *itself]
    if named.url and weight(linked) <= room:
        return linked
    return [words(mark + in_line(named.title + after, max(room - 40, _LEAST - 40)))]


def beside(url: str, title: str) -> str:
    """Name the host of a title's link, where its words may have people think of another one."""
    shown = url and names_another_host(title, url)
    return f" ({in_line(host_of(url), 100)})" if shown else ""


MOST_CONTRADICTIONS = 3


def otherwise_parts(
    found: Sequence[ContradictionRecord], detail: int, *, alone: bool
) -> list[RichPiece]:
    """Say, once a document, what gives way; `alone`: nobody but the asker reads it."""
    return [
        part
        for heading, sides in _giving_way(found, alone=alone)
        for part in (
            line(words(heading)),
            bullets([_opening(side, detail) for side in sides]),
        )
    ]


def contradiction_parts(
    found: Sequence[ContradictionRecord], *, alone: bool = False
) -> list[RichPiece]:
    """Show instead of an answer both sides of the first few, and which of them holds."""
    return [part for each in found[:MOST_CONTRADICTIONS] for part in _both_sides(each, alone=alone)]


def otherwise_aloud(found: Sequence[ContradictionRecord], *, alone: bool) -> list[str]:
    return [
        f"{heading} {' '.join(_side(side) for side in sides)}"
        for heading, sides in _giving_way(found, alone=alone)
    ]


def contradictions_aloud(found: Sequence[ContradictionRecord], *, alone: bool) -> list[str]:
    return [
        f"{_heading(each)} {_side(each.holds)} {_side(each.against)} "
        f"{shared.which_holds(each.prevails, alone=alone)}"
        for each in found[:MOST_CONTRADICTIONS]
    ]


def _giving_way(
    found: Sequence[ContradictionRecord], *, alone: bool
) -> list[tuple[str, list[SideRecord]]]:
    """Group the first few documents by why something else prevails over them."""
    grouped = giving_way(found)
    return [
        (shared.otherwise(why, alone=alone), [each.against for each in some[:MOST_CONTRADICTIONS]])
        for why, some in grouped
    ]


def _both_sides(found: ContradictionRecord, *, alone: bool) -> list[RichPiece]:
    return [
        line(words(_heading(found), bold=True)),
        bullets([_opening(side) for side in (found.holds, found.against)]),
        line(words(shared.which_holds(found.prevails, alone=alone))),
    ]


def _heading(found: ContradictionRecord) -> str:
    return in_line(shared.disagreement(found.differs), 10 * MOST_DETAIL)


def _opening(side: SideRecord, detail: int = MOST_DETAIL) -> RichPiece:
    """Say it, and where a page of ours shows it."""
    said, ours = words(_side(side, detail)), opens_at(side.citation)
    return line(said, words(" · "), link(ours, wording.OPEN_SOURCE)) if ours else line(said)


def _side(side: SideRecord, detail: int = MOST_DETAIL) -> str:
    citation = side.citation
    title = citation.title if citation.title.strip() else citation.file
    standing = shared.source_line(title, side.level, side.effective)
    return (
        f"“{in_line(side.text or citation.quote, 15 * detail)}” ({in_line(standing, 10 * detail)})"
    )
