"""What a document says of itself: in front matter, and outside the places meant for that.

Such things stand below other text, unclosed, in other notations, in first lines or first cells,
too. All become statements; what they mean is decided in `retrieval.metadata.restrictions`.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import unescape
from itertools import dropwhile, takewhile

from retrieval.errors import BadMetadata
from retrieval.metadata import strict_yaml
from retrieval.metadata.restrictions import (
    IN_FIRST_LINES,
    RESTRICTING,
    counts_in_text,
    stated_in_title,
    stated_of_another,
    stated_of_itself,
)
from retrieval.types import Fragment, FragmentKind, Sentence, Stated

_FRONT_MATTER = re.compile(r"\A---[ \t]*\r?\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.M | re.S)
_TOML = re.compile(r"\A\+\+\+[ \t]*\r?\n(.*?)^\+\+\+[ \t]*(?:\r?\n|\Z)", re.M | re.S)
"""As Hugo and Zola have it."""
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_INLINE_TAG = re.compile(
    r"</?(?:a|abbr|b|code|em|i|mark|small|span|strong|sub|sup|u)(?:\s[^<>]*)?/?>", re.IGNORECASE
)
"""What a line of text may hold; other angle brackets are text."""
_MOST_YAML = 100_000
_MOST_TOML = 10_000
"""Likewise: long keys take time as the square of their length."""


def split_front_matter(source: str) -> tuple[dict[str, object], int]:
    """The front matter, and where the text begins; raise `BadMetadata` where it is no mapping."""
    found = _FRONT_MATTER.match(source) or _TOML.match(source)
    if found is None:
        return {}, 0
    if len(found[1]) > _MOST_YAML:
        raise BadMetadata(
            f"has front matter of {len(found[1])} characters, more than the {_MOST_YAML} that are "
            "read; shorten it"
        )
    if found.re is _TOML:
        return _toml(found[1]), found.end()
    try:
        values = strict_yaml.load("\n" + found[1])  # below the opening line, so lines agree
    except ValueError as error:
        raise BadMetadata(f"has front matter that is not YAML: {error}; correct it") from error
    if values is None:
        values = {}
    if not isinstance(values, dict):
        raise BadMetadata(
            "has front matter that is not a mapping of keys to values; write it as `key: value`, "
            "or put a blank line above the first `---`"
        )
    return {str(key): value for key, value in values.items()}, found.end()


def _toml(written: str) -> dict[str, object]:
    """With what tables within it say under its own keys, so that no restriction is missed."""
    if len(written) > _MOST_TOML:
        raise BadMetadata(
            f"has front matter of {len(written)} characters, more than the {_MOST_TOML} of TOML "
            "that are read; shorten it"
        )
    try:
        said: dict[str, object] = tomllib.loads(written.replace("\r\n", "\n"))
    except (ValueError, RecursionError) as error:
        raise BadMetadata(f"has front matter that is not TOML: {error}; correct it") from error
    within = (each for key, value in said.items() if key != "audience" for each in _within(value))
    return {**{key: value for key, value in within if key not in _DESCRIBES}, **said}


def _within(value: object) -> Iterator[tuple[str, object]]:
    for each in value if isinstance(value, list) else [value]:
        if isinstance(each, dict):
            for key, inner in each.items():
                yield key, inner
                yield from _within(inner)


_DESCRIBES = frozenset({"title", "owner", "link", "level", "stream", "subtype", "effective"})
"""Of what it is about, and not of the document, within a table."""


def stated_in_front_matter(front_matter: Mapping[str, object]) -> list[Stated]:
    return [Stated("its front matter", key, value) for key, value in front_matter.items()]


def title_of(front_matter: dict[str, object]) -> str:
    """The title that front matter states, or nothing."""
    title = front_matter.get("title")
    return "" if title is None else as_shown(str(title))


def as_shown(title: str) -> str:
    """A stated title without its HTML, as a site shows it."""
    return " ".join(unescape(_INLINE_TAG.sub("", _BREAK.sub(" ", title))).split())


HEAD_LINES = 60
"""Lines of a source in which something like front matter may begin."""
FIRST_LINES = 12
"""Lines that people see first: title, subtitle and what stands below them."""
FIRST_BLOCKS = 3
"""Paragraphs in which a document says of itself that it holds no longer."""
_HEAD = 200_000
_LONGEST_LINE = 5_000
"""Characters of a line that are looked at: enough for front matter in one line."""
_LINE_END = re.compile(r"\r\n?|[\n\x0b\x0c\x85\u2028\u2029]")
_FENCE = re.compile(
    r"\s*(?:(?P<code>`{3,}|~{3,})\s*\w*|[-+;=*_\u2010-\u2015\u2212]{2,}|[\u2014\u2015]"
    r"|-{3,}\s.*|\{(?![%{:]).*|\}.*|-->.*|<!--.*)\s*"
)
"""A line that may open or close front matter: of YAML, TOML, JSON, in a comment or a code
block, or with the dashes that a word processor made of `---`."""
_PAIR = re.compile(
    r"\s*+(?:<!--+|[{,])?\s*+[\"'`*]*(?P<key>\w[\w .:-]{0,40}?)[\"'`*]*\s*[:=](?!//)\s*"
    r"(?P<value>.*)"
)
_TABLE = re.compile(r"\s*\[+\s*(?P<key>[\w.-]+)\s*\]+\s*(?P<value>)\Z")
_IN_FLOW = re.compile(
    r".*[{,]\s*[\"']?(?P<key>" + "|".join(RESTRICTING) + r")[\"']?\s*:\s*(?P<value>[\[{\"'\d].*)"
)
_COMMENTS = re.compile(r"(?:\s*<!--.*?-->)*", re.DOTALL)
"""A licence may stand above front matter, however long."""
_ITEM = re.compile(r"\s*(?:[-+•]\s|\\?\*\s|\d+[.)]\s)")
"""An item or a note is one of several things, and no mark of the whole."""
_CONTINUES = re.compile(r"\s+\S|-\s")
_ABOVE = re.compile(r"#|%|<!doctype|<\?xml", re.IGNORECASE)
"""What may stand above front matter that is not read for it: a title, a declaration."""
_MARK = re.compile(
    r"(?:(?:strictly|private and|company|commercial in|for) )?"
    r"(?:confidential|confidence|secret|top secret|restricted|internal(?: use)? only"
    r"|(?:not for|no|do not) (?:distribution|distribute|disclosure|sharing))"
    r"|(?:for )?(?:(?!(?:is|are|be|was|were) )[^\W\d_][\w&'-]* ){1,4}only",
    re.IGNORECASE,
)
_WORD = re.compile(r"[\w&'-]*\w")
_SECTION_NUMBER = re.compile(
    r"\A[\W_]*(?:[^\W\d_]{1,20}[\W_]+)?(?:\d[\d.]*|[a-zA-Z]|[ivxlcIVXLC]{2,9})\b[\W_]*"
)
"""Such as "2.1", "(iv)", "Part B:"."""
_IN_BRACKETS = re.compile(r"[(\[]([^()\[\]]{1,60})[)\]]")
_MOST_WORDS = 8
"""Of a value that people see: a longer one is a sentence about something."""
_MOST_OF_KEY = 4
_SAID_BELOW = "(what stands below it)"


def stated_in_source(source: str, *, is_below: bool = False) -> Iterator[Stated]:
    """What stands at the top as front matter would, where none was read (`is_below`: some was).

    Of fences other than those at the top, only what is spelt as our keys counts; a block of code
    below other text is an example.
    """
    end = _COMMENTS.match(source[:_HEAD]).end()  # type: ignore[union-attr]  # matches nothing, too
    yield from (each for each in map(_pair, _lines(source[:end])) if each and _is_ours(each))
    lines = _lines(source[end:_HEAD])
    first = list(filter(str.strip, lines))[:FIRST_LINES]
    marks = (each for each in first if _is_mark(each) and not _ITEM.match(each))
    yield from (Stated(IN_FIRST_LINES, "marking", each, describes=False) for each in marks)
    text = dropwhile(lambda line: not line.strip(), lines)
    block = list(takewhile(lambda line: _pair(line) or _CONTINUES.match(line), text))
    yield from (each for each in map(_pair, block) if each and _is_ours(each))
    fence, at_top = "", True
    for line in lines[:HEAD_LINES]:
        opens = _FENCE.fullmatch(line) if line.strip() else None
        if opens and not fence:
            is_code = opens["code"] is not None
            fence = "code" if is_code and (is_below or not at_top) else "fences"
            fence = "front matter" if at_top and fence != "code" else fence
        elif opens:
            fence = ""
        title = _ABOVE.match(line) and not is_below
        at_top = at_top and (not line.strip() or bool(opens or fence or title))
        pair = _pair(line)
        if pair and (fence == "front matter" or (fence == "fences" and _is_ours(pair))):
            yield pair


def stated_in_text(title: str, fragments: Sequence[Fragment]) -> Iterator[Stated]:
    """What people read in title and first lines, in first cells, and in a column of a sheet."""
    yield from stated_in_title(title)
    yield from _in_text(_IN_BRACKETS.findall(title), "its title")
    for fragment in fragments[:FIRST_BLOCKS]:
        yield from stated_of_itself(fragment.sentences[0].text)
        for sentence in fragment.sentences:
            yield from stated_of_another(sentence.text)
    first: list[str] = []
    before = ""
    for fragment in fragments[:FIRST_LINES]:
        if fragment.kind is not FragmentKind.CODE:
            path = fragment.section_path
            bare = (_SECTION_NUMBER.sub("", each) for each in path)
            yield from _in_text([*path, *bare], IN_FIRST_LINES)
        if fragment.kind not in (FragmentKind.CODE, FragmentKind.LIST_ITEM):
            for sentence in fragment.sentences:
                values = [sentence.text[each.start : each.end] for each in sentence.cells]
                pairs = [(before, sentence.text), *_in_cells(sentence, values, first)]
                yield from _in_text([sentence.text, *pairs], IN_FIRST_LINES)
                first, before = first or values, sentence.text


def stated_in_columns(rows: Sequence[Sequence[str]]) -> Iterator[Stated]:
    """What the first rows of a file of values have under the names in its first."""
    for values in rows[1:FIRST_LINES]:
        yield from _in_text(zip(rows[0], values, strict=False), "its columns")


def stated_beside(texts: Iterable[str], place: str) -> Iterator[Stated]:
    """What is stated in text that is no document's own, such as comments and running heads."""
    for text in texts:
        yield from _in_text(re.split(r"[;,.|]", text[:_HEAD]), place)
        yield from _in_text(_lines(text[:_HEAD]), place)
        yield from stated_unseen([text], place)


