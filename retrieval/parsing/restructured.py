"""reStructuredText is read with docutils; nothing is included, run or fetched.

Directives and roles that docutils does not know, as Sphinx has them, show their text.
"""

import re
from collections.abc import Callable, Mapping
from textwrap import dedent

from docutils import nodes
from docutils.frontend import get_default_settings
from docutils.parsers.rst import Parser
from docutils.utils import new_document

from retrieval.errors import UnreadableDocument
from retrieval.parsing.blocks import BlockBuilder
from retrieval.parsing.decoding import decode
from retrieval.parsing.embedded_metadata import stated_in_meta, stated_in_value, stated_unseen
from retrieval.parsing.limits import DEEPEST_ELEMENT, MOST_UNFINISHED, require_at_most
from retrieval.parsing.notes import in_brackets
from retrieval.parsing.placed import PlacedText, Tracer
from retrieval.types import ParsedDocument, Stated

_SETTINGS: Mapping[str, object] = {
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "report_level": 5,
    "halt_level": 5,
    "_disable_config": True,
    "line_length_limit": 100_000,
    "syntax_highlight": "none",
}
_DIRECTIVE = re.compile(
    r"\.\. +(?P<name>[\w:+.-]+)::[ \t]*(?P<said>[^\n]*)\n?(?P<held>.*)", re.DOTALL
)
_OPTION = re.compile(r"(?:[ \t]+:[\w-]+:[^\n]*\n?)*")
_ROLE = re.compile(r":[\w:+.-]+:`(?P<text>[^`<]*?)\s*(?:<[^<>`]*>)?`")
_SHOW_ELSE = re.compile(
    r"(?:toctree|index|todo|todolist|ifconfig|literalinclude|include|meta|highlight|tabularcolumns"
    r"|(?:\w+:)?(?:current)?module\b|\w+:namespace|auto\w+|graphviz|mermaid|uml|raw|plot"
    r"|only(?! *html))"
)
_IN_VERSION: Mapping[str, str] = {
    "versionadded": "Added in version",
    "versionchanged": "Changed in version",
    "deprecated": "Deprecated since version",
    "versionremoved": "Removed in version",
}
_TABS = ("tab-item", "tab", "group-tab", "code-tab")
_NAMES: Mapping[str, str] = {
    **{each: each for each in ("table", "thead", "tbody", "figure")},
    **dict.fromkeys(("paragraph", "rubric", "attribution", "line_block"), "p"),
    **dict.fromkeys(("definition_list", "field_list", "option_list"), "dl"),
    **dict.fromkeys(("term", "field_name", "option_group"), "dt"),
    **dict.fromkeys(("definition", "field_body", "description"), "dd"),
    **dict.fromkeys(("literal_block", "doctest_block"), "pre"),
    **dict.fromkeys(("footnote", "citation"), "div"),
    "bullet_list": "ul",
    "list_item": "li",
    "block_quote": "blockquote",
    "row": "tr",
    "caption": "figcaption",
}
_LONGEST_NOTE = 500
_SENTENCE_ENDS = (".", "!", "?")
_NOT_SHOWN = frozenset(
    {"substitution_definition", "target", "raw", "colspec", "decoration", "pending"} | {"label"}
)


def parse(content: bytes) -> ParsedDocument:
    """Raise `UnreadableDocument` for what is not text, or shows nothing."""
    source = decode(content)
    builder = BlockBuilder(source)
    try:
        reader = _Reader(builder, source)
        reader.read(_tree(source))
    except (RecursionError, ValueError, LookupError, AttributeError, AssertionError) as error:
        raise UnreadableDocument(
            "is not reStructuredText that docutils reads; correct it, or save it as .txt"
        ) from error
    builder.finish()
    if builder.draft.is_empty:
        raise UnreadableDocument("holds nothing that people read; add text to it, or remove it")
    builder.draft.state(reader.stated)
    return builder.draft.document(source)


def _tree(source: str) -> nodes.document:
    settings = get_default_settings(Parser)
    for name, value in _SETTINGS.items():
        setattr(settings, name, value)
    document = new_document("", settings)
    Parser().parse(source.replace("\r\n", "\n"), document)
    return document


