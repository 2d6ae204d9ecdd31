"""The builder knows this of HTML's elements, after the HTML standard, sections 13.1 and 15."""

import re
from collections.abc import Mapping

from retrieval.parsing.limits import MOST_SPANNED

VOID = frozenset(
    "area base br col embed hr img input link meta param source track wbr".split()  # noqa: SIM905
)
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_BLOCKS = frozenset(
    "address article aside blockquote body caption center dd details dialog dir div dl dt "  # noqa: SIM905
    "fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html "
    "legend li main menu nav ol p pre search section summary table tbody td tfoot th "
    "thead title tr ul".split()
)
NOT_SHOWN = frozenset(
    "annotation annotation-xml audio canvas datalist del iframe meter nav noembed "  # noqa: SIM905
    "noframes noscript object progress rp s script select strike style svg template "
    "textarea video".split()
)
"""Code, controls, other media, navigation, and what was struck out: it no longer holds."""

_INLINE = frozenset(
    "a abbr acronym b bdi bdo big button cite code data dfn em font i image ins kbd label map "  # noqa: SIM905
    "mark marquee math nobr optgroup option output picture q rb rt rtc ruby samp slot small span "
    "strong sub sup time tt u var".split()
)
_NAVIGATION = frozenset({"navigation", "doc-noteref", "doc-backlink", "noteref", "backlink"})
"""Roles of DPUB-ARIA, and types of EPUB before it; a mark such as "1" would end up in a word."""
_PERMALINKS = frozenset(
    "headerlink hash-link anchor-link header-anchor heading-anchor anchorjs-link permalink".split()  # noqa: SIM905
)
"""Classes of what leads to the heading that it stands in: a sign beside it, or all its words."""
LINK_SIGN = re.compile(r"[\s#¶§⚓\U0001f517\u200b\ufe0e\ufe0f]*")
PICTURES = frozenset({"canvas", "embed", "iframe", "object", "svg", "video"})
"""Shown as they are beside images; no word of them is read."""
_BOXES = frozenset({"checkbox-on", "checkbox-off"})
LISTS = frozenset({"ul", "ol", "menu", "dir"})
CELLS = frozenset({"td", "th"})
SECTIONS = frozenset({"thead", "tbody", "tfoot"})
CAPTIONS = frozenset({"caption", "figcaption"})
_TABLE = frozenset({"table"})

TABLE_ROLES: Mapping[str, str] = {
    **dict.fromkeys(("table", "grid"), "table"),
    **dict.fromkeys(("cell", "gridcell"), "td"),
    **dict.fromkeys(("columnheader", "rowheader"), "th"),
    "rowgroup": "tbody",
    "row": "tr",
}

IMPLIED_ENDS: Mapping[str, tuple[str, ...]] = {
    "li": ("li",),
    "dt": ("dt", "dd"),
    "dd": ("dt", "dd"),
    "tr": ("tr",),
    "td": ("td", "th"),
    "th": ("td", "th"),
    "thead": ("thead", "tbody", "tfoot", "caption"),
    "tbody": ("thead", "tbody", "tfoot", "caption"),
    "tfoot": ("thead", "tbody", "tfoot", "caption"),
}
"""What an element ends by beginning; written out of order, inner ones follow."""

SCOPES: Mapping[str, frozenset[str]] = {
    "p": CELLS | {"caption", "table", "button", "object"},
    "li": LISTS | CELLS | _TABLE,
    "dt": frozenset({"dl"}) | CELLS | _TABLE,
    "dd": frozenset({"dl"}) | CELLS | _TABLE,
    "tr": _TABLE,
    "td": _TABLE | {"tr"},
    "th": _TABLE | {"tr"},
    "thead": _TABLE,
    "tbody": _TABLE,
    "tfoot": _TABLE,
    "caption": _TABLE,
    "table": frozenset(),
}
"""How far up the search for an open element goes: not beyond one of these."""


def is_block(name: str) -> bool:
    """Whether what is before, in and after it are different blocks; all else is inline."""
    return name in _BLOCKS


def is_known(name: str) -> bool:
    """Whether HTML has such an element."""
    return any(name in names for names in (_BLOCKS, _INLINE, NOT_SHOWN, PICTURES, VOID))


def heading_level(name: str, attributes: Mapping[str, str | None]) -> int:
    """Of a heading by its name or by its role; 0 for none."""
    if name in HEADINGS:
        return int(name[1])
    if (attributes.get("role") or "").strip().lower() != "heading" or not is_block(name):
        return 0
    stated = (attributes.get("aria-level") or "").strip()
    return min(max(int(stated), 1), len(HEADINGS)) if stated in "123456789" and stated else 2