def stated_unseen(texts: Iterable[str], place: str) -> Iterator[Stated]:
    """Keys and values in text that nobody sees: "for screen readers only" is no mark there."""
    for text in texts:
        for each in map(_pair, _lines(text[:_HEAD])):
            if each and (_is_ours(each) or counts_in_text(each.key, str(each.value))):
                yield Stated(place, each.key, each.value, describes=False)


def stated_in_meta(attributes: Mapping[str, str | None]) -> Iterator[Stated]:
    key = (attributes.get("name") or attributes.get("property") or "").strip()
    if key:
        yield Stated(f"<meta {key}>", key, attributes.get("content"), describes=False)


def stated_in_value(place: str, key: str, value: str) -> Iterator[Stated]:
    """A property, and what its value says by itself: people write "HR only" into keywords."""
    if value:
        yield Stated(place, key, value, describes=False)
        yield from _in_text(re.split(r"[;,\n]", value), place)


def _in_text(pieces: Iterable[str | tuple[str, str]], place: str) -> Iterator[Stated]:
    for piece in pieces:
        key, value = piece if isinstance(piece, tuple) else _halves(piece)
        is_short = len(key.split()) <= _MOST_OF_KEY and len(value.split()) <= _MOST_WORDS
        if is_short and counts_in_text(key, value):
            yield Stated(place, key, value, describes=False)


