"""Liquid's tags are the templates of Jekyll and Eleventy.

The pages that a template includes are not at hand, so only tags that state their text are read; the
rest read as nothing. What a site may leave out is said to hold on an unknown condition.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from operator import itemgetter
from urllib.parse import quote

from retrieval.parsing.dialects import panel
from retrieval.parsing.placed import PlacedText, join
from retrieval.types import ON_CONDITION, UNKNOWN_VALUE, Fragment, FragmentKind, Sentence

_TAG = re.compile(
    r"\{\{[<%]\s*(?P<shortcode>[\w./-]*+)(?P<given>(?:(?!\}\}|\{\{).){0,4000}?)[>%]\}\}"
    r"|<%-?(?P<printed>=)?(?P<code>(?:(?!%>|<%).){0,4000}?)-?%>"
    r"|\{%-?\s*(?P<name>[\w-]++)(?P<arguments>(?:(?!%\}|\{%).){0,4000}?)-?%\}"
    r"|\{\{(?P<third>\{)?-?(?P<output>(?:(?!\}\}|\{\{).){0,4000}?)-?\}\}(?(third)\})",
    re.DOTALL,
)
_END_TAG = re.compile(r"</[\w.-]+\s*>")
_ARGUMENT = re.compile(r'"([^"]*)"|\'([^\']*)\'|([^\s,]+)')
_TEXT = re.compile(r"""\btext\s*=\s*(["'])(.*?)\1""", re.DOTALL)
_LABEL = re.compile(r"""(?:\b(?:title|name|header|label)\s*=\s*)?["']([^"'<>\n]*)["']""")
_TITLE = re.compile(r"""\b(?:title|caption|summary)\s*=\s*["']([^"'<>\n]*)["']""")
_LITERAL = re.compile(r"""\s*(["'])((?:(?!\1).)*)\1\s*""", re.DOTALL)
_LINK_TARGET = re.compile(r"""(?:\]\(\s*<?|\]:\s*<?|(?:href|src)\s*=\s*["']?)$""")
_SENTENCE_END = re.compile(r"[.!?]\s")
_SAID = re.compile(r"[^\W_]")
_LONGEST_TAG = 500
_LONGEST_PAIR = 4000
_CONDITIONS: Mapping[str, str] = {
    **dict.fromkeys(("if", "unless", "ifversion"), ON_CONDITION),
    **dict.fromkeys(("else", "elsif", "elif"), "; else: "),
    **dict.fromkeys(("endif", "endunless", "endifversion", "endcase", "end"), "]"),
    **dict.fromkeys(("case",), ON_CONDITION),
    **dict.fromkeys(("when",), "; else: "),
}
"""What tags within a line read as, around words that a site may leave out."""
_BLOCK = "block"
"""Of a tag that begins what another one ends, and makes no condition."""
_RUBY = re.compile(
    r"\s*(?P<word>if|unless|case|else|elsif|when|end|for|while|until|begin)\b"
    r"|(?P<opens>(?=.*(?:\bdo|\{)\s*(?:\|[^|]*\|)?\s*\Z))",
    re.DOTALL,
)
_BARS = re.compile(r"~?(?:(?P<sign>[#^/])\s*(?P<name>[\w.-]+)|else\b)")
"""What Handlebars and Mustache have between their braces where they print nothing."""
_ENDED = re.compile(r"\{\{~?/\s*([\w.-]+)")
_REPEATING = ("each", "with")
_ALWAYS_ENDED = frozenset({"if", "unless"})
_SILENT = frozenset({"anchor", "badge", "br", "figure", "icon", "image", "img", "video", "youtube"})
"""Names of what sites make of pictures and marks, not of values."""
_LONGEST_LEAD = 40
"""Characters before a tag that tell whether it is the target of a link."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """What of a text holds on conditions that are not known."""

    said: Mapping[int, str]
    """What the tags that stand there read as; a space where whole sentences are in a range."""
    ranges: list[tuple[int, int]]
    """Of the source, in order; one within another is left out."""


def rendered(
    text: PlacedText, kept: Sequence[tuple[int, int]], said: Mapping[int, str]
) -> PlacedText:
    """The text with its tags read; what begins in a `kept` range is left as it stands."""
    parts: list[PlacedText] = []
    done = 0
    while found := _TAG.search(text.text, done):
        if is_within(found.start(), kept):
            parts.append(text[done : found.end()])
            done = found.end()
        else:
            parts.append(text[done : found.start()])
            done = _read(text, found, parts, said)
    return join([*parts, text[done:]])


def conditions(text: PlacedText, kept: Sequence[tuple[int, int]]) -> Conditions:
    """`kept` is in order. What nothing ends may hold on it up to the end of the text."""
    said: dict[int, str] = {}
    ranges: list[tuple[int, int]] = []
    ended = frozenset(_ENDED.findall(text.text))
    for tags in _paired(text.text, kept, ended):
        first, *others = tags
        if _mark(first, ended) != ON_CONDITION:
            continue
        if not others and stands_alone(text.text, *first.span()):
            ranges.append(text.span(first.end(), len(text.text)))
        elif others and _holds_whole_sentences(text.text, tags):
            ranges.append(text.span(first.end(), others[-1].start()))
            said |= {each.start(): " " for each in tags}
        else:
            said |= {each.start(): _mark(each, ended) for each in tags}
    return Conditions(said, apart(ranges))


def _paired(
    text: str, kept: Sequence[tuple[int, int]], ended: Set[str]
) -> Iterator[list[re.Match[str]]]:
    """Tags from what begins something to what ends it; what nothing ends, alone."""
    opened: list[list[re.Match[str]]] = []
    waiting: Counter[str] = Counter()
    done = 0
    for tag in _TAG.finditer(text):
        if tag.start() < done or is_within(tag.start(), kept):
            continue
        if tag["name"] in ("comment", "raw"):
            ending = re.compile(rf"\{{%-?\s*end{tag['name']}\b").search(text, tag.end())
            done = ending.start() if ending else len(text)
            continue
        mark, pair = _mark(tag, ended), _pair(tag)
        if mark in (ON_CONDITION, _BLOCK):
            opened.append([tag])
            waiting[pair] += 1
        elif mark == "]" and waiting[pair]:
            while _pair(opened[-1][0]) != pair:
                waiting[_pair(opened[-1][0])] -= 1
                yield opened.pop()[:1]
            waiting[pair] -= 1
            yield [*opened.pop(), tag]
        elif mark not in ("", "]") and opened:
            opened[-1].append(tag)
    yield from (tags[:1] for tags in opened)


def _mark(tag: re.Match[str], ended: Set[str] = frozenset()) -> str:
    """What a tag that makes a condition reads as within a sentence; empty for another.

    `ended`: the names that end something between braces.
    """
    if bars := _BARS.match((tag["output"] or "").strip()):
        if bars["sign"] in ("#", "^"):
            is_begun = bars["name"] in ended | _ALWAYS_ENDED
            return "" if not is_begun else _BLOCK if bars["name"] in _REPEATING else ON_CONDITION
        return "]" if bars["sign"] else _CONDITIONS["else"]
    if tag["code"] is None:
        return _CONDITIONS.get(tag["name"] or "", "")
    begins = _RUBY.match(tag["code"])
    return _CONDITIONS.get(begins["word"] or "", _BLOCK) if begins else ""


def _pair(tag: re.Match[str]) -> str:
    """What is the same of the tag that begins something and of the one that ends it."""
    if bars := _BARS.match((tag["output"] or "").strip()):
        return f"{{{{{bars['name']}"
    return "<%" if tag["code"] is not None else (tag["name"] or "").removeprefix("end")


def _holds_whole_sentences(text: str, tags: Sequence[re.Match[str]]) -> bool:
    first, last = tags[0], tags[-1]
    if stands_alone(text, *first.span()):
        return True
    before = text[text.rfind("\n", 0, first.start()) + 1 : first.start()][-_LONGEST_TAG:]
    begins = not _SAID.search(_SENTENCE_END.split(_TAG.sub("", before))[-1])
    return begins and text[first.end() : last.start()].rstrip().endswith((".", "!", "?"))


def apart(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The ranges in order, those that meet as one."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        first, last = found[-1] if found else (-1, -1)
        if start <= last:
            found[-1] = first, max(last, end)
        else:
            found.append((start, end))
    return found


def is_within(place: int, ranges: Sequence[tuple[int, int]]) -> bool:
    """Whether one of the ranges, which are in order and apart, holds a place."""
    at = bisect_right(ranges, place, key=itemgetter(0))
    return at > 0 and place < ranges[at - 1][1]


def on_condition(fragment: Fragment, ranges: Sequence[tuple[int, int]]) -> Fragment:
    """Its sentences, those in the ranges said to hold on a condition; code stays as it is."""
    if fragment.kind is FragmentKind.CODE:
        return fragment
    return replace(fragment, sentences=tuple(_doubted(each, ranges) for each in fragment.sentences))


def _doubted(sentence: Sentence, ranges: Sequence[tuple[int, int]]) -> Sentence:
    if not is_within(sentence.char_start, ranges):
        return sentence
    doubted = sentence.behind(ON_CONDITION)
    return replace(doubted, text=f"{doubted.text}]")


def _read(
    text: PlacedText, found: re.Match[str], parts: list[PlacedText], said: Mapping[int, str]
) -> int:
    name = found["name"]
    if name in ("comment", "raw"):
        ending = re.compile(rf"\{{%-?\s*end{name}\s*-?%\}}").search(text.text, found.end())
        inner_end = ending.start() if ending else len(text.text)
        if name == "raw":
            parts.append(text[found.end() : inner_end])
        return ending.end() if ending else len(text.text)
    is_silent = _mark(found) or (found["output"] and _BARS.match(found["output"].strip()))
    words = said.get(found.start(), "") if is_silent else _words(text, found)
    parts.append(PlacedText.in_place_of(words, *text.span(*found.span())))
    return found.end()


def _words(text: PlacedText, found: re.Match[str]) -> str:
    if (tabbed := _tabbed(found)) is not None:
        return tabbed
    if found["name"] is None:
        literal = _LITERAL.fullmatch(found["output"] or "")
        return literal[2] if literal else _value(text, found)
    arguments = ["".join(match.groups("")) for match in _ARGUMENT.finditer(found["arguments"])]
    lead = text.text[max(0, found.start() - _LONGEST_LEAD) : found.start()]
    if _LINK_TARGET.search(lead):
        return quote(arguments[0], safe="/#:?=&%.~") if arguments else ""
    reading = _READINGS.get(found["name"])
    return reading(arguments) if reading and arguments and arguments[0] else ""


def _tabbed(found: re.Match[str]) -> str | None:
    """A tab of GitBook or Hugo as HTML; None for another tag."""
    name = (found["name"] or found["shortcode"] or "").removeprefix("end").removeprefix("/")
    if name != "tab":
        return None
    if found["name"] == "endtab" or found["shortcode"] == "/tab":
        return "\n\n</div>\n\n"
    stated = _LABEL.search(found["arguments"] or found["given"] or "")
    return f"\n\n{panel(stated[1] if stated else '')}\n\n"


def _value(text: PlacedText, found: re.Match[str]) -> str:
    """What stands for a value that is not at hand: nothing for what is no part of a sentence."""
    is_value = found["output"] is not None or found["printed"] is not None
    if (name := found["shortcode"]) and not name.startswith("/"):
        is_value = makes_value(name, text.text, found.end())
    line_start = text.text.rfind("\n", 0, found.start()) + 1
    lead = text.text[max(line_start, found.start() - _LONGEST_TAG) : found.start()]
    in_markup = lead.rfind("<") > lead.rfind(">") or _LINK_TARGET.search(lead[-_LONGEST_LEAD:])
    if not in_markup and stands_alone(text.text, *found.span()):
        title = _TITLE.search(found["given"] or "")
        return f"{title[1]}\n\n" if title else ""
    if not is_value or in_markup:
        return ""
    said = _TEXT.search(found["given"] or "")
    return said[2] if said else UNKNOWN_VALUE


def makes_value(name: str, text: str, end: int) -> bool:
    """Whether a tag of that name, which ends there, stands for words and has none within."""
    closing = text.find(f"/{name}", end, end + _LONGEST_PAIR)
    within = text[end : max(end, closing)].rstrip()
    has_words = within.endswith(("<", "%")) and within.strip("{<% \t\r\n")
    return name.lower() not in _SILENT and not has_words


def stands_alone(text: str, start_of: int, end_of: int) -> bool:
    """Whether it is all of a sentence, as far as its line tells."""
    start = text.rfind("\n", 0, start_of) + 1
    end = text.find("\n", end_of)
    before = text[max(start, start_of - _LONGEST_TAG) : start_of]
    after = text[end_of : end_of + _LONGEST_TAG if end < 0 else end][:_LONGEST_TAG]
    lead = _SENTENCE_END.split(_TAG.sub("", before))[-1]
    return not _SAID.search(lead) and not _SAID.search(_END_TAG.sub("", _TAG.sub("", after)))


def _channel(arguments: list[str]) -> str:
    return arguments[1] if len(arguments) > 1 else f"#{arguments[0].lstrip('#')}"


def _page(arguments: list[str]) -> str:
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
