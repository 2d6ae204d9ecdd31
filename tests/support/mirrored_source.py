"""Somebody has a source that lives elsewhere read in, again and again."""

from collections.abc import Callable
from pathlib import Path

from ingests import ingest_into

from retrieval.ingest.report import IngestReport
from retrieval.metadata.access import EVERYBODY, Audience
from retrieval.ports import DocumentSource
from retrieval.remote.mirror import Mirror


class SourceReader:
    def __init__(
        self,
        home: Path,
        url: str,
        opened: Callable[[], DocumentSource],
        called: Callable[[str], str] = str,
    ) -> None:
        """`opened`: the source, each time anew; `called`: how a path is called there."""
        self.ingest = ingest_into(home / "home")
        self.mirror = Mirror(home / "mirror", url, largest_megabytes=1, pause=0)
        self._opened, self._called = opened, called

    def read(self, said: Audience = EVERYBODY, *, may_shrink: bool = False) -> IngestReport:
        with self.mirror.turn():
            known = self.ingest.indexed.library.holdings("hr")
            mirrored = self.mirror.refresh(self._opened(), known, may_shrink=may_shrink)
            return self.ingest.run(self.mirror.files, said, named="hr", mirrored=mirrored)

    def served_then(self, said: Audience = EVERYBODY) -> dict[str, Audience]:
        """By path, whom it is served to once it was read in again."""
        self.read(said)
        return self.served

    @property
    def served(self) -> dict[str, Audience]:
        passages = self.ingest.indexed.library.all_passages()
        audiences = ((p.document.file, p.document.metadata.access.audience) for p in passages)
        return {self._called(file): audience for file, audience in audiences}

    @property
    def copied(self) -> str:
        files = (path for path in self.mirror.files.rglob("*") if path.is_file())
        return "".join(path.read_text() for path in files)