def _halves(line: str) -> tuple[str, str]:
    """Key and value of a line; of a line that is a mark by itself, such as "HR only", the mark."""
    if _is_mark(line):
        return "marking", line
    key, colon, value = line.partition(":")
    return (key, value.strip()) if colon else ("", "")


def _is_mark(line: str) -> bool:
    return _MARK.fullmatch(" ".join(_WORD.findall(line))) is not None


def _in_cells(
    sentence: Sentence, values: Sequence[str], first: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """Two cells, two names, and in a sheet a value under its column's or first row's name."""
    names = [each.name for each in sentence.cells]
    if any(each.reference for each in sentence.cells):
        yield from zip(names, values, strict=True)
        yield from zip(first, values, strict=False)
    if len(values) == 2:
        yield from ((names[0], names[1]), (values[0], values[1]))


def _lines(text: str) -> list[str]:
    seen = text if text.isascii() else "".join(c for c in text if unicodedata.category(c) != "Cf")
    return [line[:_LONGEST_LINE].rstrip() for line in _LINE_END.split(seen)]


def _pair(line: str) -> Stated | None:
    found = _IN_FLOW.match(line) or _PAIR.match(line) or _TABLE.match(line)
    if found is None:
        return None
    value = found["value"].strip(" ,'\"")
    return Stated(IN_FIRST_LINES, found["key"], value or _SAID_BELOW, describes=False)


def _is_ours(stated: Stated) -> bool:
    return not set(re.split(r"[.:]", stated.key)).isdisjoint(RESTRICTING)
