"""Word numbers clauses as it lays a document out; people cite them by what they see."""

from collections.abc import Collection, Sequence

import docx
import pytest
from docx.oxml.ns import qn
from parsed_documents import sentences
from word_files import parsed, xml

from retrieval.types import ParsedDocument

CONTRACT = (
    ("decimal", "%1."),
    ("decimal", "%1.%2"),
    ("lowerLetter", "(%3)"),
    ("lowerRoman", "(%4)"),
)
Clause = tuple[int, str]


def level(number: int, written: str, text: str, more: str = "") -> str:
    return (
        f'<w:lvl w:ilvl="{number}"><w:start w:val="1"/><w:numFmt w:val="{written}"/>{more}'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
    )


def contract(
    clauses: Sequence[Clause],
    levels: Sequence[tuple[str, ...]] = CONTRACT,
    *,
    num: str = "",
    headings: bool = False,
    ilvl: str = "",
    bold: Collection[str] = (),
) -> ParsedDocument:
    document = docx.Document()
    numbering = document.part.numbering_part.element
    held = "".join(level(n, *each) for n, each in enumerate(levels))
    definition = xml(f'<w:abstractNum w:abstractNumId="90">{held}</w:abstractNum>')
    numbering.find(qn("w:num")).addprevious(definition)
    for number, own in ((90, ""), (91, num)):
        shared = '<w:abstractNumId w:val="90"/>'
        numbering.append(xml(f'<w:num w:numId="{number}">{shared}{own}</w:num>'))
    for at, text in clauses:
        is_heading = headings and at % 10 < 2
        paragraph = (
            document.add_heading(text, at % 10 + 1) if is_heading else document.add_paragraph(text)
        )
        if text in bold:
            paragraph.runs[0].bold = True
        place = f'<w:ilvl w:val="{ilvl or at % 10}"/><w:numId w:val="{90 + at // 10}"/>'
        properties = paragraph.paragraph_format.element.get_or_add_pPr()
        properties.append(xml(f"<w:numPr>{place}</w:numPr>"))
    return parsed(document)


def called(document: ParsedDocument) -> list[tuple[str, str]]:
    return [(each.page_label.removeprefix("clause "), each.text) for each in sentences(document)]


def test_what_stands_in_bold_above_clauses_within_its_own_is_their_heading() -> None:
    clauses = [(0, "What counts"), (1, "Illness."), (0, "Appeals"), (1, "By form."), (0, "Fees")]
    document = contract(clauses, bold={"What counts", "Appeals", "Fees"})
    assert [(each.section_path, each.sentences[0].text) for each in document.fragments] == [
        (("1. What counts",), "Illness."),
        (("2. Appeals",), "By form."),
        ((), "Fees"),
    ]
    assert called(document)[0] == ("1.1", "Illness.")


def test_a_clause_in_bold_that_is_no_mere_name_or_has_others_in_bold_below_is_none() -> None:
    clauses = [(0, "Smoking:"), (1, "here;"), (0, "Staff must not"), (1, "bring dogs;")]
    clauses += [(0, "Who may¹"), (1, "a"), (0, "Seen²"), (1, "b"), (0, "Who"), (1, "All of you")]
    document = contract(
        clauses, bold={text for number, text in clauses if not number} | {"All of you"}
    )
    assert {each.section_path for each in document.fragments} == {()}
    assert not any(fragment.section_path for fragment in contract(clauses).fragments)


def test_a_clause_is_cited_by_all_of_its_number() -> None:
    clauses = [
        *((0, "Term"), (1, "It runs."), (0, "Notice"), (1, "In writing."), (1, "Within:")),
        *((2, "two weeks,"), (2, "or a month"), (3, "for heads,"), (1, "By post."), (2, "Signed.")),
    ]
    assert called(contract(clauses)) == [
        *(("1", "Term"), ("1.1", "It runs."), ("2", "Notice"), ("2.1", "In writing.")),
        *(("2.2", "Within:"), ("2.2 (a)", "two weeks,"), ("2.2 (b)", "or a month")),
        *(("2.2 (b) (i)", "for heads,"), ("2.3", "By post."), ("2.3 (a)", "Signed.")),
    ]


def test_numbered_headings_are_read_with_their_numbers() -> None:
    document = contract(
        [(0, "Term"), (0, "Notice"), (1, "Form"), (2, "In writing.")], headings=True
    )
    read = sentences(document)[-1]
    assert [each.section_path for each in document.headings][-1] == ("2. Notice", "2.1 Form")
    assert (read.page_label, read.text) == ("clause 2.1 (a)", "In writing.")


def test_a_list_that_states_its_start_and_a_level_of_its_own_are_counted_so() -> None:
    num = (
        '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride>'
        f'<w:lvlOverride w:ilvl="1">{level(1, "upperRoman", "%1-%2")}</w:lvlOverride>'
    )
    clauses = [(0, "a"), (1, "b"), (10, "c"), (11, "d"), (11, "e")]
    assert [name for name, _ in called(contract(clauses, num=num))] == [
        *("1", "1.1", "7", "7-I", "7-II"),
    ]


def test_a_level_that_never_begins_again_goes_on_and_legal_numbers_are_in_digits() -> None:
    levels = [
        ("upperRoman", "Article %1"),
        ("decimal", "%1.%2", '<w:lvlRestart w:val="0"/><w:isLgl/>'),
    ]
    clauses = [(0, "a"), (1, "b"), (0, "c"), (1, "d")]
    assert [name for name, _ in called(contract(clauses, levels))] == [
        *("Article I", "1.1", "Article II", "2.2"),
    ]


def test_plain_lists_and_numbers_that_are_not_known_name_no_clause() -> None:
    plain = contract([(0, "Open it."), (1, "Look.")], [("decimal", "%1."), ("lowerLetter", "%2)")])
    assert [(each.page_label, each.item_number) for each in sentences(plain)] == [
        ("", 1),
        ("", None),
    ]
    other = contract([(0, "a"), (1, "b")], [("cardinalText", "%1"), ("decimal", "%1.%2")])
    assert [name for name, _ in called(other)] == ["", ""]


def test_a_numbered_heading_that_says_who_may_read_is_still_heard() -> None:
    document = contract([(0, "For HR only"), (2, "Pay bands.")], headings=True)
    assert "For HR only" in {each.value for each in document.stated}
    assert any(each.place and "For HR only" in str(each.value) for each in document.stated)


@pytest.mark.parametrize("number", ["%1.", "Part %1:", "Section %1 –"])
@pytest.mark.parametrize("written", ["decimal", "upperRoman", "upperLetter"])
def test_whatever_numbers_a_heading_that_names_readers_is_heard(number: str, written: str) -> None:
    levels = [(written, number), ("decimal", "%1.%2"), ("bullet", "-")]
    document = contract([(0, "Scope"), (0, "Readers: HR"), (2, "x")], levels, headings=True)
    assert ("Readers", "HR") in {(each.key, str(each.value)) for each in document.stated}


@pytest.mark.parametrize(("at", "text"), [("x", "%2."), ("99999999", "%2."), ("0", "%1" * 100_000)])
def test_levels_that_word_does_not_know_number_nothing(at: str, text: str) -> None:
    wild = level(0, "decimal", text).replace('w:ilvl="0"', f'w:ilvl="{at}"')
    num = f'<w:lvlOverride w:ilvl="{at}">{wild}</w:lvlOverride>'
    document = contract([(10, "It holds.")] * 9, [("bullet", "-")], num=num, ilvl=at)
    assert {name for name, _ in called(document)} == {""}
