"""Somebody opens an old citation, and is told what the source says there today."""

from pathlib import Path

import pytest
from cited_shelf import ANA, FOR_CS, FOR_HR, HANNA, CitedShelf

from audit.record import AuditRecord
from bot.access.people import Person
from bot.web.pages import citation_page
from bot.web.views import Change, CitationView, Comparison, Now, Standing

LEAVE = """# Leave

Everybody has annual leave.

## Parental

Parental leave is 14 weeks. It is fully paid.

A form is needed.

## Sick

Sick leave needs a note after three days.
"""


@pytest.fixture
def shelf(tmp_path: Path) -> CitedShelf:
    return CitedShelf(tmp_path)


def opened(shelf: CitedShelf, record: AuditRecord, who: Person = ANA) -> CitationView:
    view = shelf.citations.find(record.audit_id, "1-1", who)
    assert isinstance(view, CitationView)
    return view


def since(shelf: CitedShelf, now: str, words: str = "14 weeks", then: str = LEAVE) -> Comparison:
    """Cite the words, change the document, and open the citation."""
    record = shelf.answer(shelf.cite(shelf.put("leave.md", then), words))
    shelf.put("leave.md", now)
    view = opened(shelf, record)
    assert view.standing is Standing.CHANGED
    assert view.comparison is not None
    return view.comparison


def said(comparison: Comparison, change: Change) -> list[str]:
    return [text for each in comparison.differences for kind, text in each.pieces if kind is change]


def test_a_changed_word_is_told_within_its_sentence(shelf: CitedShelf) -> None:
    found = since(shelf, LEAVE.replace("14 weeks", "20 weeks"))
    assert found.now is Now.CHANGED
    assert (said(found, Change.REMOVED), said(found, Change.ADDED)) == (["14"], ["20"])


def test_what_changed_beside_the_cited_words_is_told_and_that_they_stand(shelf: CitedShelf) -> None:
    found = since(shelf, LEAVE.replace("A form is needed.", "Nothing more has to be done by you."))
    assert found.now is Now.STANDS
    assert said(found, Change.REMOVED) == ["A form is needed."]
    assert said(found, Change.ADDED) == ["Nothing more has to be done by you."]


def test_a_change_in_another_section_is_none_here(shelf: CitedShelf) -> None:
    found = since(shelf, LEAVE.replace("three days", "five days"))
    assert (found.now, found.differences) == (Now.STANDS, ())


def test_words_that_moved_are_found_where_they_stand_now(shelf: CitedShelf) -> None:
    found = since(shelf, LEAVE.replace("## Parental", "## For parents"))
    assert (found.now, found.elsewhere) == (Now.ELSEWHERE, ("For parents",))


def test_a_section_that_is_gone_is_told(shelf: CitedShelf) -> None:
    found = since(shelf, "# Leave\n\nThere is none any more.\n")
    assert (found.now, found.differences) == (Now.SECTION_GONE, ())


def test_the_page_says_it_in_words_and_not_by_colour_alone(shelf: CitedShelf) -> None:
    record = shelf.answer(shelf.cite(shelf.put("leave.md", LEAVE), "14 weeks"))
    shelf.put("leave.md", LEAVE.replace("14 weeks", "<b>20</b> weeks"))
    html = citation_page(opened(shelf, record))
    assert "The source has changed since this answer." in html
    assert '<del><span class="aloud">removed: </span>14<' in html
    assert '<ins><span class="aloud">added: </span>20<' in html


def test_a_document_that_did_not_change_is_not_compared(shelf: CitedShelf) -> None:
    record = shelf.answer(shelf.cite(shelf.put("leave.md", LEAVE), "14 weeks"))
    assert opened(shelf, record).comparison is None


def test_a_new_version_for_others_is_neither_compared_nor_told(shelf: CitedShelf) -> None:
    record = shelf.answer(shelf.cite(shelf.put("leave.md", LEAVE, FOR_CS), "14 weeks"))
    shelf.put("leave.md", LEAVE.replace("14 weeks", "secret weeks"), FOR_HR)
    for who in (ANA, HANNA):
        assert not isinstance(shelf.citations.find(record.audit_id, "1-1", who), CitationView)


def test_a_version_whose_text_was_let_go_is_not_compared(shelf: CitedShelf) -> None:
    document = shelf.put("leave.md", LEAVE)
    record = shelf.answer(shelf.cite(document, "14 weeks"))
    shelf.put("leave.md", LEAVE.replace("14", "20"))
    shelf.library.forget([(document.document_id, document.version)])
    assert opened(shelf, record).comparison is None


def test_of_a_long_section_the_part_around_the_citation_is_compared(
    shelf: CitedShelf,
) -> None:
    lines = [f"Sentence number {n} is one of very many." for n in range(500)]
    then = "# Long\n\n" + "\n\n".join(lines)
    changed = ["Quite another beginning.", *lines[1:400], "It is all over here.", *lines[401:]]
    found = since(shelf, "# Long\n\n" + "\n\n".join(changed), "number 402 ", then)
    assert found.now is Now.STANDS
    assert said(found, Change.REMOVED) == ["Sentence number 400 is one of very many."]
    assert said(found, Change.ADDED) == ["It is all over here."]


def test_sentences_of_any_length_are_compared(shelf: CitedShelf) -> None:
    long = " ".join(f"word{n}" for n in range(600))
    then = "# Long\n\n" + "\n\n".join(f"{long} {n}." for n in range(100)) + "\n\nAnd the end.\n"
    found = since(shelf, then.replace("word5 ", "word6 "), "And the end", then)
    assert found.now is Now.STANDS
