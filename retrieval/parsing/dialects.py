"""Markdown as sites write it (MkDocs, Docusaurus, MyST, Obsidian, MDX) becomes plain Markdown.

What is no text goes, a tab's label stands before its text, a short note where it is referred to.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import partial
from html import escape
from itertools import dropwhile, takewhile

from retrieval.parsing.notes import in_brackets
from retrieval.parsing.placed import PlacedText, join, replaced
from retrieval.parsing.plain import drawn_cells
from retrieval.types import UNKNOWN_VALUE

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_FENCE = re.compile(r"[ \t>]*(?P<fence>`{3,}(?=[^`]*$)|~{3,}):?[ \t]*(?P<info>.*)")
_MYST = re.compile(
    r"\{(?:admonition|note|tip|hint|important|warning|caution|danger|attention|error|seealso"
    r"|dropdown|tab-item|tab-set|card|details)\}[ \t]*(?P<title>.*?)\s*"
)
_BOX = re.compile(
    r'(?P<indent>[ \t]*)(?:!!!|\?\?\?\+?)[ \t]+(?P<kind>[\w -]+?)(?:[ \t]+"(?P<title>[^"\n]*)")?\s*'
)
_BOX_KIND = re.compile(
    r"(?:note|abstract|summary|tldr|info|todo|tip|hint|important|success|check|done|question|help"
    r"|faq|warning|caution|attention|failure|fail|missing|danger|error|bug|example|quote|cite"
    r"|seealso|admonition|details)(?:[ ]+(?:inline|end))*",
    re.IGNORECASE,
)
_TAB = re.compile(r'(?P<indent>[ \t]*)===[!+]?[ \t]+"(?P<label>[^"\n]*)"\s*')
_CONTAINER = re.compile(
    r"[ \t>]*:{3,}[ \t]*(?P<name>\{?\.?[A-Za-z][\w.-]*\}?)"
    r"(?:\[(?P<bracketed>[^\]\n]*)\]|(?P<title>[^\n{\[]*))?[^\n]*\s*"
)
_TITLE = re.compile(r'\btitle="(?P<title>[^"\n]*)"')
"""Of Quarto."""
_OPTION = re.compile(r"[ \t>]*:[\w-]+:(?:[ \t].*)?\s*")
"""Of MyST, at the top of what it is one of."""
_HOLDS_MARKDOWN = re.compile(r" {0,3}<[a-z]\w*(?=\s)(?>[^<>]*?\smarkdown\b)[^<>]*>\s*")
"""An element of Python-Markdown."""
_PICTURE = re.compile(r"\.(?:png|jpe?g|gif|svg|webp|avif|bmp|pdf|mp[34]|webm|canvas|base)\b", re.I)
_CONTAINER_END = re.compile(r"[ \t>]*:{3,}\s*")
_IS_MYST = re.compile(r"^[ \t]*(?:`{3,}|:{3,})\{[a-z]", re.MULTILINE)
_NOT_SHOWN_IN_MYST = re.compile(r"^(?:%(?![%}]).*|\([\w-]+\)=[ \t\r]*)$", re.MULTILINE)
_GRID = re.compile(r" {0,3}\+(?:[-=:]+\+)+\s*")
_STROKES = re.compile(r" {0,3}-{2,}(?: +-{2,})+\s*")
"""Under the heads of a table without bars."""
_RAW = re.compile(r"[ \t>]*<(?:(?P<comment>!--)|(?P<name>script|style|pre|textarea)\b)", re.I)
"""Begins HTML that goes on to its end, over blank lines too."""
_IMPORT = re.compile(
    r"import[ \t]+(?:[\w*{][^'\"\n]*?[ \t]from[ \t]+)?['\"][^'\"\n]+['\"];?[ \t\r]*(?:\n|\Z)"
)
_IMPORT_BEGINS = re.compile(r"import\s*\{[^}'\"]*\n")
_EXPORT = re.compile(
    r"export[ \t]+(?:(?:const|let|var)[ \t]+[\w${\[][^=\n]*="
    r"|(?:default[ \t]+)?(?:async[ \t]+)?function\*?[ \t]*[\w$]*[ \t]*\("
    r"|default[ \t]+(?:[{(\[]|[\w$.]+[ \t]*(?:[;(]|[\r\n]|\Z)))[^\n]*(?:\n|\Z)"
)
_PROGRAM = re.compile(rf"{_IMPORT_BEGINS.pattern}|{_EXPORT.pattern}")
_CALLOUT = re.compile(r"(?P<quote>[ \t]*(?:>[ \t]*)+)\[![\w -]+\][-+]?[ \t]*(?P<title>.*?)\s*")
_ICON = re.compile(
    r":(?:material|octicons|fontawesome|simple)-(?P<icon>[a-z0-9-]+):(?:\{[^}\n]*\})?"
    r"(?P<before>[ ]?(?=[^\s|]))?"
)
"""Of Material for MkDocs: a picture before words, or all that is said there."""
_ATTRIBUTES = r"(?:[ \t]+(?:[.#][\w-]+|[\w-]+=(?:\"[^\"\n]*\"|[^\s{}\"]+)))*[ \t]*"
_INDENT = 4

_IN_LINES = re.compile(
    r"%%(?P<placeholder>[A-Z][A-Z0-9_]*)%%"
    r"|^[ \t]*%%[ \t\r]*\n(?:(?![ \t]*%%)[^\n`]*\n){0,200}[ \t]*%%(?=[ \t\r]*$)"
    r"|(?<![\w%])(?<!\d )%%(?:[ ][^%`\n]*[ ]|(?![ %])[^%`\n]*(?<![ %]))%%(?!%)"
    r"|\{/\*.{0,2000}?\*/\}"
    r"|!\[\[(?P<embedded>[^\[\]\n]*)\]\]"
    r"|(?<![\w+])\+\+(?P<keys>[a-z0-9-]+(?:\+[a-z0-9-]+)*)\+\+(?![\w+])"
    r"|^[ \t]*--8<--[ \t]*(?:[\"'][^\"'\n]*[\"'])?(?=[ \t\r]*$)"
    r"|^\*\[[^\]\n]+\]:[ \t][^\n]*$"
    rf"|[ \t]?\{{:?[ \t]*[.#][\w-]+{_ATTRIBUTES}\}}"
    rf"|(?:^[ \t]*|(?<=[)*_`:]))\{{:?[ \t]*[\w-]+=[^\s{{}}]+{_ATTRIBUTES}\}}"
    rf"|{_ICON.pattern}"
    r"|\[\[(?P<page>[^\[\]|#\n]*)(?:#(?P<part>[^\[\]|\n]*))?(?:\|(?P<alias>[^\[\]\n]*))?\]\]"
    r"|(?<![=\w])==(?=\S)(?P<marked>[^=\n]+)(?<=\S)==(?![=\w])"
    r"|(?<=\S)(?P<block>[ \t]+\^[A-Za-z][\w-]*)(?=[ \t]*\r?$)",
    re.MULTILINE | re.DOTALL,
)
_EXPRESSION = re.compile(
    r"\$[^$\n]{1,200}\$|(?<![=${\\^_])\{(?![#.%/ ]*\})"
    r"(?:\s*(?P<quote>[\"'`])(?P<said>[^\"'`{}\n]*)(?P=quote)\s*|(?![#.:]|[\w./-]*,)(?P<made>[^{}\n]{1,500}))\}"
)
"""Of MDX, and formulas, which are none."""
_IS_MDX = re.compile(
    rf"^(?:{_IMPORT.pattern}|{_EXPORT.pattern}|[ \t]*<[A-Z](?=\w*[a-z])\w*[\s/>])", re.MULTILINE
)
_DEFINED = re.compile(r"^ {0,3}\[\^(?P<name>[^\]\s]+)\]:", re.MULTILINE)
_NOTE = re.compile(
    r"\[\^(?P<name>[^\]\s]+)\]:[ \t]+"
    r"(?P<text>\S[^\n|]*(?:\n(?:[ \t\r]*\n){0,2}[ \t]+[^\s|>#`~*+-][^\n|]*)*)"
    r"$(?!\n(?:[ \t\r]*\n)?[ \t]+\S)",
    re.MULTILINE,
)
_REFERENCE = re.compile(
    r"(?P<end>[.,;:!?]?)(?:\[\^(?P<name>[^\]\s]{1,100})\](?!:)|\^\[(?P<said>[^\[\]\n]{1,500})\])"
)
_LONGEST_NOTE = 500
_AROUND = 200
"""Characters that tell whether something stands within a line."""
_MOST_DRAWN = 1_000
_DEEPEST = 20
"""Boxes within each other."""
_CODE = re.compile(
    r"^[ \t>]*(?P<fence>`{3,}(?=[^`\n]*$)|~{3,}).*?(?:^[ \t>]*(?P=fence)|\Z)|`[^`\n]+`",
    re.MULTILINE | re.DOTALL,
)
_NOT_READ = re.compile(
    rf"{_CODE.pattern}|<!--.*?(?:-->|\Z)|^[ \t>]*<script\b.*?(?:</script|\Z)",
    re.MULTILINE | re.DOTALL,
)
"""Code, comments and scripts: no dialect is spoken there."""
_NOT_TAGS = re.compile(
    rf"{_NOT_READ.pattern}|^(?:import|export)[ \t](?:[^\n]*\S[^\n]*(?:\n|\Z))++",
    re.MULTILINE | re.DOTALL,
)


def code_ranges(text: str) -> list[tuple[int, int]]:
    """Where a text holds fenced code and code in a line, roughly: template-like text."""
    return [code.span() for code in _CODE.finditer(text)]


def is_mdx(text: str) -> bool:
    return next(_outside(_IS_MDX, text), None) is not None


def not_mdx(text: str) -> list[tuple[int, int]]:
    """Where no tag of MDX is read: in code, comments and programs."""
    return [each.span() for each in _NOT_TAGS.finditer(text)]


def as_markdown(text: PlacedText, *, is_mdx: bool) -> PlacedText:
    """The same text in Markdown that a parser of CommonMark reads."""
    if _IS_MYST.search(text.text):
        text = replaced(text, _outside(_NOT_SHOWN_IN_MYST, text.text), lambda _: PlacedText())
    lines = [text[found.start() : found.end()] for found in _LINE.finditer(text.text)]
    read = join(_Lines(lines, is_mdx=is_mdx).read())
    read = replaced(read, _outside(_IN_LINES, read.text), partial(_as_shown, read))
    if is_mdx:
        read = replaced(read, _outside(_EXPRESSION, read.text), partial(_made, read))
    return _with_notes(read)


class _Lines:
    """It goes through lines once; those within a box are gone through on their own."""

    def __init__(
        self,
        lines: Sequence[PlacedText],
        depth: int = 0,
        *,
        is_mdx: bool,
    ) -> None:
        self._lines = lines
        self._depth = depth
        self._is_mdx = is_mdx
        self._at = 0
        self._open: list[str] = []
        """What ends the containers that are not ended, as HTML; empty for most."""
        self._begins = True
        """Whether a paragraph may begin here."""
        self._is_program = is_mdx or not depth
        """Whether an import or export is none of a text: at the top, and all through MDX."""

    def read(self) -> Iterator[PlacedText]:
        while self._at < len(self._lines):
            line = self._lines[self._at]
            self._at += 1
            raw = _RAW.match(line.text)
            drawn = self._drawn(line) if self._begins else []
            yield from drawn or (self._raw(line, raw) if raw else self._read(line))
            self._begins = not line.text.strip() or bool(_IMPORT.fullmatch(line.text))
            self._is_program &= self._is_mdx or self._begins

    def _read(self, line: PlacedText) -> Iterator[PlacedText]:
        text = line.text
        if fence := _FENCE.fullmatch(text.rstrip("\n")):
            yield from self._fenced(line, fence)
        elif self._depth < _DEEPEST and (box := self._box(text)):
            yield line[: box.end("indent")]
            is_kind = box["title"] or _BOX_KIND.fullmatch(box["kind"])
            yield _titled(line, box, "title" if is_kind else "kind")
            yield from self._within(len(box["indent"]))
        elif self._depth < _DEEPEST and (tab := _TAB.fullmatch(text)):
            yield _html(line, panel(tab["label"]))
            yield from self._within(len(tab["indent"]))
            yield _html(line, "</div>")
        elif self._open and _CONTAINER_END.fullmatch(text):
            ended = self._open.pop()
            yield _html(line, ended) if ended else _blank(line)
        elif container := _CONTAINER.fullmatch(text):
            yield self._container(line, container)
        elif callout := _CALLOUT.fullmatch(text):
            quote = line[: callout.end("quote")]
            yield join([quote, line[callout.start("title") : callout.end("title")], _blank(line)])
            yield join([quote, _blank(line)])
        elif _IMPORT.fullmatch(text):
            yield _blank(line)
        elif _HOLDS_MARKDOWN.fullmatch(text):
            yield from (line, _blank(line))
        elif self._is_program and self._begins and _PROGRAM.fullmatch(text):
            self._skip()
        else:
            yield line

    def _container(self, line: PlacedText, found: "re.Match[str]") -> PlacedText:
        """What begins it: a tab, or its title; of MyST its options are none of its text."""
        name = found["name"]
        is_myst = name.startswith("{") and name.endswith("}")
        while is_myst and self._at < len(self._lines) and self._is_option(self._at):
            self._at += 1
        if name == "{tab-item}":
            self._open.append("</div>")
            return _html(line, panel(found["title"] or ""))
        self._open.append("")
        if name.startswith("{") and not is_myst:
            return _titled(line, _TITLE.search(line.text), "title")
        return _titled(line, found, "bracketed" if found["bracketed"] else "title")

    def _is_option(self, at: int) -> bool:
        return _OPTION.fullmatch(self._lines[at].text) is not None

    def _drawn(self, line: PlacedText) -> list[PlacedText]:
        """A table of Pandoc that is drawn, with bars between its cells as all read them."""
        below = self._lines[self._at].text if self._at < len(self._lines) else ""
        if not _GRID.fullmatch(line.text) and not _STROKES.fullmatch(below):
            return []
        rest = self._lines[self._at - 1 : self._at - 1 + _MOST_DRAWN]
        lines = list(takewhile(lambda each: each.text.strip(), rest))
        rows = drawn_cells([each.text for each in lines])
        told = [_row(texts, lines[at[0]].start, lines[at[-1]].end) for at, texts in rows]
        if told:
            self._at += len(lines) - 1
            told.insert(1, _row(["---"] * len(rows[0][1]), line.start, line.start))
        return told

    def _box(self, text: str) -> "re.Match[str] | None":
        """Of a kind that is known, or with an indented block: else people shout."""
        box = _BOX.fullmatch(text)
        if box and not _BOX_KIND.fullmatch(box["kind"]):
            following = range(self._at, len(self._lines))
            rest = (self._lines[at].text.expandtabs(_INDENT) for at in following)
            below = next((each for each in rest if each.strip()), "")
            deep = len(below) - len(below.lstrip())
            return box if deep >= len(box["indent"].expandtabs(_INDENT)) + _INDENT else None
        return box

    def _raw(self, line: PlacedText, raw: "re.Match[str]") -> Iterator[PlacedText]:
        """HTML as it stands, to the line where it ends."""
        ending = re.compile("-->" if raw["comment"] else f"</{raw['name']}", re.IGNORECASE)
        yield line
        ended = ending.search(line.text, raw.end())
        while not ended and self._at < len(self._lines):
            line = self._lines[self._at]
            self._at += 1
            yield line
            ended = ending.search(line.text)

    def _fenced(self, line: PlacedText, fence: "re.Match[str]") -> Iterator[PlacedText]:
        """Program text as it stands; of MyST, a box."""
        held, end = self._up_to(fence["fence"])
        box = _MYST.fullmatch(line.text, fence.start("info"))
        if box and self._depth < _DEEPEST:
            is_tab = "{tab-item}" in fence["info"]
            yield _html(line, panel(box["title"])) if is_tab else _titled(line, box, "title")
            within = list(dropwhile(lambda each: _OPTION.fullmatch(each.text), held))
            yield from _Lines(within, self._depth + 1, is_mdx=self._is_mdx).read()
            yield _html(held[-1] if held else line, "</div>") if is_tab else _blank(line)
        else:
            yield from (line, *held, *end)

    def _up_to(self, mark: str) -> tuple[list[PlacedText], list[PlacedText]]:
        """What stands between fences, and the line that ends it, if one does."""
        held: list[PlacedText] = []
        while self._at < len(self._lines):
            each = self._lines[self._at]
            self._at += 1
            if mark in each.text and not each.text.strip(" \t>\r\n").strip(mark[0]):
                return held, [each]
            held.append(each)
        return held, []

    def _within(self, indent: int) -> Iterator[PlacedText]:
        """The indented lines below, as they would stand without it."""
        held: list[PlacedText] = []
        while self._at < len(self._lines):
            line = self._lines[self._at]
            deep = len(line.text.expandtabs(_INDENT)) - len(line.text.expandtabs(_INDENT).lstrip())
            if line.text.strip() and deep < indent + _INDENT:
                break
            held.append(_dedented(line, _INDENT))
            self._at += 1
        yield from _Lines(held, self._depth + 1, is_mdx=self._is_mdx).read()
        if held:
            yield _blank(held[-1])

    def _skip(self) -> None:
        """What is no text, up to a blank line."""
        while self._at < len(self._lines) and self._lines[self._at].text.strip():
            self._at += 1


def _titled(line: PlacedText, found: "re.Match[str] | None", name: str) -> PlacedText:
    """A box's title as a paragraph of its own; without one, a blank line."""
    title = line[found.start(name) : found.end(name)] if found and found[name] else PlacedText()
    return join([title, _blank(line), _blank(line)])


