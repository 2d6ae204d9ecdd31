"""What changed or is new is read, cut into passages and stored.

Files are looked at some ahead of their turn, so that every process that parses has work. Results,
reports and versions come in the order of the files all the same, however long each takes.
"""

import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from html import unescape
from pathlib import Path
from threading import Lock

from retrieval.documents.holdings import UNKNOWN, Acquisition, Fingerprint, Holding, Parsed
from retrieval.errors import (
    BadMetadata,
    EndedFromOutside,
    IsDraft,
    NobodyByLikeness,
    NotYetPublished,
    UnreadableDocument,
    shortened,
)
from retrieval.ingest.chunking import Chunking, cut
from retrieval.ingest.indexed_library import (
    PASSAGES_AT_ONCE,
    IndexedLibrary,
    ProgressReport,
)
from retrieval.ingest.near_duplicates import is_by_likeness, sketch_of
from retrieval.ingest.parser_pool import ParserPool, ParserWorker, ParsingLimits
from retrieval.ingest.source_files import MEGABYTE, IngestState, SourceFiles
from retrieval.ingest.sources import Problem
from retrieval.language.sentences import written_in_english
from retrieval.language.steering import sign_in
from retrieval.metadata.access import Audience
from retrieval.parsing import is_read, refused, suffixes
from retrieval.parsing.embedded_metadata import as_shown
from retrieval.parsing.limits import LONGEST_HEADING
from retrieval.parsing.recognition import OFF, Recognition, unread_in_words
from retrieval.types import Document, FragmentKind, Metadata, ParsedDocument, Passage

FILES_AHEAD = 2
"""For each process that parses: one is being read, the next one lies ready."""
MOST_AHEAD = 1_000
"""Files that are only looked at."""
LANGUAGE_BY = 20
"""Passages of a document that tell its language."""


@dataclass(frozen=True, slots=True)
class Begun:
    """A file's reading was begun, and waits for its turn."""

    finish: Callable[[], None]
    """Waits for the parser where there is one; raises what went wrong."""
    size: int = 0
    """Of what is parsed, in bytes; 0 where nothing is."""


def looked_ahead(
    files: Sequence[str], begin: Callable[[str], Begun], workers: int, most_bytes: int
) -> Iterator[tuple[str, Begun]]:
    """Yield each file in order, as soon as the next ones are parsed; what waits is bounded."""
    waiting: deque[tuple[str, Begun]] = deque()
    for file in files:
        waiting.append((file, begin(file)))
        while _is_enough([each for _, each in waiting], workers, most_bytes):
            yield waiting.popleft()
    yield from waiting


def _is_enough(waiting: Sequence[Begun], workers: int, most_bytes: int) -> bool:
    parsed = [each.size for each in waiting if each.size]
    return (
        len(parsed) > FILES_AHEAD * workers or sum(parsed) > most_bytes or len(waiting) > MOST_AHEAD
    )


BYTES_AT_ONCE = 64 * MEGABYTE
"""Of files, held in memory until they are written."""


def _raise(error: Exception) -> None:
    raise error


