"""Sources elsewhere, channels of Slack among them: each has a mirror, which an ingest reads."""

import hashlib
import logging
import re
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

from slack_sdk.errors import SlackClientError

from bot.access.entries import Facets, mapping_in
from bot.access.people import LiveAccess
from bot.access.user_groups import joined
from bot.errors import BadConfiguration
from bot.jobs.work import Finished, run_command
from bot.settings import Settings
from bot.settings.documents import listed
from bot.settings.setting_files import parsed_keys
from bot.wiring.container import Container, Stores
from bot.wiring.slack_clients import token_in
from retrieval.documents.holdings import KnownSource
from retrieval.metadata.access import TEAM, Audience
from retrieval.remote.urls import SourceUrl, source_url

if TYPE_CHECKING:
    from retrieval.ingest.indexed_library import ProgressReport
    from retrieval.ingest.sources import Mirrored
    from retrieval.metadata.ontology import Ontology
    from retrieval.remote.mirror import Mirror
    from retrieval.remote.opening import Opening
    from retrieval.remote.slack import SlackReading

FOLDER = ".mirrors"
"""In the home; with a dot, as who ingests a folder above it does not mean the copies."""
GROUPS = "sources"
"""The key of `people.yaml` for groups and pages of sources, and whom these are for."""


@dataclass(frozen=True, slots=True)
class ToIngest:
    name: str
    folder: Path
    mirrored: "Mirrored"


def name_of(stores: Stores, url: str, named: str = "") -> str:
    """What a source is called: as known, as named now, or by its URL; raise `SourceNameTaken`."""
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
    """Bring the mirror up to date, and hold it; raise `SourceUnavailable`, noted if known."""
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
    """Whom groups or pages of sources are for, by URL prefix; raise `BadConfiguration`."""
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
    """Let a source leave with its copy; raise `SourceUnavailable` while another reads it."""
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


SCHEME = "slack://"
AGAIN = 50.0
"""Seconds between two readings of a channel: what is taken back is read anew within the minute."""
_FILE = re.compile(r"F[A-Z0-9]+")
_CHANGES = frozenset({"message_changed", "message_deleted"})
log = logging.getLogger(__name__)


def slack_reading(container: Container, channel: str) -> "SlackReading":
    """How a channel of the home's workspace is read, and for whom; raise `BadConfiguration`."""
    from retrieval.remote.slack import SlackReading

    settings, access = container.settings, container.stores.access
    groups, listed = access.usergroups.facets, access.channels
    of_group = groups.get(listed.usergroups.get(channel, ""), {})
    try:
        token = token_in(container, "")
    except SlackClientError as error:
        raise BadConfiguration(str(error)) from error
    return SlackReading(
        token,
        settings.slack_api_url.get_secret_value(),
        settings.slack_history_days,
        _as_audience(joined([listed.by_id.get(channel, {}), of_group])),
        _as_audience(_of_members_alone(access, channel)),
    )


def _of_members_alone(access: LiveAccess, channel: str) -> Facets:
    """What the members of a channel have, where nobody else has it by the files; else nothing."""
    groups = access.usergroups.facets
    own = groups.get(channel, {})
    others = [
        *(who.facets for who in access.people.by_id.values()),
        *(of for each, of in access.channels.by_id.items() if each != channel),
        *(of for name, of in groups.items() if name != channel),
    ]
    is_one = all(len(values) == 1 for values in own.values())
    is_own = not any(
        all(values & each.get(facet, frozenset()) for facet, values in own.items())
        for each in others
    )
    return own if is_one and is_own else {}


def _as_audience(facets: Facets) -> Audience:
    stated = ((facet, tuple(sorted(values))) for facet, values in facets.items() if facet != TEAM)
    return tuple(sorted(each for each in stated if each[1]))


@dataclass(frozen=True, slots=True)
class ChannelSources:
    """What is deleted or corrected in Slack is not answered from any more, and read anew."""

    container: Container
    run: Callable[[Sequence[str], Event], Finished] = run_command
    clock: Callable[[], float] = time.monotonic
    _read_at: dict[str, float] = field(default_factory=dict)
    """By URL; what changes soon after waits, and is read together."""

    def heard(self, event: Mapping[str, Any]) -> None:
        """Serve no more what an event takes back; raise `OSError` or `RetrievalError`."""
        from retrieval.remote.slack import PINS

        kind = event.get("type")
        if kind == "file_deleted":
            self._file_gone(str(event.get("file_id") or ""))
        elif kind == "pin_removed":
            for source in self._named(event.get("channel_id")):
                self._take_back(source, [PINS])
        elif kind == "message" and event.get("subtype") in _CHANGES:
            self._message_changed(event)

    def __call__(self) -> bool:
        """Read the next channel in which something was taken back; whether there was one."""
        if not any((self.container.home / FOLDER).glob("*/touched/[!.]*")):
            return False
        for source in self._channels():
            mirror = self._mirror(source)
            touched = mirror.touched()
            if not touched:
                continue
            self._suspend(source, touched.values())  # another reading may have served it again
            if self.clock() < self._read_at.get(source.url, -AGAIN) + AGAIN:
                continue
            finished = self.run(("ingest", source.url), Event())
            self._read_at[source.url] = self.clock()
            if mirror.touched().keys() & touched.keys():
                log.warning(
                    "%s was not read, and is again later: %s", source.url, finished.last_words
                )
            return True
        return False

    def _message_changed(self, event: Mapping[str, Any]) -> None:
        """Of a person alone; Slack tells of a change too where it adds a link's preview."""
        from retrieval.remote.slack import holding

        now, before = event.get("message") or {}, event.get("previous_message") or {}
        is_same = event["subtype"] == "message_changed" and now.get("text") == before.get("text")
        if is_same or before.get("bot_id"):
            return
        was = {"ts": event.get("deleted_ts"), **now, **before}
        ts, thread = str(was["ts"] or ""), str(was.get("thread_ts") or was["ts"] or "")
        for source in self._named(event.get("channel")):
            if paths := holding(self._mirror(source).files, thread, ts):
                self._take_back(source, paths)

    def _file_gone(self, file_id: str) -> None:
        """In every channel of which it was copied."""
        for source in self._channels() if _FILE.fullmatch(file_id) else ():
            copies = self._mirror(source).files
            if found := [each.relative_to(copies) for each in copies.glob(f"*/{file_id} *")]:
                self._take_back(source, [each.as_posix() for each in found])

    def _take_back(self, source: KnownSource, paths: Sequence[str]) -> None:
        self._mirror(source).touch(paths)
        self._suspend(source, paths)

    def _suspend(self, source: KnownSource, paths: Collection[str]) -> None:
        library = self.container.stores.library
        held = library.holdings(source.name)
        library.suspend(held[each].document.document_id for each in paths if each in held)

    def _named(self, channel: object) -> Iterator[KnownSource]:
        return (each for each in self._channels() if each.url == f"{SCHEME}{channel}")

    def _channels(self) -> Iterator[KnownSource]:
        known = self.container.stores.library.sources()
        return (each for each in known if each.url.startswith(SCHEME))

    def _mirror(self, source: KnownSource) -> "Mirror":

        return mirror_of(self.container.settings, source.url, source.name)
