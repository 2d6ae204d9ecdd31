"""A stream of elements and text becomes fragments, for all formats that are told in terms of HTML.

It is as lenient as a browser: end tags may be missing or stray.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from retrieval.parsing.css.page_styles import Look, Onlooker, PageStyles
from retrieval.parsing.draft import Draft, Numbering
from retrieval.parsing.elements import (
    CAPTIONS,
    CELLS,
    HEADINGS,
    IMPLIED_ENDS,
    LINK_SIGN,
    LISTS,
    NOT_SHOWN,
    PICTURES,
    SECTIONS,
    VOID,
    Surroundings,
    heading_level,
    is_block,
    is_listing,
    is_no_content,
    is_permalink,
    is_remark,
    is_remark_link,
    is_title,
    span_of,
    tick,
)
from retrieval.parsing.embedded_metadata import stated_beside, stated_in_meta
from retrieval.parsing.formulas import as_drawn, brackets, sign_before
from retrieval.parsing.hiding import HiddenPieces
from retrieval.parsing.html_tables import Row, Table
from retrieval.parsing.limits import (
    DEEPEST_ELEMENT,
    LONGEST_HEADING,
    MOST_PLACES,
    require_at_most,
)
from retrieval.parsing.notes import as_set
from retrieval.parsing.open_elements import Element, OpenElements
from retrieval.parsing.placed import Lines, PlacedText, Run
from retrieval.parsing.tables import Cell
from retrieval.parsing.tabs import Tabs, is_label, is_panel, pressed
from retrieval.types import FragmentKind, Sentence

_PERMALINK = re.compile(
    r"(?<=\S)(?:\s*[¶\U0001f517]|\s+#|\s*\[edit(?: source)?\]"
    r"|\s*(?:Permalink|Link|Direct link) to this (?:heading|headline|section))$"
)
_NO_ATTRIBUTES: Mapping[str, str | None] = MappingProxyType({})


class BlockBuilder:
    """It takes elements and text in source order; `draft` holds what they make up."""

    def __init__(
        self,
        source: str,
        styles: PageStyles | None = None,
        draft: Draft | None = None,
    ) -> None:
        self.draft = draft if draft is not None else Draft()
        self.head_title = ""
        self._source = source
        self._lines = Lines(source)
        self._onlooker = Onlooker(styles or PageStyles())
        self.hidden = HiddenPieces(lambda offset: f"line {self._lines.at(offset)}")
        """What styles hide, or may; code and navigation are no part of it."""
        self._open = OpenElements()
        self._tables: list[Table] = []
        self._asks = False
        """Whether the last term is a question."""
        self._run = Run()
        self._tabs = Tabs()
        self._surroundings = Surroundings()
        self._sign = PlacedText()
        """Of a box whose words are to come."""
        self._button_end = -1

    def open(
        self, name: str, start: int, attributes: Mapping[str, str | None] = _NO_ATTRIBUTES
    ) -> bool:
        """An element begins at offset `start`; return whether people see what it holds."""
        above, above_inert = self._open.innermost, self._open.is_inert
        if name not in VOID and above:
            above.parts += 1
        if is_block(name) and not above_inert:
            self._end_implied(name, start)
            self._break(start)
        if name == "meta":
            self.draft.state(stated_in_meta(attributes))
        is_shown = self._is_seen and is_panel(attributes)
        label = self._tabs.of(attributes) if is_shown else ""
        if self._is_collecting() or not any(map(str.isalnum, label)):
            label = ""
        seen_as = pressed(attributes) if label else attributes
        look = self._onlooker.look(self._open.look, name, seen_as)
        number = above.parts if above else 1
        is_drawn = number > 1 and above is not None and as_drawn(attributes, above.attributes)
        is_around = self._surroundings.holds(name, attributes) or is_drawn
        is_content = self._open.is_content and not is_around and not is_no_content(name, attributes)
        is_seen = is_content and look.is_read
        if name in PICTURES and self._open.is_content and look.is_read:
            self._note_picture()
        if name == "input" and is_seen:
            self._tick(name, start, attributes)
        if name in VOID or (len(self._open) >= DEEPEST_ELEMENT and is_seen == self._is_seen):
            return is_seen
        level = 1 if is_title(name, attributes) else heading_level(name, attributes)
        element = Element(
            name,
            start,
            attributes,
            look=look,
            is_content=is_content,
            inert=above_inert or name in NOT_SHOWN,
            run=self._run,
            mark=self._run.mark(),
            level=level,
            is_permalink=self._open.is_in_permalink or is_permalink(name, attributes),
            is_tab=not level and (self._open.is_in_tab or is_label(name, attributes)),
        )
        if is_seen:
            self._open_tab(element, label)
            self._open_remark(element)
            self._open_formula(element, number)
        self._open.push(element)
        if not element.inert:
            self._enter(element)
        return is_seen

    def _open_tab(self, element: Element, label: str) -> None:
        """`label`: of the tab that opens it."""
        name, attributes = element.name, element.attributes
        if is_label(name, attributes) or (name == "label" and self._open.is_in_tab):
            self._tabs.begin(attributes)
        elif self._open.is_in_tab:
            self._tabs.name(attributes)
        elif is_panel(attributes) and not self._is_collecting():
            label = label or attributes.get("aria-label") or ""
            element.ends_panel = self._panel(label, element.start)

    def _open_remark(self, element: Element) -> None:
        """What leads to a remark, and the paragraph that is one, are no text."""
        element.is_content &= not is_remark_link(element.attributes)
        if is_remark(element.attributes):
            for each in filter(None, (element, self._open.innermost)):
                each.is_content = False

    def _open_formula(self, element: Element, number: int) -> None:
        """`number`: of the part of a formula that it is."""
        said = ""
        if self._open.holds("math") and self._open.innermost:
            parent = self._open.innermost.name
            opening, element.ending = brackets(parent, element.name)
            said = sign_before(parent, number) + opening
        self._run.add(PlacedText.in_place_of(said, element.start, element.start))

    def _panel(self, label: str, start: int) -> Callable[[], None]:
        """What a tab opens begins; return what ends it."""
        ends_tabs = self._tabs.panel()
        label = label[:LONGEST_HEADING].strip()
        if not label:
            return ends_tabs
        end_of_tag = ">" if self._source.startswith("<", start) else "\n"
        end = self._source.find(end_of_tag, start) + 1 or len(self._source)
        place = self._sentence(f"{label.rstrip(':')}:", start, end)
        before = self.draft.begin_panel(label, place)

        def ends() -> None:
            ends_tabs()
            self.draft.end_panel(before)

        return ends

    def _tick(self, name: str, place: int, attributes: Mapping[str, str | None]) -> None:
        """Of a list's item or a label: the sign of a box stands before what is to do."""
        sign = tick(name, attributes)
        if name == "div" and self._in_cell() and not self._open.holds("li", "label"):
            self._run.add(PlacedText.in_place_of(sign, place, place))
        sign = sign if self._open.holds("li", "label") else ""
        if sign and any(not part.text.isspace() for part in self._run.parts):
            self._run.add(PlacedText.in_place_of(f" {sign}", place, place))
        elif sign or name == "li":
            self._sign = PlacedText.in_place_of(sign, place, place)

    def close(self, name: str, start: int, end: int) -> None:
        """End an element and all in it, by a tag at [start, end); a stray one ends the block."""
        if self._open.can_be_ended(name):
            while self._pop(start, but=name):
                pass
            self._pop(end)
        elif is_block(name) and not self._open.is_inert:
            self._break(start)

    def add(self, text: PlacedText) -> None:
        """Text that is shown, unless an element hides it."""
        is_sign = self._open.is_in_permalink and LINK_SIGN.fullmatch(text.text)
        if (
            not self._open.is_content
            or is_sign
            or (self._open.holds("math") and text.text.isspace())
        ):
            return
        look = self._look
        if look.is_read and self._open.is_in_tab:
            self._tabs.add(text.text)
        elif look.is_read:
            if self._sign and not text.text.isspace():
                self._run.add(self._sign)
                self._sign = PlacedText()
            if look.raised:
                before = "".join(part.text for part in self._run.parts[-2:])
                in_cell = self._in_cell()
                set_text = as_set(look.raised, text.text, before, in_cell=in_cell)
                if set_text != text.text:
                    text = PlacedText.in_place_of(set_text, text.start, text.end)
            self._run.add(text)
            self._run.is_plain |= not look.is_bold and not text.text.isspace()
        if look.way is not None:
            self.hidden.add(text, look.way_in_words, left_out=not look.is_read)
        elif not text.text.isspace():
            self.hidden.end()

    def add_image(self, alternative: PlacedText) -> None:
        """An image; its alternative text is read where it stands alone."""
        if self._is_seen:
            self._run.add_image(alternative)
            self._note_picture()

    def _note_picture(self) -> None:
        figures = (each for each in reversed(self._open) if each.name == "figure")
        if self._open.holds("figure") and (figure := next(figures, None)) is not None:
            figure.has_picture = True

    def finish(self) -> None:
        """The source ends: so does everything that is still open."""
        end = len(self._source)
        while self._pop(end):
            pass
        self._break(end)
        self.draft.state(stated_beside(self._tabs.texts, "its tabs"))

    @property
    def _look(self) -> Look:
        return self._open.look or self._onlooker.body

    @property
    def _is_seen(self) -> bool:
        return self._open.is_content and self._look.is_read

    def _end_implied(self, name: str, place: int) -> None:
        """End what cannot hold the coming element: a `p`, or the `li` before a `li`."""
        headings = HEADINGS if name in HEADINGS else ()
        for ended in ("p", *headings, *IMPLIED_ENDS.get(name, ())):
            if self._open.can_be_ended(ended):
                self.close(ended, place, place)

    def _pop(self, end: int, but: str = "") -> bool:
        """End the innermost element; return whether there was one, of another name than `but`."""
        element = self._open.innermost
        if element is None or element.name == but:
            return False
        self._run.add(PlacedText.in_place_of(element.ending, end, end))
        if element.inert:
            pass
        elif not is_block(element.name):
            if element.run is self._run:
                self._run.wrap(element.mark, element.start, end)
        elif element.level and not self._in_cell(but_innermost=True):
            self._end_heading(element.level, self._take())
        elif element.name == "title":
            self.head_title = self.head_title or self._take().text.text
        elif element.name in CELLS:
            self._end_cell(element, end)
        else:
            self._break(end, element.level)
        self._open.pop()
        if not element.inert:
            self._leave(element, end)
        return True

    def _end_heading(self, level: int, run: Run) -> None:
        if len(run.text.text) > LONGEST_HEADING:
            self.draft.fragment(FragmentKind.PARAGRAPH, self._placed(run.sentences()))
        else:
            for sentence in self._placed([] if run.is_blank else run.whole()):
                named = replace(sentence, text=_PERMALINK.sub("", sentence.text))
                self.draft.heading(level, named.text, named)

    def _leave(self, element: Element, end: int) -> None:
        if element.name == "tr" and self._tables and self._tables[-1].rows:
            self._tables[-1].rows[-1].end = end
        if element.name == "table" and not is_listing(element.attributes):
            self._end_table(self._tables.pop(), end)
        if element.ends_panel:
            element.ends_panel()
        if element.name == "div" and element.is_content and element.look.is_read:
            self._tick(element.name, end, element.attributes)
        if element.name == "button":
            self._button_end = end
        if element.name == "li" or (element.name == "label" and not self._open.holds("li")):
            self._sign = PlacedText()
        if element.name == "figure" and element.has_picture:
            self.draft.end_figure(element.fragments)

    def _enter(self, element: Element) -> None:
        if element.name == "table" and not is_listing(element.attributes):
            if self._tables:
                self._make_layout(self._tables[-1], element.start)
            role = (element.attributes.get("role") or "").strip().lower()
            self._tables.append(Table(has_role=role in ("presentation", "none")))
        elif element.name == "tr" and self._tables:
            self._begin_row(Row(element.start, self._open.holds("thead")))
        elif element.name in SECTIONS and self._tables:
            self._tables[-1].section += 1
        elif element.name == "button" and element.start == self._button_end:
            self._run.add(PlacedText.in_place_of(" ", element.start, element.start))
        elif element.name == "dt":
            self._asks = False
        elif element.name == "figure":
            element.fragments = self.draft.count
        elif element.name in LISTS:
            element.numbering = Numbering.of(element.name, element.attributes)
        elif element.name == "li" and element.is_content and element.look.is_read:
            lists = (each.numbering for each in reversed(self._open) if each.numbering)
            numbering = next(lists, None)
            element.number = numbering.take(element.attributes) if numbering else None
            self._tick(element.name, element.start, element.attributes)

    def _begin_row(self, row: Row) -> None:
        rows = self._tables[-1].rows
        if rows and not rows[-1].end:
            rows[-1].end = row.start
        row.section = self._tables[-1].section
        rows.append(row)

    def _is_collecting(self) -> bool:
        """Whether a heading, a title or a cell takes all text up to its end."""
        return self._open.is_in_heading or self._open.holds("title") or self._in_cell()

    def _in_cell(self, *, but_innermost: bool = False) -> bool:
        """Whether text belongs to a cell of a table of data."""
        cell = self._open.cell(but_innermost=but_innermost)
        return cell is not None and bool(self._tables) and not self._tables[-1].is_layout

    def _take(self) -> Run:
        taken, self._run = self._run, Run()
        return taken

    def _break(self, place: int, level: int = 0) -> None:
        """A block begins or ends at `place`: what was read so far is one, or a heading."""
        if self._is_collecting():
            self._run.add(PlacedText.in_place_of(" ", place, place))
            self._run.ends.append((len(self._run.parts), level))
        else:
            self._emit(self._take())

    def _emit(self, run: Run) -> None:
        if run.is_blank:
            return
        if self._tables and self._tables[-1].rows:
            place = run.text.start, run.text.end
            self._begin_row(Row(place[0], in_head=False, end=place[1], stray=run))
            return
        item = self._open.item(asks=self._asks)
        if self._open.holds("pre"):
            self.draft.fragment(FragmentKind.CODE, self._placed(run.lines()))
        elif item is not None and (item.name == "dd" or not item.has_spoken):
            item.has_spoken = True
            within = LISTS if self._asks else (*LISTS, "dl", "dd")
            depth = max(0, self._open.count(*within) - 1)
            self.draft.item(item.number, self._placed(run.whole()), depth)
            if item.name == "dt":
                self._asks = run.text.text.rstrip().endswith("?")
        else:
            self.draft.fragment(self._kind(run), self._placed(run.sentences()))

    def _kind(self, run: Run) -> FragmentKind:
        if self._open.holds(*CAPTIONS):
            return FragmentKind.CAPTION
        return FragmentKind.FIGURE if run.is_picture else FragmentKind.PARAGRAPH

    def _placed(self, sentences: list[tuple[str, int, int]]) -> list[Sentence]:
        return [self._sentence(*sentence) for sentence in sentences]

    def _sentence(self, text: str, start: int, end: int) -> Sentence:
        stripped = self._source[start:end]
        start += len(stripped) - len(stripped.lstrip())
        end = start + len(stripped.strip())
        return Sentence(
            text=text,
            char_start=start,
            char_end=end,
            line_start=self._lines.at(start),
            line_end=self._lines.at(max(start, end - 1)),
        )

    def _end_cell(self, element: Element, end: int) -> None:
        if not self._in_cell():
            self._break(end)
            return
        table = self._tables[-1]
        if not table.rows or table.rows[-1].end:
            self._begin_row(Row(element.start, in_head=False))
        run = self._take()
        cell = Cell(
            run.text.text,
            is_header=element.name == "th",
            columns=span_of(element.attributes, "colspan"),
            rows=span_of(element.attributes, "rowspan"),
            is_bold=not run.is_plain,
        )
        table.rows[-1].cells.append((cell, run))
        table.places += cell.columns
        require_at_most(table.places, MOST_PLACES, "places in a table")

    def _make_layout(self, table: Table, place: int) -> None:
        """A table begins within another: let out what the outer one has held back."""
        unfinished = table.rows.pop() if table.rows and not table.rows[-1].end else None
        self._end_table(table, place)
        table.rows.clear()
        table.is_layout = True
        runs = [run for _, run in unfinished.cells] if unfinished else []
        for run in (*runs, self._take()):
            self._emit_blocks(run)

    def _emit_blocks(self, run: Run) -> None:
        """What a cell holds that is a box on a page."""
        for part, level in run.blocks():
            if level:
                self._end_heading(level, part)
            else:
                self._emit(part)

    def _end_table(self, table: Table, end: int) -> None:
        captions, read = table.read_rows()
        for row in captions:
            self.draft.fragment(FragmentKind.CAPTION, self._placed(row.cells[0][1].whole()))
        for row, text in read:
            if text is None and table.is_page:
                for run in row.runs:
                    self._emit_blocks(run)
            elif text is None:
                for part in (part for run in row.runs for part, _ in run.blocks()):
                    self.draft.fragment(FragmentKind.PARAGRAPH, self._placed(part.sentences()))
            elif text.text:
                sentence = self._sentence(text.text, row.start, row.end or end)
                placed = replace(sentence, cells=text.placed())
                self.draft.fragment(FragmentKind.TABLE_ROW, [placed])