def _row(texts: Sequence[str], start: int, end: int) -> PlacedText:
    told = " | ".join(text.replace("|", "\\|") for text in texts)
    return PlacedText.in_place_of(f"| {told} |\n", start, end)


def panel(label: str) -> str:
    """What a tab opens, as HTML."""
    said = re.sub(r"[*`]", "", _ICON.sub("", label.partition("<")[0])).strip()
    return f'<div role="tabpanel" aria-label="{escape(said)}">'


def _html(line: PlacedText, said: str) -> PlacedText:
    """A line of HTML in its place, as deep."""
    indent = line.text[: len(line.text) - len(line.text.lstrip())]
    place = line.start + len(indent), line.end
    return PlacedText.in_place_of(f"\n{indent}{said}\n\n", *place)


def _blank(line: PlacedText) -> PlacedText:
    return PlacedText.in_place_of("\n", line.start, line.end)


def _dedented(line: PlacedText, columns: int) -> PlacedText:
    if line.text.startswith("\t"):
        return line[1:]
    return line[min(columns, len(line.text) - len(line.text.lstrip(" "))) :]


def _as_shown(text: PlacedText, found: "re.Match[str]") -> PlacedText:
    for name in ("alias", "marked", "keys"):
        if found[name]:
            return text[found.start(name) : found.end(name)]
    if found["icon"] and found["before"] is None:
        return PlacedText.in_place_of(found["icon"].replace("-", " "), *text.span(*found.span()))
    if found["placeholder"] or _is_note_in_line(found):
        return _unknown(text, found)
    page, part = (
        text[found.start(name) : found.end(name)] if found[name] else PlacedText()
        for name in ("page", "part")
    )
    between = " > " if page and part else ""
    return join([page, PlacedText.in_place_of(between, *text.span(*found.span())), part])


