"""A row that names those below it is told before each of them, and a line below rows is none.

"Europe" over all columns, or bold and alone at the left, is no value of the first column: without
it nobody could tell the rows of Europe from those of Asia.
"""

import re
from calendar import day_abbr, day_name, month_abbr, month_name
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby, pairwise, takewhile

from retrieval.parsing.limits import LONGEST_SENTENCE
from retrieval.parsing.tables import LONGEST_NAME, Cell, RowText, is_number, may_name, row_texts

_NAME = re.compile(r"[^\W_]|[\"'(\[<]")
"""It begins so, and not with the mark of a note."""
_ENDS_OF_TEXTS = (".", ";", ",", "!", "?")
_TIMES = frozenset(
    each.casefold() for names in (day_abbr, day_name, month_abbr, month_name) for each in names
)
_DIGITS = re.compile(r"\d+")
_DEEPEST = 4
"""Names within each other."""
_LAST_LED = 1
"""The column that a name stands in at the most, where nothing but numbers of rows is before it."""


def told_rows(
    rows: Sequence[Sequence[Cell]], names: Sequence[str] = (), sections: Sequence[int] = ()
) -> Iterator[RowText]:
    """What each row below the heads reads as; empty for one that is told with others.

    `sections`: the part of the table that each row is in, where it has several.
    """
    table = _Rows(rows, list(row_texts(rows, names)), sections, are_named=bool(names))
    return table.told()


