"""Channels of Slack that are sources: how each is read, and what changed there is read at once."""

import logging
import re
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Event
from typing import TYPE_CHECKING, Any

from slack_sdk.errors import SlackClientError

from bot.access.entries import Facets
from bot.access.people import LiveAccess
from bot.access.user_groups import joined
from bot.errors import BadConfiguration
from bot.jobs.work import Finished, run_command
from bot.wiring.container import Container
from bot.wiring.slack_clients import token_in
from retrieval.documents.holdings import KnownSource
from retrieval.metadata.access import TEAM, Audience

if TYPE_CHECKING:
    from retrieval.remote.mirror import Mirror
    from retrieval.remote.slack import SlackReading

SCHEME = "slack://"
AGAIN = 50.0
"""Seconds between two readings of a channel: what is taken back is read anew within the minute."""
_FILE = re.compile(r"F[A-Z0-9]+")
_CHANGES = frozenset({"message_changed", "message_deleted"})
log = logging.getLogger(__name__)


def slack_reading(container: Container, channel: str) -> "SlackReading":
    """How a channel of the home's own workspace is read.

    Whom it is for: in `channels.yaml` what everyone there has, and of a private one what
    `people.yaml` says under `usergroups` that its members have. Raise `BadConfiguration`.
    """
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
        from bot.wiring.sources import FOLDER

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
        from bot.wiring.sources import mirror_of

        return mirror_of(self.container.settings, source.url, source.name)
