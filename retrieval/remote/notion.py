"""Pages of Notion: one, and all that stand below it, rows of databases among them.

Requests of its REST API, through the guarded client; `notion-client` would bring a second one, and
puts words of the server into its errors. Pages are listed by its search, the only way that does
not read each of them. Notion does not promise that a search has all, or has them at once: what it
lacks leaves, and is read again when it is listed, but a page that another one says it stands below
is asked for. Nothing tells who may read a page in Notion: that is a table of the operator's.

Written after the published descriptions and tried against a stand-in: no Notion was asked.
"""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import reduce
from re import fullmatch
from typing import Any
from urllib.parse import quote
from uuid import UUID

from retrieval.errors import BadSource, UnreadableDocument
from retrieval.metadata.access import EVERYBODY, NOBODY, Audience, narrowed
from retrieval.ports import Fetched, SourceFile, SourceListing
from retrieval.remote import faults
from retrieval.remote.api import MOST_ANSWERS, Api, understood
from retrieval.remote.guarded import GuardedHttp, StatusError
from retrieval.remote.names import HERE, bounded
from retrieval.remote.notion_blocks import as_html, read_blocks
from retrieval.remote.notion_pages import Database, Node, Page, Trail, listed, path_of
from retrieval.remote.urls import KEYS, SourceUrl, nearest

HOST, VERSION = "api.notion.com", "2022-06-28"
SETTLED = timedelta(minutes=5)
"""It is told to the minute when a page was edited: until later it may be edited in that again."""
AT_ONCE, MOST_ABOVE = 100, 100
_KINDS: Mapping[str, type[Node]] = {"pages": Page, "databases": Database, "blocks": Node}
_UNSEEN = (400, 403, 404)
"""How it is said that there is nothing of that kind, or that it is not shared."""


