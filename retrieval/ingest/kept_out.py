"""What an ingest keeps out, and why, told to whoever will mend it."""

from collections.abc import Collection

from retrieval.documents.holdings import KeptOut
from retrieval.ingest.files import SourceFiles
from retrieval.ingest.sources import Problem
from retrieval.ingest.undertaking import Undertaking
from retrieval.metadata.metadata_file import METADATA_FILE
from retrieval.parsing import is_read


def note_beside(work: Undertaking, files: SourceFiles) -> None:
    """Note what keeps something out apart from the files that are read."""
    work.problems += files.listing.unlisted  # its entries may be meant for what is read
    listed = set(files.listing.files)
    links = [*filter(files.source.covers, files.listing.links)]
    known = {link for link in links if not is_read(link) or _leads_to(files, listed, link)}
    work.note(links=tuple(link for link in links if link in known))
    work.problems += [
        Problem(link, "is a link to a place that is not read; copy the file in")
        for link in links
        if link not in known
    ]


def note_kept_out(work: Undertaking, files: SourceFiles) -> None:
    """For administrators, in place of what was noted of the same files before."""
    name, library = work.source.name, work.library
    noted = [each.file for each in library.kept_out() if each.source == name]
    problems = [(each.file, each.reason) for each in work.problems]
    problems += [(file, f"names no file by `{key}`") for file, key in files.unused]
    told = [
        KeptOut(name, _writable(file), _writable(why), work.in_vain.get(file))
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
