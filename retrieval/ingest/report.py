"""What an ingest tells whoever started it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from retrieval.documents.holdings import KnownSource
from retrieval.ingest.sources import Problem
from retrieval.metadata.access import NOBODY, Audience


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What one ingest did; file names are relative to the ingested folder."""

    source: str = ""
    """The source's name."""
    root: str = field(default="", compare=False)
    """Its folder; empty where that was not given as a whole."""
    moved_from: str = ""
    """Where the source's folder stood at the last ingest, if elsewhere."""
    renamed: tuple[tuple[str, str], ...] = ()
    """The old and the new path of each file that was found again by its content."""
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    unchanged: int = 0
    passages: int = 0
    """Written in this run, into the index; also those of unchanged documents that it lacked."""
    problems: tuple[Problem, ...] = ()
    unread: tuple[Problem, ...] = ()
    """Documents of which some pages were not read, and why; the others were."""
    foreign: tuple[str, ...] = ()
    """New or changed documents that are not in English."""
    suspended: tuple[str, ...] = ()
    """Documents in folders that cannot be listed: kept, and not served until they can."""
    left_alone: tuple[str, ...] = ()
    """Files of kinds that are not read."""
    links: tuple[str, ...] = ()
    """Not followed: documents that they lead to are read in their own place."""
    gone: tuple[KnownSource, ...] = ()
    """Sources whose folders are no longer there, and whose documents are still served."""
    unused: tuple[str, ...] = ()
    """Entries of metadata files that hold for no file: most likely misspelt names, so that the
    documents which they were meant for may be open."""
    readers: Mapping[Audience, int] = field(default_factory=dict)
    """How many of the documents of the path that are served each audience may read."""
    alike: tuple[Problem, ...] = ()
    """Documents that have another's readers, or its time, as they are alike."""
    unsaid: bool = False
    """Whether nobody said who may read the source, so that its new documents are nobody's."""
    milliseconds: dict[str, float] = field(default_factory=dict)

    @property
    def is_clean(self) -> bool:
        """Whether nothing was kept out or waits for somebody to say who may read it."""
        is_said = not self.unsaid or not self.readers.get(NOBODY)
        return not self.problems and not self.unused and is_said and not self.is_empty

    @property
    def is_empty(self) -> bool:
        """Whether there was nothing to read, and nothing left either."""
        return not (self.readers or self.removed or self.suspended or self.problems)
