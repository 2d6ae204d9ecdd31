"""Where documents are cut, and what makes a passage the same passage."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from parsed_documents import DOCUMENT, Block, parsed, words

from retrieval.ingest.chunking import ENOUGH_OF_A_CELL, ENOUGH_WORDS, MOST_WORDS, cut
from retrieval.parsing import parser_for
from retrieval.types import Document, FragmentKind, Metadata, ParsedDocument, Sentence

sentences = st.builds(words, st.integers(1, 90), st.sampled_from(["word", "They"]))


ENOUGH = words(ENOUGH_WORDS)
LEANING = "These must be submitted by May."


@pytest.mark.parametrize(
    ("blocks", "pages", "passages"),
    [
        ([("p", ("A",), ["One."]), ("p", ("A",), ["Two."])], (), ["One. Two."]),
        ([("p", ("A",), ["One."]), ("p", ("B",), ["Two."])], (), ["One.", "Two."]),
        ([("p", (), ["One."]), ("p", (), ["Two."])], (1, 2), ["One.", "Two."]),
        ([("p", (), [ENOUGH]), ("p", (), ["Next."])], (), [ENOUGH, "Next."]),
        ([("p", (), [ENOUGH]), ("p", (), [LEANING])], (), [f"{ENOUGH} {LEANING}"]),
    ],
    ids=["short", "sections", "pages", "enough", "leaning"],
)
def test_neighbours_are_merged_within_a_section_and_a_page_until_there_are_enough_words(
    blocks: list[Block], pages: tuple[int, ...], passages: list[str]
) -> None:
    assert [p.text for p in cut(DOCUMENT, parsed(*blocks, pages=pages))] == passages


def test_a_long_paragraph_is_split_at_sentences() -> None:
    sentences = [words(50, f"w{n}") for n in range(6)]
    passages = cut(DOCUMENT, parsed(("p", (), sentences)))
    assert len(passages) == 2
    assert [s.text for p in passages for s in p.sentences] == sentences


def test_a_list_stays_with_the_sentence_that_leads_to_it() -> None:
    lead = words(ENOUGH_WORDS) + ":"
    passages = cut(DOCUMENT, parsed(("p", (), [lead]), ("l", (), ["first"]), ("l", (), ["second"])))
    assert len(passages) == 1


def test_a_split_takes_along_what_the_next_sentence_leans_on() -> None:
    long = [words(60, f"w{n}") for n in range(2)]
    rest = ["Claims need a form.", "It is signed by both.", "They must hand it in by May."]
    rest[-1] += " " + words(40)
    first, second = cut(DOCUMENT, parsed(("p", (), [*long, *rest])))
    assert [s.text for s in first.sentences] == long
    assert [s.text for s in second.sentences] == rest


def test_most_of_a_passage_stays_where_all_of_it_leans() -> None:
    sentences = [f"They {words(60)}" for _ in range(6)]
    passages = cut(DOCUMENT, parsed(("p", (), sentences)))
    assert [len(p.sentences) for p in passages] == [2, 2, 2]


def test_a_paragraph_inserted_above_changes_no_other_id() -> None:
    kept = ("p", ("B",), ["Kept as it was."])
    before = cut(DOCUMENT, parsed(kept))
    after = cut(DOCUMENT, parsed(("p", ("A",), ["Inserted."]), kept))
    assert before[0].passage_id == after[1].passage_id
    assert before[0].sentences[0].line_start != after[1].sentences[0].line_start


def test_equal_contents_under_one_heading_are_told_apart() -> None:
    same = ("p", ("A",), ["Same."])
    passages = cut(DOCUMENT, parsed(same, ("p", ("B",), ["Between."]), same))
    assert len({p.passage_id for p in passages}) == 3


def test_the_same_words_in_another_document_are_another_passage() -> None:
    other = Document("e", "e.md", "1", datetime.now(UTC), "Title", Metadata())
    text = parsed(("p", (), ["Same."]))
    assert cut(DOCUMENT, text)[0].passage_id != cut(other, text)[0].passage_id


def rows_of(*cells: str) -> list[Sentence]:
    """Of a table in Markdown, with one row, as they are cut."""
    heads = " | ".join(["Topic", "Rule", "For", "Until"][: len(cells)])
    table = f"| {heads} |\n|{'---|' * len(cells)}\n| {' | '.join(cells)} |\n"
    passages = cut(DOCUMENT, parser_for("rules.md")(table.encode()))
    return [sentence for passage in passages for sentence in passage.sentences]


def values_of(row: Sentence) -> dict[str, str]:
    return {cell.name: row.text[cell.start : cell.end] for cell in row.cells}


def test_a_row_with_a_cell_of_long_prose_is_cut_at_its_sentences() -> None:
    said = [f"{words(ENOUGH_OF_A_CELL, f'w{n}')}." for n in range(12)]
    rows = rows_of("Travel", " ".join(said), "staff")
    assert [values_of(row) for row in rows] == [
        {"Topic": "Travel", "Rule": each, "For": "staff"} for each in said
    ]
    assert rows[0].text == f"Topic: Travel; Rule: {said[0]}; For: staff"
    assert {(row.char_start, row.char_end, row.line_start) for row in rows} == {
        (rows[0].char_start, rows[0].char_end, 3)
    }


def test_no_sentence_of_a_cell_is_cut_from_the_one_that_it_leans_on() -> None:
    claims, then = f"{words(ENOUGH_WORDS)}.", "However, they are paid in May."
    first, last = rows_of("Travel", f"{claims} {then} {words(ENOUGH_OF_A_CELL, 'Other')}.")
    assert values_of(first)["Rule"] == f"{claims} {then}"
    assert values_of(last)["Rule"] == f"{words(ENOUGH_OF_A_CELL, 'Other')}."


def test_short_sentences_of_a_cell_stay_together_and_a_short_row_is_whole() -> None:
    short = "Ask first. Then go. Keep the receipt."
    assert len(rows_of("Travel", short)) == 1
    long = f"{words(2 * ENOUGH_OF_A_CELL, 'More')}."
    rows = rows_of("Travel", " ".join([short, long, short]))
    assert [values_of(row)["Rule"] for row in rows] == [f"{short} {long}", short]


def test_a_row_of_two_long_cells_is_whole() -> None:
    said = " ".join(f"{words(ENOUGH_OF_A_CELL, f'w{n}')}." for n in range(4))
    [row] = rows_of("Travel", said, said)
    assert values_of(row) == {"Topic": "Travel", "Rule": said, "For": said}


def test_a_list_that_is_cut_says_so() -> None:
    half = words(MOST_WORDS // 2)
    steps = parsed(("p", (), ["Do:"]), *(("l", (), [half]) for _ in range(2)), ("p", (), [half]))
    one, *others = cut(DOCUMENT, steps)
    assert [s.list_goes_on for s in one.sentences] == [False, True]
    assert not any(s.list_goes_on for other in others for s in other.sentences)


def test_a_passage_that_begins_within_a_list_knows_what_leads_to_it() -> None:
    third = words(MOST_WORDS // 3)
    never = [("p", (), ["You must never:"]), *(("l", (), [third]) for _ in range(4))]
    others = [("p", (), [words(ENOUGH_WORDS)]), ("l", ("A",), ["Of another section."])]
    one, two, *rest = cut(DOCUMENT, parsed(*never, *others))
    assert one.sentences[-1].list_goes_on
    assert two.sentences[0].list_lead == "You must never:"
    assert not any(s.list_lead for s in (*one.sentences, *two.sentences[1:]))
    assert rest
    assert not any(s.list_lead for passage in rest for s in passage.sentences)


def nested(*items: tuple[int, str]) -> ParsedDocument:
    """Items by how deep they stand, below a line."""
    flat = parsed(("p", (), ["Rules:"]), *(("l", (), [text]) for _, text in items))
    made = [
        replace(each, sentences=(replace(each.sentences[0], depth=depth),))
        for each, (depth, _) in zip(flat.fragments[1:], items, strict=True)
    ]
    return replace(flat, fragments=(flat.fragments[0], *made))


def test_what_leads_to_a_list_within_leads_to_no_item_that_is_less_deep_again() -> None:
    half, third = f"{words(MOST_WORDS // 2)}.", f"{words(MOST_WORDS // 3)}."
    deep = [(0, "They do not include:"), (1, "weddings;"), (0, half), (0, half)]
    more = [(0, "Never:"), (1, half), (1, third), (0, "It may appeal.")]
    _, two, three = cut(DOCUMENT, nested(*deep, *more))
    assert two.sentences[0].list_lead == "Rules:"
    assert [each.list_lead for each in three.sentences] == ["Rules: Never:", "", "Rules:"]


def test_an_item_that_is_no_sentence_leads_to_those_within_it_alone() -> None:
    half = f"{words(MOST_WORDS // 2)}."
    _, two, three = cut(
        DOCUMENT, nested((0, "Not covered"), (1, half), (1, half), (0, "Covered"), (0, half))
    )
    assert two.sentences[0].list_lead == "Rules: Not covered"
    assert three.sentences[0].list_lead == "Rules:"


def test_a_passage_that_begins_with_more_of_an_item_knows_what_leads_to_the_next() -> None:
    listed = [("p", (), ["You must never:"]), ("l", (), [words(ENOUGH_WORDS)])]
    more = [
        ("p", (), ["Vapes are meant as well."]),
        ("l", (), ["Bring pets."]),
        ("l", (), ["Run."]),
    ]
    _, two = cut(DOCUMENT, parsed(*listed, *more))
    assert [each.text for each in two.sentences] == [
        "Vapes are meant as well.",
        "Bring pets.",
        "Run.",
    ]
    lead = "You must never: Vapes are meant as well."
    assert [each.list_lead for each in two.sentences] == ["", lead, ""]
    _, other = cut(DOCUMENT, parsed(("p", (), [words(ENOUGH_WORDS)]), *more))
    assert not any("never" in each.list_lead for each in other.sentences)


def test_a_paragraph_that_leads_to_a_list_in_its_own_passage_is_not_told_with_it_twice() -> None:
    before = ("p", (), [words(ENOUGH_WORDS)])
    passages = cut(DOCUMENT, parsed(before, ("p", (), ["Leave"]), ("l", (), ["Annual"])))
    assert [sentence.list_lead for p in passages for sentence in p.sentences] == ["", "", ""]


def test_a_list_at_the_end_of_its_section_does_not_go_on_in_the_next() -> None:
    passages = cut(
        DOCUMENT, parsed(("p", (), ["Do:"]), ("l", (), ["One."]), ("l", ("A",), ["Another."]))
    )
    assert not any(s.list_goes_on or s.list_lead for p in passages for s in p.sentences)


def test_a_list_that_is_cut_at_the_end_of_a_page_says_so() -> None:
    never = [("p", (), ["You must never:"]), ("l", (), ["Lend your card."]), ("l", (), ["Shout."])]
    one, two = cut(DOCUMENT, parsed(*never, pages=(1, 1, 2)))
    assert one.sentences[-1].list_goes_on
    assert two.sentences[0].list_lead == "You must never:"


@given(
    st.lists(
        st.tuples(
            st.sampled_from("plr"),
            st.sampled_from([(), ("A",), ("A", "B")]),
            st.lists(sentences, min_size=1, max_size=4),
        ),
        max_size=12,
    )
)
def test_every_sentence_is_in_one_passage_in_order(
    blocks: list[tuple[str, tuple[str, ...], list[str]]],
) -> None:
    document = parsed(*blocks)
    passages = cut(DOCUMENT, document)
    assert [
        replace(s, list_goes_on=False, list_lead="") for p in passages for s in p.sentences
    ] == [
        replace(s, in_list=f.kind is FragmentKind.LIST_ITEM)
        for f in document.fragments
        for s in f.sentences
    ]
    for passage in passages:
        assert len(passage.sentences) == 1 or len(passage.text.split()) <= MOST_WORDS
        for n, sentence in enumerate(passage.sentences):
            assert passage.quote(n, n) == document.source[sentence.char_start : sentence.char_end]
    assert len({p.passage_id for p in passages}) == len(passages)
