"""Something may look as if somebody meant to restrict who may read a document.

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
MISSPELT = 0.85
"""difflib's ratio, 0 to 1, from which one word is meant for another. Not measured; chosen so that
`audiance` and `audeince` are meant for `audience`, and `author` is not."""
SYNONYMS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "audience": (
            "access", "access_control", "access_level", "acl", "allow", "allowed", "allowed_groups",
            "allowed_roles", "allowed_users", "classification", "clearance", "confidentiality",
            "for_only", "groups", "only_for", "password", "permission", "permissions", "privacy",
            "readable_by", "reader", "readers", "restrict", "restrict_to", "restricted_to",
            "restriction", "restrictions", "roles", "secrecy", "security_level", "sensitivity",
            "shared_with", "viewers", "visibility", "visible_to", "who_can_read", "who_may_read",
        ),
        "valid_from": (
            "available_after", "available_from", "embargo", "embargo_until", "embargoed_until",
            "not_before", "valid_after", "valid_since", "validity", "visible_from",
        ),
        "valid_to": (
            "available_until", "effective_to", "effective_until", "end_date", "expiration",
            "expiration_date", "expire", "expired", "expires", "expires_at", "expires_on", "expiry",
            "expiry_date", "not_after", "sunset", "unpublish", "unpublish_date", "unpublish_on",
            "until", "valid_before", "valid_through", "valid_thru", "valid_till", "valid_until",
            "visible_to_date", "visible_until",
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
        "protected": False,
        "public": True,
        "publish": True,
        "published": True,
        "unlisted": False,
        "restricted": False,
        "secret": False,
    }
)
"""Keys of other systems that restrict unless they say this."""
_SAID = MappingProxyType({"true": True, "yes": True, "false": False, "no": False})
_MEANT = {other: ours for ours, others in SYNONYMS.items() for other in others}

_PLURALS = (("ies", "y"), ("ches", "ch"), ("sses", "ss"), ("xes", "x"), ("s", ""))

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
    r"\s*(?:(?P<code>`{3,}|~{3,})\s*\w*|[-+;=*_\u2010-\u2015\u2212]{2,}|[\u2014\u2015]"
    r"|-{3,}\s.*|\{(?![%{:]).*|\}.*|-->.*|<!--.*)\s*"
)
"""A line that may open or close front matter: of YAML, TOML, JSON, in a comment or a code
block, or with the dashes that a word processor made of `---`."""
_KEY = re.compile(
    r"\s*+(?:<!--+|[{,])?\s*+[\"'`]?(?P<key>\w[\w .:-]{0,40}?)[\"'`]?\s*[:=](?!//)\s*(?P<value>.*)"
)
_TABLE = re.compile(r"\s*\[+\s*(?P<key>[\w.-]+)\s*\]+\s*\Z")
"""A table of TOML."""
_IN_FLOW = re.compile(
    r"[{,]\s*[\"']?(?P<key>" + "|".join(RESTRICTING) + r")[\"']?\s*:\s*[\[{\"'\d]"
)
"""In a mapping that stands on one line."""
_CONTINUES = re.compile(r"\s+\S|-\s")
_ABOVE = re.compile(r"#|%|<!doctype|<\?xml", re.IGNORECASE)
"""What may stand above front matter that is not read for it: a title, a declaration."""
_KEYS = re.compile(
    r"\b(?:" + "|".join([*RESTRICTING, *_MEANT]) + r")\b[\"']?\s*[:=]|\[\s*[\w.]*audience\s*\]",
    re.IGNORECASE,
)


def meant_by(key: str, value: object, facets: Collection[str]) -> str | None:
    """Which of our keys a key that is none of ours seems to be meant for, if any."""
    name = folded(key)
    if name in OPEN_WHERE:
        return None if _is_open(name, value) else "audience"
    if name in _MEANT or name.endswith("_only"):
        return _MEANT.get(name, "audience")
    if name == "valid" and isinstance(value, Mapping):
        return "valid_from"
    if facet := facet_meant_by(key, facets):
        return f"audience.{facet}"
    return misspelt(key)


def facet_meant_by(key: str, facets: Collection[str]) -> str | None:
    """Which facet a key is, almost is, or is the singular of (`batch`, `faculty`), if any."""
    forms = {form: facet for facet in facets for form in (_singular(facet), facet)}
    near = get_close_matches(folded(key), forms, 1, MISSPELT)
    return forms[near[0]] if near else None


def _singular(plural: str) -> str:
    """As English makes plurals; a word that is none stays as it is, or loses a letter or two."""
    for ending, instead in _PLURALS:
        if plural.endswith(ending):
            return plural.removesuffix(ending) + instead
    return plural


def _is_open(name: str, value: object) -> bool:
    """A date says when something was published, and nothing says nothing."""
    said = _SAID.get(value.strip().casefold(), value) if isinstance(value, str) else value
    if value is None or said is OPEN_WHERE[name]:
        return True
    return OPEN_WHERE[name] and not isinstance(said, bool)


def misspelt(key: str) -> str | None:
    """Which of our restricting keys a key is, almost is, or has in it, if any."""
    name = folded(key)
    near = next(iter(get_close_matches(name, RESTRICTING, 1, MISSPELT)), None)
    parts = f"_{name}_"
    return near or next((ours for ours in RESTRICTING if f"_{ours}_" in parts), None)


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
            yield from (str(key) for key in each if misspelt(str(key)))
            waiting.extend(each.values())
        elif isinstance(each, list | tuple):
            waiting.extend(each)


def states_a_restriction(text: str) -> bool:
    """Whether a text has one of our restricting keys, or a synonym, with a value, anywhere."""
    return _KEYS.search(text) is not None


def unread_in(text: str, *, below_front_matter: bool = False) -> str | None:
    """A line near the top of a text by which somebody seems to restrict who may read it.

    The text is one in which no front matter is read, or what stands below some that was: there
    only what begins at once may be another block of it.
    """
    comments, rest = _after_comments(_visible(text[:_HEAD]))
    lines = _lines(rest)
    in_comments = next(filter(_restricts, _lines(comments)), None)
    return (
        in_comments
        or _in_open_block(lines)
        or _in_fences(lines, below_front_matter=below_front_matter)
    )


def _visible(text: str) -> str:
    if text.isascii():
        return text
    return "".join(c for c in text if unicodedata.category(c) != "Cf")


def _lines(text: str) -> list[str]:
    return [line[:_LONGEST_LINE].rstrip() for line in _LINE_END.split(text)]


def _after_comments(text: str) -> tuple[str, str]:
    """The HTML comments at the top, and what follows them."""
    end = 0
    while text[end:].lstrip().startswith("<!--"):
        closing = text.find("-->", end)
        if closing < 0:
            break
        end = closing + len("-->")
    return text[:end], text[end:]


def _in_open_block(lines: list[str]) -> str | None:
    """In key and value pairs without a fence, or without the opening one."""
    start = next((n for n, line in enumerate(lines) if line.strip()), len(lines))
    block: list[str] = []
    for line in lines[start:]:
        if not (_KEY.match(line) or (block and _CONTINUES.match(line))):
            break
        block.append(line)
    return next(filter(_restricts, block), None)


def _in_fences(lines: list[str], *, below_front_matter: bool) -> str | None:
    """Between fences; below front matter only between the first, where nothing stands above.

    A block of code below other text is an example.
    """
    at_top = True
    for number, line in enumerate(lines[:HEAD_LINES]):
        fence = _FENCE.fullmatch(line) if line.strip() else None
        is_code = fence is not None and bool(fence["code"])
        if fence and not (is_code and (below_front_matter or not at_top)):
            found = _in_region(lines, number, at_top=at_top and not is_code)
            if found or below_front_matter:
                return found
        title = _ABOVE.match(line) and not below_front_matter
        at_top = at_top and not is_code and (not line.strip() or bool(fence or title))
        if below_front_matter and not at_top:
            return None
    return None


def _in_region(lines: list[str], start: int, *, at_top: bool) -> str | None:
    """From a fence to the next. At the top other keys than ours count too, to the first gap."""
    likely = at_top
    for number, line in enumerate(lines[start:]):
        if number and line.strip() and _FENCE.fullmatch(line):
            return None
        likely = likely and bool(line.strip()) and number < _MOST_KEYS
        if (_seems_to_restrict if likely else _restricts)(line):
            return line
    return None


def _restricts(line: str) -> bool:
    """Whether a line states one of our restricting keys, as it is spelt."""
    found = _KEY.match(line) or _TABLE.match(line)
    first = re.split(r"[.:]", found["key"]) if found else []
    return not set(first).isdisjoint(RESTRICTING) or _IN_FLOW.search(line) is not None


def _seems_to_restrict(line: str) -> bool:
    """Or a key that is meant for one; only where front matter would stand."""
    found = _KEY.match(line)
    if found is None:
        return _restricts(line)
    value = found["value"].strip(" ,'\"")
    return _restricts(line) or meant_by(found["key"], value or None, ()) is not None