class _Rows:
    def __init__(
        self,
        rows: Sequence[Sequence[Cell]],
        read: Sequence[RowText],
        sections: Sequence[int],
        *,
        are_named: bool,
    ) -> None:
        self._rows, self._read, self._are_named = rows, read, are_named
        self._sections = sections or [0] * len(rows)
        several = (sum(cell.columns for cell in row) for row in rows if len(row) > 1)
        self._width = max(several, default=0)
        leads = [row[0].text for row in rows if row]
        self._is_numbered = are_named and all(not text or is_number(text) for text in leads)
        self._said = [at for at, each in enumerate(read) if each.text]
        self._alone = {at: cell for at in self._said if (cell := self._alone_in(at))}
        self._count = Counter(cell.text for cell in self._alone.values())
        self._has_small_names = self._are_small(leads)
        self._marked = self._find_marked()
        self._is_parted = are_named and self._parts_all()
        self._leading = self._find_leading()
        self._sums = self._find_sums()
        self._ends = self._find_ends()
        self._totals = self._find_wide_totals()
        self._lines = self._find_lines()

    def told(self) -> Iterator[RowText]:
        """A section, a blank row, and what is set apart and names nothing end a group of rows.

        So does a total: bold below what is not, or the sum of more than the group's own rows.
        """
        waiting: list[int] = []
        names: list[int] = []
        group, has_rows, has_plain = "", False, False
        for at, read in enumerate(self._read):
            is_blank = not read.text and not any(cell.text for cell in self._rows[at])
            if has_rows and (is_blank or self._sections[at] != self._sections[at - 1]):
                group, has_rows = "", False
            if at in self._leading:
                waiting.append(at)
                yield RowText()
                continue
            if waiting:
                names = self._within(names, waiting)
                group = ": ".join(self._alone[each].text.rstrip(" :") for each in names)
                waiting, has_rows, has_plain = [], False, False
            is_bold = self._is_bold(at)
            is_end = at in self._sums or at in self._ends or at in self._totals
            group = "" if is_end or (has_plain and is_bold) else group
            has_rows |= bool(read.text)
            has_plain |= bool(read.text) and not is_bold
            cell = self._alone.get(at)
            if at in self._lines or (cell is not None and self._is_over_all(cell)):
                yield read.alone(is_line=at in self._lines)
            else:
                yield read.under(group)

    def _within(self, before: Sequence[int], names: Sequence[int]) -> list[int]:
        """The names with those before that they stand within.

        Others right below these looked or read alike; what stands in several places, and not among
        these, is the name of a part of each.
        """
        is_part = len(names) == 1 and self._count[self._alone[names[0]].text] > 1
        for depth in reversed(range(1, min(len(before), _DEEPEST))):
            above, alike = before[:depth], before[depth]
            for kind in (self._look, self._wording):
                own = kind(names[0])
                is_alike = own == kind(alike) or (is_part and kind == self._wording)
                if is_alike and own not in map(kind, above):
                    return [*above, *names]
        return list(names)

    def _look(self, at: int) -> tuple[bool, bool, bool]:
        cell = self._alone[at]
        return self._is_over_all(cell), cell.is_header, cell.is_bold

    def _wording(self, at: int) -> str:
        return _DIGITS.sub("0", self._alone[at].text)

    def _find_sums(self) -> frozenset[int]:
        """The rows that hold the sums of all above them, so of more than one group.

        What begins a group, or reads like a row above that holds none, does so by chance.
        """
        sums: set[int] = set()
        added: set[str] = set()
        whole, own = _Sums(), _Sums()
        for at in self._said:
            read = self._read[at]
            values = {
                cell.column: value
                for cell in read.cells[1:]
                if (value := _amount_in(read.text[cell.start : cell.end])) is not None
            }
            fewest = 2 if at == self._said[-1] else _FEWEST_ADDED
            may_be_one = whole.rows > own.rows > 0 and self._label(at) not in added
            if at in self._leading:
                own = _Sums()
            elif may_be_one and whole.is_told_by(values, fewest):
                sums.add(at)
            elif not own.is_told_by(values, fewest=2):
                whole.add(values)
                own.add(values)
                added |= {self._label(at)} - {""}
        return frozenset(sums)

    def _find_wide_totals(self) -> frozenset[int]:
        """The rows of the last group that begin over several columns, as no row of another does.

        Where each group has one, that is its own, and only what follows it is of all.
        """
        first = {at: self._rows[at][0].columns for at in self._said if at not in self._alone}
        usual = min(first.values(), default=0)
        runs = [(led, list(held)) for led, held in groupby(self._said, self._leading.__contains__)]
        wide = [
            [at for at in held if first.get(at, 0) > usual]
            for (is_led, _), (_, held) in pairwise(runs)
            if is_led
        ]
        are_of_groups = len(wide) > 1 and all(wide)
        return frozenset(wide[-1][are_of_groups:] if wide else ())

    def _find_ends(self) -> frozenset[int]:
        """The rows alone that may name those below, which are then of no group."""
        ends = {at for at, _ in self._said_again(self._leading)}
        label = ""
        for at in self._said:
            cell = self._alone.get(at)
            if cell is None:
                label = self._label(at)
            elif self._is_set_apart(cell) or (
                _is_small(cell.text) and self._count[cell.text] == 1 and not _is_small(label)
            ):
                ends.add(at)
        return frozenset(ends)

    def _said_again(self, first: Collection[int]) -> Iterator[tuple[int, str]]:
        """The labels below a row alone that stand above it too, in the group that one began."""
        above: set[str] = set()
        own: set[str] = set()
        last = -1
        for at in self._said:
            label = self._label(at)
            if at in self._alone:
                above, own, last = set() if at in first else above | own, set(), at
            elif label in above:
                yield last, label
            elif label:
                own.add(label)

    def _label(self, at: int) -> str:
        return next(iter(self._rows[at]), Cell("")).text

    def _alone_in(self, at: int) -> Cell | None:
        """What stands alone at the left; what is merged downwards is of the rows beside it."""
        held = [cell for cell in self._rows[at] if cell.text]
        if len(held) != 1 or len(self._read[at].cells) != 1 or held[0].rows != 1:
            return None
        last = _LAST_LED if held[0].is_bold and self._is_numbered else 0
        return held[0] if self._read[at].cells[0].column <= last else None

    def _is_over_all(self, cell: Cell) -> bool:
        return cell.columns >= self._width > 1

    def _is_set_apart(self, cell: Cell) -> bool:
        return cell.stands_out or self._is_over_all(cell)

    def _are_small(self, leads: Sequence[str]) -> bool:
        """Whether names are in small letters: all from the first row on, or several over like rows.

        Else such a one may be a value.
        """
        begins = bool(self._said) and self._said[0] in self._alone
        if begins and all(map(_is_small, self._count)):
            return len(set(filter(_is_small, leads))) > 1
        others = {at for at, cell in self._alone.items() if not _is_small(cell.text)}
        again = (label for _, label in self._said_again(others) if not _says_when(label))
        return sum(map(_is_small, self._count)) > 1 and any(again)

    def _find_marked(self) -> frozenset[int]:
        """The columns where a row's own value stands out beside plain ones, but in totals."""
        kept = set(self._said) - self._alone.keys() - self._find_totals()
        rows = [self._rows[at] for at in kept]
        mixed = [row for row in rows if not all(cell.stands_out for cell in row if cell.text)]
        return frozenset(
            column
            for column in range(_LAST_LED + 1)
            if any((cell := _cell_at(row, column)).text and cell.stands_out for row in mixed)
        )

    def _find_totals(self) -> set[int]:
        """Rows that begin bold, below one that does not, up to the next name or the end."""

        def begins_bold(at: int) -> bool | None:
            return None if at in self._alone else self._is_bold(at)

        runs = [(is_bold, list(held)) for is_bold, held in groupby(self._said, begins_bold)]
        kinds = [None, *(is_bold for is_bold, _ in runs), None]
        return {
            at
            for (is_bold, held), above, below in zip(runs, kinds, kinds[2:], strict=False)
            if is_bold and above is False and below is None
            for at in held
        }

    def _is_bold(self, at: int) -> bool:
        held = [cell for cell in self._rows[at] if cell.text]
        return len(held) > 1 and held[0].stands_out

    def _parts_all(self) -> bool:
        """Whether what stands alone names rows, which no style tells: all rows have such a name.

        Some have the same label, under two of them, or each has one that says the name, such as
        "Total Europe": else a value may be missing beside it.
        """
        first, last = (self._said[0], self._said[-1]) if self._said else (0, 0)
        if len(self._alone) < 2 or first not in self._alone or last in self._alone:
            return False
        if any(map(self._is_set_apart, self._alone.values())):
            return False
        if any(one in self._alone and other in self._alone for one, other in pairwise(self._said)):
            return False
        under: dict[str, int] = {}
        told: set[int] = set()
        group = first
        for at in self._said:
            group = at if at in self._alone else group
            label = self._label(at)
            if at != group and label and under.setdefault(label, group) != group:
                return True
            name = self._label(group).rstrip(" :")
            is_said = name and re.search(rf"\s{re.escape(name)}\b", label)
            told |= {group} if at != group and is_said else set()
        return told == self._alone.keys()

    def _find_leading(self) -> frozenset[int]:
        """The rows that name others, right above these or above the name of some of them."""
        leading: set[int] = set()
        begun = {self._sections[at]: at for at in reversed(self._said) if at not in self._alone}
        full, length = -1, 0
        for at in reversed(self._said):
            if at not in self._alone:
                full, length = at, len(self._read[at].text)
                continue
            length += len(self._alone[at].text) + len(": ")
            section = self._sections[at]
            is_near = full >= 0 and (
                section == self._sections[full] or begun.get(section, at) >= at
            )
            if is_near and length <= LONGEST_SENTENCE and self._names(at, full):
                leading.add(at)
            else:
                full = -1
        return frozenset(leading)

    def _names(self, at: int, below: int) -> bool:
        """Whether a row is the name of those from another one on."""
        cell = self._alone[at]
        if cell.is_header and cell.columns > 1 and len(self._rows[at]) == 1:
            return True
        if not _is_name(cell.text) or (_is_small(cell.text) and not self._has_small_names):
            return False
        column = self._read[at].cells[0].column
        first = _cell_at(self._rows[below], column)
        is_over_all = self._is_over_all(cell)
        is_label = first.stands_out or column in self._marked
        opening = self._alone.get(self._said[0])
        is_led = self._are_named or (opening is not None and opening.stands_out)
        is_apart = cell.stands_out and (is_over_all or (is_led and not is_label))
        begins = opening is not None and (at == self._said[0] or self._is_over_all(opening))
        is_break = opening is None and _says_when(first.text)
        return self._is_parted or (is_over_all and begins) or (is_apart and not is_break)

    def _is_text(self, at: int) -> bool:
        return not _is_name(self._alone[at].text)

    def _find_lines(self) -> frozenset[int]:
        """The rows of one cell below all others, if no row has one alone above them.

        What may be a label is one where there are no cells beside it.
        """
        last = list(takewhile(lambda at: at in self._alone, reversed(self._said)))
        above = self._said[: len(self._said) - len(last)]
        is_ragged = any(at in self._alone and at not in self._leading for at in above)
        is_sure = self._are_named and not is_ragged
        return frozenset(
            at
            for at in last
            if above
            and (
                self._is_over_all(self._alone[at])
                or (is_sure and (len(last) == len(self._rows[at]) == 1 or self._is_text(at)))
            )
        )


