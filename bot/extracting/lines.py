"""Line by line of a document: what stands behind a label, and what is told in sentences."""

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import partial

from bot.answering.anchors import kept_out
from bot.answering.premises import without_reported
from bot.answering.surroundings import is_question
from bot.extracting.reading import LONGEST_LINE, without_first
from bot.extracting.schema import RATE, in_words
from retrieval.documents.holdings import Parsed
from retrieval.errors import BadMetadata
from retrieval.language.questions import begins_with_pronoun
from retrieval.language.sentences import sentence_spans
from retrieval.language.steering import sign_in
from retrieval.language.table_rows import cells_of
from retrieval.parsing.embedded_metadata import split_front_matter
from retrieval.types import Document, FragmentKind, Passage, Sentence


@dataclass(frozen=True, slots=True)
class ReadLine:
    """A line is told by sentences `first` to `last` of a passage, both inclusive."""

    passage: Passage
    first: int
    last: int
    text: str
    """What a value is read from."""
    label: str = ""
    """What stands before it; empty of a sentence."""
    items: tuple[str, ...] = ()
    """Of a list, under the line that is its label, or of a column of a table."""
    in_column: bool = False
    """Whether it is one cell of a column, which is told as a list as well."""
    line_at: tuple[int, int] | None = None
    """Which of how many lines of the source it is, from 0; None where lines are not told apart."""
    before: str = ""
    """The sentence that it leans on: "It is renewed each year."."""
    is_title: bool = False
    """Of the document, in its own place: a line that is labelled so says it better."""

    @property
    def read(self) -> str:
        return "\n".join(filter(None, (self.passage.heading, self.before, self.text)))

    @property
    def line(self) -> str:
        return f"{self.label}: {self.text}" if self.label else self.text


def lines_in(passages: Sequence[Passage]) -> Iterator[ReadLine]:
    """All that the passages tell, in order; a row by each of its cells."""
    for passage in passages:
        left_out = kept_out(passage)
        columns = list(_columns(passage, left_out))
        listed = {(at, each.label) for each in columns for at in range(each.first, each.last + 1)}
        for index, sentence in enumerate(passage.sentences):
            if index in left_out or is_question(sentence.text):
                continue
            cells = _cells(passage, index)
            if cells:
                yield from _row(passage, index, cells, listed)
                continue
            yield from _lines(passage, index)
            if sentence.text.endswith(":"):
                yield from _listed(passage, index, left_out)
        yield from columns


def with_sentence_before(lines: Sequence[ReadLine]) -> list[ReadLine]:
    """The sentences, each that leans on the one before it with that."""
    earlier = ["", *(each.text for each in lines)]
    return [
        replace(each, before=before) if number and _leans(each, lines[number - 1]) else each
        for number, (each, before) in enumerate(zip(lines, earlier, strict=False))
    ]


def _leans(line: ReadLine, on: ReadLine) -> bool:
    return line.passage is on.passage and begins_with_pronoun(line.text)


_Row = Sequence[tuple[str, str]]
"""Head and text of each cell."""


def _cells(passage: Passage, index: int) -> _Row:
    sentence = passage.sentences[index]
    if sentence.cells:
        return [(each.name, sentence.text[each.start : each.end]) for each in sentence.cells]
    return [(each.column, each.text) for each in cells_of(sentence.text)]


def _row(
    passage: Passage,
    index: int,
    cells: _Row,
    listed: Container[tuple[int, str]],
) -> Iterator[ReadLine]:
    """`listed`: which cells, by sentence and label, are of a column that is a list."""
    said = [(head, text.strip()) for head, text in cells if text.strip()]
    for head, text in said:
        if head:
            label = head.strip(" :")
            in_column = (index, label) in listed
            yield ReadLine(passage, index, index, text, label, in_column=in_column)
    if len(said) >= 2 and not _is_value(said[0][1]):
        (_, label), *_, (head, text) = said
        if len(said) == 2 or not any(other for other, _ in said) or _is_value(text):
            yield ReadLine(passage, index, index, text, label.strip(" :"))
    # A table of labels and values has no heads: its first row was taken for them.
    heads = [head for head, _ in said]
    if len(said) == 2 and all(heads) and not _is_value(heads[0]):
        yield ReadLine(passage, index, index, heads[1], heads[0].strip(" :"))


