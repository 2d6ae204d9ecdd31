"""What must not be served any more leaves, before anything is added; what is kept out is told."""

import hashlib
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import SystemRandom

from retrieval.documents.holdings import UNKNOWN, Holding, KeptOut
from retrieval.ingest.source_files import IngestState, SourceFiles
from retrieval.ingest.sources import Problem
from retrieval.metadata.metadata_file import METADATA_FILE
from retrieval.parsing import front_matter_of, is_read


def note_beside(state: IngestState, files: SourceFiles) -> None:
    """Note what keeps something out apart from the files that are read."""
    state.problems += files.listing.unlisted  # its entries may be meant for what is read
    listed = set(files.listing.files)
    links = [*filter(files.source.covers, files.listing.links)]
    known = {link for link in links if not is_read(link) or _leads_to(files, listed, link)}
    state.note(links=tuple(link for link in links if link in known))
    state.problems += [
        Problem(link, "is a link to a place that is not read; copy the file in")
        for link in links
        if link not in known
    ]


def note_kept_out(state: IngestState, files: SourceFiles) -> None:
    """For administrators, in place of what was noted of the same files before."""
    name, library = state.source.name, state.library
    noted = [each.file for each in library.kept_out() if each.source == name]
    problems = [(each.file, each.reason) for each in state.problems]
    problems += [(file, f"names no file by `{key}`") for file, key in files.unused]
    told = [
        KeptOut(name, _writable(file), _writable(why), state.in_vain.get(file))
        for file, why in problems
    ]
    again = {each.file for each in told}
    replaced = [
        file
        for file in noted
        if file in again
        or (files.listing.is_whole if file.endswith(METADATA_FILE) else files.source.covers(file))
    ]
    library.keep_out(name, replaced, told)


def _leads_to(files: SourceFiles, listed: Collection[str], link: str) -> bool:
    root = files.source.root
    try:
        target = (root / link).resolve()
    except (OSError, RuntimeError):  # in a circle, or with a name that no system takes
        return False
    return target.is_relative_to(root) and files.named(target) in listed


def _writable(text: str) -> str:
    """A name or a reason as a database takes it."""
    return text.encode("utf-8", "replace").decode()


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """Of one source's documents, and of those of narrower sources within it."""

    state: IngestState
    files: SourceFiles

    def doubt_broken(self, most: int | None) -> None:
        """Serve nothing that was changed behind the library's back until it is read anew.

        Of more documents than `most` some are looked at, by chance, so that one changed file among
        a million passages is read in seconds. A seal is checked in any case before a passage is
        quoted, and `LibraryReader.broken` tells of all of them.
        """
        held, library = self.state.held, self.state.library
        ids = {
            each.document.document_id: file
            for file, each in held.items()
            if self.files.source.covers(file)
        }
        looked_at = list(ids)
        if most is not None and len(ids) > most:
            looked_at = SystemRandom().sample(looked_at, most)
        if broken := library.broken(looked_at):
            library.suspend(broken)
            library.doubt(broken)
        for document_id in broken:
            file = ids[document_id]
            held[file] = replace(held[file], fingerprint=UNKNOWN, suspended=True)

    def withdraw(self) -> None:
        """Documents whose files are gone leave, and those of narrower sources in this one.

        The latter are read again with this source's metadata. Where a folder could not be listed
        nobody knows whether its files still stand: its documents are suspended.
        """
        work, hides = self.state, self.files.listing.hides
        here = {file: held for file, held in work.held.items() if work.source.covers(file)}
        standing = {file for file in self.files.covered if is_read(file)}
        missing = {file: held for file, held in here.items() if file not in standing}
        left = [held for file, held in missing.items() if not hides(file)]
        gone = self._without_renamed(left, standing - work.held.keys())
        unsure = [held for file, held in missing.items() if hides(file)]
        work.library.remove(held.document.document_id for held in gone)
        self._withdraw_covered(unsure)
        work.library.suspend(held.document.document_id for held in unsure)
        work.note(
            removed=tuple(held.document.file for held in gone),
            suspended=tuple(held.document.file for held in unsure),
        )
        for file in sorted(here.keys() & standing):  # those that were renamed are suspended
            work.alone(file, partial(self._restrict, file))
        note_kept_out(work, self.files)

    def _withdraw_covered(self, unsure: list[Holding]) -> None:
        """Documents of other sources in this part; those that nobody can see join `unsure`."""
        library, source, hides = self.state.library, self.state.source, self.files.listing.hides
        for other in library.sources():
            if other.name == source.name or not other.root or other.url:
                continue
            root = Path(other.root)
            covered = {
                file: held
                for file, held in library.holdings(other.name).items()
                if (root / file).is_relative_to(source.within)
            }
            named = {file: self.files.named(root / file) for file in covered}
            unsure += [held for file, held in covered.items() if hides(named[file])]
            library.remove(
                held.document.document_id
                for file, held in covered.items()
                if not hides(named[file])
            )
            noted = [
                each.file
                for each in library.kept_out()
                if each.source == other.name and (root / each.file).is_relative_to(source.within)
            ]
            library.keep_out(other.name, noted, ())
            if root.is_relative_to(source.within):
                library.know(replace(other, whole=False))
                library.forget_source(other.name)

    def _without_renamed(self, left: list[Holding], new: Collection[str]) -> list[Holding]:
        """What is gone; one that left and one that is new of one content were renamed."""
        sizes = {held.fingerprint.size for held in left}
        files, gone = defaultdict[str, list[str]](list), defaultdict[str, list[Holding]](list)
        for file in sorted(new):
            files[self.files.hash_if(file, sizes)].append(file)
        for held in left:
            gone[held.fingerprint.sha256].append(held)
        for sha256, named in files.items():
            if sha256 and len(named) == len(gone.get(sha256, ())) == 1:
                self._rename(gone.pop(sha256)[0], named[0])
        return [held for some in gone.values() for held in some]

    def _rename(self, held: Holding, file: str) -> None:
        work, old = self.state, held.document.file
        work.library.rename(held.document.document_id, file)
        del work.held[old]
        document = replace(held.document, file=file)
        work.held[file] = replace(held, document=document, fingerprint=UNKNOWN, suspended=True)
        work.note(renamed=(*work.report.renamed, (old, file)))

    def _restrict(self, file: str) -> None:
        """Serve none whose rule changed until its text is read: the old may have been for fewer."""
        held, files, library = self.state.held[file], self.files, self.state.library
        if held.fingerprint.same_stat(files.fingerprint(file, files.status(file))):
            return
        content, status = files.content(file)
        now = held.document.metadata.access
        sha256 = hashlib.sha256(content).hexdigest()
        if held.fingerprint.same_content(files.fingerprint(file, status, sha256)):
            return  # its rule may stand elsewhere than in front matter
        stated = front_matter_of(file, content)
        if files.metadata.resolve(stated, file, sha256, now.audience).access != now:
            library.suspend([held.document.document_id])
            library.doubt([held.document.document_id])
