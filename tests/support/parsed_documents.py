"""Reading a parsed document in tests."""

from retrieval.parsing.placed import INVISIBLE
from retrieval.types import Fragment, FragmentKind, ParsedDocument, Sentence


def texts(document: ParsedDocument) -> list[str]:
    return [sentence.text for sentence in sentences(document)]


def sentences(document: ParsedDocument) -> list[Sentence]:
    return [sentence for fragment in document.fragments for sentence in fragment.sentences]


def quotes(document: ParsedDocument) -> list[str]:
    return [document.source[s.char_start : s.char_end] for s in sentences(document)]


def kinds(document: ParsedDocument) -> list[tuple[FragmentKind, str]]:
    return [(fragment.kind, read(fragment)) for fragment in document.fragments]


def rows(document: ParsedDocument) -> list[str]:
    """What the rows of its tables read as."""
    found = (each for each in document.fragments if each.kind is FragmentKind.TABLE_ROW)
    return [sentence.text for fragment in found for sentence in fragment.sentences]


def read(fragment: Fragment) -> str:
    return " ".join(sentence.text for sentence in fragment.sentences)


def folded(text: str) -> str:
    """As people read it: without invisible characters, white space as single spaces."""
    return " ".join("".join(each for each in text if each not in INVISIBLE).split())


def assert_places_hold(document: ParsedDocument) -> None:
    """Every sentence is in range, in order, trimmed, and its lines agree with its offsets."""
    done = 0
    for sentence in sentences(document):
        assert done <= sentence.char_start < sentence.char_end <= len(document.source)
        done = sentence.char_end
        quote = document.source[sentence.char_start : sentence.char_end]
        assert sentence.text
        assert quote == quote.strip()
        line = document.source.count("\n", 0, sentence.char_start) + 1
        assert (sentence.line_start, sentence.line_end) == (line, line + quote.count("\n"))