def _is_note_in_line(found: "re.Match[str]") -> bool:
    """Whether another note is shown within a line, not a picture."""
    if not found["embedded"] or _PICTURE.search(found["embedded"]):
        return False
    before = found.string[max(found.start() - _AROUND, 0) : found.start()].rpartition("\n")[2]
    after = found.string[found.end() : found.end() + _AROUND].partition("\n")[0]
    return any(map(str.isalnum, before + after))


def _unknown(text: PlacedText, found: "re.Match[str]") -> PlacedText:
    return PlacedText.in_place_of(UNKNOWN_VALUE, *text.span(*found.span()))


def _made(text: PlacedText, found: "re.Match[str]") -> PlacedText:
    """What a program puts there: a text that it states, else something that is not known."""
    if found["quote"]:
        return text[found.start("said") : found.end("said")]
    return _unknown(text, found) if found["made"] else text[found.start() : found.end()]


def _with_notes(text: PlacedText) -> PlacedText:
    """A short note stands behind what it is about, before the sentence ends."""
    first: dict[str, re.Match[str]] = {}
    for found in _outside(_DEFINED, text.text):
        first.setdefault(found["name"], found)
    defined = (
        _NOTE.match(text.text, found.end() - len(found[0].lstrip())) for found in first.values()
    )
    notes = {
        found["name"]: in_brackets(found["text"])
        for found in defined
        if found and len(found["text"]) <= _LONGEST_NOTE
    }

    def noted(found: "re.Match[str]") -> PlacedText:
        said = in_brackets(found["said"]) if found["said"] else notes.get(found["name"])
        if said is None:
            return text[found.start() : found.end()]
        place = text.span(*found.span())
        written = PlacedText.in_place_of(f" ({said})", *place)
        return join([written, PlacedText.in_place_of(found["end"], *place)])

    return replaced(text, _outside(_REFERENCE, text.text), noted)


def _outside(pattern: "re.Pattern[str]", text: str) -> Iterator["re.Match[str]"]:
    """What a pattern finds that neither begins nor ends within code or a comment."""
    kept = [each.span() for each in _NOT_READ.finditer(text)]
    starts = [start for start, _ in kept]
    first = starts[0] if starts else len(text)
    for found in pattern.finditer(text):
        ends = found.start(), found.end() - 1
        if not any(at < kept[bisect_right(starts, at) - 1][1] for at in ends if at >= first):
            yield found
