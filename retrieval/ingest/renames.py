"""A file that vanished and a new one of equal content are one document, renamed."""

from collections.abc import Callable, Iterable, Iterator

from retrieval.documents.holdings import Holding

HashOf = Callable[[str], str]
"""The SHA-256 of a file's content; empty where it cannot be read, or need not be."""


def renamed(
    left: Iterable[Holding], new: Iterable[str], hash_of: HashOf
) -> Iterator[tuple[Holding, str]]:
    """Yield each document that left with the new file that it is.

    Only where one that left and one that is new have that content: of several nobody knows
    which is which.
    """
    documents: dict[str, list[Holding]] = {}
    for held in left:
        documents.setdefault(held.fingerprint.sha256, []).append(held)
    files: dict[str, list[str]] = {}
    for file in new:
        files.setdefault(hash_of(file), []).append(file)
    for sha256, named in files.items():
        held_of = documents.get(sha256, []) if sha256 else []
        if len(named) == len(held_of) == 1:
            yield held_of[0], named[0]