class _Reader:
    """It tells a builder of a tree in terms of HTML."""

    def __init__(self, builder: BlockBuilder, source: str) -> None:
        self.stated: list[Stated] = []
        """What the file says of itself above its text, and where nobody sees it."""
        self._builder = builder
        self._source = source
        self._tracer = Tracer(source)
        self._level = 0
        self._depth = 0
        self._substitutions: Mapping[str, nodes.Node] = {}
        self._notes: Mapping[str, str] = {}
        self._has_title = False
        self._has_text = False
        """Other than titles."""
        self._label = ""
        self._recovered = 0
        self._tellings: Mapping[str, Callable[[nodes.Node], None]] = {
            "#text": lambda node: self._builder.add(self._tracer.placed(str(node))),
            "comment": self._comment,
            "meta": self._meta,
            "field_list": self._fields,
            "system_message": self._recover,
            "problematic": self._problematic,
            "section": self._section,
            "topic": self._topic,
            "title": self._title,
            "image": self._image,
            "substitution_reference": self._substituted,
            "line": self._line,
            "footnote_reference": self._note,
        }
        """All others that are shown are elements of HTML."""

    def read(self, tree: nodes.document) -> None:
        above = self._substitutions
        self._substitutions = {**above, **tree.substitution_defs}
        self._notes = {**self._notes, **_notes_of(tree)}
        for each in tree.children:
            self._node(each)
        self._substitutions = above

    def _node(self, node: nodes.Node) -> None:
        self._depth += 1
        require_at_most(self._depth, DEEPEST_ELEMENT, "elements within each other")
        if node.tagname not in _NOT_SHOWN:
            self._tellings.get(node.tagname, self._element)(node)
        self._depth -= 1

    def _fields(self, node: nodes.Node) -> None:
        """Those above the title are not shown; those below it are, and count as much."""
        for each in () if self._has_text else node.children:
            name, body = each.children
            self.stated += stated_in_value("its fields", name.astext(), body.astext())
        if self._has_title or self._has_text:
            self._element(node)
        self._has_text = True

    def _comment(self, node: nodes.Node) -> None:
        self.stated += stated_unseen([node.astext()], "its comments")

    def _meta(self, node: nodes.Node) -> None:
        self.stated += stated_in_meta({"name": node.get("name"), "content": node.get("content")})

    def _section(self, node: nodes.Node) -> None:
        self._level += 1
        self._children(node)
        self._level -= 1

    def _topic(self, node: nodes.Node) -> None:
        if "contents" not in node["classes"]:
            self._element(node)

    def _image(self, node: nodes.Node) -> None:
        place = self._tracer.at, self._tracer.at + 1
        self._builder.add_image(PlacedText.in_place_of(node.get("alt", ""), *place))

    def _line(self, node: nodes.Node) -> None:
        self._begin(node.rawsource or node.astext())
        self._children(node)
        self._builder.add(PlacedText.in_place_of("\n", self._tracer.at, self._tracer.at))

    def _element(self, node: nodes.Node) -> None:
        name, attributes = _named(node)
        if isinstance(node, nodes.TextElement) and not isinstance(node, nodes.Inline):
            self._begin(node.rawsource)
        elif isinstance(node, nodes.row):
            self._begin(node.astext())
        if name:
            self._builder.open(name, self._tracer.at, attributes)
        if isinstance(node, nodes.paragraph) and self._label:
            self._builder.add(self._tracer.placed(self._label))
            self._label = ""
        if name == "pre":
            self._builder.add(self._tracer.lines(node.astext()))
        elif isinstance(node, nodes.row):
            self._cells(node)
        else:
            self._children(node)
        if name:
            end = self._tracer.at
            self._builder.close(name, end, end)

    def _begin(self, block: str) -> None:
        self._has_text = True
        self._tracer.begin(block)

    def _cells(self, row: nodes.Node) -> None:
        """They stand beside each other, on the same lines."""
        start = last = self._tracer.at
        for each in row.children:
            self._tracer.at = start
            self._node(each)
            last = max(last, self._tracer.at)
        self._tracer.at = last

    def _children(self, node: nodes.Node) -> None:
        for each in node.children:
            self._node(each)

    def _title(self, node: nodes.title) -> None:
        """Of a section, of a table, or of a box."""
        level = min(self._level, 6)
        is_heading = isinstance(node.parent, nodes.section)
        name = f"h{level}" if is_heading else "p"
        if isinstance(node.parent, nodes.table):
            name = "caption"
        self._tracer.begin(node.rawsource)
        self._has_title = self._has_title or is_heading
        self._has_text = self._has_text or not is_heading
        self._builder.open(name, self._tracer.at)
        self._children(node)
        self._builder.close(name, self._tracer.at, self._tracer.at)

    def _substituted(self, node: nodes.Node) -> None:
        defined = self._substitutions.get(node["refname"])
        text = defined.astext() if defined is not None else node.astext()
        self._builder.add(self._tracer.placed(text))

    def _note(self, node: nodes.Node) -> None:
        """Within a sentence, for one behind it would be read with the next."""
        above = reversed(node.parent.children[: node.parent.index(node)])
        before = next(filter(None, (each.astext().rstrip() for each in above)), "")
        is_within = not before.endswith(_SENTENCE_ENDS)
        if is_within and (note := self._notes.get(node.get("refname", ""))):
            place = self._tracer.at, self._tracer.at
            self._builder.add(PlacedText.in_place_of(f" ({in_brackets(note)})", *place))

    def _problematic(self, node: nodes.Node) -> None:
        """A role that docutils does not know."""
        role = _ROLE.fullmatch(node.astext())
        text = (role["text"] or node.astext()) if role else node.astext()
        self._builder.add(self._tracer.placed(text.lstrip("~!")))

    def _recover(self, message: nodes.Node) -> None:
        """A directive that docutils does not know is kept as it stands."""
        for block in message.children:
            found = _DIRECTIVE.fullmatch(block.astext().strip())
            if not isinstance(block, nodes.literal_block) or found is None:
                continue
            self._recovered += 1
            require_at_most(self._recovered, MOST_UNFINISHED * 500, "unknown directives")
            if not _SHOW_ELSE.match(f"{found['name']} {found['said']}"):
                self._read_unknown(found["name"], found["said"], found["held"])

    def _read_unknown(self, name: str, said: str, held: str) -> None:
        body = dedent(held[_OPTION.match(held).end() :])  # type: ignore[union-attr]  # matches nothing, too
        if name in _IN_VERSION:
            number, _, said = said.partition(" ")
            self._label = f"{_IN_VERSION[name]} {number}: "
            body = f"{said}\n{body}"
        elif name != "only" and name not in _TABS:
            body = f"{said}\n\n{body}"
        if name in _TABS:
            panel = {"role": "tabpanel", "aria-label": said.strip()}
            self._builder.open("div", self._tracer.at, panel)
        self.read(_tree(body))
        if name in _TABS:
            self._builder.close("div", self._tracer.at, self._tracer.at)


def _notes_of(tree: nodes.document) -> Mapping[str, str]:
    """Short footnotes by name, without their labels."""
    found = {
        name: " ".join(each.astext() for each in note.findall(nodes.paragraph))
        for note in (*tree.footnotes, *tree.autofootnotes)
        for name in note["names"]
    }
    return {name: text for name, text in found.items() if len(text) <= _LONGEST_NOTE}


def _named(node: nodes.Node) -> tuple[str, Mapping[str, str | None]]:
    """The element of HTML that a node is, with its attributes; no name for what is none."""
    if isinstance(node, nodes.enumerated_list):
        kind = "1" if node.get("enumtype") == "arabic" else "a"
        return "ol", {"start": str(node.get("start", 1)), "type": kind}
    if isinstance(node, nodes.entry):
        spans = {"colspan": node.get("morecols", 0) + 1, "rowspan": node.get("morerows", 0) + 1}
        name = "th" if isinstance(node.parent.parent, nodes.thead) else "td"
        return name, {each: str(count) for each, count in spans.items()}
    if isinstance(node, nodes.Admonition | nodes.sidebar | nodes.topic | nodes.container):
        return "div", {}
    return _NAMES.get(node.tagname, ""), {}
