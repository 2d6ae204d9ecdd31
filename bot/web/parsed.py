"""What was read of a file, drawn over its pages: one file without script that loads nothing."""

import base64
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bot.web.pages import template
from retrieval.parsing.described import ReadDocument, ReadFragment, ReadPage
from retrieval.types import Box


@dataclass(frozen=True, slots=True)
class Frame:
    """A box on a page; lengths are hundredths of the page's width and height."""

    kind: str
    text: str
    left: float
    top: float
    width: float
    height: float
    is_first: bool
    """Of its fragment: it carries the name of the kind."""


@dataclass(frozen=True, slots=True)
class DrawnPage:
    """A page with its picture, as a `data:` address; empty where there is none."""

    page: ReadPage
    picture: str
    frames: tuple[Frame, ...]


def parsed_page(read: ReadDocument, pictures: Mapping[int, bytes]) -> str:
    """Return the HTML; `pictures` are PNG files by the number of their page."""
    pages = [_drawn(page, read, pictures.get(page.number)) for page in read.pages]
    return template("parsed.html").render(read=read, pages=pages, token="")


def _drawn(page: ReadPage, read: ReadDocument, picture: bytes | None) -> DrawnPage:
    data = f"data:image/png;base64,{base64.b64encode(picture).decode()}" if picture else ""
    frames = tuple(frame for each in read.fragments for frame in _frames(each, page))
    return DrawnPage(page, data, frames)


def _frames(fragment: ReadFragment, page: ReadPage) -> Iterator[Frame]:
    placed = [(box, each.text) for each in fragment.sentences for box in each.boxes]
    here = [(box, text) for box, text in placed if box.page == page.number]
    for number, (box, text) in enumerate(here):
        yield _frame(fragment.kind.value, text, box, page, is_first=number == 0)


def _frame(kind: str, text: str, box: Box, page: ReadPage, *, is_first: bool) -> Frame:
    across, down = 100 / page.width, 100 / page.height
    return Frame(
        kind,
        text,
        left=round(box.x0 * across, 3),
        top=round(box.y0 * down, 3),
        width=round((box.x1 - box.x0) * across, 3),
        height=round((box.y1 - box.y0) * down, 3),
        is_first=is_first,
    )
