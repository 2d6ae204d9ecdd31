"""The program of the process that reads documents: `python -m`, started by `parser_pool`."""

import sys

from retrieval.errors import UnreadableDocument
from retrieval.limited import serve
from retrieval.parsing import parser_for
from retrieval.parsing.recognition import Recognition
from retrieval.types import ParsedDocument


def parsed(request: tuple[object, ...]) -> ParsedDocument:
    """What a file says: of its name, its content, and how pictures of pages are read."""
    file, content, languages, seconds = request
    recognition = Recognition(str(languages), int(str(seconds)))
    return parser_for(str(file), recognition)(content if isinstance(content, bytes) else b"")


if __name__ == "__main__":
    serve(parsed, UnreadableDocument, *map(int, sys.argv[1:]))
