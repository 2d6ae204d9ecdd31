"""What looks as if somebody meant to restrict who may read a document.

A restriction that is written but not understood must keep the document from everyone. So
keys that other systems use for the same purpose, and near misspellings of ours, are refused
rather than left alone; so is what looks like front matter in a place where none is read.
"""

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches
from types import MappingProxyType

RESTRICTING = ("audience", "valid_from", "valid_to")
"""Our keys that, misspelt or misplaced, would leave a document open to everyone."""
ALIKE = 0.85
"""Of difflib's ratio: `audiance` and `Audience` are meant for `audience`, `author` is not."""
SYNONYMS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "audience": (
            "access", "access_control", "access_level", "acl", "allow", "allowed",
            "allowed_groups", "allowed_roles", "allowed_users", "clearance", "confidentiality",
            "for_only", "groups", "only_for", "permission", "permissions", "readable_by", "reader",
            "readers", "restrict", "restrict_to", "restricted_to", "restriction", "restrictions",
            "roles", "secrecy", "security_level", "sensitivity", "target_audience", "viewers",
            "visibility", "visible_to", "who_can_read", "who_may_read",
        ),
        "valid_from": (
            "embargo", "embargo_until", "embargoed_until", "not_before", "valid_after",
            "valid_since", "validity", "visible_from",
        ),
        "valid_to": (
            "end_date", "expiration", "expiration_date", "expire", "expired", "expires",
            "expires_at", "expires_on", "expiry", "expiry_date", "not_after", "sunset", "until",
            "unpublish", "unpublish_date", "unpublish_on", "valid_before", "valid_till",
            "valid_through", "valid_thru", "valid_until", "visible_to_date", "visible_until",
        ),
    }
)  # fmt: skip
"""Keys by which other systems restrict, to the one of ours that says the same."""
OPEN_WHERE: Mapping[str, bool] = MappingProxyType(
    {
        "confidential": False,
        "draft": False,
        "hidden": False,
        "internal": False,
        "internal_only": False,
        "private": False,
        "public": True,
        "published": True,
        "restricted": False,
        "secret": False,
    }
)
"""Keys of other systems that restrict unless they have this value."""
_MEANT = {other: ours for ours, others in SYNONYMS.items() for other in others}

HEAD_LINES = 60
"""Lines from the top in which something like front matter may begin."""
_HEAD = 200_000
"""Characters from the top that are looked at."""
_LONGEST_LINE = 5_000
"""Characters of a line that are looked at: enough for front matter in one line."""
_MOST_KEYS = 1_000
"""Lines whose keys are compared with ours for likeness, which takes some 50 microseconds each."""
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NO_WORD = re.compile(r"\W+|_+")
_LINE_END = re.compile(r"\r\n?|[\n\x0b\x0c\x85\u2028\u2029]")
_FENCE = re.compile(
    r"\s*(?:[-+;=~`*_\u2010-\u2015\u2212]{3,}|[\u2013-\u2015]+|\{(?![%{:])|\}|<!--|-->)"
)
"""A line that may open or close front matter: of YAML, TOML, JSON, in a comment or a code
block, or with the dashes that a word processor made of `---`."""
_KEY = re.compile(
    r"\s*+(?:<!--+|[{,])?\s*+[\"'`]?(?P<key>\w[\w .-]{0,40}?)[\"'`]?\s*[:=](?!//)\s*(?P<value>.*)"
)
_TABLE = re.compile(r"\s*\[+\s*(?P<key>[\w.-]+)\s*\]+\s*\Z")
"""A table of TOML."""
_IN_FLOW = re.compile(r"[{,]\s*[\"']?(?P<key>" + "|".join(RESTRICTING) + r")[\"']?\s*:\s*[\[{\"']")
"""In a mapping that stands on one line."""
_CONTINUES = re.compile(r"\s+\S|-\s")


def meant_by(key: str, value: object, facets: Collection[str]) -> str | None:
    """Which of our keys a key that is none of ours seems to be meant for, if any."""
    name = folded(key)
    if name in OPEN_WHERE:
        return None if value is OPEN_WHERE[name] else "audience"
    if name in _MEANT:
        return _MEANT[name]
    if near := get_close_matches(name, facets, 1, ALIKE):
        return f"audience.{near[0]}"
    return misspelt(key)


def misspelt(key: str) -> str | None:
    """Which of our restricting keys a key is, or almost is, if any."""
    return next(iter(get_close_matches(folded(key), RESTRICTING, 1, ALIKE)), None)


def folded(key: str) -> str:
    """`validTo`, `Valid-To` and `valid to` as `valid_to`; without what nobody sees."""
    seen = "".join(c for c in unicodedata.normalize("NFKC", key) if unicodedata.category(c) != "Cf")
    return _NO_WORD.sub("_", _HUMP.sub("_", seen)).strip("_").casefold()


def stated_below(value: object) -> Iterator[str]:
    """Each of our restricting keys that stands somewhere inside another key's value."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Mapping):
            yield from (str(key) for key in each if folded(str(key)) in RESTRICTING)
            waiting.extend(each.values())
        elif isinstance(each, list | tuple):
            waiting.extend(each)


def unread_in(text: str) -> str | None:
    """A line near the top of a text by which somebody seems to restrict who may read it.

    The text is one in which no front matter is read, or what follows front matter.
    """
    lines = [line[:_LONGEST_LINE].rstrip() for line in _LINE_END.split(_visible(text[:_HEAD]))]
    return _in_open_block(lines) or _in_fences(lines)


def _visible(text: str) -> str:
    if text.isascii():
        return text
    return "".join(c for c in text if unicodedata.category(c) != "Cf")


def _in_open_block(lines: list[str]) -> str | None:
    """In key and value pairs without a fence, as MultiMarkdown has them."""
    start = next((n for n, line in enumerate(lines) if line.strip()), len(lines))
    block: list[str] = []
    for line in lines[start:]:
        if not (_KEY.match(line) or (block and _CONTINUES.match(line))):
            break
        block.append(line)
    else:
        line = ""
    return None if line.strip() else next(filter(_restricts, block), None)


def _in_fences(lines: list[str]) -> str | None:
    at_top = True
    for number, line in enumerate(lines[:HEAD_LINES]):
        if _FENCE.match(line):
            end = next((n for n in range(number + 1, len(lines)) if _FENCE.match(lines[n])), None)
            restricts = _seems_to_restrict if at_top and end is not None else _restricts
            for nth, inside in enumerate((line, *lines[number + 1 : end])):
                if (restricts if nth < _MOST_KEYS else _restricts)(inside):
                    return inside
        at_top = at_top and (not line.strip() or _FENCE.match(line) is not None)
    return None


def _restricts(line: str) -> bool:
    """Whether a line states one of our restricting keys, as it is spelt."""
    found = _KEY.match(line) or _TABLE.match(line)
    stated = found is not None and not set(found["key"].split(".")).isdisjoint(RESTRICTING)
    return stated or _IN_FLOW.search(line) is not None


def _seems_to_restrict(line: str) -> bool:
    """Or a key that is meant for one; only where front matter would stand."""
    found = _KEY.match(line)
    if found is None:
        return _restricts(line)
    value = {"true": True, "false": False}.get(found["value"].strip(" ,'\"").casefold())
    return _restricts(line) or meant_by(found["key"], value, ()) is not None