def _says_when(text: str) -> bool:
    """Whether a row begins with a time, a day or a month."""
    return text[:1].isdigit() or text.partition(" ")[0].casefold() in _TIMES - {""}


def _is_small(text: str) -> bool:
    """Whether it begins with a word in small letters, which "iPhone" is not."""
    return text.partition(" ")[0].islower()


def _is_name(text: str) -> bool:
    is_text = text.endswith(_ENDS_OF_TEXTS) or len(text.split()) > LONGEST_NAME
    return not is_text and may_name((text,)) and _NAME.match(text) is not None


def _cell_at(row: Sequence[Cell], column: int) -> Cell:
    """The one that stands there or before it."""
    end = 0
    for cell in row:
        end += cell.columns
        if end > column:
            return cell
    return Cell("")


_FEWEST_ADDED = 3
"""Rows, but by the last one: the sum of two may be a value by chance."""


class _Sums:
    """Of the values in each column of some rows."""

    def __init__(self) -> None:
        self.rows = 0
        self._by_column: Counter[int] = Counter()

    def add(self, values: Mapping[int, int]) -> None:
        self.rows += bool(values)
        self._by_column.update(values)

    def is_told_by(self, values: Mapping[int, int], fewest: int) -> bool:
        """Whether most values of a row are these sums, of so many rows at the least."""
        same = sum(self._by_column[column] == value for column, value in values.items())
        return self.rows >= fewest and 2 * same > len(values)


def _amount_in(text: str) -> int | None:
    """The digits of a number, which are in sums as in what they add; None for a text."""
    if not is_number(text):
        return None
    value = int("".join(_DIGITS.findall(text)))
    return -value if text.startswith(("(", "-", "\u2212")) else value
