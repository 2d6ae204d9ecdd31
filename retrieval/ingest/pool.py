"""Several processes that read documents, at once."""

import threading
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue

from retrieval.errors import ParserUnavailable
from retrieval.ingest.worker import ParserWorker, ParsingLimits
from retrieval.parsing.recognition import OFF, Recognition, missing
from retrieval.types import ParsedDocument

_LIMITS = ParsingLimits()


class ParserPool:
    """So many workers, each with a thread of this process that waits for its own.

    A context manager: its processes start when they are first needed, and end with it. PDFium is
    not thread-safe, and what parses in Python holds the interpreter: so it is processes that read,
    and the limits are each one's own.
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
        """Of the processes that there are."""
        return [worker.pid for worker in self._all if worker.pid is not None]

    def submit(self, file: str, content: bytes) -> "Future[ParsedDocument]":
        """Have a file read as soon as a process is free; the result raises as `ParserWorker.parse`.

        Only between enter and exit.
        """
        assert self._threads is not None  # noqa: S101  # it was entered
        return self._threads.submit(self._parse, file, content)

    def parse(self, file: str, content: bytes) -> ParsedDocument:
        """Read a file and wait for it, as `ParserWorker.parse`."""
        return self.submit(file, content).result()

    def _parse(self, file: str, content: bytes) -> ParsedDocument:
        worker = self._idle.get()
        try:
            if self._ending.is_set():
                raise ParserUnavailable("The reading of documents was ended.")
            return worker.parse(file, content)
        finally:
            self._idle.put(worker)
