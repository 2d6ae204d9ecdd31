"""A document is looked at line by line: what stands behind a label, and what is told in sentences.

Forms say "Label: value", in a line, in a row of two cells, or under a column's head. What is there
to steer whatever reads documents is neither, nor is what a sentence only wants to be said.
"""

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace

from bot.answering.anchors import kept_out
from bot.answering.premises import without_reported
from bot.answering.surroundings import is_question
from bot.extracting.labels import RATE
from bot.extracting.reading import LONGEST_LINE, without_first
from retrieval.language.questions import begins_with_pronoun
from retrieval.language.sentences import sentence_spans
from retrieval.language.table_rows import cells_of
from retrieval.types import Passage


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
    """Of a list, under the line that is its label."""
    line_at: tuple[int, int] | None = None
    """Which of how many lines of the source it is, from 0; None where lines are not told apart."""
    before: str = ""
    """The sentence that it leans on: "It is renewed each year."."""
    is_title: bool = False
    """Of the document, in its own place: a line that is labelled so says it better."""

    @property
    def read(self) -> str:
        """As a model reads it, a sentence with what is needed to understand it."""
        return "\n".join(filter(None, (self.passage.heading, self.before, self.text)))

    @property
    def line(self) -> str:
        """As it is quoted to a model, and claimed."""
        return f"{self.label}: {self.text}" if self.label else self.text


def lines_in(passages: Sequence[Passage]) -> Iterator[ReadLine]:
    """All that the passages tell, in order; a row by each of its cells."""
    for passage in passages:
        left_out = kept_out(passage)
        for index, sentence in enumerate(passage.sentences):
            if index in left_out or is_question(sentence.text):
                continue
            cells = _cells(passage, index)
            if cells:
                yield from _row(passage, index, cells)
                continue
            yield from _lines(passage, index)
            if sentence.text.endswith(":"):
                yield from _listed(passage, index, left_out)


def with_sentence_before(lines: Sequence[ReadLine]) -> list[ReadLine]:
    """The sentences, each that leans on the one before it with that."""
    earlier = ["", *(each.text for each in lines)]
    return [
        replace(each, before=before) if number and _leans(each, lines[number - 1]) else each
        for number, (each, before) in enumerate(zip(lines, earlier, strict=False))
    ]


def _leans(line: ReadLine, on: ReadLine) -> bool:
    return line.passage is on.passage and begins_with_pronoun(line.text)


def _cells(passage: Passage, index: int) -> list[tuple[str, str]]:
    """Head and text of each cell of a row."""
    sentence = passage.sentences[index]
    if sentence.cells:
        return [(each.name, sentence.text[each.start : each.end]) for each in sentence.cells]
    return [(each.column, each.text) for each in cells_of(sentence.text)]


def _row(passage: Passage, index: int, cells: Sequence[tuple[str, str]]) -> Iterator[ReadLine]:
    """Under each head, and behind what the row is about."""
    said = [(head, text.strip()) for head, text in cells if text.strip()]
    for head, text in said:
        if head:
            yield ReadLine(passage, index, index, text, head.strip(" :"))
    if len(said) >= 2 and not _is_value(said[0][1]):
        (_, label), *_, (head, text) = said
        if len(said) == 2 or not any(other for other, _ in said) or _is_value(text):
            yield ReadLine(passage, index, index, text, label.strip(" :"))
    # A table of labels and values has no heads: its first row was taken for them.
    heads = [head for head, _ in said]
    if len(said) == 2 and all(heads) and not _is_value(heads[0]):
        yield ReadLine(passage, index, index, heads[1], heads[0].strip(" :"))


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
