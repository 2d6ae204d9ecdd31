"""A file that came with a question is cut as documents are, and put into no library and no index.

What it states of itself counts for nothing but its title: who may read it and what it is are said
by whoever keeps it, never by a file that anybody can write.
"""

from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock

from retrieval.errors import UnreadableDocument
from retrieval.ingest.chunking import cut
from retrieval.ingest.parser_pool import ParserWorker, ParsingLimits
from retrieval.ingest.reading import named_for_people, require_text, title_of
from retrieval.parsing import is_read, refused
from retrieval.parsing.recognition import OFF, Recognition
from retrieval.types import Document, Metadata, ParsedDocument, Passage

VERSION = "1"
MOST_PASSAGES = 500
"""Of a file, some 100 pages: each is embedded while somebody waits."""


@dataclass(frozen=True, slots=True)
class AttachmentReader:
    """Reads one file at a time, whoever asks, each in a process of its own."""

    limits: ParsingLimits
    recognition: Recognition = OFF
    _one: Lock = field(default_factory=Lock, init=False)

    def check_kind(self, name: str) -> None:
        """Raise `UnreadableDocument` where a file of this name is not read."""
        if why := refused(name):
            raise UnreadableDocument(why)
        if not is_read(name):
            raise UnreadableDocument("is of a kind that is not read")

    def __call__(
        self, name: str, content: bytes, document_id: str, metadata: Metadata, at: datetime
    ) -> list[Passage]:
        """Return its passages in reading order, at least one.

        `metadata` is what its keeper says of it; without a title it has its own. `at`: when it is
        read. Raise `UnreadableDocument` for whatever cannot be read, or is too long, and
        `ParserUnavailable` where no process can be started.
        """
        self.check_kind(name)
        with self._one, ParserWorker(self.limits, self.recognition) as worker:
            parsed = worker.parse(name, content)
        passages = passages_of(name, parsed, document_id, metadata, at)
        if len(passages) > MOST_PASSAGES:
            raise UnreadableDocument(f"is too long: it has more than {MOST_PASSAGES} paragraphs")
        return passages


def passages_of(
    name: str, parsed: ParsedDocument, document_id: str, metadata: Metadata, at: datetime
) -> list[Passage]:
    """Cut a file that is read by itself; at least one passage. Raise `UnreadableDocument`."""
    parsed = named_for_people(parsed)
    title = title_of(metadata, parsed, name)
    document = Document(document_id, name, VERSION, at, title, metadata)
    passages = cut(document, parsed)
    require_text(document, passages)
    if not passages:
        raise UnreadableDocument("has no text that can be read")
    return passages
