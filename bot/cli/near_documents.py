"""Which documents may be meant by a name that none goes by."""

from pathlib import PurePosixPath

from bot.near import near
from retrieval.documents.port import Library


def near_documents(named: str, library: Library) -> list[str]:
    """Files of the library, and those that were kept out."""
    known: dict[str, tuple[str, ...]] = {
        file: (file, PurePosixPath(file).name, held.document.title)
        for source in library.sources()
        for file, held in library.holdings(source.name).items()
    }
    kept_out = {
        each.file: (each.file, PurePosixPath(each.file).name) for each in library.kept_out()
    }
    return near(named, {**kept_out, **known})
