"""What a document's file states of itself: its front matter line by line, and its title.

No passage holds it, so it is read from the version's text, and cited there like any other line.
"""

import re
from collections.abc import Iterator
from datetime import date, datetime

from bot.extracting.lines import ReadLine
from bot.extracting.schema import in_words
from retrieval.documents.holdings import Parsed
from retrieval.errors import BadMetadata
from retrieval.language.steering import sign_in
from retrieval.parsing.embedded_metadata import split_front_matter
from retrieval.types import Document, FragmentKind, Passage, Sentence

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
