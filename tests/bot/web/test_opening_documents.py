"""Whoever opens a document from Home reads what stands today, where they may, and else nothing."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from cited_shelf import ANA, BEN, FOR_CS, FOR_HR, HANNA, LEAVE, ROOT, TODAY, CitedShelf

from bot.access.people import Person
from bot.web.pages import HEADERS, CitationPages
from bot.wording import web as wording
from retrieval.metadata.access import HOME, TEAM
from retrieval.types import AccessRule, Document

FOR_ALL = AccessRule()
READERS = [ANA, BEN, HANNA, ROOT, None]
Happens = Callable[[CitedShelf, Document], object]


def put(rule: AccessRule) -> Happens:
    return lambda shelf, _: shelf.put("leave.md", LEAVE, rule)


OVER = AccessRule(valid_to=TODAY - timedelta(days=1))
HAPPENS: dict[str, tuple[AccessRule, Happens, list[Person | None]]] = {
    "nothing": (FOR_ALL, lambda *_: None, READERS),
    "the link is handed on": (FOR_CS, lambda *_: None, [ANA, BEN]),
    "it is for fewer now": (FOR_ALL, put(FOR_HR), [HANNA]),
    "it is for more now": (FOR_HR, put(FOR_ALL), READERS),
    "its time is over": (FOR_ALL, put(OVER), []),
    "it left": (FOR_ALL, lambda shelf, it: shelf.library.remove([it.document_id]), []),
    "it is suspended": (FOR_ALL, lambda shelf, it: shelf.library.suspend([it.document_id]), []),
    "it was purged": (FOR_ALL, lambda shelf, it: shelf.library.purge(it.document_id), []),
}


def opened(shelf: CitedShelf, document_id: str, who: Person | None, at: str = "") -> str:
    """The page; empty for none."""
    sent = CitationPages(shelf.citations).document(document_id, who, {"at": at}, "a-token")
    assert sent is None or {name.lower() for name in HEADERS} <= set(sent.headers)
    return bytes(sent.body).decode() if sent else ""


@pytest.mark.parametrize("what", HAPPENS)
def test_a_document_is_shown_to_who_may_read_it_today(shelf: CitedShelf, what: str) -> None:
    rule, happens, readers = HAPPENS[what]
    document = shelf.put("leave.md", LEAVE, rule)
    happens(shelf, document)
    pages = [(who, opened(shelf, document.document_id, who)) for who in READERS]
    assert [who for who, page in pages if page] == readers
    assert all("Parental leave is 14 weeks." in page for _, page in pages if page)


def test_what_stands_today_is_shown_and_no_older_version(shelf: CitedShelf) -> None:
    for weeks in (14, 16):
        its = shelf.put("leave.md", LEAVE.replace("14", str(weeks))).document_id
    page = opened(shelf, its, ANA)
    assert ("is 16 weeks" in page, "is 14 weeks" in page) == (True, False)


def test_of_another_workspace_nobody_opens_it(shelf: CitedShelf) -> None:
    document = shelf.put("leave.md", LEAVE, AccessRule(((TEAM, (HOME,)),)))
    for team, is_shown in ((HOME, True), ("T0OTHER", False)):
        who = replace(ANA, facets={TEAM: frozenset({team})})
        assert bool(opened(shelf, document.document_id, who)) is is_shown


def test_no_other_id_opens_it(shelf: CitedShelf) -> None:
    its = shelf.put("leave.md", LEAVE).document_id
    for other in ("", its[:-1], its.upper() + "A", f"{its} ", f"{its}\0", "%", "leave.md", "*"):
        assert not opened(shelf, other, ROOT), other


def test_what_it_says_is_text_and_marks_nothing(shelf: CitedShelf) -> None:
    hostile = "# Rules\n\n<script>alert(1)</script> is said.\n"
    its = shelf.put("rules.md", hostile, title="<b>Rules</b>").document_id
    page = opened(shelf, its, BEN)
    assert "<script" not in page
    assert "&lt;b&gt;Rules&lt;/b&gt;" in page
    assert "<mark" not in page


def test_a_long_one_is_read_part_by_part(shelf: CitedShelf) -> None:
    every = "\n\n".join(f"Sentence number {n} of many." for n in range(3_000))
    its = shelf.put("long.md", f"# Long\n\n{every}").document_id
    page = opened(shelf, its, ANA)
    assert "number 0 " in page
    assert wording.BACK_TO_CITED not in page
    onwards = page.split('rel="next" href="?at=')[1].split("#")[0]
    assert f"number {int(onwards) - 1} " in opened(shelf, its, ANA, onwards)
    assert opened(shelf, its, ANA, "x") == page
