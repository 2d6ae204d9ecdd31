"""A space of Confluence: its pages, each below those that it stands under, and what is attached.

Pages are listed by a search: Cloud has plain `content` no more, and many a Data Center shuts it.
Written after the published descriptions and tried against a stand-in: no Confluence was asked.
"""

import re
from base64 import b64encode
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import reduce
from html import escape
from html.entities import html5
from pathlib import PurePosixPath
from typing import Any, TypeVar
from urllib.parse import quote, urlsplit

from lxml import etree
from pydantic import AliasPath, ConfigDict, Field

from retrieval.errors import BadSource, SourceUnavailable, UnreadableDocument
from retrieval.metadata.access import EVERYBODY, NOBODY, Audience, narrowed
from retrieval.parsing import is_read
from retrieval.ports import Fetched, SourceFile, SourceListing
from retrieval.remote import faults
from retrieval.remote.api import Api, ApiModel, audience_of, parts_of, titled, understood
from retrieval.remote.guarded import GuardedHttp
from retrieval.remote.names import bounded, in_a_name
from retrieval.remote.urls import SourceUrl
from retrieval.types import UNKNOWN_VALUE

MEDIA = "api.media.atlassian.com"
"""Where Cloud has what is attached; it is told no token."""
AT_ONCE, MOST_ABOVE = 200, 250
_SEARCH = "/rest/api/content/search"
LONGEST_NAME = 80
"""Bytes of a title in a name: a tree of pages may be deep."""


class Named(ApiModel):
    id: str = ""
    name: str = ""


class Some(ApiModel):
    """Readers of one kind."""

    results: tuple[Named, ...]
    size: int = 0


class Readers(ApiModel):
    """Of a page with restrictions; without any, nobody is named."""

    model_config = ConfigDict(extra="allow")
    user: Some
    group: Some

    @property
    def are_all(self) -> bool:
        """Whether the page has no restriction, and none of a kind that is not known."""
        unknown = (self.model_extra or {}).keys() - {"_links", "_expandable"}
        return not unknown and not any(e.results or e.size for e in (self.user, self.group))


class Node(ApiModel):
    """A page, or another thing that pages stand below."""

    id: str = Field(pattern=r"^(att)?\d+$")
    title: str | None = None


class Content(Node):
    type: str
    status: str
    version: int = Field(validation_alias=AliasPath("version", "number"))
    webui: str = Field("", validation_alias=AliasPath("_links", "webui"))


class Page(Content):
    """A page, or a folder of Cloud, which has readers as well."""

    ancestors: tuple[Node, ...]
    readers: Readers = Field(validation_alias=AliasPath("restrictions", "read", "restrictions"))


class Attachment(Content):
    """A file on a page, whose readers it has."""

    container: Node
    size: int | None = Field(None, validation_alias=AliasPath("extensions", "fileSize"))
    download: str = Field("", validation_alias=AliasPath("_links", "download"))


class Written(ApiModel):
    """What its authors wrote into a page."""

    status: str
    storage: str = Field(validation_alias=AliasPath("body", "storage", "value"))


class Above(ApiModel):
    """What a page of Cloud stands below, the highest first."""

    results: tuple[Node, ...]


C = TypeVar("C", bound=Content)


class Batch(ApiModel):
    results: tuple[dict[str, object], ...]
    next: str = Field("", validation_alias=AliasPath("_links", "next"))


Trail = Sequence[Node]
"""From the top of a space down to a page."""


def placed(
    pages: Mapping[str, Page], attached: Collection[Attachment]
) -> Iterator[tuple[str, Trail, Page | Attachment]]:
    """The path and the trail of each page, and of what is attached to one, if that is read.

    The id in each name has two of one title be two, and none mean anything but a document.
    """
    trails = {each.id: (*each.ancestors, each) for each in pages.values()}
    paths = {key: "/".join(map(_name, trail)) for key, trail in trails.items()}
    for page in pages.values():
        if page.type == "page":
            yield f"{paths[page.id]}.html", trails[page.id], page
    for each in attached:
        above, ending = each.container.id, PurePosixPath(each.title or "").suffix
        if above in pages and is_read(each.title or ""):
            yield f"{paths[above]}/{_name(each, ending)}{ending}", trails[above], each


def _name(node: Node, ending: str = "") -> str:
    title = in_a_name((node.title or "").removesuffix(ending), LONGEST_NAME)
    return f"{node.id} {title}".strip(" .")


