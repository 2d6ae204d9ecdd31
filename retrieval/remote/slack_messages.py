"""What Slack answers of a channel, as far as it is understood, and its messages as HTML."""

import html
import re
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from itertools import groupby
from textwrap import shorten

from pydantic import AliasChoices, AliasPath, Field

from retrieval.language.sentences import sentence_spans
from retrieval.remote.api import ApiModel, titled

TS = r"^\d{9,11}\.\d{6}$"
_BY_PEOPLE = frozenset({"", "file_share", "thread_broadcast", "me_message"})
_ENTITY = re.compile(r"<([^<>]*)>")
_ITEM = re.compile(r"[ \t]*(?:[•◦▪*-]|\d{1,3}[.)])[ \t]+(.+)")
_CODE = re.compile(r"```\n?(.*?)```", re.DOTALL)
_STRESSED = re.compile(r"(?<![\w*_`])([*_`])(?=\S)([^*_`\n]+)(?<=\S)\1(?![\w*_`])")
_STRUCK = re.compile(r"(?<![\w~])~(?=\S)([^~\n]+)(?<=\S)~(?![\w~])")
_AROUND = " *_~\"'”’)"
_LONGEST_TITLE = 80
Named = Callable[[str], str]
"""How a person is called whose id is known."""


class Status(ApiModel):
    """Whether a method did what it was asked for."""

    ok: bool
    error: str = ""
    needed: str = ""
    """The scope that is missing."""


class Account(ApiModel):
    """Who the bot is, and where its workspace is in a browser."""

    url: str
    user_id: str


class Channel(ApiModel):
    """A channel, as far as it matters who reads along."""

    id: str
    name: str
    is_private: bool
    is_member: bool
    is_ext_shared: bool
    is_im: bool = False
    is_mpim: bool = False
    is_pending_ext_shared: bool = False
    is_org_shared: bool = False

    @property
    def is_shared(self) -> bool:
        """Whether people of another company, or another workspace, read it too."""
        return self.is_ext_shared or self.is_pending_ext_shared or self.is_org_shared


class Info(ApiModel):
    channel: Channel


class File(ApiModel):
    id: str = Field(pattern=r"^F[A-Z0-9]+$")
    user: str = ""
    name: str | None = None
    title: str | None = None
    mode: str = ""
    filetype: str = ""
    size: int = 0
    is_external: bool = False
    url_private: str = ""
    permalink: str = ""
    updated: int = 0
    edit_timestamp: int = 0
    timestamp: int = 0

    @property
    def is_canvas(self) -> bool:
        return self.mode in ("quip", "canvas") or self.filetype in ("quip", "canvas")

    @property
    def is_held(self) -> bool:
        """Whether Slack has its bytes: not what was deleted, is hidden, or lives elsewhere."""
        return self.mode in ("hosted", "snippet") and not self.is_external

    @property
    def mark(self) -> str:
        """Empty for a canvas of which it is not told when it changed."""
        changed = max(self.updated, self.edit_timestamp)
        if self.is_canvas:
            return str(changed or "")
        return f"{changed or self.timestamp} {self.size}"


class Files(ApiModel):
    """A part of all files of a channel."""

    files: tuple[File, ...]
    pages: int = Field(validation_alias=AliasPath("paging", "pages"))


class Message(ApiModel):
    ts: str = Field(pattern=TS)
    user: str = ""
    text: str = ""
    subtype: str = ""
    bot_id: str = ""
    thread_ts: str = ""
    reply_count: int = 0
    latest_reply: str = ""
    edited: str = Field("", validation_alias=AliasPath("edited", "ts"))

    @property
    def is_by_person(self) -> bool:
        """No bot's words are a source, the own ones least of all."""
        return bool(self.user) and not self.bot_id and self.subtype in _BY_PEOPLE

    @property
    def day(self) -> datetime:
        return datetime.fromtimestamp(float(self.ts), UTC)


class Messages(ApiModel):
    messages: tuple[Message, ...]
    next_cursor: str = Field("", validation_alias=AliasPath("response_metadata", "next_cursor"))


class Pin(ApiModel):
    """Something pinned: a message, or a file, which is listed as one."""

    message: Message | None = None


class Pins(ApiModel):
    """All that is pinned there."""

    items: tuple[Pin, ...]


class Bookmark(ApiModel):
    """A link above the channel; a folder of these has none."""

    title: str
    link: str | None = None


