"""Numbered sources: the same place cited twice has one number."""

from collections.abc import Iterable, Mapping, Sequence

from audit.record import CitationRecord, ClaimRecord, SourcePlace
from bot import wording as shared
from bot.links import Link, host_of, links_in, names_another_host
from bot.slack.blocks.elements import Element, RichPiece, bullets, line, link, words
from bot.slack.blocks.limits import ends, in_line, weight
from bot.slack.blocks.places import Placed, place_in_words, web_link
from bot.wording import slack as wording

MOST_MARKS = 6
_ROOM = 4_000
"""Most that a single source may weigh."""
_LEAST = 60
"""Room that is kept for each source still to come: number, title and page."""

Key = tuple[str, str, SourcePlace]


def distinct(claims: Iterable[ClaimRecord]) -> dict[Key, CitationRecord]:
    """Return every place that the claims cite, in the order of its number."""
    found: dict[Key, CitationRecord] = {}
    for claim in claims:
        for citation in claim.citations:
            found.setdefault(key(citation), citation)
    return found


def numbered(places: Mapping[Key, CitationRecord]) -> dict[Key, int]:
    return {place: number for number, place in enumerate(places, start=1)}


def marks(claim: ClaimRecord, numbers: Mapping[Key, int]) -> str:
    """Make marks such as `[1][3]`; a claim with very many sources names the first ones."""
    cited = dict.fromkeys(numbers[key(citation)] for citation in claim.citations)
    shown = list(cited)[:MOST_MARKS]
    return "".join(f"[{number}]" for number in shown) + "…" * (len(cited) > MOST_MARKS)


def source_lines(places: Sequence[Placed], detail: int) -> RichPiece:
    """Give each a line: number, title, place; a link as long as there is room for all others."""
    shown = ends(list(enumerate(places, start=1)), 2 * detail)
    elements: list[Element] = []
    for count, (number, place) in enumerate(shown.kept):
        to_come = len(shown.kept) - count - 1
        room = (200 * detail - weight(elements) - to_come * _LEAST) // (1 + to_come // 4)
        break_before = "\n" if elements else ""
        elements += _source(f"{break_before}[{number}] ", place, room)
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
    shown = [_linked(each) for each in once[:most]]
    if len(once) > most:
        shown.append(line(words(shared.more_links(len(once) - most))))
    return [line(words(f"{shared.LINKED}:", bold=True)), bullets(shown)]


def _linked(found: Link) -> RichPiece:
    return line(link(found.url, in_line(found.label, 100)), words(f" ({in_line(found.host, 100)})"))


def _quotes(claim: ClaimRecord) -> list[str]:
    return [citation.quote for citation in claim.citations]


def nearest_line(place: Placed, detail: int) -> RichPiece:
    """Name a document that came close; a link as long as there is room for all else."""
    return line(*_source("", place, min(_ROOM, 100 * detail)))


def source_in_words(place: Placed) -> str:
    """Say title and place, without a link."""
    title, after = _title_and_place(place)
    return title + after


def _source(mark: str, place: Placed, room: int) -> list[Element]:
    title, after = _title_and_place(place)
    url = web_link(place.link)
    after = beside(url, title) + after
    linked = [link(url, title), *([words(after)] if after else [])]
    if mark:
        linked.insert(0, words(mark))
    if url and weight(linked) <= room:
        return linked
    return [words(mark + in_line(title + after, max(room - 40, _LEAST - 40)))]


def beside(url: str, title: str) -> str:
    """Name the host of a title's link, where its words may have people think of another one."""
    shown = url and names_another_host(title, url)
    return f" ({in_line(host_of(url), 100)})" if shown else ""


def key(citation: CitationRecord) -> Key:
    """Return what is equal for all that a reader can only see as one place."""
    return (citation.document_id, citation.file, citation.place)


def _title_and_place(place: Placed) -> tuple[str, str]:
    title = in_line(place.title if place.title.strip() else place.file, 150)
    where = place_in_words(place.place)
    return title, f" · {in_line(where, 200)}" if where else ""
