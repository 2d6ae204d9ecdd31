"""A document in the making: its headings, and fragments under them in reading order.

Which heading is the title is known only at the end, so a fragment remembers headings until then.

The number that stands before an item of an ordered list is kept: "step 3" is told by it. Letters
and Roman numerals are none, nor what counts down: such an item has its order alone.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from retrieval.parsing.embedded_metadata import (
    stated_beside,
    stated_in_source,
    stated_in_text,
    stated_unseen,
)
from retrieval.parsing.limits import (
    DEEPEST_HEADING,
    DEEPEST_LIST,
    LONGEST_HEADING,
    MOST_CHARACTERS,
    require_at_most,
)
from retrieval.parsing.notes import with_notes
from retrieval.parsing.placed import Source
from retrieval.types import (
    Fragment,
    FragmentKind,
    HiddenText,
    PageSize,
    ParsedDocument,
    PlacedHeading,
    Sentence,
    Stated,
)


@dataclass(slots=True, eq=False)
class _Section:
    level: int
    """1 is the outermost, 0 a panel of tabs."""
    text: str
    place: Sentence | None
    last_page: int | None


_Path = tuple[_Section, ...]
_Drafted = tuple[FragmentKind, _Path, tuple[Sentence, ...]]
_OF_FIGURES = (FragmentKind.CAPTION, FragmentKind.FIGURE)


class Draft:
    def __init__(self, moved: Callable[[Sentence], Sentence] = lambda sentence: sentence) -> None:
        """`moved`: where a sentence stands that whoever builds places in a part."""
        self._moved = moved
        self._sections: list[tuple[_Path, _Section]] = []
        """Each with those around it and itself."""
        self._path: _Path = ()
        self._fragments: list[_Drafted] = []
        self._left_out: list[_Drafted] = []
        self._stated: list[Stated] = []
        self._characters = 0

    @property
    def count(self) -> int:
        return len(self._fragments)

    @property
    def is_empty(self) -> bool:
        return not self._sections and not self._fragments

    def state(self, stated: Iterable[Stated]) -> None:
        self._stated += stated

    def heading(self, level: int, text: str, place: Sentence | None = None) -> None:
        """Open a section, closing those of the same level and below; no text, no section.

        `place` is where the heading stands; None for a name that stands nowhere in the text.
        """
        if text:
            place = self._moved(place) if place else None
            page = place.page if place else None
            section = _Section(min(level, DEEPEST_HEADING), text, place, page)
            self._path = (*(above for above in self._path if above.level < section.level), section)
            self._sections.append((self._path, section))
            self._reach(page)

    def begin_panel(self, label: str, place: Sentence) -> _Path:
        """What follows is read behind the label of its tab; return what `end_panel` is told.

        A program there stands below the label, which `place` is.
        """
        before = self._path
        self._path = (*before, _Section(0, label, place, None))
        return before

    def end_panel(self, before: _Path) -> None:
        """What follows stands under the headings that the panel stands under."""
        self._path = before

    def end_sections(self, level: int = 0) -> None:
        """What follows stands under no heading of this level or below, as on a new slide."""
        self._path = tuple(above for above in self._path if above.level < level)

    def _reach(self, page: int | None) -> None:
        for section in self._path:
            section.last_page = page if page is not None else section.last_page

    def leave_out(self, kind: FragmentKind, sentences: Sequence[Sentence]) -> None:
        """Note what people see and no passage is made of."""
        if sentences:
            self._left_out.append((kind, self._path, tuple(sentences)))

    def item(self, number: int | None, sentences: Sequence[Sentence], depth: int = 0) -> None:
        """Add an item of a list under the current headings; `number` is what stands before it.

        `depth`: how many lists its own stands in.
        """
        numbered = [
            replace(each, item_number=None if n else number, depth=min(depth, DEEPEST_LIST))
            for n, each in enumerate(sentences)
        ]
        self.fragment(FragmentKind.LIST_ITEM, numbered)

    def fragment(self, kind: FragmentKind, sentences: Sequence[Sentence]) -> None:
        """Add a block under the current headings; one without sentences is no block.

        Raise `UnreadableDocument` where the document reads as more text than is read.
        """
        self._add(kind, [self._moved(each) for each in sentences])

    def _add(self, kind: FragmentKind, sentences: Sequence[Sentence]) -> None:
        if sentences:
            if kind is FragmentKind.CODE and self._path and not self._path[-1].level:
                self._lead(self._path[-1])
            self._characters += sum(len(sentence.text) for sentence in sentences)
            require_at_most(self._characters, MOST_CHARACTERS, "characters of text")
            self._fragments.append((kind, self._path, tuple(sentences)))
            self._reach(sentences[-1].page)

    def _lead(self, panel: _Section) -> None:
        if panel.place and not (self._fragments and self._fragments[-1][1] is self._path):
            self._fragments.append((FragmentKind.PARAGRAPH, self._path, (panel.place,)))

    def code(self, lines: Sequence[Sentence]) -> None:
        """Add lines of program text; they go on what was added last, if that is such text."""
        before: Sequence[Sentence] = ()
        if lines and self._fragments and self._fragments[-1][:2] == (FragmentKind.CODE, self._path):
            before = self._fragments.pop()[2]
        self._add(FragmentKind.CODE, [*before, *map(self._moved, lines)])

    def end_figure(self, first: int) -> None:
        """Make one figure of the fragments from `first` on, which stand beside a picture.

        What holds more than captions and descriptions of pictures stays as it is. A description
        that only repeats the caption, as pandoc writes one, is no text of its own.
        """
        held = self._fragments[first:]
        if held and all(kind in _OF_FIGURES and path is held[0][1] for kind, path, _ in held):
            captions = {_words(some) for kind, _, some in held if kind is FragmentKind.CAPTION}
            sentences = tuple(
                each
                for kind, _, some in held
                if kind is FragmentKind.CAPTION or _words(some) not in captions
                for each in some
            )
            self._fragments[first:] = [(FragmentKind.FIGURE, held[0][1], sentences)]

    def document(
        self,
        source: str,
        *,
        stated_title: str = "",
        other_title: str = "",
        head: str | None = None,
        hidden: tuple[HiddenText, ...] = (),
        pages: tuple[PageSize, ...] = (),
    ) -> ParsedDocument:
        """The finished document.

        Its title is the stated one, else the first top-level heading, else the other
        one. A top-level heading that is the title, or the only one there is, is not
        repeated in section paths. A title too long to be one is shortened, visibly. `head` is
        where front matter that was not read may stand; left out, the whole source.
        """
        top = [section for _, section in self._sections if section.level == 1]
        title = stated_title or (top[0].text if top else other_title)

        def named(path: _Path) -> tuple[str, ...]:
            return tuple(each.text for each in path if each.level and not is_title(each))

        def is_title(section: _Section) -> bool:
            alike = section.text.casefold() == title.casefold()
            return section.level == 1 and (alike or (len(top) == 1 and not stated_title))

        def fragments(drafted: Iterable[_Drafted]) -> tuple[Fragment, ...]:
            return tuple(
                Fragment(kind, named(path), sentences) for kind, path, sentences in drafted
            )

        drafted = list(with_notes(self._fragments, source))
        seen, left_out = fragments(drafted), fragments(self._left_out)
        aside = [sentence.text for each in left_out for sentence in each.sentences]
        return ParsedDocument(
            title=title if len(title) <= LONGEST_HEADING else f"{title[:LONGEST_HEADING]}…",
            source=source,
            fragments=fragments(map(_labelled, drafted)),
            stated=(
                *self._stated,
                *stated_in_source(source if head is None else head),
                *stated_in_text(title, seen),
                *stated_beside(aside, "its running heads"),
                *stated_unseen((each.text for each in hidden), "its hidden text"),
            ),
            hidden=hidden,
            pages=pages,
            headings=tuple(
                PlacedHeading(each.level, named(path), each.place, each.place.page, each.last_page)
                for path, each in self._sections
                if each.place is not None
            ),
            left_out=left_out,
        )


def _labelled(drafted: _Drafted) -> _Drafted:
    """Each behind the labels of the tabs that show it; lines of programs stay as they are."""
    kind, path, sentences = drafted
    panels = [each for each in path if not each.level]
    if not panels or kind is FragmentKind.CODE:
        return drafted
    told = panels[:-1] if sentences == (panels[-1].place,) else panels
    said = "".join(f"{each.text}{'' if each.text[-1] in '?!.:' else ':'} " for each in told)
    return kind, path, tuple(each.behind(said) for each in sentences)


def _words(sentences: Sequence[Sentence]) -> str:
    return " ".join(each.text for each in sentences)


_WRITTEN = re.compile(r"\s*\(?(\d{1,3})[.)]\s")
_INTEGER = re.compile(r"\s*(\d{1,4})\s*")


def number_in(marker: str) -> int | None:
    """The number of a marker as it is written, such as "3. " or "(3) "."""
    found = _WRITTEN.match(marker)
    return _shown(int(found[1])) if found else None


@dataclass(slots=True)
class Numbering:
    """It counts the items of one list of HTML, after the HTML standard, section 4.4.5."""

    following: int | None = None
    """The next item's number; None where the list has none."""

    @classmethod
    def of(cls, name: str, attributes: Mapping[str, str | None]) -> "Numbering":
        """Of an element with its attributes."""
        in_digits = (attributes.get("type") or "1").strip() == "1"
        if name != "ol" or not in_digits or "reversed" in attributes:
            return cls()
        first = _integer(attributes, "start")
        return cls(1 if first is None else first)

    def take(self, attributes: Mapping[str, str | None]) -> int | None:
        """The number of the item that begins here, with its attributes."""
        if self.following is None:
            return None
        stated = _integer(attributes, "value")
        number = self.following if stated is None else stated
        self.following = number + 1
        return _shown(number)


