"""What rules make of a passage, for published systems whose entries lead to it."""

from datetime import UTC, datetime

from hypothesis import example, given
from hypothesis import strategies as st

from bot.lab.published.entries import MOST_QUESTIONS, entities, questions, summary
from retrieval.types import Document, Metadata, Passage, Sentence


def passage(*texts: str, title: str = "Leave", sections: tuple[str, ...] = ()) -> Passage:
    document = Document("leave", "leave.md", "1", datetime.now(UTC), title, Metadata())
    sentences = tuple(Sentence(text, 0, len(text)) for text in texts)
    return Passage("leave-0", document, 0, sections, sentences, " ".join(texts))


def test_a_passage_has_questions_of_its_heading_and_of_each_sentence() -> None:
    assert questions(passage("Staff may carry over five days of leave.", "This is so.")) == [
        "What are the rules for leave?",
        "May staff carry over five days of leave?",
        "How many days of leave may staff carry over?",
    ]


def test_a_summary_says_what_a_passage_says_most_with_the_heading_and_nothing_twice() -> None:
    texts = ("Leave is paid.", "Leave is paid leave.", "Forms go to Finance.")
    assert summary(passage(*texts)) == ["Leave Leave is paid. Forms go to Finance."]
    assert summary(passage(*texts[:2])) == []


def test_what_is_named_stands_together_with_the_heading() -> None:
    texts = ("Ask the Human Resources office or help@x.org.", "It needs form AB-12.")
    assert entities(passage(*texts)) == ["Leave help@x.org, Human Resources, AB-12"]
    assert entities(passage("Nothing is named in here.")) == []


WILD = st.text(st.characters(exclude_categories=()))
WORDS = "You must may is are To If 5 days within , : - HR ? AB-12".split()  # noqa: SIM905


@example(title="", sections=[], texts=["", "", ""])
@given(
    title=WILD,
    sections=st.lists(st.text(), max_size=3),
    texts=st.lists(
        WILD | st.lists(st.sampled_from(WORDS), max_size=15).map(" ".join), min_size=1, max_size=6
    ),
)
def test_whatever_a_passage_says_what_leads_to_it_is_distinct_and_says_something(
    title: str, sections: list[str], texts: list[str]
) -> None:
    wild = passage(*texts, title=title, sections=tuple(sections))
    made = questions(wild)
    assert len(set(made)) == len(made) <= MOST_QUESTIONS
    assert all(each.strip() for each in (*made, *summary(wild), *entities(wild)))