class NotionSource:
    """`DocumentSource` of a page or a database, and of what stands below it."""

    def __init__(
        self, site: str, root: UUID, token: str, readers: Mapping[UUID, Audience], http: GuardedHttp
    ) -> None:
        """`readers`: whom pages and databases are for, each with all below it.

        What stands below none of them is for nobody; without any, it is for everybody.
        """
        headers = {"authorization": f"Bearer {token}", "notion-version": VERSION}
        self._api = Api(http, site, lambda: headers)
        self._root, self._readers = root, readers
        self._nodes: dict[UUID, Node | None] = {}
        self._placed: dict[str, tuple[Trail, Page]] = {}
        self._left = 0

    def listing(self) -> SourceListing:
        """Of what leads up to the root, and is neither in the trash nor below what is."""
        with faults.of_source():
            settled = datetime.now(UTC) - SETTLED
            self._left = MOST_ANSWERS
            self._nodes = {each.id: each for each in self._found()}
            closed = self._closed()
            trails = [self._trail(each) for each in [*self._nodes.values()]]
            self._placed = {
                path_of(trail[:end]): (trail[:end], page)
                for trail in trails
                for end, page in enumerate(trail, 1)
                if isinstance(page, Page)
            }
            files = bounded(self._file(path, settled) for path in self._placed)
            return SourceListing(files, closed, tells_readers=True)

    def _closed(self) -> Mapping[str, str]:
        """All of it, where the root or a page of `readers` is not to be seen.

        The page that was meant may be another one, which is open then.
        """
        wanted = {self._root, *self._readers}
        unseen = sorted(k.hex for k in wanted if self._node(k, "pages", "databases") is None)
        why = (
            f"lacks {' and '.join(unseen)}, or the integration does not see it. Share it with that "
            "in Notion, or correct the id in people.yaml, or in the URL"
        )
        return {HERE: why} if unseen else {}

    def _found(self) -> Iterator[Page]:
        """Every page that the search has."""

        def ask(cursor: str) -> bytes:
            which = {"filter": {"property": "object", "value": "page"}, "page_size": AT_ONCE}
            begins = {"start_cursor": cursor} if cursor else {}
            return self._api.asked("/v1/search", post=json.dumps(which | begins).encode())

        return (understood(Page, each) for each in listed(ask))

    def _node(self, key: UUID, *kinds: str) -> Node | None:
        """What has an id, as the first of these kinds; None where it is not to be seen."""
        if key not in self._nodes:
            if self._left == 0:
                raise BadSource(f"has pages below more than {MOST_ANSWERS} that no search has")
            self._left -= 1
            told = (self._told(_KINDS[kind], f"/v1/{kind}/{key}") for kind in kinds)
            self._nodes[key] = next((each for each in told if each), None)
        return self._nodes[key]

    def _told(self, kind: type[Node], path: str) -> Node | None:
        try:
            return understood(kind, self._api.asked(path))
        except StatusError as error:
            if error.status in _UNSEEN:
                return None
            raise

    def _trail(self, node: Node | None) -> Trail:
        """Empty where it does not lead up to the root, also where it goes round."""
        trail: list[Page | Database] = []
        for _ in range(MOST_ABOVE):
            if node is None or node.is_gone:
                return ()
            if isinstance(node, Page | Database):
                trail.insert(0, node)
            if node.id == self._root:
                return trail
            place = node.parent.place
            node = self._node(*place) if place else None
        return ()

    def _file(self, path: str, settled: datetime) -> SourceFile:
        trail, page = self._placed[path]
        return SourceFile(path, page.mark(settled), audience=self._audience(trail))

    def _audience(self, trail: Trail) -> Audience:
        if not self._readers:
            return EVERYBODY
        stated = [self._readers[each.id] for each in trail if each.id in self._readers]
        return reduce(narrowed, stated) if stated else NOBODY

    def fetch(self, file: SourceFile, held: str = "") -> Fetched | None:  # noqa: ARG002
        trail, page = self._placed[file.path]
        try:
            with faults.of_file():
                now = understood(Page, self._api.asked(f"/v1/pages/{page.id}"))
                if now.is_gone:
                    raise UnreadableDocument("is not there any more")
                if now.parent != page.parent:
                    raise UnreadableDocument("was moved while it was copied; it is read next time")
                blocks = read_blocks(page.id, self._children)
        except BadSource as error:
            raise UnreadableDocument(str(error)) from None
        return Fetched([as_html([each.name for each in trail], now.properties, blocks)])

    def _children(self, block: UUID, cursor: str) -> bytes:
        begins = f"&start_cursor={quote(cursor, safe='')}" if cursor else ""
        return self._api.asked(f"/v1/blocks/{block}/children?page_size={AT_ONCE}{begins}")

    def link(self, path: str) -> str:
        return self._placed[path][1].link if path in self._placed else ""


def of_notion(
    url: SourceUrl, login: Mapping[str, Any], groups: Mapping[str, Mapping[str, Audience]]
) -> NotionSource:
    """Of `notion://PAGE_ID`; `groups`: whom pages are for, by how URLs begin."""
    is_plain = url.parts.scheme.endswith("+http")
    stated = url.path if is_plain else url.parts.netloc
    root = _id(stated, "Write notion://PAGE_ID, with the 32 digits that the page's link ends in")
    if not login.get("token"):
        raise BadSource(f"is read with the secret of an integration. Write it to {KEYS}: `token`")
    pages = nearest(url, groups)
    if not pages and any(each.lower().startswith("notion") for each in groups):
        raise BadSource(
            "stands not in `sources` of people.yaml, where other pages of Notion do. Say there "
            f"whom it is for, such as {url.text}: {{{root.hex}: everyone}}"
        )
    why = "people.yaml says in `sources` whom pages of Notion are for: write each by its 32 digits"
    readers = {_id(page, why): audience for page, audience in pages.items()}
    if len(readers) < len(pages):
        raise BadSource("has a page twice in `sources` of people.yaml")
    place = url.parts.netloc if is_plain else HOST
    http = GuardedHttp((place,), (url.parts.hostname or "",) if is_plain else ())
    site = f"http{'' if is_plain else 's'}://{place}"
    return NotionSource(site, root, str(login["token"]), readers, http)


def _id(text: str, otherwise: str) -> UUID:
    digits = text.replace("-", "").lower()
    if not fullmatch(r"[0-9a-f]{32}", digits):
        raise BadSource(otherwise)
    return UUID(digits)
