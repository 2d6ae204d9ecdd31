"""One path brought in line with its files, from what must go to what is new.

What is withdrawn goes first: whatever happens to the reading of other files afterwards, a
document that is gone, restricted or no longer understood is not served in its old form.
"""

import hashlib
import os
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import Future
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property, partial
from html import unescape
from pathlib import Path
from random import SystemRandom

from retrieval.documents.holdings import (
    UNKNOWN,
    Acquisition,
    Fingerprint,
    Holding,
    KeptOut,
    KnownSource,
    Parsed,
)
from retrieval.errors import RetrievalError, UnreadableDocument, shortened
from retrieval.ingest.ahead import Begun, looked_ahead
from retrieval.ingest.chunking import Chunking, cut
from retrieval.ingest.expansion.port import Told
from retrieval.ingest.indexed_library import (
    PASSAGES_AT_ONCE,
    IndexedLibrary,
    ProgressReport,
    asking,
)
from retrieval.ingest.pool import ParserPool
from retrieval.ingest.renames import renamed
from retrieval.ingest.report import IngestReport
from retrieval.ingest.sources import Problem, Source, listing_of
from retrieval.metadata.folder_metadata import FolderMetadata
from retrieval.metadata.metadata_file import METADATA_FILE
from retrieval.metadata.ontology import Ontology
from retrieval.parsing import (
    PARSING,
    front_matter_of,
    is_read,
    may_be_pictures,
    refused,
    suffixes,
)
from retrieval.parsing.front_matter import as_shown
from retrieval.parsing.limits import LONGEST_HEADING
from retrieval.parsing.recognition.tesseract import state
from retrieval.parsing.recognition.unread import unread_in_words
from retrieval.plain_files import content_of
from retrieval.timing import Stages
from retrieval.types import Document, Metadata, ParsedDocument, Passage

MEGABYTE = 1024 * 1024
BYTES_AT_ONCE = 64 * MEGABYTE
"""Of files, held in memory until they are written."""
FRESH_NS = 2_000_000_000
"""A file that changed less than this ago may change again without its times telling: clocks of
file systems tick in steps, of up to two seconds."""


def _raise(error: Exception) -> None:
    raise error


