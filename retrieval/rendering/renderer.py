"""Pages of PDFs and lines of texts as pictures, drawn in a process with limits.

PDFium is not thread-safe and meets whatever people put in a folder: one page may crash it, fill
the memory or keep it busy for ever. Here it costs that picture.
"""

import hashlib
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from threading import BoundedSemaphore, Lock

from cachetools import LRUCache, TTLCache

from retrieval.documents.cells import range_of, table_and_row
from retrieval.documents.port import LibraryReader
from retrieval.errors import NoPicture, NoSuchPage
from retrieval.ingest.limited import LOST, OUT_OF_MEMORY, REFUSED, Child, Limits, NotStarted
from retrieval.rendering import drawing
from retrieval.rendering.drawing import DrawnLine, DrawnPicture
from retrieval.types import Box, Passage, Sentence

LASTING_SECONDS = 3_600.0
"""Where it is the page's own doing."""
PASSING_SECONDS = 60.0
"""Where it may be that of a busy machine, or of who takes all memory."""
MOST = 1_000
"""Of each kind; those that were kept first are forgotten first."""


CONTEXT_LINES = 3
"""Above and below what is cited."""
CACHE_BYTES = 32 * 1024 * 1024
MOST_WAITING = 16
"""Pictures that wait for their turn. Each keeps a thread waiting, of which a server has 40: others
can still be read meanwhile."""
_Wanted = tuple[object, ...]
"""What a picture is kept by: all that it is drawn from, of a document its hash. What could not be
drawn is kept by the same without what is marked: that is not what takes the time."""


@dataclass(frozen=True, slots=True)
class RenderingLimits(Limits):
    """What drawing one page may take."""

    megabytes: int = 768
    processor_seconds: int = 20
    seconds: int = 30


