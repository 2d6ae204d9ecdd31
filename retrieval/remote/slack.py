"""A channel of Slack: its canvases and files, what is pinned and bookmarked, and what was said.

Requests of its Web API with the bot's own token, through the guarded client, which goes to no other
host than Slack's. Written after the published descriptions and tried against a stand-in.
"""

import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from itertools import count
from pathlib import Path, PurePosixPath
from urllib.parse import urlencode, urlsplit

from retrieval.errors import BadSource, SourceUnavailable, UnreadableDocument
from retrieval.metadata.access import CHANNEL_ID, EVERYBODY, Audience
from retrieval.parsing import is_read
from retrieval.ports import Fetched, SourceFile, SourceListing
from retrieval.remote import faults
from retrieval.remote.api import Api, M, NotUnderstood, parts_of, understood
from retrieval.remote.guarded import GuardedHttp
from retrieval.remote.names import HERE, bounded, in_a_name
from retrieval.remote.slack_messages import (
    TS,
    Account,
    Bookmarks,
    Channel,
    File,
    Files,
    Info,
    Message,
    Messages,
    Person,
    Pins,
    Status,
    is_pinned_in,
    of_bookmarks,
    of_pins,
    of_thread,
)
from retrieval.remote.urls import SourceUrl

AT_ONCE = 200
PINS, BOOKMARKS, THREADS = "pins.html", "bookmarks.html", "threads"
LONGEST_NAME = 100
"""Bytes of a file's name, beside its id."""
STILL_EDITED = timedelta(days=30)
"""So long after its last words a thread is fetched anew each day: an edited reply is not listed."""
_CODE = re.compile(r"[a-z_]{1,60}")
_UNKNOWN = frozenset({"channel_not_found", "not_in_channel"})
NOT_IN_IT = "is no channel that the bot is in. Invite it there"
_UNAUTHORIZED = frozenset(
    {"invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired"}
)
_GONE = frozenset(
    {
        *("thread_not_found", "message_not_found", "file_not_found", "file_deleted"),
        *("user_not_found", "users_not_found", "user_not_visible"),
    }
)


class _NotThere(BadSource):
    """The bot is not let in, or not any more."""


@dataclass(frozen=True, slots=True)
class SlackReading:
    token: str
    """The bot's."""
    api_url: str
    """Of the Web API, with a slash behind."""
    history_days: int
    """How far back what was said is read; 0: not at all."""
    everyone_there: Audience = EVERYBODY
    """Whom a public channel is for."""
    members: Audience = EVERYBODY
    """What the members of the channel have, and nobody else; empty where nobody said."""


@dataclass(frozen=True, slots=True)
class _Held:
    """One document: its mark, where people open it, and what makes it."""

    mark: str
    link: str
    content: Callable[[], bytes]
    size: int | None = None


