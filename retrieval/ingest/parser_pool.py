"""Files are read in processes of their own, which may take only so much memory and time.

A parser meets whatever people put in a folder, and its libraries are not ours to mend: one file may
crash them, fill the memory, or keep them busy for ever. Here it costs that file.
"""

import sys
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue

from retrieval.errors import EndedFromOutside, ParserUnavailable, UnreadableDocument
from retrieval.ingest.limited import LOST, OUT_OF_MEMORY, REFUSED, Child, Limits, NotStarted, serve
from retrieval.parsing import may_be_pictures, parser_for
from retrieval.parsing.recognition import OFF, Recognition, missing
from retrieval.types import ParsedDocument


@dataclass(frozen=True, slots=True)
class ParsingLimits(Limits):
    """What reading one file may take."""

    megabytes: int = 1024
    processor_seconds: int = 120
    seconds: int = 300


class ParserWorker:
    """Reads one file after another in a child process; a context manager, for one thread.

    The child is started at the first file, and again after it was lost. It inherits no open
    file, so that it never holds the ingest lock, and ends with this process.
    """

    def __init__(
        self, limits: ParsingLimits = ParsingLimits(), recognition: Recognition = OFF
    ) -> None:
        self._limits = limits
        self.recognition = recognition
        self._child: Child | None = None

    def __enter__(self) -> "ParserWorker":
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    @property
    def pid(self) -> int | None:
        """Of the child; None while there is none."""
        return self._child.process.pid if self._child else None

    def parse(self, file: str, content: bytes, *, main_text_only: bool = False) -> ParsedDocument:
        """Read a file by the kind that its name tells; `main_text_only` as `SourceFile` has it.

        Raise `UnreadableDocument` for whatever goes wrong with it, `ParserUnavailable` where
        no process can be started.
        """
        child = self._child = self._child or self._started()
        pictures = self.recognition if may_be_pictures(file) else OFF
        more = pictures.seconds if pictures.is_on else 0
        try:
            kind, said, is_full = child.ask(
                file,
                content,
                pictures.languages,
                pictures.seconds,
                main_text_only,
                more_seconds=more,
            )
        except LOST as error:
            self._end()
            was_killed = child.was_killed and not child.was_too_slow
            refusal = EndedFromOutside if was_killed else UnreadableDocument
            raise refusal(self._how_it_was_lost(child, more)) from error
        if is_full or child.was_too_slow:
            self._end()
        if isinstance(said, ParsedDocument):
            return said
        raise UnreadableDocument(self._why(kind, str(said)))

    def _started(self) -> Child:
        try:
            return Child(__name__, self._limits)
        except NotStarted as error:
            raise ParserUnavailable(
                f"The process that reads documents does not start ({error}). If "
                "VOUCH_PARSING_MEGABYTES is low, raise it; else free memory and try again."
            ) from error

    def _end(self) -> None:
        child, self._child = self._child, None
        if child:
            child.end()

    def _why(self, kind: str, said: str) -> str:
        if kind == REFUSED:
            return said
        if kind == OUT_OF_MEMORY:
            return (
                f"takes more than {self._limits.megabytes} MB of memory to read; split it, or "
                "raise VOUCH_PARSING_MEGABYTES"
            )
        return (
            f"is damaged, or unlike what its parser knows ({said}); open it in its program, save "
            "it again or in another format, and add that"
        )

    def _how_it_was_lost(self, child: Child, more: int) -> str:
        limits = self._limits
        if child.was_too_slow:
            return (
                f"takes more than {limits.seconds + more} seconds to read; split it, or raise "
                "VOUCH_PARSING_SECONDS"
            )
        if child.spent_its_time:
            return (
                f"takes more than {limits.processor_seconds} seconds of processor time to read; "
                "split it, or raise VOUCH_PARSING_PROCESSOR_SECONDS"
            )
        return (
            f"ended the process that read it ({child.status_in_words}); open it in its program "
            "and save it again, or split it; if it only is large, raise VOUCH_PARSING_MEGABYTES"
        )


_LIMITS = ParsingLimits()


class ParserPool:
    """So many workers, each with a thread of this process that waits for its own.

    A context manager: its processes start when they are first needed, and end with it.
    """

    def __init__(
        self,
        workers: int = 1,
        limits: ParsingLimits = _LIMITS,
        recognition: Recognition = OFF,
    ) -> None:
        self.workers = workers
        self.recognition = recognition
        self._limits = limits
        self._ending = threading.Event()
        self._threads: ThreadPoolExecutor | None = None
        self._all: list[ParserWorker] = []
        self._idle: SimpleQueue[ParserWorker] = SimpleQueue()

    def __enter__(self) -> "ParserPool":
        """Raise `ParserUnavailable` where text recognition is required, and cannot be had."""
        if self.recognition.is_required and (why := missing(self.recognition)):
            raise ParserUnavailable(f"{why}. Or leave VOUCH_OCR=required out.")
        self._ending.clear()
        self._threads = ThreadPoolExecutor(self.workers, thread_name_prefix="parsing")
        self._all = [ParserWorker(self._limits, self.recognition) for _ in range(self.workers)]
        self._idle = SimpleQueue()
        for worker in self._all:
            self._idle.put(worker)
        return self

    def __exit__(self, *_: object) -> None:
        """At once, whatever is still being read."""
        self._ending.set()
        if self._threads:
            self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in self._all:
            worker.__exit__()
        if self._threads:
            self._threads.shutdown()
        self._threads = None

    def of(self, workers: int) -> "ParserPool":
        """Another one, with the same limits."""
        return ParserPool(workers, self._limits, self.recognition)

    @property
    def bounds(self) -> str:
        """What a refusal may be due to beside the file: with others it is tried again."""
        limits = self._limits
        return f"{limits.megabytes} {limits.processor_seconds} {limits.seconds}"

    @property
    def pids(self) -> list[int]:
        return [worker.pid for worker in self._all if worker.pid is not None]

    def submit(
        self, file: str, content: bytes, *, main_text_only: bool = False
    ) -> "Future[ParsedDocument]":
        """Between enter and exit; the result raises as `ParserWorker.parse`."""
        assert self._threads is not None  # noqa: S101  # it was entered
        return self._threads.submit(self._parse, file, content, main_text_only)

    def parse(self, file: str, content: bytes) -> ParsedDocument:
        """Read a file and wait for it, as `ParserWorker.parse`."""
        return self.submit(file, content).result()

    def _parse(self, file: str, content: bytes, main_text_only: bool) -> ParsedDocument:
        worker = self._idle.get()
        try:
            if self._ending.is_set():
                raise ParserUnavailable("The reading of documents was ended.")
            return worker.parse(file, content, main_text_only=main_text_only)
        finally:
            self._idle.put(worker)


def _parsed(request: tuple[object, ...]) -> ParsedDocument:
    """What a file says: of its name, its content, how pictures of pages are read, and how much."""
    file, content, languages, seconds, main_text_only = request
    recognition = Recognition(str(languages), int(str(seconds)))
    page = content if isinstance(content, bytes) else b""
    parsed = parser_for(str(file), recognition)(page)
    if not main_text_only:
        return parsed
    from retrieval.parsing.html import without_surroundings

    return without_surroundings(parsed)


if __name__ == "__main__":  # in the child, by `Child`
    serve(_parsed, UnreadableDocument, *map(int, sys.argv[1:]))