class ConfluenceSource:
    def __init__(
        self,
        site: str,
        space: str,
        login: Mapping[str, Any],
        groups: Mapping[str, Audience],
        http: GuardedHttp,
        largest: int,
    ) -> None:
        """`site` is the URL below which `/rest/api` stands; `login` names a user on Cloud alone.

        `groups`: whom groups of Confluence are here, by name or id. `largest`: bytes of a file.
        """
        self._site, self._context, self._space = site, urlsplit(site).path, space
        self._is_cloud, self._largest = "username" in login, largest
        headers = {"authorization": _authorization(login)} if login else {}
        self._api = Api(http, site, lambda: headers)
        self._groups = groups
        self._pages: dict[str, Page] = {}
        self._placed: dict[str, tuple[Trail, Page | Attachment]] = {}

    def listing(self) -> SourceListing:
        with faults.of_source():
            kinds = "type in (page, folder)" if self._is_cloud else "type = page"
            readers = (f"restrictions.read.restrictions.{each}" for each in ("user", "group"))
            expand = "version", "ancestors", *readers
            self._pages = {each.id: each for each in self._found(Page, kinds, expand)}
            attached = {
                each.id: each
                for each in self._found(Attachment, "type = attachment", ("version", "container"))
            }
            self._placed = {
                path: (trail, content)
                for path, trail, content in placed(self._pages, attached.values())
            }
            known = {each.id: self._audience(each.readers) for each in self._pages.values()}
            return SourceListing(
                bounded(self._file(path, known) for path in self._placed), tells_readers=True
            )

    def _found(self, kind: type[C], which: str, expand: Sequence[str]) -> Iterator[C]:
        """Everything of a kind in the space, but for drafts and what is archived."""
        cql = f'space = "{self._space}" and {which} order by created'
        path = f"{_SEARCH}?cql={quote(cql)}&expand={','.join(expand)}&limit={AT_ONCE}"

        def following(batch: Batch) -> str:
            further = batch.next.removeprefix(self._context)
            if batch.next and not further.startswith(f"{_SEARCH}?"):
                raise SourceUnavailable("lists its pages in a way that is not known")
            return further

        for batch in parts_of(lambda part: self._api.get(Batch, part), following, path):
            found = [understood(kind, each) for each in batch.results]
            yield from (each for each in found if each.status == "current")

    def _file(self, path: str, known: Mapping[str, Audience]) -> SourceFile:
        """`known`: whom each page lets read it and what is below; one not listed, nobody."""
        trail, content = self._placed[path]
        audience = reduce(narrowed, (known.get(each.id, NOBODY) for each in trail), EVERYBODY)
        size = content.size if isinstance(content, Attachment) else None
        return SourceFile(path, f"{content.id} {content.version}", size=size, audience=audience)

    def _audience(self, readers: Readers) -> Audience:
        """Whom all groups of it that are mapped are together."""
        if readers.are_all:
            return EVERYBODY
        names = [name for each in readers.group.results for name in (each.name, each.id)]
        return audience_of(names, self._groups)

    def fetch(self, file: SourceFile, held: str = "") -> Fetched | None:  # noqa: ARG002
        trail, content = self._placed[file.path]
        with faults.of_file():
            if self._is_cloud:
                self._demand_whole(trail)
            whole = self._api.content(self._place_of(content), self._largest)
            if isinstance(content, Attachment):
                return Fetched([whole])
            written = understood(Written, whole)
        if written.status != "current":
            raise UnreadableDocument("is not there any more")
        return Fetched([as_html([each.title or "" for each in trail], written.storage)])

    def _demand_whole(self, trail: Trail) -> None:
        """Raise `UnreadableDocument` where more stands above a page than its listing told."""
        path = f"/api/v2/pages/{trail[-1].id}/ancestors?limit={MOST_ABOVE}"
        above = self._api.get(Above, path).results
        if [each.id for each in above] != [each.id for each in trail[:-1]]:
            raise UnreadableDocument(
                "stands below other pages and folders than were listed, whose restrictions are "
                "not known"
            )

    def _place_of(self, content: Page | Attachment) -> str:
        """Where its text or its bytes are; each kind of Confluence has its own place."""
        if isinstance(content, Page):
            cloud, own = f"/api/v2/pages/{content.id}?body-format=storage", "body.storage"
            return cloud if self._is_cloud else f"/rest/api/content/{content.id}?expand={own}"
        if self._is_cloud:
            above = content.container.id
            return f"/rest/api/content/{above}/child/attachment/{content.id}/download"
        path = content.download.removeprefix(self._context)
        if not path.startswith("/download/"):
            raise UnreadableDocument("has a link for downloading that is not known")
        return path

    def link(self, path: str) -> str:
        """The page's own, also of what is attached to it."""
        trail, _ = self._placed.get(path, ((), None))
        webui = self._pages[trail[-1].id].webui if trail else ""
        return f"{self._site}{webui}" if webui.startswith("/") else ""


def of_confluence(
    url: SourceUrl, login: Mapping[str, Any], groups: Mapping[str, Audience], largest: int
) -> ConfluenceSource:
    """Of `confluence://HOST/PATH/SPACE`, at a private address too; on Cloud the path is known."""
    *above, space = url.path.split("/")
    if not re.fullmatch(r"~?[\w.@-]+", space):
        raise BadSource("Write confluence://HOST/SPACE, the space by its key, such as HR")
    path = "/wiki" if "username" in login else "".join(f"/{quote(each)}" for each in above)
    scheme = "http" if url.plain_host else "https"
    http = GuardedHttp((url.parts.netloc, MEDIA), (url.parts.hostname or "",))
    site = f"{scheme}://{url.parts.netloc}{path}"
    return ConfluenceSource(site, space, login, groups, http, largest)


def _authorization(login: Mapping[str, Any]) -> str:
    token = str(login.get("token", ""))
    if "username" not in login:
        return f"Bearer {token}"
    pair = f"{login['username']}:{token}"
    return f"Basic {b64encode(pair.encode()).decode()}"


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
    """`trail` are the titles from the top of the space to the page. Raise `UnreadableDocument`."""
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
