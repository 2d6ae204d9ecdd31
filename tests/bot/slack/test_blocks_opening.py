"""Where pages show what is cited, a reply's marks and sources lead there."""

from typing import Any

import pytest
from block_records import (
    AUDIT_ID,
    a_citation,
    a_claim,
    a_contradiction,
    a_record,
    an_abstention,
)

from audit.places import Place
from audit.record import AuditRecord
from audit.values import Prevails
from bot.answering.citations.links import opening_here
from bot.slack.blocks.evidence import evidence
from bot.slack.blocks.reply import reply

BASE = "https://vouch.example.org"


def links(record: AuditRecord, base: str = BASE) -> list[tuple[str, str]]:
    """Words and address of each, from top to bottom."""
    return list(_links(reply(opening_here(record, base), 7, quoted=False).blocks))


def _links(part: Any) -> Any:
    if isinstance(part, dict):
        if part.get("type") == "link":
            yield part["text"], part["url"]
        for each in part.values():
            yield from _links(each)
    elif isinstance(part, list | tuple):
        for each in part:
            yield from _links(each)


def page(ref: str) -> str:
    return f"{BASE}/cited/{AUDIT_ID}/{ref}"


def test_a_mark_and_a_source_lead_to_the_citations_page_and_the_document_stays_reachable() -> None:
    assert links(a_record()) == [
        ("[1]", page("1-1")),
        ("Leave", page("1-1")),
        ("the document itself", "https://docs.example.org/leave"),
    ]


def test_the_evidence_leads_to_the_citations_page_too() -> None:
    both = a_claim("Two say so.", a_citation(), a_citation("Pay", link=""))
    record = opening_here(a_record(claims=(both,)), BASE)
    assert list(_links(evidence(record, frozenset())["blocks"])) == [
        ("Leave", page("1-1")),
        ("the document itself", "https://docs.example.org/leave"),
        ("Pay", page("1-2")),
    ]
    of_pay = evidence(record, frozenset({"d-Leave"}))
    assert list(_links(of_pay["blocks"])) == [("Pay", page("1-2"))], "nothing of what is withheld"


def test_a_sentence_leads_to_what_it_rests_on_itself() -> None:
    one, other = a_citation(line=10), a_citation(line=40)
    record = a_record(claims=(a_claim("One.", one), a_claim("Two.", other, a_citation("Pay"))))
    assert [url for words, url in links(record) if words.startswith("[")] == [
        page("1-1"),
        page("2-1"),
        page("2-2"),
    ]


def test_a_document_of_pages_opens_at_its_page_beside_ours() -> None:
    cited = a_citation(link="https://docs.example.org/a.pdf", place=Place(page=7))
    record = a_record(claims=(a_claim("One.", cited),))
    assert links(record)[1:] == [
        ("Leave", page("1-1")),
        ("the document itself", "https://docs.example.org/a.pdf#page=7"),
    ]


def test_a_document_without_an_address_opens_on_our_page() -> None:
    record = a_record(claims=(a_claim("One.", a_citation(link="")),))
    assert links(record) == [("[1]", page("1-1")), ("Leave", page("1-1"))]


def test_what_came_near_opens_too() -> None:
    record = an_abstention()
    found = links(record)
    assert [url for _, url in found if url.startswith(BASE)] == [
        page(f"n{number}") for number in range(1, len(record.nearest) + 1)
    ][: len(found)]
    assert found


@pytest.mark.parametrize("prevails", Prevails)
def test_what_is_set_against_each_other_opens_too(prevails: Prevails) -> None:
    found = (a_contradiction(prevails),)
    sides = [("open the source", page("d1-1")), ("open the source", page("d1-2"))]
    abstained = an_abstention(contradictions=found, nearest=())
    assert links(abstained) == sides
    behind = evidence(opening_here(abstained, BASE), frozenset())
    assert list(_links(behind["blocks"])) == sides
    under_an_answer = sides[1:] if prevails is not Prevails.NEITHER else []
    assert [
        each for each in links(a_record(contradictions=found)) if each in sides
    ] == under_an_answer


def test_no_link_names_a_person() -> None:
    record = a_record()
    assert not any(record.person.id in url for _, url in links(record))


def test_without_pages_a_reply_is_as_ever() -> None:
    disagreed = a_record(contradictions=(a_contradiction(Prevails.NEWER),))
    assert "open the source" not in str(reply(disagreed, 7, quoted=False).blocks)
    for record in (a_record(), an_abstention(), disagreed):
        assert opening_here(record, "") is record
