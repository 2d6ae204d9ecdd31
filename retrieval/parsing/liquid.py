"""People read something in place of Liquid's tags, the templates of Jekyll and Eleventy.

The pages that a template includes are not at hand, so only tags that state their text
are read; the rest read as nothing.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from urllib.parse import quote

from retrieval.parsing.placed import PlacedText, join

_TAG = re.compile(
    r"\{%-?\s*(?P<name>[\w-]++)(?P<arguments>(?:(?!%\}|\{%).){0,4000}?)-?%\}"
    r"|\{\{-?(?P<output>(?:(?!\}\}|\{\{).){0,4000}?)-?\}\}",
    re.DOTALL,
)
_ARGUMENT = re.compile(r'"([^"]*)"|\'([^\']*)\'|([^\s,]+)')
_LITERAL = re.compile(r"""\s*(["'])(.*)\1\s*""", re.DOTALL)
_LINK_TARGET = re.compile(r"""(?:\]\(\s*<?|\]:\s*<?|(?:href|src)\s*=\s*["']?)$""")
_LONGEST_LEAD = 40
"""Characters before a tag that tell whether it is the target of a link."""
_CODE = re.compile(
    r"^[ \t>]*(?P<fence>`{3,}|~{3,}).*?(?:^[ \t>]*(?P=fence)|\Z)|`[^`\n]+`",
    re.MULTILINE | re.DOTALL,
)


def code_ranges(text: str) -> list[tuple[int, int]]:
    """Where a text holds fenced code and code in a line, roughly: template-like text."""
    return [code.span() for code in _CODE.finditer(text)]


def rendered(text: PlacedText, kept: Sequence[tuple[int, int]] = ()) -> PlacedText:
    """The text with its tags read; what begins in a `kept` range is left as it stands."""
    parts: list[PlacedText] = []
    done = 0
    waiting = list(reversed(kept))
    while found := _TAG.search(text.text, done):
        while waiting and waiting[-1][1] <= found.start():
            waiting.pop()
        if waiting and waiting[-1][0] <= found.start():
            parts.append(text[done : found.end()])
            done = found.end()
        else:
            parts.append(text[done : found.start()])
            done = _read(text, found, parts)
    return join([*parts, text[done:]])


def _read(text: PlacedText, found: re.Match[str], parts: list[PlacedText]) -> int:
    """Add what a tag reads as; return where reading goes on."""
    name = found["name"]
    if name in ("comment", "raw"):
        ending = re.compile(rf"\{{%-?\s*end{name}\s*-?%\}}").search(text.text, found.end())
        inner_end = ending.start() if ending else len(text.text)
        if name == "raw":
            parts.append(text[found.end() : inner_end])
        return ending.end() if ending else len(text.text)
    parts.append(PlacedText.standing_for(_words(text, found), *text.span(*found.span())))
    return found.end()


def _words(text: PlacedText, found: re.Match[str]) -> str:
    if found["name"] is None:
        literal = _LITERAL.fullmatch(found["output"])
        return literal[2] if literal else ""
    arguments = ["".join(match.groups("")) for match in _ARGUMENT.finditer(found["arguments"])]
    lead = text.text[max(0, found.start() - _LONGEST_LEAD) : found.start()]
    if _LINK_TARGET.search(lead):
        return quote(arguments[0], safe="/#:?=&%.~") if arguments else ""
    reading = _READINGS.get(found["name"])
    return reading(arguments) if reading and arguments and arguments[0] else ""


def _channel(arguments: list[str]) -> str:
    return arguments[1] if len(arguments) > 1 else f"#{arguments[0].lstrip('#')}"


def _page(arguments: list[str]) -> str:
    """A page's address as words: its last part, for want of the title."""
    parts = [part for part in re.split(r"[/#]", arguments[0]) if part]
    return re.sub(r"[-_]+", " ", parts[-1]) if parts else ""


def _image(arguments: list[str]) -> str:
    """An image in Markdown; its last argument is the alternative text."""
    alternative = re.sub(r"[\[\]\\]", "", arguments[-1]) if len(arguments) > 1 else ""
    return f"![{alternative}]({quote(arguments[0])})"


_READINGS: Mapping[str, Callable[[list[str]], str]] = {
    "slack_channel": _channel,
    "page": _page,
    "link": _page,
    "post_url": _page,
    "image": _image,
    "image_with_class": _image,
    "alert": lambda arguments: f"{arguments[0]}\n\n",
}
"""By tag: what its arguments, at least one that is not empty, read as."""