class SlackSource:
    def __init__(self, channel: str, reading: SlackReading, largest: int) -> None:
        """`channel`: its id. `largest`: bytes of a file."""
        self._channel, self._reading, self._largest = channel, reading, largest
        own = urlsplit(reading.api_url)
        is_local = own.scheme == "http"
        http = GuardedHttp(
            (own.netloc, f"files.{own.netloc}"), (own.hostname or "",) if is_local else ()
        )
        bearer = {"authorization": f"Bearer {reading.token}"}
        form = {**bearer, "content-type": "application/x-www-form-urlencoded"}
        self._api = Api(http, reading.api_url, lambda: form)
        self._files_api = Api(http, "", lambda: bearer)
        self._names: dict[str, str] = {}
        self._held: dict[str, _Held] = {}
        self._account = Account(url="", user_id="")

    def listing(self) -> SourceListing:
        """Nothing of a channel that may be read no more is served, and why is told."""
        with faults.of_source():
            try:
                channel = self._open_channel()
            except _NotThere as error:
                return SourceListing((), unlisted={HERE: str(error)}, tells_readers=True)
            audience = self._reading.members or self._reading.everyone_there
            self._account = self._get(Account, "auth.test", {})
            self._held = dict(bounded(self._documents(channel)))
            files = tuple(
                SourceFile(path, each.mark, size=each.size, audience=audience)
                for path, each in self._held.items()
            )
            return SourceListing(files, tells_readers=True)

    def _open_channel(self) -> Channel:
        """Raise `_NotThere`, also for a private one of whose members nobody said what they have."""
        channel = self._get(Info, "conversations.info", {"channel": self._channel}).channel
        if channel.is_im or channel.is_mpim:
            raise _NotThere("is no channel but a talk of a few, which is not read")
        if channel.is_shared:
            raise _NotThere("is shared with another company or workspace, and is not read")
        if not channel.is_member:
            raise _NotThere(NOT_IN_IT)
        if channel.is_private and not self._reading.members:
            raise _NotThere(
                "is a private channel. Say in `usergroups` of people.yaml what its members have "
                f"and nobody else, such as `{self._channel}: {{projects: [apollo]}}`"
            )
        return channel

    def _documents(self, channel: Channel) -> Iterator[tuple[str, _Held]]:
        yield from self._files()
        yield from self._pins(channel)
        yield from self._bookmarks(channel)
        if self._reading.history_days:
            yield from self._threads(channel)

    def _files(self) -> Iterator[tuple[str, _Held]]:
        def part(page: str) -> Files:
            asked = {"channel": self._channel, "count": str(AT_ONCE), "page": page}
            return self._get(Files, "files.list", asked)

        pages = count(2)

        def following(files: Files) -> str:
            page = next(pages)
            return str(page) if page <= files.pages else ""

        for files in parts_of(part, following, "1"):
            for each in files.files:
                path = _path(each)
                if path and is_read(path) and each.user != self._account.user_id:
                    yield path, self._file(each)

    def _file(self, file: File) -> _Held:
        def content() -> bytes:
            got = self._files_api.content(file.url_private, self._largest)
            if file.is_canvas and b"<form" in got.lower():
                raise UnreadableDocument("comes as a page to sign in on")
            return got

        size = None if file.is_canvas else file.size
        return _Held(file.mark, file.permalink, content, size)

    def _pins(self, channel: Channel) -> Iterator[tuple[str, _Held]]:
        said = self._get(Pins, "pins.list", {"channel": self._channel})
        pinned = [each.message for each in said.items if each.message]
        if by_people := [each for each in pinned if each.is_by_person]:
            yield PINS, self._made(of_pins(channel.name, by_people, self._named))

    def _bookmarks(self, channel: Channel) -> Iterator[tuple[str, _Held]]:
        said = self._get(Bookmarks, "bookmarks.list", {"channel_id": self._channel})
        if links := [each for each in said.bookmarks if each.link]:
            yield BOOKMARKS, self._made(of_bookmarks(channel.name, links))

    def _made(self, page: bytes) -> _Held:
        return _Held(sha256(page).hexdigest(), self._in_browser(), lambda: page)

    def _threads(self, channel: Channel) -> Iterator[tuple[str, _Held]]:
        """A document each, also where nobody replied."""
        oldest = time.time() - timedelta(days=self._reading.history_days).total_seconds()
        asked = {"channel": self._channel, "oldest": f"{oldest:.6f}"}
        for each in self._messages("conversations.history", asked):
            if self._counts(each) and each.thread_ts in ("", each.ts):
                yield _path_of_thread(each.ts), self._thread(channel, each)

    def _counts(self, message: Message) -> bool:
        """Whether a person says it, and to others than the bot."""
        return message.is_by_person and f"<@{self._account.user_id}" not in message.text

    def _thread(self, channel: Channel, root: Message) -> _Held:
        def content() -> bytes:
            asked = {"channel": self._channel, "ts": root.ts}
            said = [root]
            if root.reply_count:
                said = list(self._messages("conversations.replies", asked))
            once = {each.ts: each for each in said}  # a part begins with the root again
            by_people = [each for each in once.values() if self._counts(each)]
            if not by_people or by_people[0].ts != root.ts:
                raise UnreadableDocument("is not there any more")
            return of_thread(channel.name, by_people, self._named)

        marks = (root.text, root.edited, str(root.reply_count), root.latest_reply, _today(root))
        mark = sha256("\0".join(marks).encode()).hexdigest()
        return _Held(mark, self._in_browser(f"/p{root.ts.replace('.', '')}"), content)

    def _messages(self, method: str, asked: Mapping[str, str]) -> Iterator[Message]:
        def part(cursor: str) -> Messages:
            goes_on = {"cursor": cursor} if cursor else {}
            return self._get(Messages, method, {**asked, "limit": str(AT_ONCE), **goes_on})

        for messages in parts_of(part, lambda made: made.next_cursor):
            yield from messages.messages

    def _named(self, user: str) -> str:
        """By their id where Slack knows them no more."""
        if user not in self._names:
            try:
                self._names[user] = self._get(Person, "users.info", {"user": user}).name
            except (UnreadableDocument, NotUnderstood):
                self._names[user] = user
        return self._names[user]

    def fetch(self, file: SourceFile, held: str = "") -> Fetched | None:  # noqa: ARG002
        with faults.of_file():
            return Fetched([self._held[file.path].content()])

    def link(self, path: str) -> str:
        shown = self._held[path].link if path in self._held else ""
        parts, own = urlsplit(shown), urlsplit(self._account.url)
        return shown if shown and parts[:2] == own[:2] else ""

    def _in_browser(self, message: str = "") -> str:
        return f"{self._account.url.rstrip('/')}/archives/{self._channel}{message}"

    def _get(self, kind: type[M], method: str, asked: Mapping[str, str]) -> M:
        content = self._api.content(method, post=urlencode(asked).encode())
        status = understood(Status, content)
        if not status.ok:
            raise _refusal(status)
        return understood(kind, content)