class IngestRun:
    """One path, once: collects what it does for the report."""

    def __init__(
        self,
        source: Source,
        stacks: IndexedLibrary,
        ontology: Ontology,
        parsing: ParserPool,
        largest_megabytes: int,
        chunking: Chunking,
    ) -> None:
        self._stacks = stacks
        self._library = stacks.library
        self._largest = largest_megabytes * MEGABYTE
        self._parsing = parsing
        self._chunking = chunking
        self._parser = f"{PARSING} {chunking.name}"
        self._unread: list[Problem] = []
        self._source = source
        self._held = self._library.holdings(source.name)
        before = next((each for each in self._library.sources() if each.name == source.name), None)
        # Documents given one by one make no source of all that stands beside and below them.
        is_whole = source.within == source.root or (before is not None and before.whole)
        self._library.know(KnownSource(source.name, str(source.root), is_whole))
        self._covers_all = source.within == source.root or not is_whole
        self._listing = listing_of(source, below=is_whole)
        self._files = tuple(filter(source.covers, self._listing.files))
        self._metadata = FolderMetadata(
            source.root, ontology, self._listing.files, self._listing.metadata_files
        )
        self._unused = tuple(self._metadata.unused()) if self._listing.is_whole else ()
        self._waiting: list[Acquisition] = []
        self._failed: set[str] = set()
        self._left_alone: list[str] = []
        moved = before is not None and before.root not in ("", str(source.root))
        self._report = IngestReport(source.name, before.root if before and moved else "")
        self._problems = list(self._beside())
        self._stages = Stages()

    def doubt_broken(self, most: int | None) -> None:
        """Serve nothing that was changed behind the library's back until it is read anew.

        Of more documents than `most` some are looked at, by chance, so that one changed file among
        a million passages is read in seconds. A seal is checked in any case before a passage is
        quoted, and `LibraryReader.broken` tells of all of them.
        """
        ids = {
            held.document.document_id: file
            for file, held in self._held.items()
            if self._source.covers(file)
        }
        looked_at = list(ids)
        if most is not None and len(ids) > most:
            looked_at = SystemRandom().sample(looked_at, most)
        if broken := self._library.broken(looked_at):
            self._library.suspend(broken)
            self._library.doubt(broken)
        for document_id in broken:
            file = ids[document_id]
            self._held[file] = replace(self._held[file], fingerprint=UNKNOWN, suspended=True)

    def withdraw(self) -> None:
        """Take away what must not be served any more, before anything is added.

        Documents whose files are gone leave, and those of narrower sources that this one now
        covers, to be read again with this one's metadata. Where a folder could not be listed
        nobody knows whether its files still stand: its documents are suspended.
        """
        here = {file: held for file, held in self._held.items() if self._source.covers(file)}
        standing = {file for file in self._files if is_read(file)}
        missing = {file: held for file, held in here.items() if file not in standing}
        left = [held for file, held in missing.items() if not self._listing.hides(file)]
        gone = self._without_renamed(left, standing - self._held.keys())
        unsure = [held for file, held in missing.items() if self._listing.hides(file)]
        self._library.remove(held.document.document_id for held in gone)
        self._withdraw_covered(unsure)
        self._library.suspend(held.document.document_id for held in unsure)
        self._note(
            removed=tuple(held.document.file for held in gone),
            suspended=tuple(held.document.file for held in unsure),
        )
        for file in sorted(here.keys() & standing):  # those that were renamed are suspended
            self._alone(file, partial(self._restrict, file))
        self._note_kept_out()

    def _withdraw_covered(self, unsure: list[Holding]) -> None:
        """Documents of other sources in the part that is read.

        Those that nobody can see now are added to `unsure`.
        """
        for other in self._library.sources():
            if other.name == self._source.name or not other.root:
                continue
            root = Path(other.root)
            covered = {
                file: held
                for file, held in self._library.holdings(other.name).items()
                if (root / file).is_relative_to(self._source.within)
            }
            below = {file: self._below(root / file) for file in covered}
            unsure += [held for f, held in covered.items() if self._listing.hides(below[f])]
            self._library.remove(
                held.document.document_id
                for file, held in covered.items()
                if not self._listing.hides(below[file])
            )
            noted = [
                each.file
                for each in self._library.kept_out()
                if each.source == other.name
                and (root / each.file).is_relative_to(self._source.within)
            ]
            self._library.keep_out(other.name, noted, ())
            if root.is_relative_to(self._source.within):
                self._library.know(replace(other, whole=False))
                self._library.forget_source(other.name)

    def _without_renamed(self, left: list[Holding], new: Collection[str]) -> list[Holding]:
        """Return what is gone, after what was only renamed has its new path."""
        sizes = {held.fingerprint.size for held in left}
        found = list(renamed(left, sorted(new), lambda file: self._hash_if(file, sizes)))
        for held, file in found:
            self._rename(held, file)
        return [held for held in left if not any(held is other for other, _ in found)]

    def _hash_if(self, file: str, sizes: Collection[int]) -> str:
        """Return a file's hash, if it is of one of these sizes and can be read; else nothing."""
        try:
            if self._status(file).st_size not in sizes:
                return ""
            content, _ = content_of(self._source.root / file, self._largest)
        except (OSError, UnreadableDocument):
            return ""
        return hashlib.sha256(content).hexdigest()

    def _rename(self, held: Holding, file: str) -> None:
        old = held.document.file
        self._library.rename(held.document.document_id, file)
        del self._held[old]
        document = replace(held.document, file=file)
        self._held[file] = replace(held, document=document, fingerprint=UNKNOWN, suspended=True)
        self._note(renamed=(*self._report.renamed, (old, file)))

    def _below(self, path: Path) -> str:
        return path.relative_to(self._source.root).as_posix()

    def read_files(self, progress: ProgressReport) -> None:
        """Read what changed, then what is new."""
        files = sorted(self._files, key=lambda file: file not in self._held)
        ahead = looked_ahead(files, self._begun, self._parsing.workers, BYTES_AT_ONCE)
        for done, (file, read) in enumerate(ahead):
            progress(done, len(files), file)
            self._alone(file, read.finish)
            if self._is_enough():
                self._flush(asking(progress, done, len(files)))
        self._flush(asking(progress, len(files), len(files)))
        self._note_kept_out()
        if self._covers_all and not self._listing.unlisted:
            self._library.note_read(self._source.name, datetime.now(UTC))
        progress(len(files), len(files), "")

    def report(self) -> IngestReport:
        return replace(
            self._report,
            problems=tuple(self._problems),
            unread=tuple(self._unread),
            left_alone=tuple(self._left_alone),
            gone=tuple(
                source
                for source in self._library.sources()
                if source.root
                and not Path(source.root).exists()
                and self._library.holdings(source.name)
            ),
            unused=tuple(f"{key} in {file}" for file, key in self._unused),
            owed=Counter(self._stacks.owed().values()),
            milliseconds=self._stages.milliseconds,
        )

    def _beside(self) -> Iterator[Problem]:
        """What keeps something out apart from the files that are read."""
        yield from self._listing.unlisted  # its entries may be meant for what is read
        listed = set(self._listing.files)
        links = [*filter(self._source.covers, self._listing.links)]
        known = {link for link in links if not is_read(link) or self._leads_to(listed, link)}
        self._note(links=tuple(link for link in links if link in known))
        for link in links:
            if link not in known:
                yield Problem(link, "is a link to a place that is not read; copy the file in")

    def _leads_to(self, listed: Collection[str], link: str) -> bool:
        try:
            target = (self._source.root / link).resolve()
        except (OSError, RuntimeError):  # in a circle, or with a name that no system takes
            return False
        return target.is_relative_to(self._source.root) and self._below(target) in listed

    def _note(self, **changes: object) -> None:
        self._report = replace(self._report, **changes)  # type: ignore[arg-type]  # its own fields

    def _note_kept_out(self) -> None:
        """For administrators, in place of what was noted of the same files before."""
        noted = [each.file for each in self._library.kept_out() if each.source == self._source.name]
        problems = [(each.file, each.reason) for each in self._problems]
        problems += [(file, f"names no file by `{key}`") for file, key in self._unused]
        told = [
            KeptOut(self._source.name, _writable(file), _writable(why)) for file, why in problems
        ]
        again = {each.file for each in told}
        replaced = [
            file
            for file in noted
            if file in again
            or (
                self._listing.is_whole
                if file.endswith(METADATA_FILE)
                else self._source.covers(file)
            )
        ]
        self._library.keep_out(self._source.name, replaced, told)

    def _alone(self, file: str, step: Callable[[], None]) -> None:
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
        self._failed.add(file)
        self._problems.append(Problem(file, reason))
        if held := self._held.get(file):
            self._library.remove([held.document.document_id])
            self._note(removed=(*self._report.removed, file))

    def _restrict(self, file: str) -> None:
        """Serve no document whose rule changed until its text is read anew.

        Its old text may have been for fewer people than its new text is.
        """
        held = self._held[file]
        if held.fingerprint.seen_at(self._fingerprint(file, self._status(file))):
            return
        content, _ = content_of(self._source.root / file, self._largest)
        metadata = self._metadata.resolve(front_matter_of(file, content), file)
        if metadata.access != held.document.metadata.access:
            self._library.suspend([held.document.document_id])
            self._library.doubt([held.document.document_id])

    def _status(self, file: str) -> os.stat_result:
        _require_plain_name(file)
        status = (self._source.root / file).stat(follow_symlinks=False)
        if status.st_size > self._largest:
            raise UnreadableDocument(
                f"is {status.st_size // MEGABYTE} MB, more than the "
                f"{self._largest // MEGABYTE} MB that are read; split it, or raise "
                "VOUCH_LARGEST_MEGABYTES"
            )
        return status

    def _begun(self, file: str) -> Begun:
        """Look at a file, and have it parsed where it is new or changed.

        Nothing is written yet: that, and what went wrong, waits for the file's turn.
        """
        if file in self._failed:
            return Begun(lambda: None)
        try:
            return self._looked_at(file)
        except Exception as error:  # as `_alone` has it, when it is the file's turn
            return Begun(partial(_raise, error))

    def _looked_at(self, file: str) -> Begun:
        if why := refused(file):
            raise UnreadableDocument(why)
        if not is_read(file):
            if self._source.root / file == self._source.within:
                raise UnreadableDocument(f"is not of a kind that is read ({_kinds()})")
            return Begun(partial(self._left_alone.append, file))
        held = self._held.get(file)
        glance = self._fingerprint(file, self._status(file))
        if held and held.fingerprint.seen_at(glance):
            return Begun(partial(self._keep, held))
        content, status = content_of(self._source.root / file, self._largest)
        fingerprint = self._fingerprint(file, status, hashlib.sha256(content).hexdigest())
        if held and held.fingerprint.same_content(fingerprint):
            return Begun(partial(self._touch, held, fingerprint))
        if day := self._library.purged_at(fingerprint.sha256):
            raise UnreadableDocument(f"was purged on {day} and stays out; remove the file")
        parsed = self._parsing.submit(file, content)
        return Begun(
            partial(self._acquire, content, file, held, fingerprint, parsed), max(1, len(content))
        )

    def _touch(self, held: Holding, fingerprint: Fingerprint) -> None:
        self._library.touch(held.document.document_id, fingerprint)
        self._keep(held)

    def _fingerprint(self, file: str, status: os.stat_result, sha256: str = "") -> Fingerprint:
        """Of a file as its status tells, and of its content where that was read."""
        fresh = status.st_ctime_ns > time.time_ns() - FRESH_NS
        return Fingerprint(
            status.st_size,
            status.st_mtime_ns,
            sha256,
            f"{self._parser}{self._recognised_by(file)} {self._metadata.fingerprint(file)}",
            -1 if fresh else status.st_ctime_ns,
        )

    def _recognised_by(self, file: str) -> str:
        """A page that nobody could read is read again where it can be now."""
        return f" recognition {self._recognition}" if may_be_pictures(file) else ""

    @cached_property
    def _recognition(self) -> str:
        return state(self._parsing.recognition)

    def _keep(self, held: Holding) -> None:
        if held.suspended:
            self._library.suspend([held.document.document_id], False)
        self._note(unchanged=self._report.unchanged + 1)

    def _acquire(
        self,
        content: bytes,
        file: str,
        held: Holding | None,
        fingerprint: Fingerprint,
        parsing: "Future[ParsedDocument]",
    ) -> None:
        with self._stages.stage("parse"):
            parsed = parsing.result()
        metadata = self._metadata.resolve(parsed.front_matter, file)
        name = self._source.name
        document_id = held.document.document_id if held else self._library.identity(name, file)
        document = Document(
            document_id=document_id,
            file=file,
            version=self._library.next_version(document_id),
            ingested_at=datetime.now(UTC),
            title=_title(metadata, parsed, file),
            metadata=metadata,
        )
        with self._stages.stage("cut"):
            passages = cut(document, parsed, self._chunking)
        _require_text(document, passages)
        kept = Parsed.of(parsed)
        if parsed.unread:
            self._unread.append(Problem(file, unread_in_words(parsed.unread)))
        self._waiting.append(
            Acquisition(name, document, fingerprint, passages, content, kept, self._parser)
        )
        if held and file not in dict(self._report.renamed).values():
            self._note(changed=(*self._report.changed, file))
        elif not held:
            self._note(added=(*self._report.added, file))

    def _is_enough(self) -> bool:
        """Whether what waits is enough to be written, or as much as should be held."""
        passages = sum(len(each.passages) for each in self._waiting)
        held = sum(each.fingerprint.size for each in self._waiting)
        return passages >= PASSAGES_AT_ONCE or held >= BYTES_AT_ONCE

    def _flush(self, told: Told) -> None:
        if self._waiting:
            written = self._stacks.store(self._waiting, self._stages, told)
            self._note(passages=self._report.passages + written)
            self._waiting = []


def _title(metadata: Metadata, parsed: ParsedDocument, file: str) -> str:
    title = as_shown(metadata.title) or unescape(parsed.title) or _readable_name(file)
    return shortened(title, LONGEST_HEADING)


def _require_plain_name(file: str) -> None:
    """A name of other bytes than UTF-8 can be neither stored nor cited."""
    try:
        file.encode()
    except UnicodeEncodeError as error:
        raise UnreadableDocument("has a name that is not UTF-8; rename it") from error


def _require_text(document: Document, passages: Iterable[Passage]) -> None:
    """Half characters, which some encodings and markups can state, can be neither."""
    try:
        document.title.encode()
        for passage in passages:
            passage.source.encode()
            "".join((*passage.section_path, *(each.text for each in passage.sentences))).encode()
    except UnicodeEncodeError as error:
        raise UnreadableDocument(
            "holds half a character (a lone surrogate); save it as UTF-8"
        ) from error


def _writable(text: str) -> str:
    """A name or a reason as a database takes it."""
    return text.encode("utf-8", "replace").decode()


def _readable_name(file: str) -> str:
    return Path(file).stem.replace("-", " ").replace("_", " ").strip().capitalize()


def _kinds() -> str:
    return ", ".join(sorted(suffixes()))
