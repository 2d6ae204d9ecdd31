"""A YAML block may stand at the top of a Markdown file."""

import re
from collections.abc import Mapping
from html import unescape

from retrieval.errors import UnreadableDocument
from retrieval.metadata import strict_yaml
from retrieval.types import Stated

_FRONT_MATTER = re.compile(r"\A---[ \t]*\r?\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.M | re.S)

_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_INLINE_TAG = re.compile(
    r"</?(?:a|abbr|b|code|em|i|mark|small|span|strong|sub|sup|u)(?:\s[^<>]*)?/?>", re.IGNORECASE
)
"""What a line of text may hold; other angle brackets are text."""
LONGEST = 100_000
"""Characters of front matter that are read."""


def split_front_matter(source: str) -> tuple[dict[str, object], int]:
    """The front matter, and where the text after it begins; nothing and 0 if there is none.

    Raise `UnreadableDocument` where it is not a YAML mapping: it says who may read the
    document, so a guess will not do.
    """
    found = _FRONT_MATTER.match(source)
    if found is None:
        return {}, 0
    if len(found[1]) > LONGEST:
        raise UnreadableDocument(
            f"has front matter of {len(found[1])} characters, more than the {LONGEST} that are "
            "read; shorten it"
        )
    try:
        values = strict_yaml.load("\n" + found[1])  # below the opening line, so lines agree
    except ValueError as error:
        raise UnreadableDocument(
            f"has front matter that is not YAML: {error}; correct it"
        ) from error
    if values is None:
        values = {}
    if not isinstance(values, dict):
        raise UnreadableDocument(
            "has front matter that is not a mapping of keys to values; write it as `key: value`, "
            "or put a blank line above the first `---`"
        )
    return {str(key): value for key, value in values.items()}, found.end()


def stated_in(front_matter: Mapping[str, object]) -> list[Stated]:
    return [Stated("its front matter", key, value) for key, value in front_matter.items()]


def title_of(front_matter: dict[str, object]) -> str:
    """The title that front matter states, or nothing."""
    title = front_matter.get("title")
    return "" if title is None else as_shown(str(title))


def as_shown(title: str) -> str:
    """A stated title without its HTML, as a site shows it."""
    return " ".join(unescape(_INLINE_TAG.sub("", _BREAK.sub(" ", title))).split())