class Bookmarks(ApiModel):
    """All that stand there."""

    bookmarks: tuple[Bookmark, ...]


class Person(ApiModel):
    """How somebody is called; of who has left Slack tells less."""

    name: str = Field(
        validation_alias=AliasChoices(
            AliasPath("user", "real_name"),
            AliasPath("user", "profile", "real_name"),
            AliasPath("user", "name"),
        )
    )


def with_address(label: str, address: str) -> str:
    address = address.removeprefix("mailto:")
    return f"{label} ({address})" if label and label != address else address


def plain(text: str, named: Named = str, linked: Callable[[str, str], str] = with_address) -> str:
    """The words alone: people by name, and links as `linked` says of their label and address.

    https://docs.slack.dev/messaging/formatting-message-text: only &, < and > are escaped.
    """
    return html.unescape(_ENTITY.sub(lambda found: _spoken(found[1], named, linked), text))


def _spoken(entity: str, named: Named, linked: Callable[[str, str], str]) -> str:
    target, _, label = entity.partition("|")
    if target.startswith("@"):
        return f"@{label or named(target[1:])}"
    if target.startswith("#"):
        return f"#{label or target[1:]}"
    if target.startswith("!"):
        return label or f"@{target[1:].partition('^')[0]}"
    return linked(label, target)


def of_thread(channel: str, said: Sequence[Message], named: Named) -> bytes:
    """A thread below the words that it began with, each message below who said it and when."""
    begins = " ".join(_STRESSED.sub(r"\2", plain(said[0].text, named)).split())
    title = shorten(begins, _LONGEST_TITLE, placeholder=" …") or "Thread"
    return titled([f"#{channel}", title], _messages(said, named))


def of_message(channel: str, text: str, named: Named) -> bytes:
    """One message by itself, whoever said it."""
    return titled([f"#{channel}"], _as_html(plain(text, named)))


def of_pins(channel: str, pinned: Sequence[Message], named: Named) -> bytes:
    return titled([f"#{channel}", "Pinned messages"], _messages(pinned, named))


def is_pinned_in(page: str, ts: str) -> bool:
    """Whether a message stands on a page that `of_pins` made."""
    return _anchor(ts) in page


def _anchor(ts: str) -> str:
    return f'id="{html.escape(ts)}"'


def of_bookmarks(channel: str, bookmarks: Iterable[Bookmark]) -> bytes:
    each = (f"<p>{html.escape(f'{one.title}: {one.link}')}</p>" for one in bookmarks)
    return titled([f"#{channel}", "Bookmarks"], "\n".join(each))


def _messages(said: Sequence[Message], named: Named) -> str:
    return "\n".join(
        f"<h3 {_anchor(each.ts)}>{html.escape(named(each.user))}, {each.day:%-d %B %Y}</h3>\n"
        f"{_as_html(plain(each.text, named))}"
        for each in said
    )


def _as_html(text: str) -> str:
    """Lines as paragraphs, items of a list and code as what they are."""
    return "\n".join(
        f"<pre>{html.escape(part)}</pre>" if at % 2 else _lines(part)
        for at, part in enumerate(_CODE.split(text))
    )


def _lines(text: str) -> str:
    stated = (_stated(line) for line in text.splitlines())
    lines = ((_ITEM.fullmatch(line), line) for line in stated if line.strip())
    made: list[str] = []
    for is_list, some in groupby(lines, key=lambda each: each[0] is not None):
        said = [_styled(item[1] if item else line) for item, line in some]
        if is_list:
            made.append(f"<ul>{''.join(f'<li>{each}</li>' for each in said)}</ul>")
        else:
            made += [f"<p>{each}</p>" for each in said]
    return "\n".join(made)


def _stated(line: str) -> str:
    """Without its questions: what is asked in a channel tells nobody anything."""
    spans = sentence_spans(line)
    asked = [(a, b) for a, b in spans if line[a:b].rstrip(_AROUND).endswith("?")]
    if len(asked) == len(spans):
        return ""
    for start, end in reversed(asked):
        line = line[:start] + line[end:]
    return line


def _styled(line: str) -> str:
    """What is struck out is no more said; other marks are how it looks."""
    shown = html.escape(line.strip())
    return _STRUCK.sub(r"<del>\1</del>", _STRESSED.sub(r"\2", shown))
