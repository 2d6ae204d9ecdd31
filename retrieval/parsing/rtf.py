"""Rich Text is decoded with striprtf; a sentence is cited by the number of its paragraph.

striprtf knows of text alone: headings, items, cells, notes and hidden words are marked for it with
characters of Unicode's private use area, and found again in the text that it makes.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from striprtf.striprtf import destinations, remove_pict_groups, rtf_to_text

from retrieval.errors import UnreadableDocument
from retrieval.parsing.decoding import require_content
from retrieval.parsing.draft import number_in
from retrieval.parsing.embedded_metadata import stated_beside
from retrieval.parsing.office import stated_in_property, without_text
from retrieval.parsing.tables import looks_like_header
from retrieval.parsing.transcript import Transcript
from retrieval.types import ParsedDocument, Stated

_DAMAGED = "is damaged, or not Rich Text; open it in a word processor and save it as .rtf again"
_TOKEN = re.compile(
    r"\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?\d{1,10})?[ ]?|\\'[0-9a-fA-F]{2}|\\(?P<sign>[^a-zA-Z])"
    r"|(?P<brace>[{}])|[^\\{}]+"
)
_CELL, _BREAK, _NOTE, _NOTE_END, _LABEL, _LABEL_END = (chr(0xE000 + each) for each in range(6))
_HEADING, _LOOK = 0xE010, 0xE100
"""The first of the characters for the levels of headings, and for how text looks."""
_MARK = re.compile("[\ue000-\uf8ff]")
_MOST_LOOKS = 1_000
_TOO_MANY_LOOKS = (
    f"shows its text in more than {_MOST_LOOKS} ways, by which some may be hidden; save it with "
    "fewer colours"
)
_TINY = 6
"""Half points."""
_COLOUR = re.compile(r"(?:\\red(\d{1,3})\s*\\green(\d{1,3})\s*\\blue(\d{1,3})[^;]*)?;")
_TABLE_OF_COLOURS = re.compile(r"\{\\colortbl([^{}]*)\}")
_INFO = frozenset({"title", "subject", "keywords", "doccomm", "comment", "category"})
_BESIDE: Mapping[str, str] = {
    **{
        f"{kind}{page}": "its running heads"
        for kind in ("header", "footer")
        for page in ("", *"lrf")
    },
    "annotation": "its comments",
}
_STATING = _INFO.union(_BESIDE, {"propname", "staticval"})


@dataclass(frozen=True, slots=True)
class _State:
    """Of a group."""

    look: Mapping[str, str] = field(default_factory=dict)
    """As CSS."""
    dropped: bool = False
    silent: bool = False
    """Not even striprtf shall see it, such as the address of a link."""
    ends: str = ""


_SWITCHES: Mapping[str, tuple[str, str]] = {
    **dict.fromkeys(("v", "deleted"), ("display", "none")),
    **dict.fromkeys(("strike", "striked"), ("text-decoration", "line-through")),
    "super": ("vertical-align", "super"),
    "sub": ("vertical-align", "sub"),
    "nosupersub": ("vertical-align", ""),
}
"""Control words to what of CSS they turn on, or off where 0 stands behind them."""
_COLOURED = {"cf": "color", **dict.fromkeys(("highlight", "cb", "chcbpat"), "background")}


@dataclass(slots=True)
class _Marker:
    colours: list[str]
    looks: list[str] = field(default_factory=lambda: [""])
    state: _State = field(default_factory=_State)
    _groups: list[_State] = field(default_factory=list)
    _level: int = 0
    _in_table: bool = False
    _look: int = 0

    def marked(self, source: str) -> Iterator[str]:
        for token in _TOKEN.finditer(source):
            if token["brace"]:
                yield from self._brace(token["brace"])
            elif token["word"]:
                yield from self._word(token["word"], token["number"])
                is_mark = token["word"] == "u" and _is_mark(token["number"])
                yield r"\u32 " if is_mark else self._kept(token["word"], token[0])
            elif token["sign"] == "*":
                self.state = replace(self.state, dropped=True)
                yield token[0]
            else:
                yield from self._text(token[0])

    def _brace(self, brace: str) -> Iterator[str]:
        if brace == "{":
            self._groups.append(self.state)
            self.state = replace(self.state, ends="")
        else:
            yield _written(self.state.ends) if self.state.ends else ""
            self.state = self._groups.pop() if self._groups else _State()
        yield brace

    def _text(self, text: str) -> Iterator[str]:
        if text.strip("\r\n"):
            yield from self._turned()
        yield "" if self.state.silent else text

    def _turned(self) -> Iterator[str]:
        """To how what follows looks."""
        look = self._index_of_look()
        if not self.state.dropped and look != self._look:
            self._look = look
            yield _written(chr(_LOOK + look))

    def _word(self, word: str, number: str | None) -> Iterator[str]:
        value = int(number) if number else None
        if (look := self._look_behind(word, value)) is not None:
            self.state = replace(self.state, look=look)
            return
        match word:
            case "pard":
                self._level, self._in_table = 0, False
            case "outlinelevel" if not self.state.dropped:
                self._level = min(value or 0, 8) + 1
            case "intbl":
                self._in_table = True
            case "listtext":
                self.state = replace(self.state, ends=_LABEL_END)
                yield _written(_LABEL)
            case "footnote":
                self.state = replace(self.state, ends=_NOTE_END)
                yield _written(_NOTE)
            case "par" if self._level and not self._in_table and not self.state.dropped:
                yield _written(chr(_HEADING + self._level))
            case "u":
                yield from self._turned()
            case _ if word in destinations:
                self.state = replace(self.state, dropped=True, silent=word == "fldinst")

    def _kept(self, word: str, token: str) -> str:
        """What stands for a control word in what striprtf is given."""
        if self.state.dropped:
            return token
        if word in ("cell", "nestcell"):
            return _written(_CELL)
        if word == "line" or (word == "par" and self._in_table):
            return _written(_BREAK)
        return "" if word in ("footnote", "listtext") else token

    def _look_behind(self, word: str, value: int | None) -> Mapping[str, str] | None:
        """How text looks behind a control word; None for one that is about something else."""
        look = self.state.look
        if word == "plain":
            return {}
        if word in _SWITCHES:
            name, said = _SWITCHES[word]
            return {**look, name: "" if value == 0 else said}
        if word in _COLOURED:
            index = value if value and 0 < value < len(self.colours) else 0
            return {**look, _COLOURED[word]: self.colours[index] if index else ""}
        if word == "fs":
            return {**look, "font-size": f"{value / 2}pt" if value and value <= _TINY else ""}
        return None

    def _index_of_look(self) -> int:
        look = "; ".join(f"{name}: {said}" for name, said in self.state.look.items() if said)
        if look not in self.looks:
            if len(self.looks) == _MOST_LOOKS:
                raise UnreadableDocument(_TOO_MANY_LOOKS)
            self.looks.append(look)
        return self.looks.index(look)


def _is_mark(number: str | None) -> bool:
    """Whether a file says a character that stands for something else here, as of symbol fonts."""
    value = int(number or 0)
    return 0xE000 <= (value + 0x10000 if value < 0 else value) <= 0xF8FF


def _written(mark: str) -> str:
    """As a file says a character by its number; nothing stands in for it."""
    return f"{{\\uc0\\u{ord(mark) - 0x10000} }}"


def parse(content: bytes) -> ParsedDocument:
    """Raise `UnreadableDocument` for what is no Rich Text, or shows nothing."""
    require_content(content)
    if not content.lstrip().startswith(b"{\\rtf"):
        raise UnreadableDocument(_DAMAGED)
    try:
        source = remove_pict_groups(content.decode("latin-1"))
        table = _TABLE_OF_COLOURS.search(source)
        colours = [
            "" if each[0] is None else f"rgb({each[0]}, {each[1]}, {each[2]})"
            for each in (found.groups() for found in _COLOUR.finditer(table[1] if table else ""))
        ]
        marker = _Marker(colours)
        text = _whole(rtf_to_text("".join(marker.marked(source)), errors="replace"))
        stated = list(_stated(source))
    except (ValueError, LookupError, TypeError, OverflowError) as error:
        raise UnreadableDocument(_DAMAGED) from error
    transcript = Transcript()
    _Reader(transcript, marker.looks).read(text)
    document = transcript.document(
        next((str(each.value) for each in stated if each.key == "title"), ""), stated
    )
    if not (document.fragments or document.headings):
        raise without_text(hidden=bool(document.hidden))
    return document


def _stated(source: str) -> Iterator[Stated]:
    name = ""
    for word, held in _groups(source):
        value = _whole(rtf_to_text("{\\rtf1 " + held + "}", errors="replace")).strip()
        if word in _BESIDE:
            yield from stated_beside([value], _BESIDE[word])
        elif word == "propname":
            name = value
        else:
            yield from stated_in_property(word if word in _INFO else name, value)


def _groups(source: str) -> Iterator[tuple[str, str]]:
    """Those that may state something, by their first control word, with what they hold."""
    word, start, depth, opens = "", 0, 0, False
    for token in _TOKEN.finditer(source):
        brace, first = token["brace"], token["word"] if opens else ""
        depth += {"{": 1, "}": -1}.get(brace, 0) if word else 0
        if word and not depth:
            yield word, source[start : token.start()]
            word = ""
        elif not word and first in _STATING:
            word, start, depth = first, token.end(), 1
        is_nothing = token["sign"] == "*" or not token[0].strip()
        opens = brace == "{" or (opens and is_nothing)
    if word:
        yield word, source[start:]


def _whole(text: str) -> str:
    """Of characters that a file says in two halves; a lone half is none."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


