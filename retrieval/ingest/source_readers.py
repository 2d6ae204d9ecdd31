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


def files_without_readers(
    source: Source, ontology: Ontology, known: Iterable[KnownSource]
) -> tuple[str, ...]:
    """Documents of a path of whose readers nobody said anything, before or in its folder."""
    before = next((each for each in known if each.name == source.name), None)
    grows = before is not None and not before.whole and source.within == source.root
    is_part = before is not None and source.within != source.root
    if is_part or (before is not None and before.audience is not None and not grows):
        return ()  # of a part nobody may say it
    if FolderMetadata(source.root, ontology, None).stated is not None:
        return ()
    listing = listing_of(source, below=source.within == source.root)
    return tuple(file for file in listing.files if is_read(file) and source.covers(file))


def demand_of_the_whole(
    source: Source, audience: Audience | None, before: KnownSource | None
) -> None:
    """Raise `WrongReaders` where somebody names other readers for a part of a known source."""
    if before is None or audience in (None, before.said) or source.within == source.root:
        return
    raise WrongReaders(
        f"{source.within} is part of the source {source.name}, and who may read a source is said "
        f"of all of it. Run `vouch sources {source.name} --for ...`; to restrict this part alone, "
        "state its `audience` in metadata.yaml."
    )


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
