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
from retrieval.remote.titled import titled
from retrieval.types import UNKNOWN_VALUE

_AC, _RI = "{urn:ac}", "{urn:ri}"
_PARSER = etree.XMLParser(
    resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True, huge_tree=True
)
_REFERENCE = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)([A-Za-z][A-Za-z0-9]*;)")
_HEADING = re.compile(r"h[1-6]")
_ENDS_LINE = frozenset("br caption dd div dt h3 h4 h5 h6 hr li p pre table tr ul ol".split())  # noqa: SIM905
_DROPPED = [f"{{*}}{each}" for each in ("script", "style", "meta", "title", "template")]
_SHOWN = frozenset(
    "info note warning tip panel expand excerpt section column details quote code noformat "  # noqa: SIM905
    "toc-zone".split()
)
"""Macros that show to everybody what stands in them; others may choose by who looks."""
_WITHOUT_WORDS = frozenset({"anchor", "toc"})
"""Macros that tell nothing of their own."""
_UNWRAPPED = "unwrapped"
_WRAPPING = (
    "layout layout-section layout-cell rich-text-body link-body plain-text-link-body "
    "task-body inline-comment-marker adf-extension adf-fallback"
)
_AS = {
    "plain-text-body": "pre",
    "task-list": "ul",
    "task": "li",
    **dict.fromkeys(_WRAPPING.split(), _UNWRAPPED),
}
_SILENT = frozenset(
    "parameter placeholder emoticon image task-id task-uuid task-status adf-node".split()  # noqa: SIM905
)
_NAMED_AS = {"page": "content-title", "blog-post": "content-title", "attachment": "filename"}


def as_html(trail: Sequence[str], storage: str) -> bytes:
    """A whole document; `trail` are the titles from the top of the space down to the page's own.

    Raise `UnreadableDocument`.
    """
    whole = f'<body xmlns:ac="urn:ac" xmlns:ri="urn:ri">{_without_references(storage)}</body>'
    try:
        body = etree.fromstring(whole, _PARSER)
    except (etree.XMLSyntaxError, ValueError):
        raise UnreadableDocument("is not in the form in which Confluence stores pages") from None
    _resolve(body)
    etree.strip_elements(body, f"{_AC}*", f"{_RI}*", *_DROPPED, with_tail=False)
    etree.strip_tags(body, _UNWRAPPED)
    etree.cleanup_namespaces(body)
    inner = (etree.tostring(each, encoding="unicode", method="html") for each in body)
    return titled(trail, escape(body.text or "", quote=False) + "".join(inner))


def _without_references(storage: str) -> str:
    """References by name become their characters; what is none of HTML, and code, stays."""
    first, *others = storage.split("<![CDATA[")
    parts = (each.partition("]]>") for each in others)
    ended = (f"{code}{end}{_REFERENCE.sub(_character, after)}" for code, end, after in parts)
    return "<![CDATA[".join([_REFERENCE.sub(_character, first), *ended])


def _character(found: re.Match[str]) -> str:
    return escape(html5.get(found[1], found[0]))


def _resolve(body: etree._Element) -> None:
    """Turn what is Confluence's own into HTML; what is to be left out stays as it is."""
    waiting = [body]
    while waiting:  # pages can be deeper than Python's stack
        parent = waiting.pop()
        beside = (parent.text, *(child.tail for child in parent))
        unknown = UNKNOWN_VALUE if any(each and not each.isspace() for each in beside) else ""
        for child in parent:
            name = etree.QName(child)
            if name.namespace == "urn:ac":
                tag = _tag(child, name.localname)
                if tag is None:
                    child.tail = f"{unknown}{child.tail or ''}"
                elif tag:
                    child.tag = tag
                    child.attrib.clear()
            elif name.localname == "time":
                child.tag, child.text = _UNWRAPPED, child.get("datetime", "")
            elif _HEADING.fullmatch(name.localname):
                child.tag = f"h{min(int(name.localname[1]) + 2, 6)}"  # below that of the tree
            if child.tag in _ENDS_LINE:
                child.tail = f"\n{child.tail or ''}"
        waiting.extend(parent)


def _tag(element: etree._Element, name: str) -> str | None:
    """As what it is shown; empty to leave it out, None where it would have told something."""
    if name in ("structured-macro", "macro"):
        return _macro(element)
    if name == "link":
        return _link(element)
    return _AS.get(name, "" if name in _SILENT else None)


def _macro(element: etree._Element) -> str | None:
    kind = element.get(f"{_AC}name")
    stated = {
        each.get(f"{_AC}name"): each.text or "" for each in element.iterchildren(f"{_AC}parameter")
    }
    title = stated.get("title", "")
    if kind == "status":
        element.text = title
        return _UNWRAPPED
    if kind in _WITHOUT_WORDS:
        return ""
    if kind not in _SHOWN or stated.get("hidden") == "true":
        return None
    if title:
        heading = etree.Element("p")
        etree.SubElement(heading, "strong").text = title
        element.insert(0, heading)
    return "div"


def _link(element: etree._Element) -> str | None:
    """The words that stand for it, else what it leads to is called."""
    if any(not each.isspace() for each in element.itertext()):
        return _UNWRAPPED
    for each in element.iterchildren(f"{_RI}*"):
        if attribute := _NAMED_AS.get(etree.QName(each).localname):
            element.text = each.get(f"{_RI}{attribute}", "")
            return _UNWRAPPED
    return None