def _columns(passage: Passage, left_out: Container[int]) -> Iterator[ReadLine]:
    """Of several rows, unless a cell is itself a list; none where a row is not understood."""
    for table in filter(partial(_is_understood, passage), _tables(passage)):
        columns: dict[str, dict[int, str]] = {}
        for index, row in table.items():
            for head, text in row if index not in left_out else ():
                if text.strip():
                    columns.setdefault(head.strip(" :"), {})[index] = text.strip()
        for head, cells in columns.items():
            items = tuple(cells.values())
            said = "; ".join(items)
            if head and said.count(";") == len(items) - 1 > 0:
                yield ReadLine(passage, min(cells), max(cells), said, head, items)


def _tables(passage: Passage) -> Iterator[Mapping[int, _Row]]:
    """Rows that stand together and share a head, by their indexes."""
    table: dict[int, _Row] = {}
    for index in range(len(passage.sentences)):
        row = _cells(passage, index)
        heads = {head for each in table.values() for head, _ in each}
        if table and heads.isdisjoint(head for head, _ in row):
            yield table
            table = {}
        if row:
            table[index] = row
    yield table


def _is_understood(passage: Passage, table: Mapping[int, _Row]) -> bool:
    """Whether one row has the heads of all, each once, and no row beside them is without cells."""
    heads = [[head for head, _ in row if head] for row in table.values()]
    fullest = max(heads, key=len, default=[])
    beside = (at for at in (min(table, default=0) - 1, max(table, default=-1) + 1) if at >= 0)
    near = (each.text for at in beside for each in passage.sentences[at : at + 1])
    cut = tuple(f"{head}: " for head in fullest)
    known = all(len({*each}) == len(each) and {*each} <= {*fullest} for each in heads)
    return known and not any(text.startswith(cut) for text in near)


def _is_value(text: str) -> bool:
    plain = RATE.sub("", text)  # "VAT 20 %" is a label
    return any(each.isdigit() for each in plain) and len(plain.split()) < 4


_LABEL = re.compile(
    r"(?:^|(?<= ))(?P<label>[^\W\d_][\w.'’/()&-]*(?: [\w.'’/()&%-]+){0,4}): +(?=\S)"
)
_NEXT = re.compile(
    r" (?P<label>[A-Z][\w.'’/-]*(?: [a-z][\w.'’/-]*| No\.?| [A-Z]{2,}){0,3}): +(?=\S)"
)


def _lines(passage: Passage, index: int) -> Iterator[ReadLine]:
    lines = _source_lines(passage, index)
    for number, line in enumerate(lines):
        at = (number, len(lines)) if len(lines) > 1 else None
        led = _LABEL.match(line)
        if not led:
            yield from _sentences(passage, index, line)
            continue
        label, rest = led["label"], line[led.end() :]
        while following := _NEXT.search(rest):
            said = rest[: following.start()].strip()
            yield ReadLine(passage, index, index, said, label, line_at=at)
            label, rest = following["label"], rest[following.end() :]
        yield ReadLine(passage, index, index, rest.strip(), label, line_at=at)


def _source_lines(passage: Passage, index: int) -> list[str]:
    """The lines of the source, where they are no more than its lines; else the sentence."""
    text = passage.sentences[index].text
    lines = [" ".join(each.split()) for each in passage.quote(index, index).splitlines()]
    lines = [each for each in lines if each]
    labelled = sum(bool(_LABEL.match(each)) for each in lines)
    return lines if labelled and " ".join(lines) == text else [text]


def _sentences(passage: Passage, index: int, line: str) -> Iterator[ReadLine]:
    for start, end in sentence_spans(line):
        sentence = line[start:end]
        if is_question(sentence) or without_reported(sentence) != sentence:
            continue
        yield ReadLine(passage, index, index, sentence)
        if len(sentence) > LONGEST_LINE:
            continue
        for each in _PARTY.finditer(sentence):
            name = without_first(each["name"])
            yield ReadLine(passage, index, index, name, each["by"] or each["as"])


