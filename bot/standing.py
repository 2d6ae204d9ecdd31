"""Administrators ask why somebody may, or may not, read a document.

It asks the same rules that a search asks, so what it says is what holds.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from retrieval.documents.holdings import Holding, KeptOut
from retrieval.metadata.access import Obstacle, obstacles
from retrieval.types import AccessRule, Scope


@dataclass(frozen=True, slots=True)
class Standing:
    """A standing is how one document stands to one reader."""

    source: str
    """The source's name."""
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
    shelves: Iterable[Holding],
    kept_out: Iterable[KeptOut],
    roots: Mapping[str, str],
    scope: Scope,
    suspended: str,
) -> Iterator[Standing]:
    """Each document that a name, or a path, may mean.

    `shelves` are the library's documents by that name, `roots` the folders of sources by name;
    `suspended` is the reason that is given for those that are kept and not served.
    """
    for held in shelves:
        document = held.document
        yield Standing(
            held.source,
            document.file,
            kept_out=(suspended,) if held.suspended else (),
            rule=document.metadata.access,
            stated_in=document.metadata.restricted_in,
            obstacles=tuple(obstacles(document.metadata.access, scope)),
        )
    for each in kept_out:
        if _is_meant(name, each, roots.get(each.source, "")):
            yield Standing(each.source, each.file, kept_out=(each.reason,))


def _is_meant(name: str, kept_out: KeptOut, root: str) -> bool:
    path = PurePosixPath(kept_out.file)
    return name in (kept_out.file, path.name) or Path(name).expanduser().resolve() == (
        Path(root) / kept_out.file
    )
