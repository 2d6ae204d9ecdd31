"""Who may read a source is said of it as a whole: no part of it is opened or closed on the side."""

from collections.abc import Iterable
from pathlib import Path

from retrieval.documents.holdings import KnownSource
from retrieval.errors import WrongReaders
from retrieval.ingest.sources import Source, listing_of
from retrieval.metadata.folder_metadata import FolderMetadata
from retrieval.metadata.ontology import Ontology
from retrieval.metadata.readers import Audience
from retrieval.parsing import is_read


def known_before(
    source: Source, known: Iterable[KnownSource], audience: Audience | None = None
) -> tuple[KnownSource | None, bool, Audience | None]:
    """A path's source as it was known, whether it is a whole folder, and who is said to read it.

    Documents given one by one make no whole of what stands beside and below them, and what was
    said of them is not said of it. Raise `WrongReaders` for other readers of a part alone.
    """
    before = next((each for each in known if each.name == source.name), None)
    is_all = source.within == source.root
    if before is None or (is_all and not before.whole):
        return before, is_all, audience
    if audience not in (None, before.said) and not is_all:
        raise WrongReaders(
            f"{source.within} is part of the source {source.name}, and who may read a source is "
            f"said of all of it. Run `vouch sources {source.name} --for ...`; to restrict this "
            "part alone, state its `audience` in metadata.yaml."
        )
    return before, before.whole, before.said if audience is None else audience


def files_without_readers(
    source: Source, ontology: Ontology, known: Iterable[KnownSource]
) -> tuple[str, ...]:
    """Documents of a path of whose readers nobody said anything, before or in its folder."""
    before, is_whole, said = known_before(source, known)
    if said is not None or (before is not None and source.within != source.root):
        return ()  # of a part nobody may say it
    if FolderMetadata(source.root, ontology, None).stated is not None:
        return ()
    listing = listing_of(source, below=is_whole)
    return tuple(file for file in listing.files if is_read(file) and source.covers(file))


def demand_alike(source: Source, now: KnownSource, known: Iterable[KnownSource]) -> None:
    """Raise `WrongReaders` where a path holds another source, which would get other readers."""
    for other in known:
        if (
            other.name != now.name
            and other.root
            and other.audience not in (None, now.audience)
            and Path(other.root).is_relative_to(source.within)
        ):
            raise WrongReaders(
                f"{source.within} holds the source {other.name} ({other.root}), which has readers "
                f"of its own. Give both the same with `vouch sources {other.name} --for ...`; or "
                f"let it leave first (vouch ingest --remove {other.root}) and state its `audience` "
                "in a metadata.yaml there."
            )
