"""Pages of Notion: one, and all that stand below it, rows of databases among them.

They are listed by its search, the only way that does not read each. Notion does not promise that a
search has all, or has them at once: what it lacks leaves until it is listed. Where a page stands,
and whether it is in the trash, is asked by its id, never taken from a search. Nothing tells who may
read a page: that is a table of the operator's.

Written after the published descriptions and tried against a stand-in: no Notion was asked.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import reduce
from hashlib import sha256
from re import fullmatch
from typing import Any
from urllib.parse import quote, urlsplit
from uuid import UUID

from retrieval.errors import BadSource, UnreadableDocument
from retrieval.metadata.access import EVERYBODY, NOBODY, Audience, narrowed
from retrieval.ports import Fetched, SourceFile, SourceListing
from retrieval.remote import faults
from retrieval.remote.api import MOST_ANSWERS, Api, NotUnderstood, understood
from retrieval.remote.guarded import GuardedHttp, StatusError
from retrieval.remote.names import HERE, bounded
from retrieval.remote.notion_pages import (
    Database,
    Node,
    Page,
    Trail,
    as_html,
    listed,
    path_of,
    read_blocks,
)
from retrieval.remote.urls import KEYS, SourceUrl, beginnings

HOST, VERSION = "api.notion.com", "2025-09-03"
SETTLED = timedelta(minutes=5)
"""It is told to the minute when a page was edited: until later it may be edited in that again."""
AT_ONCE, MOST_ABOVE = 100, 100
_SEARCH: Mapping[str, object] = {
    "filter": {"property": "object", "value": "page"},
    "sort": {"timestamp": "last_edited_time", "direction": "ascending"},
    "page_size": AT_ONCE,
}
"""What is edited meanwhile comes last, and is told twice: so nothing is passed over."""
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
        """What was asked for by its id."""
        self._refused: dict[str, str] = {}
        self._placed: dict[str, tuple[Trail, Page]] = {}
        self._left = 0

    def listing(self) -> SourceListing:
        """Of what leads up to the root, and is neither in the trash nor below what is."""
        with faults.of_source():
            settled = datetime.now(UTC) - SETTLED
            self._left = MOST_ANSWERS
            self._nodes, self._refused = {}, {}
            found: dict[UUID, Node | None] = {each.id: each for each in self._found()}
            closed = self._closed()
            for each in found.values():
                self._lineage(each)  # and so all that others stand below is asked for
            trails = [self._trail(each) for each in (found | self._nodes).values()]
            self._placed = {
                path_of(trail[:end]): (trail[:end], page)
                for trail in trails
                for end, page in enumerate(trail, 1)
                if isinstance(page, Page)
            }
            files = bounded(self._file(path, settled) for path in self._placed)
            return SourceListing(files, {**self._refused, **closed}, tells_readers=True)

    def _closed(self) -> Mapping[str, str]:
        """All of it, where the root, or a page of `readers`, is not to be seen."""
        wanted = {self._root, *self._readers}
        nodes = {key: self._node(key, "pages", "databases") for key in wanted}
        unseen = sorted(key.hex for key, node in nodes.items() if not self._lineage(node))
        why = (
            f"lacks {' and '.join(unseen)}, or the integration does not see it there. Share it "
            "with that in Notion, or correct the id in people.yaml, or in the URL"
        )
        return {HERE: why} if unseen else {}

    def _found(self) -> Iterator[Page]:
        """Every page that the search has."""

        def ask(cursor: str) -> bytes:
            begins = {"start_cursor": cursor} if cursor else {}
            return self._api.content("/v1/search", post=json.dumps({**_SEARCH, **begins}).encode())

        return (understood(Page, each) for each in listed(ask))

    def _node(self, key: UUID, *kinds: str) -> Node | None:
        """What has an id, as the first of these kinds; None where it is not to be seen."""
        if key not in self._nodes:
            if self._left == 0:
                raise BadSource(f"has more than {MOST_ANSWERS} that others stand below. Divide it")
            self._left -= 1
            found = (self._as_kind(kind, key) for kind in kinds)
            self._nodes[key] = next((each for each in found if each), None)
        return self._nodes[key]

    def _as_kind(self, kind: str, key: UUID) -> Node | None:
        try:
            return self._api.get(_KINDS[kind], f"/v1/{kind}/{key}")
        except StatusError as error:
            if error.status not in _UNSEEN:
                raise
            if (kind, error.status) == ("databases", 400):
                self._refused[key.hex] = (
                    "is a database that Notion refuses to tell of, so nothing that it holds is "
                    "served; put its rows into another, or take it from what the integration sees"
                )
            return None

    def _lineage(self, node: Node | None) -> Sequence[Node]:
        """From the root down; empty where it does not lead up to that, also where it goes round."""
        nodes: list[Node] = []
        while node is not None and len(nodes) < MOST_ABOVE:
            nodes.insert(0, node)
            if node.id == self._root:
                return nodes
            place = node.parent.place
            node = self._node(*place) if place else None
        return ()

    def _trail(self, node: Node | None) -> Trail:
        lineage = self._lineage(node)
        if any(each.is_gone for each in lineage):
            return ()
        return [each for each in lineage if isinstance(each, Page | Database)]

    def _file(self, path: str, settled: datetime) -> SourceFile:
        trail, page = self._placed[path]
        titles = sha256("\0".join(each.name for each in trail).encode()).hexdigest()[:16]
        mark = f"{edited} {titles}" if (edited := page.mark(settled)) else ""
        return SourceFile(path, mark, audience=self._audience(trail))

    def _audience(self, trail: Trail) -> Audience:
        if not self._readers:
            return EVERYBODY
        stated = [self._readers[each.id] for each in trail if each.id in self._readers]
        return reduce(narrowed, stated) if stated else NOBODY

    def fetch(self, file: SourceFile, held: str = "") -> Fetched | None:  # noqa: ARG002
        trail, page = self._placed[file.path]
        try:
            with faults.of_file():
                blocks = read_blocks(page.id, self._children)
                now = understood(Page, self._of_one(f"/v1/pages/{page.id}"))
        except NotUnderstood as error:
            raise UnreadableDocument(str(error)) from None
        if now.is_gone:
            raise UnreadableDocument("is not there any more")
        if now.parent != page.parent:
            raise UnreadableDocument("was moved while it was copied; it is read next time")
        return Fetched([as_html([each.name for each in trail], now.properties, blocks)])

    def _children(self, block: UUID, cursor: str) -> bytes:
        begins = f"&start_cursor={quote(cursor, safe='')}" if cursor else ""
        return self._of_one(f"/v1/blocks/{block}/children?page_size={AT_ONCE}{begins}")

    def _of_one(self, path: str) -> bytes:
        """What is refused of one page says nothing of others."""
        try:
            return self._api.content(path)
        except StatusError as error:
            if error.status == 400:
                raise UnreadableDocument(faults.in_words(error)) from None
            raise

    def link(self, path: str) -> str:
        return self._placed[path][1].link if path in self._placed else ""


def of_notion(
    url: SourceUrl, login: Mapping[str, Any], groups: Mapping[str, Mapping[str, Audience]]
) -> NotionSource:
    """Of `notion://PAGE_ID`; `groups`: whom pages are for, by how URLs begin."""
    stated = url.path if url.plain_host else url.parts.netloc + url.parts.path
    root = _id(stated, "Write notion://PAGE_ID, with the 32 digits that the page's link ends in")
    if not login.get("token"):
        raise BadSource(f"is read with the secret of an integration. Write it to {KEYS}: `token`")
    tables = beginnings(url, groups)
    if len(tables) > 1:
        raise BadSource(f"stands in `sources` of people.yaml as {' and '.join(tables)}. Keep one")
    pages = groups[tables[0]] if tables else {}
    if not pages and any(each.lower().startswith("notion") for each in groups):
        raise BadSource(
            "has no page in `sources` of people.yaml, where Notion stands. Say there whom it is "
            f"for, such as {url.text}: {{{root.hex}: everyone}}"
        )
    why = "people.yaml says in `sources` whom pages of Notion are for: write each by its 32 digits"
    readers = {_id(page, why): audience for page, audience in pages.items()}
    if len(readers) < len(pages):
        raise BadSource("has a page twice in `sources` of people.yaml")
    site = f"http://{url.parts.netloc}" if url.plain_host else f"https://{HOST}"
    http = GuardedHttp((urlsplit(site).netloc,), url.plain_host)
    return NotionSource(site, root, str(login["token"]), readers, http)


def _id(text: str, otherwise: str) -> UUID:
    digits = text.replace("-", "").lower()
    if not fullmatch(r"[0-9a-f]{32}", digits):
        raise BadSource(otherwise)
    return UUID(digits)
