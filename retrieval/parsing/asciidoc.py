"""AsciiDoc is read with Asciidoctor, where that is installed, which makes DocBook of it.

In its secure mode nothing is included, run or fetched. Its words are found again in the file's
lines.
"""

import re
from collections.abc import Iterator, Mapping

from lxml import etree

from retrieval.errors import UnreadableDocument
from retrieval.parsing.blocks import BlockBuilder
from retrieval.parsing.decoding import decode
from retrieval.parsing.embedded_metadata import stated_in_value, stated_unseen
from retrieval.parsing.limits import DEEPEST_ELEMENT, require_at_most
from retrieval.parsing.outside import Tool, run
from retrieval.parsing.placed import PlacedText, Tracer
from retrieval.types import ParsedDocument, Stated

TOOL = Tool("asciidoctor", "Asciidoctor", "asciidoctor", ".html")
_OPTIONS = ("-b", "docbook5", "-S", "secure", "-o", "-", "-")
_SECONDS = 60.0
_PARSER = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
_ATTRIBUTE = re.compile(r"^:(\w[\w -]*):[ \t]*([^\r\n]*)", re.MULTILINE)
_COMMENT = re.compile(r"^//(?!/)([^\r\n]*)|^(/{4,})\s*$(.*?)(?:^\2\s*$|\Z)", re.M | re.S)
_NAMES: Mapping[str, str] = {
    **{each: each for each in ("table", "thead", "tbody", "tfoot", "blockquote", "figure")},
    **dict.fromkeys(("simpara", "para", "bridgehead", "attribution"), "p"),
    **dict.fromkeys(("itemizedlist", "calloutlist"), "ul"),
    **dict.fromkeys(("variablelist", "qandaset"), "dl"),
    **dict.fromkeys(("term", "question"), "dt"),
    **dict.fromkeys(("screen", "programlisting", "literallayout"), "pre"),
    "callout": "li",
    "answer": "dd",
    "informaltable": "table",
    "row": "tr",
}
_NOT_SHOWN = frozenset({"indexterm", "remark", "anchor", "colspec", "imageobject", "co"})
_ALOUD = frozenset({"simpara", "para", "bridgehead", "term", "title", "entry", "attribution"})
"""Blocks whose words are looked for together."""
_SECTIONS = frozenset({"section", "chapter", "part", "appendix", "preface", "glossary", "abstract"})


def parse(content: bytes) -> ParsedDocument:
    """Raise `UnreadableDocument` for what is not text, shows nothing, or cannot be read here."""
    source = decode(content)
    made = run(TOOL, _OPTIONS, source.encode(), _SECONDS)
    builder = BlockBuilder(source)
    try:
        _Reader(builder, source).read(etree.fromstring(made, _PARSER))
    except etree.XMLSyntaxError as error:
        raise UnreadableDocument("is not AsciiDoc; correct it, or save it as .txt") from error
    builder.finish()
    if builder.draft.is_empty:
        raise UnreadableDocument("holds nothing that people read; add text to it, or remove it")
    builder.draft.state(_stated(source))
    return builder.draft.document(source, hidden=builder.hidden.all())


def _stated(source: str) -> Iterator[Stated]:
    """In attributes, wherever they are set, and in comments; one without a value is on."""
    for key, value in _ATTRIBUTE.findall(source):
        yield from stated_in_value("its attributes", key, value.strip() or "true")
    comments = (line or block for line, _, block in _COMMENT.findall(source))
    yield from stated_unseen(comments, "its comments")


class _Reader:
    """It tells a builder of DocBook in terms of HTML."""

    def __init__(self, builder: BlockBuilder, source: str) -> None:
        self._builder = builder
        self._tracer = Tracer(source)
        self._level = 1
        self._depth = 0

    def read(self, element: etree._Element) -> None:
        self._depth += 1
        require_at_most(self._depth, DEEPEST_ELEMENT, "elements within each other")
        if isinstance(element.tag, str):
            self._element(element, _local(element))
        self._depth -= 1

    def _element(self, element: etree._Element, tag: str) -> None:
        if tag in _NOT_SHOWN:
            return
        if tag == "info":
            for title in element.iterchildren("{*}title"):
                self.read(title)
            return
        if tag == "footnote":
            self._builder.add(self._tracer.placed(f" ({_words(element).rstrip('.')})"))
            return
        if tag == "xref" and not len(element):
            self._builder.add(self._tracer.placed(element.get("linkend", "")))
            return
        if tag in ("mediaobject", "inlinemediaobject"):
            words = _words(element)
            at = self._tracer.at
            self._builder.add_image(PlacedText.in_place_of(words, at, at + 1))
            return
        deeper = tag in _SECTIONS
        self._level += deeper
        self._block(element, tag)
        self._level -= deeper

    def _block(self, element: etree._Element, tag: str) -> None:
        name, attributes = self._named(element, tag)
        if tag in _ALOUD:
            self._tracer.begin_words(_words(element))
        elif name in ("pre", "tr"):
            self._tracer.begin("".join(map(str, element.itertext())))
        if name:
            self._builder.open(name, self._tracer.at, attributes)
        if name == "pre":
            text = "".join(map(str, element.itertext()))
            self._builder.add(self._tracer.lines(text))
        else:
            self._held(element)
        if name:
            self._builder.close(name, self._tracer.at, self._tracer.at)

    def _held(self, element: etree._Element) -> None:
        self._builder.add(self._tracer.placed(element.text or ""))
        for child in element:
            self.read(child)
            self._builder.add(self._tracer.placed(child.tail or ""))

    def _named(self, element: etree._Element, tag: str) -> tuple[str, Mapping[str, str | None]]:
        above = _local(element.getparent()) if element.getparent() is not None else ""
        if tag == "title":
            if above in _SECTIONS or above in ("article", "book", "info"):
                return f"h{min(self._level, 6)}", {}
            return {"table": "caption", "figure": "figcaption"}.get(above, "p"), {}
        if tag == "listitem":
            return ("dd" if above == "varlistentry" else "li"), {}
        if tag == "entry":
            row_above = _local(element.getparent().getparent())
            return ("th" if row_above == "thead" else "td"), _spans(element)
        if tag == "orderedlist":
            is_arabic = element.get("numeration", "arabic") == "arabic"
            start = element.get("startingnumber", "1")
            return "ol", {"start": start, "type": "1" if is_arabic else "a"}
        if tag in ("note", "tip", "warning", "caution", "important", "example", "sidebar"):
            return "div", {}
        if tag == "phrase" and "line-through" in element.get("role", "").split():
            return "span", {"style": "text-decoration: line-through"}
        return _NAMES.get(tag, ""), {}


def _words(element: etree._Element) -> str:
    return " ".join("".join(map(str, element.itertext())).split())


def _local(element: etree._Element | None) -> str:
    return "" if element is None else etree.QName(element).localname


def _spans(entry: etree._Element) -> Mapping[str, str | None]:
    first, last = (entry.get(name, "").removeprefix("col_") for name in ("namest", "nameend"))
    columns = int(last) - int(first) + 1 if first.isdecimal() and last.isdecimal() else 1
    return {"colspan": str(columns), "rowspan": str(int(entry.get("morerows", "0")) + 1)}
