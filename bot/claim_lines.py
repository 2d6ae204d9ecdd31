"""A list that is copied is read line by line: "3. Sign the form." under the line that leads to it.

The claim's text has its sentences one after another. Every door lays out the same lines.
"""

from collections.abc import Sequence
from typing import Protocol, TypeVar

Source = TypeVar("Source")
BULLET = "•"


class Line(Protocol):
    """A line of a claim, in an outcome or in a record."""

    @property
    def text(self) -> str: ...

    @property
    def number(self) -> int | None:
        """Before an item of an ordered list."""
        ...

    @property
    def in_list(self) -> bool: ...

    @property
    def citation(self) -> int:
        """Which of the claim's citations it is copied from, from 0."""
        ...


class Listed(Protocol):
    """A claim that may have lines."""

    @property
    def text(self) -> str: ...

    @property
    def lines(self) -> Sequence[Line]: ...


def has_lines(claim: Listed, *, alone: bool) -> bool:
    """Of a step that is `alone` in a reply the number says nothing; beside others it is kept."""
    return len(claim.lines) > int(alone)


def marked(line: Line) -> str:
    """A line with its number or bullet."""
    if line.number is not None:
        return f"{line.number}. {line.text}"
    return f"{BULLET} {line.text}" if line.in_list else line.text


def in_one_text(claim: Listed) -> str:
    """The claim with the numbers of its steps, where it is shown as one text."""
    numbered = any(each.number is not None for each in claim.lines)
    return " ".join(map(marked, claim.lines)) if numbered and len(claim.lines) > 1 else claim.text


def cited_by_line(lines: Sequence[Line], sources: Sequence[Source]) -> list[list[Source]]:
    """The sources of each line; `sources`: of each of the claim's citations.

    What bears out the claim besides stands behind its last line.
    """
    found = [[sources[each.citation]] for each in lines]
    told = [source for some in found for source in some]
    found[-1] += [each for each in dict.fromkeys(sources) if each not in told]
    return found
