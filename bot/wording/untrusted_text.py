"""Foreign words are shown, at every door, so that nothing in them acts, and nothing is unseen."""

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence

_LINE_END = re.compile("\r\n|[\r\x85\u2028\u2029]")
_UNSEEN = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls; the escape character among them
    "\ud800-\udfff"  # halves of surrogate pairs
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # the direction of what follows
    "\u00ad\u034f\u180e\u200b\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb"  # without width
    "\u115f\u1160\u3164\uffa0"  # letters without a shape
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"  # of shorthand and of notes
    "\U000e0000-\U000e0fff"  # tags, and variants of nothing
    "]|(?<![\u0600-\U0010ffff])[\u200c\u200d]"  # joiners, but of scripts and emoji that join
)
_TO_ESCAPE = re.compile(f"{_UNSEEN.pattern}|[\u2028\u2029]")
_HOST = re.compile(
    r"(?<=://)[^\s/?#\"'<>()|\\^`“”‘’«»]+|(?:(?<=\bwww\.)|(?<=[\w.+-]@))(?:[\w-]+\.)+[\w-]+"
    r"|(?<![\w.@-])(?:[\w-]+\.)+(?:com|org|net|edu|gov|info|io|[a-z]{2,}(?=/))(?![\w.-])"
)
"""Of an address in a text; of one without a scheme only where it can hardly be anything else."""
_IN_HOST = re.compile(r"[^.@:,;!…–—]*[^\x00-\x7f@:,;!…–—][^.@:,;!…–—]*")
_DOTS = re.compile("[。．｡]")
_CALLS = re.compile(r"<(?=[!@#]|[a-z][a-z0-9+.-]*:)", re.IGNORECASE)
"""What begins a mention or a link in Slack's markup."""


def printable(text: str) -> str:
    """Nothing invisible but line feeds and tabs; a host has its ASCII name (`xn--...`)."""
    seen = _UNSEEN.sub("", _LINE_END.sub("\n", text))
    return seen if seen.isascii() else _HOST.sub(lambda found: ascii_host(found[0]), seen)


def is_printable(text: str) -> bool:
    """Whether nothing in it acts or cannot be seen."""
    return not _UNSEEN.search(text)


def ascii_host(name: str) -> str:
    """The name of a host as it is called up (RFC 3490); ASCII stays."""
    return _IN_HOST.sub(_called_up, _DOTS.sub(".", name))


def _called_up(label: re.Match[str]) -> str:
    plain = unicodedata.normalize("NFKC", label[0]).lower()
    return plain if plain.isascii() else f"xn--{plain.encode('punycode').decode()}"


def unbroken(text: str) -> str:
    """What can be seen of it on one line, spaces as they are: no name in it forges another line."""
    return " ".join(printable(text).splitlines())


def in_one_line(text: str) -> str:
    """What can be seen of it, so that it cannot pass for another line; spaces are single."""
    return " ".join(printable(text).split())


def shortened(text: str, most: int) -> str:
    """What can be seen of it; of what has more characters the beginning."""
    seen = printable(text)
    return seen if len(seen) <= most else f"{seen[:most].rstrip()}…"


def uncalled(text: str) -> str:
    """What can be seen of it, and nobody is called: no mention, no channel, no hidden link."""
    return _CALLS.sub("‹", printable(text))


def json_text(values: Mapping[str, object] | Sequence[object]) -> str:
    """JSON in which all that cannot be seen is escaped, so that nothing is lost."""
    text = json.dumps(values, ensure_ascii=False, indent=2)
    return _TO_ESCAPE.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    character = match[0]
    if ord(character) < 0x1_0000:
        return f"\\u{ord(character):04x}"
    return json.dumps(character)[1:-1]