class Reading:
    """Of one source's files, in their order, however many are parsed at once."""

    def __init__(
        self,
        work: IngestState,
        files: SourceFiles,
        indexed: IndexedLibrary,
        parsing: ParserPool,
        chunking: Chunking,
    ) -> None:
        self._work = work
        self._files = files
        self._indexed = indexed
        self._parsing = parsing
        self._chunking = chunking
        self._waiting: list[Acquisition] = []
        self._refused: dict[str, str] = {}
        """Sketches of what may restrict and is not understood."""
        self._to_serve: list[str] = []
        """Documents that are suspended until all are compared."""

    def read(self, progress: ProgressReport) -> None:
        """Read what changed, then what is new, and again what that bears on.

        Copies come last: what they are copies of may have moved, and is to be known by then.
        Nothing is opened before the end: the last document may be what another is a copy of.
        """
        held, listing = self._work.held, self._files.listing
        standing, likeness = set(listing.files), self._work.likeness
        there = {file: each for file, each in held.items() if file in standing}
        unseen = [each for file, each in held.items() if listing.hides(file)]
        likeness.hold([*there.values(), *unseen], standing)
        for file, (tried, _) in self._work.refused.items():
            if file in standing and file not in held:
                likeness.refuse(file, tried.sketch)
        copies = {file for file, each in there.items() if is_by_likeness(each.document.metadata)}
        order = sorted(self._files.covered, key=lambda file: (file in copies, file not in held))
        self._read(order, progress)
        library, again = self._work.library, set[str]()
        while late := set(likeness.late(self._files.metadata.audience)) - again:
            again |= late
            held.update(library.holdings(self._work.source.name))
            ids = [held[file].document.document_id for file in late if file in held]
            library.suspend(ids)
            library.doubt(ids)
            held.update(library.holdings(self._work.source.name))
            self._read([file for file in self._files.covered if file in late], progress)
        library.suspend(self._to_serve, False)

    def _read(self, files: Sequence[str], progress: ProgressReport) -> None:
        ahead = looked_ahead(files, self._begun, self._parsing.workers, BYTES_AT_ONCE)
        for done, (file, read) in enumerate(ahead):
            progress(done, len(files), file)
            self._work.alone(file, read.finish)
            if self._is_enough():
                self._flush()
        self._flush()

    def _begun(self, file: str) -> Begun:
        """Have it parsed where it is new or changed; nothing is written before the file's turn."""
        if file in self._work.failed:
            return Begun(lambda: None)
        try:
            return self._looked_at(file)
        except Exception as error:  # as `IngestState.alone` has it, when it is the file's turn
            return Begun(partial(_raise, error))

    def _looked_at(self, file: str) -> Begun:
        files, source = self._files, self._files.source
        if why := refused(file):
            raise UnreadableDocument(why)
        if not is_read(file):
            if source.root / file == source.within:
                kinds = ", ".join(sorted(suffixes()))
                raise UnreadableDocument(f"is not of a kind that is read ({kinds})")
            return Begun(partial(self._work.left_alone.append, file))
        held = self._work.held.get(file)
        glance = files.fingerprint(file, files.status(file))
        still = held is not None and self._work.likeness.still(held, files.metadata.audience)
        if held and still and held.fingerprint.same_stat(glance):
            return Begun(partial(self._keep, held))
        tried, reason = self._work.refused.get(file, (UNKNOWN, ""))
        if tried.same_stat(self._bounded(glance)):
            self._work.in_vain[file] = tried
            raise UnreadableDocument(reason)
        content, status = files.content(file)
        fingerprint = files.fingerprint(file, status, hashlib.sha256(content).hexdigest())
        if held and still and held.fingerprint.same_content(fingerprint):
            return Begun(partial(self._touch, held, fingerprint))
        if tried.same_content(self._bounded(fingerprint)):
            self._work.in_vain[file] = replace(self._bounded(fingerprint), sketch=tried.sketch)
            raise UnreadableDocument(reason)
        if day := self._work.library.purged_at(fingerprint.sha256):
            raise UnreadableDocument(f"was purged on {day} and stays out; remove the file")
        parsed = self._parsing.submit(file, content, main_text_only=files.main_text_only(file))
        acquire = partial(self._acquire, content, file, held, fingerprint, parsed)
        return Begun(partial(self._tried, file, fingerprint, acquire), max(1, len(content)))

    def _tried(self, file: str, fingerprint: Fingerprint, acquire: Callable[[], None]) -> None:
        """Note a file that is refused: it would be again, as it is."""
        try:
            acquire()
        except (EndedFromOutside, NobodyByLikeness, NotYetPublished):
            raise
        except UnreadableDocument:
            sketch = self._refused.pop(file, "")
            self._work.in_vain[file] = replace(self._bounded(fingerprint), sketch=sketch)
            raise

    def _bounded(self, fingerprint: Fingerprint) -> Fingerprint:
        """Of what was read in vain, which may go well within other bounds."""
        bounds = f"{fingerprint.circumstances} {self._parsing.bounds}"
        return replace(fingerprint, circumstances=bounds)

    def _touch(self, held: Holding, fingerprint: Fingerprint) -> None:
        fingerprint = replace(fingerprint, sketch=held.fingerprint.sketch)
        self._work.library.touch(held.document.document_id, fingerprint)
        self._keep(held)

    def _keep(self, held: Holding) -> None:
        if held.suspended:
            self._to_serve.append(held.document.document_id)
        self._work.note(unchanged=self._work.report.unchanged + 1)

    def _acquire(
        self,
        content: bytes,
        file: str,
        held: Holding | None,
        fingerprint: Fingerprint,
        parsing: "Future[ParsedDocument]",
    ) -> None:
        work, library = self._work, self._work.library
        with work.stages.stage("parse"):
            parsed = named_for_people(parsing.result())
        sketch = sketch_of(parsed)
        audience = held.document.metadata.access.audience if held else None
        metadata = self._resolved(parsed, file, fingerprint.sha256, audience, sketch)
        title = title_of(metadata, parsed, file)
        metadata = replace(metadata, link=metadata.link or self._files.link(file))
        metadata = work.likeness.applied(file, metadata, title, sketch)
        name = work.source.name
        document_id = held.document.document_id if held else library.identity(name, file)
        document = Document(
            document_id=document_id,
            file=file,
            version=library.next_version(document_id),
            ingested_at=datetime.now(UTC),
            title=title,
            metadata=metadata,
        )
        with work.stages.stage("cut"):
            passages = cut(document, parsed, self._chunking)
        require_text(document, passages)
        kept = Parsed.of(parsed)
        if parsed.unread:
            work.unread.append(Problem(file, unread_in_words(parsed.unread)))
        if not in_english(passages):
            work.foreign.append(file)
        read_by = self._files.read_by
        was = held and not held.suspended and (held.fingerprint.sha256, audience)
        opens = was != (fingerprint.sha256, metadata.access.audience)
        if opens:
            self._to_serve.append(document_id)
        fingerprint = replace(fingerprint, sketch=sketch)
        self._waiting.append(
            Acquisition(name, document, fingerprint, passages, content, kept, read_by, opens)
        )
        if held and file not in {*dict(work.report.renamed).values(), *work.report.added}:
            work.note(changed=(*work.report.changed, file))
        elif not held:
            work.note(added=(*work.report.added, file))

    def _resolved(
        self,
        parsed: ParsedDocument,
        file: str,
        sha256: str,
        audience: Audience | None,
        sketch: str,
    ) -> Metadata:
        """Raise `BadMetadata`; what may restrict and is not understood closes its copies too."""
        try:
            return self._files.metadata.resolve(parsed.stated, file, sha256, audience)
        except (IsDraft, NotYetPublished):
            raise
        except BadMetadata:
            self._refused[file] = sketch
            self._work.likeness.refuse(file, sketch)
            raise

    def _is_enough(self) -> bool:
        """Whether what waits is enough to be written, or as much as should be held."""
        passages = sum(len(each.passages) for each in self._waiting)
        held = sum(each.fingerprint.size for each in self._waiting)
        return passages >= PASSAGES_AT_ONCE or held >= BYTES_AT_ONCE

    def _flush(self) -> None:
        if self._waiting:
            written = self._indexed.store(self._waiting, self._work.stages)
            self._work.note(passages=self._work.report.passages + written)
            self._waiting = []