def is_no_content(name: str, attributes: Mapping[str, str | None]) -> bool:
    """Whether what it holds is never shown, or is navigation, as the marks of notes are."""
    stated = {*(attributes.get("role") or "").split(), *(attributes.get("epub:type") or "").split()}
    return name in NOT_SHOWN or not _NAVIGATION.isdisjoint(stated)


def is_permalink(name: str, attributes: Mapping[str, str | None]) -> bool:
    """Whether a sign that stands in it is no text."""
    return name == "a" and not _PERMALINKS.isdisjoint((attributes.get("class") or "").split())


def tick(name: str, attributes: Mapping[str, str | None]) -> str:
    """The sign of a box that may be ticked (Notion: a `div`, Confluence: an item); else empty."""
    classes = (attributes.get("class") or "").split()
    if name == "input" and (attributes.get("type") or "").strip().lower() == "checkbox":
        is_ticked = "checked" in attributes
    elif name == "div" and not _BOXES.isdisjoint(classes):
        is_ticked = "checkbox-on" in classes
    elif name == "li" and "data-inline-task-id" in attributes:
        is_ticked = "checked" in classes
    else:
        return ""
    return "☑ " if is_ticked else "☐ "


def span_of(attributes: Mapping[str, str | None], name: str) -> int:
    """The number of columns or rows that a cell takes; 0 rows are all to the section's end."""
    value = (attributes.get(name) or "").strip()
    if name == "rowspan" and value == "0":
        return 0
    value = value.lstrip("0")
    if not value.isdecimal():
        return 1
    return int(value) if len(value) < len(str(MOST_SPANNED)) else MOST_SPANNED


_PAGE = {"main", "aui-page-panel"}
"""Of Confluence, id and class of what holds the page; all else but the footer stands in it."""
_AROUND = frozenset({"breadcrumb-section", "breadcrumbs", "page-metadata", "footer"})
_FILES = {"attachments", "pageSectionTitle"}
"""Id and class of the heading above the box that lists the files of a page."""
_MARKS = frozenset(
    "footnote-backref footnote-back reversefootnote fn-backref fn-bracket linenos md-copyright "  # noqa: SIM905
    "md-skip skip-link viewcode-link".split()
)
"""Classes of Sphinx, MkDocs, Jekyll and pandoc: ways to other places, and numbers of lines."""
_NOTION = ("sans", "serif", "mono")
"""One of them is the typeface of a page's `article`, which has the class "page" as well."""


class Surroundings:
    """It takes the elements of a document as they begin."""

    def __init__(self) -> None:
        self._is_confluence = self._lists_files = False
        self._is_sphinx = self._is_notion = False

    def holds(self, name: str, attributes: Mapping[str, str | None]) -> bool:
        """Whether an element stands around the page, with all in it."""
        names = {attributes.get("id"), *(attributes.get("class") or "").split()}
        self._is_confluence = self._is_confluence or names >= _PAGE
        self._is_sphinx = self._is_sphinx or "rst-content" in names
        self._is_notion = self._is_notion or (
            name == "article" and "page" in names and not names.isdisjoint(_NOTION)
        )
        if not names.isdisjoint(_MARKS) or "data-sp-componentid" in attributes:
            return True
        if (self._is_sphinx and name == "footer") or (self._is_notion and "icon" in names):
            return True
        return self._is_confluence and self._is_around(names)

    def _is_around(self, names: set[str | None]) -> bool:
        is_title, is_list = names >= _FILES, self._lists_files and "greybox" in names
        self._lists_files = is_title or (self._lists_files and not is_list)
        return is_title or is_list or not _AROUND.isdisjoint(names)


def is_listing(attributes: Mapping[str, str | None]) -> bool:
    """Whether a table only sets numbers beside the lines of a program."""
    classes = (attributes.get("class") or "").split()
    return not {"highlighttable", "rouge-table"}.isdisjoint(classes)


def is_title(name: str, attributes: Mapping[str, str | None]) -> bool:
    """Whether it is what Google Docs sets as the title of a document, which is no heading there."""
    classes = (attributes.get("class") or "").split()
    return name == "p" and "title" in classes and (attributes.get("id") or "").startswith("h.")


def is_remark(attributes: Mapping[str, str | None]) -> bool:
    """Whether what somebody remarked on a document of Google Docs begins behind it."""
    return (attributes.get("href") or "").startswith("#cmnt_ref")


def is_remark_link(attributes: Mapping[str, str | None]) -> bool:
    return (attributes.get("id") or "").startswith("cmnt_ref")
