"""Channels of Slack that are sources: how each is read, and what changed there is read at once."""

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Event
from typing import TYPE_CHECKING, Any

from slack_sdk.errors import SlackClientError

from bot.access.entries import Facets
from bot.access.user_groups import joined
from bot.errors import BadConfiguration
from bot.jobs.ingesting import Finished, run_command
from bot.wiring.container import Container
from bot.wiring.slack_clients import token_in
from retrieval.metadata.access import TEAM, Audience

if TYPE_CHECKING:
    from retrieval.remote.slack import SlackReading

SCHEME = "slack://"
AGAIN = 60.0
"""Seconds until a channel is tried again that could not be read."""
_FILE = re.compile(r"F[A-Z0-9]+")


def slack_reading(container: Container, channel: str) -> "SlackReading":
    """How a channel of the home's own workspace is read.

    Whom it is for: in `channels.yaml` what everyone there has, and of a private one what
    `people.yaml` says under `usergroups` that its members have. Raise `BadConfiguration`.
    """
    from retrieval.remote.slack import SlackReading

    settings, channels = container.settings, container.stores.access.channels
    groups = container.stores.access.usergroups.facets
    of_group = groups.get(channels.usergroups.get(channel, ""), {})
    everyone = [channels.by_id.get(channel, {}), of_group]
    try:
        token = token_in(container, "")
    except SlackClientError as error:
        raise BadConfiguration(str(error)) from error
    return SlackReading(
        token,
        settings.slack_api_url.get_secret_value(),
        settings.slack_history_days,
        _as_audience(joined(everyone)),
        _as_audience(groups.get(channel, {})),
    )


def _as_audience(facets: Facets) -> Audience:
    stated = ((facet, tuple(sorted(values))) for facet, values in facets.items() if facet != TEAM)
    return tuple(sorted(each for each in stated if each[1]))


def _says_otherwise(event: Mapping[str, Any]) -> bool:
    """Whether a person's message is gone, or says something else than before.

    Slack tells of a change too where it adds a link's preview.
    """
    now, before = event.get("message") or {}, event.get("previous_message") or {}
    is_changed = event.get("subtype") == "message_changed" and now.get("text") != before.get("text")
    return (is_changed or event.get("subtype") == "message_deleted") and not before.get("bot_id")


@dataclass(frozen=True, slots=True)
class ChannelSources:
    """What is deleted or corrected in Slack is not answered from any more, and read anew."""

    container: Container
    run: Callable[[Sequence[str], Event], Finished] = run_command
    clock: Callable[[], float] = time.monotonic
    _waiting: dict[str, float] = field(default_factory=dict)
    """By URL when it may be tried again."""

    def heard(self, event: Mapping[str, Any]) -> None:
        """Keep what an event says of such channels; raise `OSError` or `RetrievalError`."""
        from retrieval.remote.slack import holding

        kind, before = event.get("type"), event.get("previous_message") or {}
        if kind == "file_deleted":
            self._file_gone(str(event.get("file_id") or ""))
        elif kind == "pin_removed":
            self._touch(str(event.get("channel_id") or ""), ())
        elif kind == "message" and _says_otherwise(event):
            ts = str(before.get("thread_ts") or before.get("ts") or event.get("deleted_ts") or "")
            self._touch(str(event.get("channel") or ""), holding(ts))

    def __call__(self) -> bool:
        """Serve no more what was touched, and read its channel; whether there was one."""
        for url, name in self._channels():
            mirror = self._mirror(url, name)
            if self.clock() < self._waiting.get(url, 0.0) or not (touched := mirror.touched()):
                continue
            library = self.container.stores.library
            held = library.holdings(name)
            library.suspend(held[each].document.document_id for each in touched if each in held)
            self.run(("ingest", url), Event())
            if mirror.touched():
                self._waiting[url] = self.clock() + AGAIN
            return True
        return False

    def _touch(self, channel: str, paths: Sequence[str]) -> None:
        for url, name in self._channels():
            if url == f"{SCHEME}{channel}":
                self._mirror(url, name).touch(paths)

    def _file_gone(self, file_id: str) -> None:
        """In every channel of which it was copied."""
        for url, name in self._channels() if _FILE.fullmatch(file_id) else ():
            mirror = self._mirror(url, name)
            found = mirror.files.glob(f"*/{file_id} *")
            if paths := [each.relative_to(mirror.files).as_posix() for each in found]:
                mirror.touch(paths)

    def _channels(self) -> Iterator[tuple[str, str]]:
        for each in self.container.stores.library.sources():
            if each.url.startswith(SCHEME):
                yield each.url, each.name

    def _mirror(self, url: str, name: str) -> Any:
        from bot.wiring.sources import mirror_of

        return mirror_of(self.container, url, name)