class _Reader:
    """It tells a transcript of the marked text."""

    def __init__(self, transcript: Transcript, looks: list[str]) -> None:
        self._to = transcript
        self._looks = looks
        self._look = ""
        self._rows: list[str] = []

    def read(self, text: str) -> None:
        notes: list[str] = []

        def taken(note: re.Match[str]) -> str:
            notes.append(note[1].replace("\n", " "))
            return _NOTE

        whole = re.sub(f"{_NOTE}([^{_NOTE}{_NOTE_END}]*){_NOTE_END}", taken, text)
        waiting = iter(notes)
        for line in whole.split("\n"):
            if _CELL in line:
                self._rows.append(line)
            elif _MARK.sub("", line).strip():
                self._table()
                self._paragraph(line)
            for _ in range(line.count(_NOTE)):
                self._table()
                self._block("p", next(waiting, ""))
        self._table()

    def _paragraph(self, line: str) -> None:
        level = next((ord(each) - _HEADING for each in line if _HEADING < ord(each) < _LOOK), 0)
        label, ended, rest = line.partition(_LABEL_END)
        if level:
            self._block(f"h{min(level, 6)}", rest if ended else line)
        elif ended and _LABEL in label:
            number = number_in(f"{_MARK.sub('', label).strip()} ")
            self._to.open("ol" if number else "ul", {"start": str(number)} if number else {})
            self._block("li", rest)
            self._to.close("ol" if number else "ul")
        else:
            self._block("p", line)

    def _table(self) -> None:
        if not self._rows:
            return
        rows, self._rows = [row.split(_CELL)[:-1] for row in self._rows], []
        texts = [[_MARK.sub("", cell).strip() for cell in row] for row in rows]
        is_even = len(set(map(len, rows))) == 1  # else a cell is wide, and names stand elsewhere
        heads = is_even and looks_like_header(texts, stands_out=False)
        self._to.open("table")
        for number, row in enumerate(rows):
            self._to.open("tr")
            for cell in row:
                self._block("th" if heads and not number else "td", cell)
            self._to.close("tr")
        self._to.close("table")

    def _block(self, name: str, text: str) -> None:
        self._to.open(name)
        done = 0
        for mark in _MARK.finditer(text):
            self._piece(text[done : mark.start()])
            done = mark.end()
            if mark[0] == _BREAK:
                self._to.line_break()
            elif 0 <= ord(mark[0]) - _LOOK < len(self._looks):
                self._look = self._looks[ord(mark[0]) - _LOOK]
        self._piece(text[done:])
        self._to.close(name)
        self._to.end_paragraph()

    def _piece(self, text: str) -> None:
        if self._look:
            self._to.open("span", {"style": self._look})
        self._to.add(text)
        if self._look:
            self._to.close("span")