def in_english(passages: Sequence[Passage]) -> bool:
    """Whether a document is, by how it begins; in doubt it is."""
    return written_in_english(" ".join(each.text for each in passages[:LANGUAGE_BY]))


def title_of(metadata: Metadata, parsed: ParsedDocument, file: str) -> str:
    """As it is stated, unless it is there to steer; else the file's name."""
    title = " ".join((as_shown(metadata.title) or unescape(parsed.title)).split())
    if not title or sign_in(title):
        title = Path(file).stem.replace("-", " ").replace("_", " ").strip().capitalize()
    return shortened(title, LONGEST_HEADING)


def named_for_people(parsed: ParsedDocument) -> ParsedDocument:
    """No section goes by a heading that is there to steer; it is read where it stands."""
    return replace(
        parsed,
        fragments=tuple(
            replace(each, section_path=tuple(n for n in each.section_path if not sign_in(n)))
            if any(map(sign_in, each.section_path)) and each.kind is not FragmentKind.HEADING
            else each
            for each in parsed.fragments
        ),
    )


def require_text(document: Document, passages: Iterable[Passage]) -> None:
    """Raise `UnreadableDocument` where there is half a character, as some encodings can state."""
    try:
        document.title.encode()
        for passage in passages:
            passage.source.encode()
            "".join((*passage.section_path, *(each.text for each in passage.sentences))).encode()
    except UnicodeEncodeError as error:
        raise UnreadableDocument(
            "holds half a character (a lone surrogate); save it as UTF-8"
        ) from error


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
