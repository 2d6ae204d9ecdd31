"""What one ingest has in hand: the documents of its source, and what it tells of them."""

from collections.abc import Callable
from dataclasses import replace

from retrieval.documents.holdings import Fingerprint
from retrieval.documents.port import Library
from retrieval.errors import RetrievalError, UnreadableDocument
from retrieval.ingest.likeness import Likeness
from retrieval.ingest.report import IngestReport
from retrieval.ingest.sources import Problem, Source
from retrieval.timing import Stages


class Undertaking:
    """Its steps share it, and leave in it what they did."""

    def __init__(self, source: Source, library: Library) -> None:
        self.source = source
        self.library = library
        self.held = library.holdings(source.name)
        self.likeness = Likeness()
        self.report = IngestReport(source.name, str(source.root))
        self.problems: list[Problem] = []
        self.failed: set[str] = set()
        self.in_vain: dict[str, Fingerprint] = {}
        """Files that were read, or not again, and could not be."""
        self.refused = {
            each.file: (each.fingerprint, each.reason)
            for each in library.kept_out()
            if each.source == source.name and each.fingerprint is not None
        }
        """What became of files that earlier ingests read in vain, and what these were like."""
        self.unread: list[Problem] = []
        self.left_alone: list[str] = []
        self.stages = Stages()

    def note(self, **changes: object) -> None:
        self.report = replace(self.report, **changes)  # type: ignore[arg-type]  # its own fields

    def alone(self, file: str, step: Callable[[], None]) -> None:
        """Take a step with one file; whatever goes wrong with it is that file's alone.

        A document that was seen and failed leaves at once: nobody knows what it says now, or
        who may read it.
        """
        try:
            step()
        except UnreadableDocument as error:
            self._fail(file, str(error))
        except OSError as error:
            self._fail(file, f"cannot be read: {error.strerror or error}")
        except RetrievalError:
            raise  # of library, index or model: no file's fault
        except Exception as error:
            self._fail(file, f"cannot be read ({type(error).__name__}: {error}); save it anew")

    def _fail(self, file: str, reason: str) -> None:
        self.failed.add(file)
        self.problems.append(Problem(file, reason))
        if held := self.held.get(file):
            self.library.remove([held.document.document_id])
            self.note(removed=(*self.report.removed, file))
