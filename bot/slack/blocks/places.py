"""Where something stands, as a person would say it."""

from typing import Protocol

from audit.record import ExpiredRecord, SourcePlace
from bot import wording
from bot.links import is_web_address
from bot.slack.blocks.limits import in_line, weight

_LONGEST_LINK = 1_000


class Placed(Protocol):
    """A citation or a nearest document."""

    @property
    def file(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def link(self) -> str: ...
    @property
    def place(self) -> SourcePlace: ...


def place_in_words(place: SourcePlace) -> str:
    """Such as `page 2, lines 3-5 (Examinations - Re-evaluation)`; empty where none is known."""
    words = [
        f"page {place.page}" if place.page is not None else "",
        _lines(place),
        f"paragraph {place.paragraph}" if place.paragraph is not None else "",
    ]
    known = ", ".join(word for word in words if word)
    section = " - ".join(name for name in place.section_path if name.strip())
    return " ".join(word for word in (known, f"({section})" if section else "") if word)


def file_and_place(file: str, place: SourcePlace) -> str:
    where = place_in_words(place)
    return f"{file}, {where}" if where else file


def expired_document(expired: ExpiredRecord) -> str:
    """Its title, or its file, and the last day of its time."""
    source = expired.source
    title = source.title if source.title.strip() else source.file
    return in_line(wording.expired(title, expired.valid_to), 150)


def web_link(url: str) -> str:
    """The address where it is one that a person can open; else empty."""
    return url if is_web_address(url) and weight(url) <= _LONGEST_LINK else ""


def _lines(place: SourcePlace) -> str:
    if place.line_start is None:
        return ""
    if place.line_end in (None, place.line_start):
        return f"line {place.line_start}"
    return f"lines {place.line_start}-{place.line_end}"
