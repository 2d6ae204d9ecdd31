"""A chapter is XHTML: markup ends as in XML, and style sheets stand in the book's archive.

Where HTML ends a comment or a script sooner than XML does, the rest would be read as text that
nobody sees.
"""

import re
from collections.abc import Callable
from html import unescape

from retrieval.errors import UnreadableDocument
from retrieval.parsing.css.page_styles import DocumentStyles, PageStyles, SheetCollector
from retrieval.parsing.html import HtmlReader
from retrieval.parsing.placed import PlacedText

_CDATA, _CDATA_END = "<![CDATA[", "]]>"
_PREFIXED = re.compile(r"xmlns:[^\s=]{1,100}\s*=\s*[\"']\s*http://www\.w3\.org/1999/xhtml\s*[\"']")
_SHEET_ABOVE = re.compile(r"<\?xml-stylesheet\s([^>]{0,1000})\?>")
_STATED = re.compile(r"""([a-z]{1,20})\s*=\s*(?:"([^"]{0,500})"|'([^']{0,500})')""")

Sheet = Callable[[str], str | None]
"""The text of the style sheet at an address; None where the book does not hold it."""


class XhtmlReader(HtmlReader):
    """Scripts and styles are elements as any other, whose text nobody sees."""

    def set_cdata_mode(self, elem: str, *, escapable: bool = False) -> None:
        """In XML no element changes how markup in it is read."""

    def parse_comment(self, i: int, report: bool = True) -> int:  # noqa: ARG002
        return self._behind("-->", i + len("<!--"))

    def parse_pi(self, i: int) -> int:
        return self._behind("?>", i)

    def parse_html_declaration(self, i: int) -> int:
        if not self.rawdata.startswith(_CDATA, i):
            return super().parse_html_declaration(i)
        end = self._behind(_CDATA_END, i + len(_CDATA))
        start = self._offset()
        inner = end - i - (len(_CDATA_END) if self.rawdata.startswith(_CDATA_END, end - 3) else 0)
        self._builder.add(self._html[start + len(_CDATA) : start + inner])
        return end

    def _behind(self, mark: str, start: int) -> int:
        """Where a mark ends; the rest where it is missing."""
        found = self.rawdata.find(mark, start)
        return found + len(mark) if found >= 0 else len(self.rawdata)


class ChapterStyles:
    """The styles of chapters, which mostly share their sheets: those are read once."""

    def __init__(self) -> None:
        self._styles = DocumentStyles()

    def of(self, page: PlacedText, sheet: Sheet) -> PageStyles:
        """`sheet` finds what the chapter links; what is missing leaves colours in doubt."""
        collector = _LinkedSheets(sheet)
        for above in _SHEET_ABOVE.finditer(page.text):
            stated = {
                each[1]: unescape(each[2] or each[3] or "") for each in _STATED.finditer(above[1])
            }
            if stated.get("alternate") != "yes":
                collector.link(stated)
        if collector.is_needed(page.text):
            XhtmlReader(collector, page).read()
        return self._styles.of(collector)


class _LinkedSheets(SheetCollector):
    """It takes linked style sheets in their order, from the book alone."""

    def __init__(self, sheet: Sheet) -> None:
        super().__init__()
        self._sheet = sheet

    def linked(self, address: str) -> str | None:
        text = super().linked(address)
        return self._sheet(address) if text is None else text


def require_plain_names(text: str) -> None:
    """Raise `UnreadableDocument` where elements have a prefix, such as `<h:p>`."""
    if _PREFIXED.search(text):
        raise UnreadableDocument(
            "writes its elements with a prefix (xmlns:...), which is not read; "
            "export it as .epub again"
        )
