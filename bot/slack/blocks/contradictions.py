"""Sources that contradict each other, side by side."""

from collections.abc import Sequence

from audit.record import ContradictionRecord, SideRecord
from bot import wording
from bot.slack.blocks.elements import Part, bullets, line, words
from bot.slack.blocks.limits import in_line

MOST = 3
_QUOTE = 300
_STANDING = 200


def contradiction_parts(found: Sequence[ContradictionRecord]) -> list[Part]:
    """Both sides of the first few with what they are, and which of them holds."""
    return [part for each in found[:MOST] for part in _parts(each)]


def contradictions_aloud(found: Sequence[ContradictionRecord]) -> list[str]:
    """The same in plain words."""
    return [
        f"{_heading(each)} {_side(each.holds)} {_side(each.against)} "
        f"{wording.WHICH_HOLDS[each.prevails]}"
        for each in found[:MOST]
    ]


def _parts(found: ContradictionRecord) -> list[Part]:
    return [
        line(words(_heading(found), bold=True)),
        bullets([line(words(_side(side))) for side in (found.holds, found.against)]),
        line(words(wording.WHICH_HOLDS[found.prevails])),
    ]


def _heading(found: ContradictionRecord) -> str:
    return in_line(wording.disagreement(found.differs), _STANDING)


def _side(side: SideRecord) -> str:
    citation = side.citation
    title = citation.title if citation.title.strip() else citation.file
    standing = wording.source_standing(title, side.level, side.effective)
    return f"“{in_line(citation.quote, _QUOTE)}” ({in_line(standing, _STANDING)})"