def _path(file: File) -> str:
    """Empty for what Slack does not hold itself."""
    if file.is_canvas:
        return f"canvases/{file.id} {in_a_name(file.title or 'Canvas', LONGEST_NAME)}.html"
    ending = PurePosixPath(file.name or "").suffix
    stem = in_a_name((file.name or "").removesuffix(ending), LONGEST_NAME)
    return f"files/{file.id} {stem}{in_a_name(ending, LONGEST_NAME)}" if file.is_held else ""


def _path_of_thread(ts: str) -> str:
    return f"{THREADS}/{ts}.html"


def _today(root: Message) -> str:
    """The day, while replies of its thread may still be edited."""
    last = datetime.fromtimestamp(float(root.latest_reply or root.ts), UTC)
    recent = root.reply_count and datetime.now(UTC) - last < STILL_EDITED
    return str(date.today()) if recent else ""


def holding(copies: Path, thread: str, ts: str) -> list[str]:
    """The documents, of those that are copied, that a message is in."""
    if not all(re.fullmatch(TS, each) for each in (thread, ts)):
        return []
    page = copies / PINS
    pinned = page.is_file() and is_pinned_in(page.read_text(encoding="utf-8"), ts)
    threads = {_path_of_thread(thread), _path_of_thread(ts)}
    return [*(each for each in sorted(threads) if (copies / each).is_file()), *([PINS] * pinned)]


def _refusal(status: Status) -> Exception:
    if status.error == "missing_scope":
        needed = status.needed if re.fullmatch(r"[a-z:._,]{1,100}", status.needed) else "a scope"
        return BadSource(
            f"cannot be read without {needed}. Add it to your app at api.slack.com/apps, OAuth & "
            "Permissions, Bot Token Scopes, and install the app anew"
        )
    if status.error in _UNKNOWN:
        return _NotThere(NOT_IN_IT)
    if status.error in _UNAUTHORIZED:
        return BadSource("may not be read with the credentials that are set. Run `vouch check`")
    if status.error in _GONE:
        return UnreadableDocument("is not there any more")
    said = status.error if _CODE.fullmatch(status.error) else "what is not understood"
    return SourceUnavailable(f"answered {said}")


def of_slack(url: SourceUrl, reading: SlackReading, largest: int) -> SlackSource:
    """Of `slack://CHANNEL_ID`."""
    channel = url.parts.netloc
    if not CHANNEL_ID.fullmatch(channel) or url.path:
        raise BadSource("Write slack://CHANNEL_ID, with the id that the channel's details end in")
    if not reading.token:
        raise BadSource("is read with the bot's own token. Set VOUCH_SLACK_BOT_TOKEN")
    return SlackSource(channel, reading, largest)
