"""Documents to be cut, made of blocks of words."""

from datetime import UTC, datetime

from retrieval.parsing.placed import INVISIBLE
from retrieval.types import Document, Fragment, FragmentKind, Metadata, ParsedDocument, Sentence

DOCUMENT = Document("d", "d.md", "1", datetime.now(UTC), "Title", Metadata())
Block = tuple[str, tuple[str, ...], list[str]]
"""Its kind, the headings above it and its sentences."""
KINDS = {"p": FragmentKind.PARAGRAPH, "l": FragmentKind.LIST_ITEM, "r": FragmentKind.TABLE_ROW}


def parsed(*blocks: Block, pages: tuple[int, ...] = ()) -> ParsedDocument:
    source, fragments = "", []
    for number, (kind, section, texts) in enumerate(blocks):
        sentences = []
        for text in texts:
            start = len(source)
            source += text + "\n"
            page = pages[number] if pages else None
            line = source.count("\n")
            sentences.append(Sentence(text, start, start + len(text), line, line, page))
        fragments.append(Fragment(KINDS[kind], section, tuple(sentences)))
    return ParsedDocument("Title", source, tuple(fragments))


def words(count: int, word: str = "word") -> str:
    return " ".join([word] * count)


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
