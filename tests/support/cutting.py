"""Documents to be cut, made of blocks of words."""

from datetime import UTC, datetime

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
