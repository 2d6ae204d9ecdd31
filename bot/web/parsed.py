"""What was read of a file, drawn over its pages: one file without script that loads nothing."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bot.web.pages import template
from retrieval.parsing.described import ReadDocument, ReadFragment, ReadPage
from retrieval.types import Box


@dataclass(frozen=True, slots=True)
class Frame:
    kind: str
    text: str
    box: Box
    is_first: bool
    """Of its fragment: it carries the name of the kind."""


@dataclass(frozen=True, slots=True)
class DrawnPage:
    page: ReadPage
    picture: bytes | None
    frames: tuple[Frame, ...]


def parsed_page(read: ReadDocument, pictures: Mapping[int, bytes]) -> str:
    """Return the HTML; `pictures` are PNG files by the number of their page."""
    pages = [_drawn(page, read, pictures.get(page.number)) for page in read.pages]
    return template("parsed.html").render(read=read, pages=pages, token="")


def _drawn(page: ReadPage, read: ReadDocument, picture: bytes | None) -> DrawnPage:
    frames = tuple(frame for each in read.fragments for frame in _frames(each, page))
    return DrawnPage(page, picture, frames)


def _frames(fragment: ReadFragment, page: ReadPage) -> Iterator[Frame]:
    placed = [(box, each.text) for each in fragment.sentences for box in each.boxes]
    here = [(box, text) for box, text in placed if box.page == page.number]
    for number, (box, text) in enumerate(here):
        yield Frame(fragment.kind.value, text, box, is_first=number == 0)
