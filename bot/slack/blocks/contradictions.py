"""Sources that contradict each other, side by side."""

from collections.abc import Sequence

from audit.record.contradictions import ContradictionRecord, SideRecord
from bot import wording
from bot.answering.contradictions import giving_way
from bot.slack.blocks.elements import RichPiece, bullets, line, link, words
from bot.slack.blocks.limits import MOST_DETAIL, in_line
from bot.slack.blocks.places import opens_at
from bot.wording import slack as replies

MOST = 3


def otherwise_parts(
    found: Sequence[ContradictionRecord], detail: int, *, alone: bool
) -> list[RichPiece]:
    """Say under an answer what gives way to it, once a document.

    `alone`, here and below: nobody but the asker reads it.
    """
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
    return [part for each in found[:MOST] for part in _parts(each, alone=alone)]


def otherwise_aloud(found: Sequence[ContradictionRecord], *, alone: bool) -> list[str]:
    """Say in plain words what gives way to an answer."""
    return [
        f"{heading} {' '.join(_side(side) for side in sides)}"
        for heading, sides in _giving_way(found, alone=alone)
    ]


def contradictions_aloud(found: Sequence[ContradictionRecord], *, alone: bool) -> list[str]:
    """Say in plain words what stands in place of an answer."""
    return [
        f"{_heading(each)} {_side(each.holds)} {_side(each.against)} "
        f"{wording.which_holds(each.prevails, alone=alone)}"
        for each in found[:MOST]
    ]


def _giving_way(
    found: Sequence[ContradictionRecord], *, alone: bool
) -> list[tuple[str, list[SideRecord]]]:
    """Group the first few documents by why something else prevails over them."""
    grouped = giving_way(found, lambda each: each.against.citation.document_id)
    return [
        (wording.otherwise(why, alone=alone), [each.against for each in some[:MOST]])
        for why, some in grouped
    ]


def _parts(found: ContradictionRecord, *, alone: bool) -> list[RichPiece]:
    return [
        line(words(_heading(found), bold=True)),
        bullets([_opening(side) for side in (found.holds, found.against)]),
        line(words(wording.which_holds(found.prevails, alone=alone))),
    ]


def _heading(found: ContradictionRecord) -> str:
    return in_line(wording.disagreement(found.differs), 10 * MOST_DETAIL)


def _opening(side: SideRecord, detail: int = MOST_DETAIL) -> RichPiece:
    """Say it, and where a page of ours shows it."""
    said, ours = words(_side(side, detail)), opens_at(side.citation)
    return line(said, words(" · "), link(ours, replies.OPEN_SOURCE)) if ours else line(said)


def _side(side: SideRecord, detail: int = MOST_DETAIL) -> str:
    citation = side.citation
    title = citation.title if citation.title.strip() else citation.file
    standing = wording.source_standing(title, side.level, side.effective)
    return f"“{in_line(citation.quote, 15 * detail)}” ({in_line(standing, 10 * detail)})"