class PageRenderer:
    """Draws one page after another for as many threads as ask; a context manager.

    Its process is started by a thread that lives as long, for a child ends with the one it is of.
    """

    def __init__(
        self,
        limits: RenderingLimits = RenderingLimits(),
        cache_bytes: int = CACHE_BYTES,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._limits = limits
        self._child: Child | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="pages")
        self._cache: LRUCache[_Wanted, DrawnPicture] = LRUCache(
            cache_bytes, lambda each: len(each.png)
        )
        self._lasting: TTLCache[_Wanted, str] = TTLCache(MOST, LASTING_SECONDS, clock)
        """Why what is asked for again and again cannot be drawn: it is not tried for a while."""
        self._passing: TTLCache[_Wanted, str] = TTLCache(MOST, PASSING_SECONDS, clock)
        self._lock = Lock()
        """Of what is kept."""
        self._waiting = BoundedSemaphore(MOST_WAITING)

    def __enter__(self) -> "PageRenderer":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process; nothing can be drawn any more."""
        self._thread.submit(self._end)
        self._thread.shutdown()

    @property
    def pid(self) -> int | None:
        """Of the child; None while there is none."""
        return self._child.process.pid if self._child else None

    def page(self, content: bytes, number: int, boxes: Sequence[Box] = ()) -> DrawnPicture:
        """A page, from 1, its boxes highlighted. Raise `NoSuchPage`, or another `NoPicture`."""
        return self._page(content, number, tuple(boxes), None)

    def around(
        self, content: bytes, number: int, boxes: Sequence[Box], lines: int = CONTEXT_LINES
    ) -> DrawnPicture:
        """The part around the boxes, as wide as their column; the page where none is on it."""
        return self._page(content, number, tuple(boxes), lines)

    def lines(self, lines: Sequence[DrawnLine]) -> DrawnPicture:
        """Lines, those that are cited highlighted. Raise `NoPicture`."""
        drawn = tuple((line.label, line.text, line.is_cited) for line in lines)
        return self._picture(drawn, drawn, drawn)

    def _page(
        self, content: bytes, number: int, boxes: tuple[Box, ...], context: int | None
    ) -> DrawnPicture:
        page = hashlib.sha256(content).hexdigest(), number, context
        return self._picture((*page, boxes), page, content, number, boxes, context)

    def _picture(self, wanted: _Wanted, tried: _Wanted, *request: object) -> DrawnPicture:
        if known := self._known(wanted, tried):
            return known
        if not self._waiting.acquire(blocking=False):
            raise NoPicture("Too many pictures wait to be drawn.")
        try:
            return self._thread.submit(self._drawn_once, wanted, tried, *request).result()
        finally:
            self._waiting.release()

    def _known(self, wanted: _Wanted, tried: _Wanted) -> DrawnPicture | None:
        """Raise `NoPicture` where it was tried in vain not long ago."""
        with self._lock:
            known = self._cache.get(wanted)
            why = self._lasting.get(tried) or self._passing.get(tried)
        if known is None and why:
            raise NoPicture(why)
        return known

    def _drawn_once(self, wanted: _Wanted, tried: _Wanted, *request: object) -> DrawnPicture:
        """The one that whoever waited before asked for too, else a new one."""
        if known := self._known(wanted, tried):
            return known
        drawn = self._drawn(tried, *request)
        with self._lock, suppress(ValueError):  # larger than all of the cache
            self._cache[wanted] = drawn
        return drawn

    def _drawn(self, tried: _Wanted, *request: object) -> DrawnPicture:
        child = self._child = self._child or self._started()
        try:
            kind, made, is_full = child.ask(*request)
        except LOST as error:
            self._end()
            how = self._how_it_was_lost(child)
            was_killed = child.process.returncode == -signal.SIGKILL  # by the clock, or by others
            with self._lock:
                (self._passing if was_killed else self._lasting)[tried] = how
            raise NoPicture(how) from error
        if is_full or child.was_too_slow:
            self._end()
        match made:
            case (bytes(png), int(width), int(height), float(scale), float(left), float(top)):
                return DrawnPicture(png, width, height, scale, left, top)
            case int(count):
                raise NoSuchPage(f"There is no page {request[1]}: the document has {count}.")
        if kind not in (REFUSED, OUT_OF_MEMORY):
            raise NoPicture(f"The page cannot be drawn ({made}).")
        too_much = f"The page takes more than {self._limits.megabytes} MB of memory to draw."
        why = str(made) if kind == REFUSED else too_much
        with self._lock:
            self._lasting[tried] = why
        raise NoPicture(why)

    def _started(self) -> Child:
        try:
            return Child(drawing.__name__, self._limits)
        except NotStarted as error:
            raise NoPicture(f"The process that draws pages does not start ({error}).") from error

    def _end(self) -> None:
        child, self._child = self._child, None
        if child:
            child.end()

    def _how_it_was_lost(self, child: Child) -> str:
        if child.was_too_slow or child.spent_its_time:
            return "The page takes too long to draw."
        return f"The page ended the process that drew it ({child.status_in_words})."


CONTEXT_SENTENCES = 1
"""Before and after what is cited."""


@dataclass(frozen=True, slots=True)
class CitedWords:
    """What a citation says of its place, as an audit record keeps it."""

    document_id: str
    version: str
    passage_id: str
    file: str
    quote: str
    """As it stands in the source."""
    boxes: tuple[Box, ...] = ()


@dataclass(frozen=True, slots=True)
class CitedPictures:
    """Draws from the library alone. Whether somebody may see a picture is the caller's to know."""

    library: LibraryReader
    renderer: PageRenderer

    def picture(self, cited: CitedWords) -> DrawnPicture:
        """What is cited, highlighted, with what stands around it.

        Of a place on two pages, the first of them. Raise `NoPicture` where what was cited is
        not kept any more, or cannot be drawn; `LibraryUnavailable`.
        """
        if cited.boxes and cited.file.lower().endswith(".pdf"):
            content = self.library.original(cited.document_id, cited.version)
            if content is None:
                raise NoPicture("The file is not kept.")
            return self.renderer.around(content, cited.boxes[0].page, cited.boxes)
        return self.renderer.lines(self._lines(cited))

    def _lines(self, cited: CitedWords) -> list[DrawnLine]:
        key = cited.document_id, cited.version, cited.passage_id
        passage = self.library.passages_at([key]).get(cited.passage_id)
        if passage is None:
            raise NoPicture("The passage is not kept.")
        start, end = _stretch(passage, cited.quote)
        parsed = self.library.parsed(cited.document_id, cited.version)
        sentences = (
            [sentence for fragment in parsed.fragments for sentence in fragment.sentences]
            if parsed
            else passage.sentences
        )
        return list(_around(sentences, start, end))


def _stretch(passage: Passage, quote: str) -> tuple[int, int]:
    """Where the quoted sentences begin and end in the source. Raise `NoPicture`."""
    count = len(passage.sentences)
    for first in range(count):
        for last in range(first, count):
            if passage.quote(first, last) == quote:
                return passage.sentences[first].char_start, passage.sentences[last].char_end
    raise NoPicture("The quote does not stand in the passage.")


def _around(sentences: Sequence[Sentence], start: int, end: int) -> Iterator[DrawnLine]:
    cited = [
        at for at, each in enumerate(sentences) if each.char_start < end and each.char_end > start
    ]
    if not cited:
        raise NoPicture("The sentences are not kept.")
    first = max(0, cited[0] - CONTEXT_SENTENCES)
    shown = range(first, min(len(sentences), cited[-1] + 1 + CONTEXT_SENTENCES))
    above = ""
    for at in shown:
        label = _label(sentences[at])
        yield DrawnLine("" if label == above else label, sentences[at].text, at in cited)
        above = label


def _label(sentence: Sentence) -> str:
    """Its line, or those that it spans; in a sheet its cells, else its paragraph or row."""
    cells = range_of(cell.reference for cell in sentence.cells if cell.reference)
    if cells:
        return cells
    first, last = sentence.line_start, sentence.line_end
    if first is not None:
        return str(first) if last in (None, first) else f"{first}–{last}"
    _, row = table_and_row(sentence.page_label)
    return row or ("" if sentence.paragraph is None else f"¶ {sentence.paragraph}")
