"""A page of Confluence as it is stored becomes HTML, of what its own authors wrote in it alone.

Rendered by Confluence it would hold what the token's owner may read of other pages (macros that
include them), and would change while its version does not.
"""

import re
from collections.abc import Sequence
from html import escape
from html.entities import html5

from lxml import etree

from retrieval.errors import UnreadableDocument
from retrieval.parsing.dialects import UNKNOWN_VALUE

_AC, _RI = "urn:ac", "urn:ri"
_REFERENCE = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)([A-Za-z][A-Za-z0-9]*;)")
_HEADING = re.compile(r"h[1-6]")
_BLOCKS = frozenset(
    "blockquote br caption dd div dl dt h1 h2 h3 h4 h5 h6 hr li ol p pre table tbody td tfoot th "  # noqa: SIM905
    "thead tr ul".split()
)
_KEPT = _BLOCKS | frozenset(
    "a abbr b cite code col colgroup del em i ins kbd q s small span strike strong sub sup "  # noqa: SIM905
    "tt u".split()
)
_DROPPED = frozenset({"script", "style", "meta", "title", "template"})
_ATTRIBUTES = ("colspan", "rowspan", "href", "start", "style", "hidden")
_SHOWN = frozenset(
    "info note warning tip panel expand excerpt section column details quote code noformat".split()  # noqa: SIM905
)
"""Macros that show to everybody what stands in them; others may choose by who looks."""
_UNWRAPPED = frozenset(
    "layout layout-section layout-cell rich-text-body link-body plain-text-link-body task-body "  # noqa: SIM905
    "inline-comment-marker adf-extension adf-fallback".split()
)
_SILENT = frozenset(
    "parameter placeholder emoticon image task-id task-uuid task-status adf-node".split()  # noqa: SIM905
)
_NAMED_AS = {"page": "content-title", "blog-post": "content-title", "attachment": "filename"}


def as_html(trail: Sequence[str], storage: str) -> bytes:
    """A whole document; `trail` are the titles from the top of the space down to the page's own.

    Raise `UnreadableDocument`.
    """
    whole = f'<page xmlns:ac="{_AC}" xmlns:ri="{_RI}">{_REFERENCE.sub(_character, storage)}</page>'
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        body = _within(etree.fromstring(whole, parser))
    except (etree.XMLSyntaxError, ValueError):
        raise UnreadableDocument("is not in the form in which Confluence stores pages") from None
    titles = [escape("".join(c if c.isprintable() else " " for c in title)) for title in trail]
    head = f'<meta charset="utf-8"><title>{titles[-1]}</title>'
    heading = f"<h2>{' › '.join(titles)}</h2>"  # an h1 would be the title
    whole = f"<html><head>{head}</head><body>\n{heading}\n{body}\n</body></html>"
    return f"<!DOCTYPE html>\n{whole}\n".encode()


def _character(found: re.Match[str]) -> str:
    return escape(html5[found[1]]) if found[1] in html5 else found[0]


def _within(element: etree._Element) -> str:
    parts = [escape(element.text or "", quote=False)]
    for child in element:
        parts += (_as_html(child), escape(child.tail or "", quote=False))
    return "".join(parts)


def _as_html(element: etree._Element) -> str:
    if not isinstance(element.tag, str):
        return ""  # a comment
    name = etree.QName(element)
    if name.namespace == _AC:
        return _of_confluence(name.localname, element)
    tag = name.localname
    if name.namespace == _RI or tag in _DROPPED:
        return ""
    if tag == "time":
        return escape(element.get("datetime", ""))
    if tag not in _KEPT:
        return _within(element)
    if _HEADING.fullmatch(tag):
        tag = f"h{min(int(tag[1]) + 2, 6)}"  # below that of the tree
    stated = "".join(
        f' {a}="{escape(element.get(a, ""))}"' for a in _ATTRIBUTES if a in element.attrib
    )
    if tag in ("br", "hr", "col"):
        return f"<{tag}{stated}>"
    return f"<{tag}{stated}>{_within(element)}</{tag}>" + ("\n" if tag in _BLOCKS else "")


def _of_confluence(name: str, element: etree._Element) -> str:
    if name in ("structured-macro", "macro"):
        return _macro(element)
    if name == "plain-text-body":
        return f"<pre>{_within(element)}</pre>\n"
    if name == "link":
        return _link(element)
    if name == "task-list":
        return f"<ul>{_within(element)}</ul>\n"
    if name == "task":
        return f"<li>{_within(element)}</li>\n"
    if name in _UNWRAPPED:
        return _within(element)
    return "" if name in _SILENT else _left_out(element)


def _macro(element: etree._Element) -> str:
    kind = element.get(f"{{{_AC}}}name")
    stated = {
        each.get(f"{{{_AC}}}name"): each.text or ""
        for each in element.iterchildren(f"{{{_AC}}}parameter")
    }
    title = stated.get("title", "")
    if kind == "status":
        return escape(title)
    if kind not in _SHOWN or stated.get("hidden") == "true":
        return _left_out(element)
    heading = f"<p><strong>{escape(title)}</strong></p>\n" if title else ""
    return f"<div>{heading}{_within(element)}</div>\n"


def _link(element: etree._Element) -> str:
    """The words that stand for it, else what it leads to is called."""
    if words := _within(element).strip():
        return words
    for each in element.iterchildren(f"{{{_RI}}}*"):
        if attribute := _NAMED_AS.get(etree.QName(each).localname):
            return escape(each.get(f"{{{_RI}}}{attribute}", ""))
    return _left_out(element)


def _left_out(element: etree._Element) -> str:
    """Within a sentence, that something stands there; else nothing."""
    parent = element.getparent()
    beside = [parent.text, *(each.tail for each in parent)] if parent is not None else []
    return UNKNOWN_VALUE if any(map(str.strip, filter(None, beside))) else ""