def _shown(number: int) -> int | None:
    """A list that begins at zero is a programmer's: Slack has no such number."""
    return number if number > 0 else None


def _integer(attributes: Mapping[str, str | None], name: str) -> int | None:
    found = _INTEGER.fullmatch(attributes.get(name) or "")
    return int(found[1]) if found else None


def in_reading_order(
    fragments: Sequence[Fragment],
    headings: Sequence[PlacedHeading],
    left_out: Sequence[Fragment],
) -> tuple[Fragment, ...]:
    """All that a `ParsedDocument` shows, each of its kind, as it stands in the source.

    A heading is a fragment under its own section's path.
    """
    named = (Fragment(FragmentKind.HEADING, h.section_path, (h.sentence,)) for h in headings)
    return tuple(sorted([*named, *left_out, *fragments], key=_start))


def _start(fragment: Fragment) -> tuple[int, int, int]:
    first = fragment.sentences[0]
    return first.page or 0, (first.page and first.line_start) or 0, first.char_start


class Composition:
    """It takes the parts in order; `draft` and the source hold them one after the other.

    A part is what its label says ("cell 3"), under its number; its own lines and pages are counted
    in it. What it states counts for the whole.
    """

    def __init__(self) -> None:
        self.draft = Draft()
        self._source = Source()
        self._hidden: list[HiddenText] = []

    def add(self, part: ParsedDocument, number: int, label: str, *, below: int = 0) -> None:
        """Its headings stand `below` so many levels of the whole."""
        aside = set(map(id, part.left_out))
        headings = {each.sentence.char_start: each for each in part.headings}
        for fragment in in_reading_order(part.fragments, part.headings, part.left_out):
            moved = [self._moved(each, number, label) for each in fragment.sentences]
            heading = headings.get(fragment.sentences[0].char_start)
            if fragment.kind is FragmentKind.HEADING and heading is not None:
                self.draft.heading(heading.level + below, heading.text, moved[0])
            elif id(fragment) in aside:
                self.draft.leave_out(fragment.kind, moved)
            else:
                self.draft.fragment(fragment.kind, moved)
        self.draft.state(replace(each, describes=False) for each in part.stated)
        self._hidden += (replace(each, where=f"{label}, {each.where}") for each in part.hidden)
        self._source.add(part.source)

    def add_text(self, kind: FragmentKind, text: str, number: int, label: str) -> None:
        """A part of lines that are read as they stand."""
        sentences, at = [], 0
        for line, said in enumerate(text.split("\n"), start=1):
            if shown := said.strip():
                start = self._source.end + at + said.index(shown)
                end = start + len(shown)
                sentences.append(
                    Sentence(" ".join(shown.split()), start, end, line, line, number, None)
                )
            at += len(said) + 1
        self.draft.fragment(kind, [replace(each, page_label=label) for each in sentences])
        self._source.add(text)

    def document(self, title: str = "", stated: Sequence[Stated] = ()) -> ParsedDocument:
        self.draft.state(stated)
        hidden = tuple(self._hidden)
        return self.draft.document(self._source.text, stated_title=title, hidden=hidden)

    def _moved(self, sentence: Sentence, number: int, label: str) -> Sentence:
        """Boxes are places on pages of a file that is not at hand."""
        own = sentence.page_label or (f"page {sentence.page}" if sentence.page else "")
        return replace(
            sentence,
            char_start=sentence.char_start + self._source.end,
            char_end=sentence.char_end + self._source.end,
            page=number,
            page_label=f"{label}, {own}" if own else label,
            boxes=(),
            picture=None,
            cells=tuple(replace(each, box=None) for each in sentence.cells),
        )
