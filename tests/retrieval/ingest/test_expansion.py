"""Further entries lead to passages, for their readers alone and only while they say so."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fakes import WordsEmbedder
from hypothesis import given
from hypothesis import strategies as st
from shelves import GUEST, Shelves

from retrieval.documents.port import LeadKey, lead_key
from retrieval.ingest.expansion import WithoutAsked
from retrieval.ingest.rule_expansion import MOST_QUESTIONS, VERSION, RuleExpansion
from retrieval.ports import PASSAGES, EntryKind
from retrieval.types import AccessRule, Document, Metadata, Passage, Scope, Sentence

FURTHER = tuple(sorted(set(EntryKind) - PASSAGES))
QUESTION = {EntryKind.QUESTION}
CLOSED = Metadata(access=AccessRule((("departments", ("hr",)),)))
HR = replace(GUEST, facets={"departments": frozenset({"hr"})})


@pytest.fixture
def shelves(tmp_path: Path) -> Shelves:
    return Shelves(tmp_path, RuleExpansion(FURTHER))


class Counted(list[LeadKey]):
    """It counts how often it is gone through."""

    times = 0

    def __iter__(self) -> Iterator[LeadKey]:
        self.times += 1
        return super().__iter__()


def passage(*texts: str, title: str = "Leave", sections: tuple[str, ...] = ()) -> Passage:
    document = Document("leave", "leave.md", "1", datetime.now(UTC), title, Metadata())
    sentences = tuple(Sentence(text, 0, len(text)) for text in texts)
    return Passage("leave-0", document, 0, sections, sentences, " ".join(texts))


def led(kind: EntryKind, *texts: str, title: str = "Leave") -> list[str]:
    [leads] = RuleExpansion([kind]).leads([passage(*texts, title=title)])
    assert {lead.kind for lead in leads} <= {kind}
    return [lead.text for lead in leads]


def led_to(shelves: Shelves, text: str, scope: Scope = GUEST) -> list[tuple[str, float]]:
    """The passages to which questions lead that are worded just so."""
    vector = WordsEmbedder().embed([text])[0]
    found = shelves.index.nearest(vector, scope, 10, QUESTION)
    return [(match.passage_id, match.score) for match in found if match.score > 0.99]


# --- what the rules make -----------------------------------------------------------------


def test_a_passage_has_questions_of_its_heading_and_of_each_sentence() -> None:
    made = led(EntryKind.QUESTION, "Staff may carry over five days of leave.", "This is so.")
    assert made == [
        "What are the rules for leave?",
        "May staff carry over five days of leave?",
        "How many days of leave may staff carry over?",
    ]


def test_a_summary_says_what_a_passage_says_most_with_the_heading_and_nothing_twice() -> None:
    texts = ("Leave is paid.", "Leave is paid leave.", "Forms go to Finance.")
    assert led(EntryKind.SUMMARY, *texts) == ["Leave Leave is paid. Forms go to Finance."]
    assert led(EntryKind.SUMMARY, *texts[:2]) == []


def test_what_is_named_stands_together_with_the_heading() -> None:
    texts = ("Ask the Human Resources office or help@x.org.", "It needs form AB-12.")
    made = led(EntryKind.ENTITY, *texts)
    assert made == ["Leave help@x.org, Human Resources, AB-12"]
    assert led(EntryKind.ENTITY, "Nothing is named in here.") == []


def test_each_sentence_leads_to_its_passage_unless_it_is_all_of_it() -> None:
    assert led(EntryKind.SENTENCE, "Leave is paid.", "Ask first.") == [
        "Leave Leave is paid.",
        "Leave Ask first.",
    ]
    assert led(EntryKind.SENTENCE, "Leave is paid.") == []


def test_only_the_kinds_that_are_named_are_made() -> None:
    expansion = RuleExpansion([EntryKind.SENTENCE, EntryKind.QUESTION])
    assert expansion.made_by == {EntryKind.QUESTION: VERSION, EntryKind.SENTENCE: VERSION}
    [leads] = expansion.leads([passage("Leave is paid.", "Ask first.", "Then go.")])
    assert {lead.kind for lead in leads} == {EntryKind.QUESTION, EntryKind.SENTENCE}


def test_what_a_measurement_asks_is_left_out_however_it_is_typed() -> None:
    told = passage("Staff may carry over five days of leave.", "Leave is paid.")
    made = RuleExpansion([EntryKind.QUESTION, EntryKind.SENTENCE])
    asked = ["may staff carry over  FIVE days of leave", "Is leave paid? "]
    without = WithoutAsked(made, asked)
    [left], [whole] = without.leads([told]), made.leads([told])
    gone = {lead.text for lead in whole} - {lead.text for lead in left}
    assert gone == {"May staff carry over five days of leave?", "Is leave paid?"}
    assert without.made_by == made.made_by


@given(
    title=st.text(st.characters(exclude_categories=())),
    sections=st.lists(st.text(), max_size=3),
    texts=st.lists(
        st.text(st.characters(exclude_categories=()))
        | st.lists(
            st.sampled_from("You must may is are To If 5 days within , : - HR ? AB-12".split()),  # noqa: SIM905
            max_size=15,
        ).map(" ".join),
        min_size=1,
        max_size=6,
    ),
)
def test_whatever_a_passage_says_its_leads_are_distinct_and_say_something(
    title: str, sections: list[str], texts: list[str]
) -> None:
    wild = passage(*texts, title=title, sections=tuple(sections))
    expansion = RuleExpansion(FURTHER)
    [leads] = expansion.leads([wild])
    assert all(lead.text.strip() for lead in leads)
    assert len({(lead.kind, lead.text) for lead in leads}) == len(leads)
    assert sum(lead.kind is EntryKind.QUESTION for lead in leads) <= MOST_QUESTIONS
    assert expansion.leads([wild]) == [leads]


# --- what an index does with it -----------------------------------------------------------


def test_a_question_as_it_was_made_finds_its_passage(shelves: Shelves) -> None:
    shelves.add("leave", "Staff may carry over five days, 0.9.")
    shelves.add("pets", "Dogs may bark in the yard, 0.9.")
    assert [each for each, _ in led_to(shelves, "May dogs bark in the yard?")] == ["pets-0"]
    found = shelves.search("May dogs bark in the yard?").candidates
    assert found[0].passage.passage_id == "pets-0"
    assert found[0].scores["question_entry_rank"] == 1
    assert found[0].scores["question_entry_cosine"] == pytest.approx(1, abs=1e-4)


def test_entries_help_to_find_a_passage_and_do_not_change_what_it_is_worth(
    shelves: Shelves, tmp_path: Path
) -> None:
    plain = Shelves(tmp_path / "plain")
    for each in (shelves, plain):
        each.add("leave", "Staff may carry over five days, 0.9.", "Leave is paid, 0.8.")
    asked = "how many days may staff carry over?"
    with_entries, alone = (each.search(asked).candidates for each in (shelves, plain))
    assert "question_entry_rank" in with_entries[0].scores
    for one, other in zip(with_entries, alone, strict=True):
        assert one.scores.items() >= other.scores.items()


def test_no_question_brings_up_a_document_for_somebody_who_may_not_read_it(
    shelves: Shelves,
) -> None:
    shelves.add("pay", "Managers may see all salaries, 0.9.", metadata=CLOSED)
    shelves.add("pets", "Dogs may bark, 0.8.")
    asked = "May managers see all salaries?"
    assert led_to(shelves, asked) == []
    assert {hit.passage.passage_id for hit in shelves.search(asked).candidates} == {"pets-0"}
    assert [each for each, _ in led_to(shelves, asked, HR)] == ["pay-0"]
    assert shelves.search(asked, HR).candidates[0].passage.passage_id == "pay-0"


def test_what_is_closed_is_not_led_to_by_what_led_to_it_when_it_was_open(
    shelves: Shelves,
) -> None:
    """A new title leaves a passage its id and changes its questions."""
    shelves.add("pay", "It is so, 0.9.", title="Salaries of managers")
    asked = "What are the rules for salaries of managers?"
    assert [each for each, _ in led_to(shelves, asked)] == ["pay-0"]
    shelves.add("pay", "It is so, 0.9.", title="Pay", metadata=CLOSED)
    assert led_to(shelves, asked) == []
    assert led_to(shelves, asked, HR) == []
    assert [each for each, _ in led_to(shelves, "What are the rules for pay?", HR)] == ["pay-0"]
    assert shelves.index.nearest(WordsEmbedder().embed([asked])[0], GUEST, 9, set(EntryKind)) == []


def test_what_was_lost_is_made_again_with_all_that_leads_to_it(shelves: Shelves) -> None:
    shelves.add("pets", "Dogs may bark in the yard, 0.9.")
    shelves.index.delete(["pets-0"])
    shelves.stacks.mend()
    assert [each for each, _ in led_to(shelves, "May dogs bark in the yard?")] == ["pets-0"]


def test_what_leads_to_a_passage_whose_own_entry_is_missing_is_made_anew_or_removed(
    shelves: Shelves,
) -> None:
    """As where a server was killed between two requests: an earlier title's questions stay."""
    former = shelves.add("pets", "Dogs may bark, 0.9.", title="Animals of guests")
    [passage] = shelves.library.all_passages()
    shelves.add("pets", "Dogs may bark, 0.9.", title="Pets")
    shelves.stacks.mend()
    leads = shelves.stacks._leads([replace(passage, document=former)])  # noqa: SLF001  # no other way
    shelves.index.delete(["pets-0"])
    shelves.index.upsert(leads)
    shelves.stacks.mend()
    assert led_to(shelves, "What are the rules for animals of guests?") == []
    assert [each for each, _ in led_to(shelves, "May dogs bark?")] == ["pets-0"]
    shelves.stacks.remove(["pets"])
    shelves.index.delete(["pets-0"])
    shelves.index.upsert(leads)
    shelves.stacks.mend()
    assert shelves.index.ids(kinds=set(EntryKind)) == frozenset()


def test_what_a_model_owes_is_gone_through_once_however_many_passages_there_are(
    shelves: Shelves,
) -> None:
    shelves.add("leave", *(f"Staff may take {n} days." for n in range(5)))
    owed = Counted(map(lead_key, shelves.library.all_passages()))
    shelves.stacks.make_owed(owed, lambda *_: None)
    assert owed.times == 1
    assert len(owed) == 5
