"""Administrators ask why somebody may, or may not, read a document.

It asks the same rules that a search asks, so what it says is what holds.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from retrieval.documents.holdings import Holding, KeptOut
from retrieval.filters import Obstacle, obstacles
from retrieval.types import AccessRule, Scope


@dataclass(frozen=True, slots=True)
class Standing:
    """A standing is how one document stands to one reader."""

    root: str
    """The ingested folder."""
    file: str
    kept_out: tuple[str, ...] = ()
    """Why nobody reads it; empty where it is in the library and served."""
    rule: AccessRule = field(default_factory=AccessRule)
    stated_in: tuple[str, ...] = ()
    """Where its rule stands."""
    obstacles: tuple[Obstacle, ...] = ()
    """What in its rule keeps this reader out."""

    @property
    def may_read(self) -> bool:
        return not self.kept_out and not self.obstacles


def standings(
    name: str,
    shelves: Iterable[tuple[str, Holding]],
    kept_out: Iterable[KeptOut],
    scope: Scope,
    suspended: str,
) -> Iterator[Standing]:
    """Each document that a name, or a path, may mean.

    `shelves` are the library's documents by that name with their roots; `suspended` is the
    reason that is given for those that are kept and not served.
    """
    for root, held in shelves:
        document = held.document
        yield Standing(
            root,
            document.file,
            kept_out=(suspended,) if held.suspended else (),
            rule=document.metadata.access,
            stated_in=document.metadata.restricted_in,
            obstacles=tuple(obstacles(document.metadata.access, scope)),
        )
    for each in kept_out:
        if _is_meant(name, each):
            yield Standing(each.root, each.file, kept_out=(each.reason,))


def _is_meant(name: str, kept_out: KeptOut) -> bool:
    path = PurePosixPath(kept_out.file)
    return name in (kept_out.file, path.name) or Path(name).expanduser().resolve() == (
        Path(kept_out.root) / kept_out.file
    )