_PARTY = re.compile(
    r"(?<![\w'’&.-])(?P<name>[A-Z][\w'’&.-]*+"
    r"(?: (?:[A-Z&][\w'’&.-]*+|of|the|and(?= [A-Z][\w]* &)|eG))*+)"
    r"(?:,(?: of)? [A-Z][\w ]{1,30})?,? "
    r"(?:\((?:hereinafter|hereafter|also|called|referred to as|the|[ ,“”\"'‘’])*"
    r"(?P<by>[A-Z]?[a-z]+)[”\"'’]?\)"
    r"|as (?:the )?(?P<as>[a-z]+)(?=[,.;]| and\b))"
)
"""A contract names its parties so: "Fenwick Museum (the "Customer")"."""


def _listed(passage: Passage, lead: int, left_out: Container[int]) -> Iterator[ReadLine]:
    """The list under a line that ends in a colon, unless it goes on elsewhere."""
    items: list[str] = []
    last = lead
    for number in range(lead + 1, len(passage.sentences)):
        sentence = passage.sentences[number]
        if not sentence.in_list or sentence.list_goes_on or number in left_out:
            break
        items.append(sentence.text)
        last = number
    if items:
        label = passage.sentences[lead].text.strip(" :")
        yield ReadLine(passage, lead, last, "; ".join(items), label, tuple(items))


TITLE = "title"


def stated_lines(document: Document, parsed: Parsed) -> Iterator[ReadLine]:
    """Each key of the front matter that has a plain value, or some; else the title alone too.

    Nothing that is there to steer whoever reads it.
    """
    told = list(_front_matter(parsed.source))
    named = len(told)
    if all(label != TITLE for _, label, _ in told):
        told += [(each, TITLE, (each.text,)) for each in _title(document, parsed)]
    for number, (sentence, label, values) in enumerate(told):
        if not any(map(sign_in, (sentence.text, *values))):
            passage = _passage(document, parsed, number, sentence)
            items = values if len(values) > 1 else ()
            text, is_title = "; ".join(values), number >= named
            yield ReadLine(passage, 0, 0, text, label, items, is_title=is_title)


def _front_matter(source: str) -> Iterator[tuple[Sentence, str, tuple[str, ...]]]:
    """Lines with label and values; none where it is not understood: it was read as text then."""
    try:
        stated, end = split_front_matter(source)
    except BadMetadata:
        return
    for key, value in stated.items():
        line = rf"^[\"']?{re.escape(key)}[\"']?[ \t]*[:=].*(?:\n(?:[ \t]+|- )\S.*)*"
        found = re.search(line, source[:end], re.M)
        values = tuple(filter(None, _plain(value, found[0]))) if found else ()
        if found and values:
            label = in_words(key)
            text = f"{label}: {'; '.join(values)}"
            yield _sentence(source, text, *found.span()), label, values


def _plain(value: object, line: str) -> Iterator[str]:
    """A text, number or day, or a list of such; nothing of what holds more."""
    each_of = value if isinstance(value, list) else [value]
    if not all(isinstance(each, str | int | float | date) for each in each_of):
        return
    written = re.fullmatch(r"[^:=]+[:=]\s*([\d.,_+-]+)\s*(?:#.*)?", line)
    if written:  # a version 1.10 is no 1.1
        yield written[1]
        return
    for each in each_of:
        if isinstance(each, bool):
            yield "yes" if each else "no"
        elif isinstance(each, datetime):
            yield each.date().isoformat()
        else:
            yield " ".join(str(each).split())


def _title(document: Document, parsed: Parsed) -> Iterator[Sentence]:
    """Where its title stands above its text, as far as that is told; once at most."""
    headings = [each.sentence for each in parsed.headings if not each.section_path]
    left_out = (each for each in parsed.left_out if each.kind is FragmentKind.HEADING)
    headings += [sentence for each in left_out for sentence in each.sentences]
    yield from (each for each in headings[:1] if each.text.strip())
    begins = min((each.sentences[0].char_start for each in parsed.fragments), default=0)
    at = parsed.source.find(document.title, 0, begins)
    if not headings and at >= 0:
        yield _sentence(parsed.source, document.title, at, at + len(document.title))


def _sentence(source: str, text: str, start: int, end: int) -> Sentence:
    first = source.count("\n", 0, start) + 1
    return Sentence(text, start, end, first, first + source.count("\n", start, end))


def _passage(document: Document, parsed: Parsed, number: int, sentence: Sentence) -> Passage:
    quote = parsed.source[sentence.char_start : sentence.char_end]
    name = f"{document.document_id}:stated:{number}"
    return Passage(name, document, 0, (), (sentence,), quote)
