"""A document may say that it holds no longer, or not yet, and ordinary words do not say so."""

from datetime import date

import pytest
from stating import labelled, whose, word

from retrieval.errors import BadMetadata
from retrieval.metadata.restrictions import NEVER, stated_in_title, stated_of_itself
from retrieval.metadata.statements import Key
from retrieval.parsing import parser_for

TEXT = "Everybody may work remotely five days a week."
OVER = [
    "---\narchived: true\n---\n{}",
    "---\nstatus: deprecated\n---\n{}",
    "---\nlifecycle: End of life\n---\n{}",
    "---\nsuperseded_by: hybrid.md\n---\n{}",
    "---\ntitle: Remote work (archived)\n---\n{}",
    "# [Obsolete] Remote work\n\n{}",
    "# Remote work rule, abolished\n\n{}",
    "# Remote work\n\n> This page is out of date and no longer applies.\n\n{}",
    "# Remote work\n\nPlease note: this policy has been superseded by another.\n\n{}",
    "# Remote work\n\nThis HR policy no longer applies since May.\n\n{}",
]
DRAFTS = [
    "---\ndraft: true\n---\n{}",
    "---\nstatus: Draft\n---\n{}",
    "---\nstate: in review\n---\n{}",
    "---\nstate: unpublished\n---\n{}",
    "---\nworkflow_state: Not published\n---\n{}",
    "---\nstatus: awaiting approval\n---\n{}",
    "# Draft: Remote work\n\n{}",
    "# Remote work\n\nThis document is a draft.\n\n{}",
]
IN_FORCE = [
    "---\narchived: false\nstatus: published\ndeprecated:\n---\n{}",
    "---\nstatus: 3\nstate: Styria\n---\n{}",
    "---\nsuperseded_by: ''\nreplaced_by: n/a\nobsolete: never\narchived: []\n---\n{}",
    "---\ndraft: ''\nstatus: [a, 1]\n---\n{}",
    "# Archived records\n\nThis page is about archived records.\n\n{}",
    "# Draft beer\n\nThis policy no longer requires two signatures.\n\n{}",
    "# Pending invoices\n\nThe old rule is obsolete, this page has the new one.\n\n{}",
    "# Withdrawn: when somebody takes an application back\n\n{}".replace(
        "Withdrawn:", "Withdrawal:"
    ),
    "# Remote work\n\nOne.\n\nTwo.\n\nThree.\n\nFour.\n\nThis section is outdated.\n\n{}",
]


@pytest.mark.parametrize("text", OVER)
def test_what_is_over_holds_on_no_day(text: str) -> None:
    stated = whose(parser_for("a.md")(text.format(TEXT).encode()))
    assert stated[Key.VALID_TO].value == NEVER


@pytest.mark.parametrize("text", DRAFTS)
def test_a_draft_is_kept_out_by_name(text: str) -> None:
    with pytest.raises(BadMetadata, match="is a draft"):
        whose(parser_for("a.md")(text.format(TEXT).encode()))


@pytest.mark.parametrize("text", IN_FORCE)
def test_ordinary_words_leave_a_document_in_force(text: str) -> None:
    stated = whose(parser_for("a.md")(text.format(TEXT).encode()))
    assert Key.VALID_TO not in stated


def test_since_when_it_is_over_counts_where_that_is_said() -> None:
    text = f"---\narchived: 2026-05-01\nvalid_to: 2027-01-01\n---\n{TEXT}"
    stated = whose(parser_for("a.md")(text.encode()))
    assert stated[Key.VALID_TO].value == date(2026, 5, 1)


def test_word_says_it_in_its_properties() -> None:
    with pytest.raises(BadMetadata, match="is a draft"):
        whose(parser_for("a.docx")(word(TEXT, Status="Draft")))
    assert Key.VALID_TO in whose(parser_for("a.docx")(word(TEXT, Status="Superseded")))
    assert whose(parser_for("a.docx")(labelled("General", TEXT))) == {}


@pytest.mark.parametrize(
    "sentence",
    [
        "This form is retired employees' own.",
        "This page is deprecated hardware's home.",
        "These rules are obsolete-proof.",
        "This guide was draft horses' first.",
        "Bob is retired.",
        "A policy that no longer applies is removed.",
    ],
)
def test_a_sentence_about_something_else_says_nothing_of_the_document(sentence: str) -> None:
    assert list(stated_of_itself(sentence)) == []


@pytest.mark.parametrize(
    "title", ["The draft", "Draft picks", "Roadmap (pending) for May", "WIP limits"]
)
def test_a_title_about_something_else_says_nothing_of_the_document(title: str) -> None:
    assert list(stated_in_title(title)) == []
