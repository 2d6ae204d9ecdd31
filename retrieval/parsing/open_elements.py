"""The elements that are open while a stream of them is read, and what each knows of itself."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from retrieval.parsing.css.page_styles import Look
from retrieval.parsing.draft import Numbering
from retrieval.parsing.elements import CELLS, NOT_SHOWN, SCOPES, is_block
from retrieval.parsing.placed import Run


@dataclass(slots=True)
class Element:
    name: str
    start: int
    attributes: Mapping[str, str | None]
    look: Look
    is_content: bool
    inert: bool
    """Within what is not shown at all, such as a script: no blocks are made of it."""
    run: Run
    mark: int
    """For an inline element: the run that it began in, and how much that held."""
    has_spoken: bool = False
    """For a list item: its own text is out; what follows are further paragraphs."""
    numbering: Numbering | None = None
    number: int | None = None
    level: int = 0
    is_permalink: bool = False
    is_tab: bool = False
    """The label of a tab, or within one; a heading there stays one."""
    fragments: int = 0
    """For a figure: how many there were before it."""
    has_picture: bool = False
    parts: int = 0
    ending: str = ""
    """Of a part of a formula, what stands behind it."""
    ends_panel: Callable[[], None] | None = None


class OpenElements:
    def __init__(self) -> None:
        self._open: list[Element] = []
        self._standing: Counter[str] = Counter()
        """How many elements of each name are open: what is not need not be looked for."""
        self._headings = 0

    def __len__(self) -> int:
        return len(self._open)

    def __reversed__(self) -> Iterator[Element]:
        return reversed(self._open)

    @property
    def innermost(self) -> Element | None:
        return self._open[-1] if self._open else None

    def push(self, element: Element) -> None:
        self._open.append(element)
        self._standing[element.name] += 1
        self._headings += element.level > 0

    def pop(self) -> None:
        element = self._open.pop()
        self._standing[element.name] -= 1
        self._headings -= element.level > 0

    def holds(self, *names: str) -> bool:
        """Whether an element of one of these names is open."""
        return any(self._standing[name] for name in names)

    def count(self, *names: str) -> int:
        return sum(self._standing[name] for name in names)

    @property
    def is_content(self) -> bool:
        return not self._open or self._open[-1].is_content

    @property
    def is_inert(self) -> bool:
        return bool(self._open) and self._open[-1].inert

    @property
    def is_in_permalink(self) -> bool:
        return bool(self._open) and self._open[-1].is_permalink

    @property
    def is_in_tab(self) -> bool:
        return bool(self._open) and self._open[-1].is_tab

    @property
    def is_in_heading(self) -> bool:
        return bool(self._headings)

    @property
    def look(self) -> Look | None:
        """How the element is seen that the next one stands in; none outside the body."""
        if not self._open or self._open[-1].name in ("html", "head"):
            return None
        return self._open[-1].look

    def can_be_ended(self, name: str) -> bool:
        """Whether an end tag can reach it: inline markup not out of its block, none from a cell."""
        if not self._standing[name]:
            return False
        inline = not is_block(name) and name not in NOT_SHOWN
        scope = SCOPES.get(name, CELLS)
        for element in reversed(self._open):
            if element.name == name:
                return True
            if element.name in scope or (inline and is_block(element.name)):
                return False
        return False

    def cell(self, *, but_innermost: bool = False) -> Element | None:
        """The cell that text belongs to; None where a table within it is nearer."""
        if not self.holds(*CELLS):
            return None
        for element in reversed(self._open[:-1] if but_innermost else self._open):
            if element.name in CELLS:
                return element
            if element.name == "table":
                return None
        return None

    def item(self, *, asks: bool) -> Element | None:
        """The item whose own text this is; what answers a term that `asks` is none within it."""
        for element in reversed(self._open) if self.holds("li", "dt", "dd") else ():
            if element.name in ("li", "dt") or (element.name == "dd" and not asks):
                return element
            if element.name in ("blockquote", "dd", "table", "ul", "ol", "dl"):
                return None
        return None
