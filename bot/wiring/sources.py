"""Sources that live elsewhere: each has a mirror in the home, which is what an ingest reads."""

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bot.access.entries import mapping_in
from bot.errors import BadConfiguration
from bot.settings import Settings
from bot.settings.documents import listed
from bot.settings.setting_files import parsed_keys
from bot.wiring.container import Container
from bot.wiring.slack_sources import slack_reading
from bot.wiring.stores_and_models import Stores
from retrieval.remote.urls import SourceUrl, source_url

if TYPE_CHECKING:
    from retrieval.ingest.indexed_library import ProgressReport
    from retrieval.ingest.sources import Mirrored
    from retrieval.metadata.access import Audience
    from retrieval.metadata.ontology import Ontology
    from retrieval.remote.mirror import Mirror
    from retrieval.remote.opening import Opening

FOLDER = ".mirrors"
"""In the home; with a dot, as who ingests a folder above it does not mean the copies."""
GROUPS = "sources"
"""The key of `people.yaml` for groups and pages of sources, and whom these are for."""


@dataclass(frozen=True, slots=True)
class ToIngest:
    """A source elsewhere, copied and ready to be read in."""

    name: str
    folder: Path
    mirrored: "Mirrored"


def name_of(stores: Stores, url: str, named: str = "") -> str:
    """What a source elsewhere is called: as it is known, as it is named now, or by its URL.

    Raise `BadSource`; `SourceNameTaken` where the name, or the place, is another source's.
    """
    from retrieval.errors import SourceNameTaken

    known = stores.library.sources()
    held = next((each for each in known if each.url == url), None)
    if held and named not in ("", held.name):
        raise SourceNameTaken(
            f"{url} is known as the source {held.name}. Leave the name out; or, to give it "
            f"another, let it leave first: vouch ingest --remove {url}"
        )
    name = held.name if held else named or source_url(url).name
    other = next((each for each in known if each.name == name), None)
    if other and other.url != url and not (named and other.url):
        raise SourceNameTaken(
            f"Another source is known as {name}: {other.url or other.root}. Give this one a name "
            "of its own with --source."
        )
    return name


@contextmanager
def copied(
    container: Container, url: str, name: str, progress: "ProgressReport", *, may_shrink: bool
) -> "Iterator[ToIngest]":
    """Bring the mirror up to date, and hold it while it is read in.

    Raise `SourceUnavailable`, after it was noted for a source that is known: it stays as it is.
    """
    from retrieval.errors import MissingExtra, SourceUnavailable

    parsed, mirror = source_url(url), mirror_of(container.settings, url, name)
    with mirror.turn():
        try:
            source = opening(container, parsed).source(parsed, mirror.files.with_name("git"))
            held = container.stores.library.holdings(name)
            mirrored = mirror.refresh(source, held, progress, may_shrink=may_shrink)
        except (SourceUnavailable, MissingExtra, BadConfiguration) as error:
            _note_fault(container.stores, name, str(error))
            raise
        yield ToIngest(name, mirror.files, mirrored)


def mirror_of(settings: Settings, url: str, name: str) -> "Mirror":
    from retrieval.remote.mirror import Mirror

    folder = hashlib.sha256(name.encode()).hexdigest()[:16]
    home = settings.home.absolute()
    return Mirror(home / FOLDER / folder, url, settings.largest_megabytes)


def opening(container: Container, url: SourceUrl) -> "Opening":
    """Of what is set for one source. Raise `BadConfiguration` for what is not understood."""
    from retrieval.remote.opening import Opening

    settings, ontology = container.settings, container.stores.ontology
    try:
        keys = parsed_keys(settings.source_keys.get_secret_value())
    except ValueError as error:
        raise BadConfiguration(f"VOUCH_SOURCE_KEYS is not understood: {error}.") from None
    return Opening(
        keys,
        listed(settings.web_hosts),
        listed(settings.private_hosts),
        listed(settings.web_main_text),
        settings.web_pages,
        settings.largest_megabytes,
        groups_in(container.home / "people.yaml", ontology) if url.has_groups else {},
        slack_reading(container, url.parts.netloc) if url.parts.scheme == "slack" else None,
    )


def groups_in(people: Path, ontology: "Ontology") -> "Mapping[str, Mapping[str, Audience]]":
    """Whom groups or pages of sources elsewhere are for, by how the URLs of these begin.

    Raise `BadConfiguration`: nobody knows then who may read what is restricted there.
    """
    from retrieval.errors import BadMetadata, BadSource
    from retrieval.metadata.statements import audience_in
    from retrieval.types import Stated

    stated = mapping_in(people).get(GROUPS) or {}
    try:
        if (
            not isinstance(stated, Mapping)
            or not all(isinstance(groups, Mapping) for groups in stated.values())
            or not all(source_url(str(begins)).has_groups for begins in stated)
        ):
            raise BadConfiguration(
                f"{people} must map URLs of Confluence, Google Drive or SharePoint to groups, or "
                f"of Notion to pages, and these to facets, in `{GROUPS}`."
            )
        return {
            str(begins): {
                str(group): audience_in(
                    Stated(f"`{GROUPS}` of {people}", "audience", said), ontology
                )
                for group, said in groups.items()
            }
            for begins, groups in stated.items()
        }
    except BadSource as error:
        raise BadConfiguration(f"`{GROUPS}` of {people} names no source. {error}.") from None
    except BadMetadata as error:
        raise BadConfiguration(f"{people} is not understood: it {error}.") from None


def _note_fault(stores: Stores, name: str, why: str) -> None:
    """For administrators; the next reading that goes well takes it away."""
    from retrieval.documents.holdings import KeptOut

    library = stores.library
    if any(each.name == name for each in library.sources()):
        library.keep_out(name, ["."], [KeptOut(name, ".", why)])


def remove(container: Container, given: str) -> int:
    """Let a source leave with its copy; how many documents it had.

    Raise `SourceUnavailable` while another process reads it: of half a copy the rules may be gone.
    """
    url = source_url(given).text
    gone: list[str] = []
    for each in container.stores.library.sources():
        if each.url == url:
            with copy_gone(container, each.name):
                gone += container.ingest.remove(Path(each.root))
    return len(gone)


@contextmanager
def copy_gone(container: Container, name: str) -> Iterator[str]:
    """Let go of the copy of a source while nobody reads it; yield its URL, if it has one."""
    known = container.stores.library.sources()
    url = next((each.url for each in known if each.name == name), "")
    if not url:
        yield url
        return
    mirror = mirror_of(container.settings, url, name)
    with mirror.turn():
        mirror.remove()
        yield url
