"""Sources: a page has one number, or a passage its id, however often it is cited."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from audit.record.claims import CitationRecord, ClaimRecord
from bot import pages
from bot import wording as shared
from bot.citation_style import CitationStyle
from bot.links import Link, host_of, links_in, names_another_host
from bot.pages import Page
from bot.slack.blocks.elements import Element, RichPiece, bullets, line, link, words
from bot.slack.blocks.limits import ends, in_line, weight
from bot.slack.blocks.places import (
    Placed,
    cells_of,
    kind_in_words,
    location,
    opens_at,
    place_in_words,
    web_link,
)
from bot.wording import slack as wording

MOST_MARKS = 6
_ROOM = 4_000
"""Most that a single source may weigh."""
_LEAST = 60
"""Room that is kept for each source still to come: number, title and page."""


@dataclass(frozen=True, slots=True)
class Source:
    """A page or a passage that is cited, with its name in the reply and all that is cited of it."""

    name: str
    style: CitationStyle
    citations: tuple[CitationRecord, ...]
    """One at least."""

    @property
    def mark(self) -> str:
        return self.style.marks([self.name])

    @property
    def link(self) -> str:
        """Where a person can open it, on our page if there is one; empty where it says none."""
        return opens_at(self.citations[0]) or web_link(self.citations[0])

    @property
    def where(self) -> str:
        """The page, and every cited place on it; empty where none is known."""
        return pages.in_words(
            pages.Place(location(each.place), cells_of(each)) for each in self.citations
        )


def sources_of(claims: Iterable[ClaimRecord], style: CitationStyle) -> dict[Page, Source]:
    """Return all that the claims cite, in the order in which it is first cited."""
    cited = [citation for claim in claims for citation in claim.citations]
    names = style.names(source_of(each, style) for each in cited)
    return {
        source: Source(name, style, tuple(c for c in cited if source_of(c, style) == source))
        for source, name in names.items()
    }


def source_of(citation: CitationRecord, style: CitationStyle) -> Page:
    """Return what it shares its mark with."""
    return style.source((citation.document_id, citation.place.page), citation.passage_id)


def marks(cited: Sequence[Source]) -> str:
    """Make marks such as `[1][3]`; a claim with very many sources names the first ones."""
    if not cited:
        return ""
    shown = cited[0].style.marks([each.name for each in cited[:MOST_MARKS]])
    return shown + _left_out(cited)


def plain_marks(cited: Sequence[Source]) -> list[Element]:
    return [words(marks(cited))] if cited else []


def linked_marks(cited: Sequence[Source]) -> list[Element]:
    """Make the same marks, each of which opens its source where that can be opened."""
    shown = cited[:MOST_MARKS]
    if shown and shown[0].style is CitationStyle.SRC:
        before, between, behind = shown[0].style.around
        names = [(words(between), _linked(each, each.name)) for each in shown]
        elements = [words(before), *list(chain(*names))[1:], words(behind)]
    else:
        elements = [_linked(each, each.mark) for each in shown]
    return [*elements, *([words(_left_out(cited))] if _left_out(cited) else [])]


def _linked(source: Source, name: str) -> Element:
    return link(source.link, name) if source.link else words(name)


def _left_out(cited: Sequence[Source]) -> str:
    return "…" * (len(cited) > MOST_MARKS)


def source_lines(sources: Sequence[Source], detail: int) -> RichPiece:
    """Give each a line: number, title, place; a link as long as there is room for all others."""
    shown = ends(sources, 2 * detail)
    elements: list[Element] = []
    for count, source in enumerate(shown.kept):
        to_come = len(shown.kept) - count - 1
        room = (200 * detail - weight(elements) - to_come * _LEAST) // (1 + to_come // 4)
        break_before = "\n" if elements else ""
        named = _Named.of(source.citations[0], source.where)
        elements += _source(f"{break_before}{source.mark} ", named, room)
        if shown.omitted and count + 1 == len(shown.first):
            elements.append(words(f"\n{wording.omitted_sources(shown.omitted)}"))
    return line(*elements)


def linked_lines(claims: Iterable[ClaimRecord], detail: int) -> list[RichPiece]:
    """Say where words of the sentences lead that are links in their sources."""
    most = detail // 5
    found = [link for claim in claims for link in links_in(claim.text, _quotes(claim))]
    once = list({each.url: each for each in found}.values())
    if not once:
        return []
    shown = [_led_to(each) for each in once[:most]]
    if len(once) > most:
        shown.append(line(words(shared.more_links(len(once) - most))))
    return [line(words(f"{shared.LINKED}:", bold=True)), bullets(shown)]


def _led_to(found: Link) -> RichPiece:
    return line(link(found.url, in_line(found.label, 100)), words(f" ({in_line(found.host, 100)})"))


def _quotes(claim: ClaimRecord) -> list[str]:
    return [citation.quote for citation in claim.citations]


def nearest_line(place: Placed, detail: int) -> RichPiece:
    """Name a document that came close; a link as long as there is room for all else."""
    named = _Named.of(place, place_in_words(place.place))
    return line(*_source("", named, min(_ROOM, 100 * detail)))


def source_in_words(source: Source) -> str:
    """Say title and place, without a link."""
    named = _Named.of(source.citations[0], source.where)
    return named.title + named.after


@dataclass(frozen=True, slots=True)
class _Named:
    """A document's title, the place in it, what it is, and where it can be opened."""

    title: str
    after: str
    url: str
    own: str = ""
    """Where the document itself opens, where `url` is a page of ours."""

    @classmethod
    def of(cls, document: Placed, where: str) -> "_Named":
        title = in_line(document.title if document.title.strip() else document.file, 150)
        known = (in_line(where, 200) if where else "", kind_in_words(document))
        after = "".join(f" · {each}" for each in known if each)
        ours, own = opens_at(document), web_link(document)
        return cls(title, after, ours or own, own if ours else "")


def _source(mark: str, named: _Named, room: int) -> list[Element]:
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
