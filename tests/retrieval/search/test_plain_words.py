"""A question is corrected by what its reader may read, and by nothing else."""

from datetime import timedelta
from pathlib import Path

import pytest
from shelves import GUEST, TODAY, Shelves

from retrieval.language.glossary import Glossary
from retrieval.search.query_understanding import PlainWords, SpellingProposals
from retrieval.types import AccessRule, Metadata, Scope

STAFF = Metadata(access=AccessRule((("departments", ("cs",)),)))
OF_STAFF = Scope({"departments": frozenset({"cs"})}, TODAY)
SPELLING = SpellingProposals()


@pytest.fixture
def shelves(tmp_path: Path) -> Shelves:
    return Shelves(tmp_path)


def plain(shelves: Shelves, text: str, scope: Scope = GUEST) -> str:
    return PlainWords(shelves.library, shelves.index, SPELLING)(text, scope)


def test_a_misspelt_word_becomes_one_of_the_documents(shelves: Shelves) -> None:
    shelves.add("it", "Passwords are reset at the desk.")
    assert plain(shelves, "i forgot my pasword, what now?") == "i forgot my password, what now?"


def test_what_stands_only_where_the_reader_may_not_read_corrects_nothing(shelves: Shelves) -> None:
    shelves.add("open", "Lunch is at noon.")
    shelves.add("staff", "A redundancy is announced in March.", metadata=STAFF)
    typed = "when is the redundncy announced"
    assert plain(shelves, typed) == typed
    assert plain(shelves, typed, OF_STAFF) == "when is the redundancy announced"


def test_a_word_that_only_others_know_is_corrected_as_if_they_knew_it_not(
    shelves: Shelves,
) -> None:
    """Else a word left alone would tell a guest that it stands in a document of the staff."""
    shelves.add("open", "Coupons are for lunch.")
    guest = plain(shelves, "what is a coupoon")
    shelves.add("staff", "Coupoon is the name of a secret plan.", metadata=STAFF)
    assert plain(shelves, "what is a coupoon") == guest == "what is a coupon"
    assert plain(shelves, "what is a coupoon", OF_STAFF) == "what is a coupoon"


def test_what_is_no_longer_valid_corrects_nothing(shelves: Shelves) -> None:
    over = AccessRule(valid_to=TODAY - timedelta(days=1))
    shelves.add("old", "A redundancy is announced.", metadata=Metadata(access=over))
    assert plain(shelves, "the redundncy") == "the redundncy"


def test_a_word_of_the_documents_stays_however_it_is_spelt(shelves: Shelves) -> None:
    shelves.add("tools", "Trello and Figmma are tools. A trellis holds roses.")
    assert plain(shelves, "can i use figmma and trello") == "can i use figmma and trello"


def test_two_words_that_may_be_meant_leave_it_as_it_was_typed(shelves: Shelves) -> None:
    shelves.add("pay", "Signing comes after singing.")
    assert plain(shelves, "when is sigining") == "when is signing"
    assert plain(shelves, "when is siging") == "when is siging"


def test_an_english_word_that_no_document_has_is_not_brought_in(shelves: Shelves) -> None:
    shelves.add("open", "Lunch is at noon.")
    assert plain(shelves, "where is the libary") == "where is the libary"


def test_a_pasted_list_of_unknown_words_is_looked_up_in_part(shelves: Shelves) -> None:
    shelves.add("it", "Passwords are reset.")
    pasted = " ".join(f"qzx{letter}vv" for letter in "abcdefghijklmnop")
    assert plain(shelves, f"{pasted} pasword") == f"{pasted} pasword"


PTO = Glossary({"paid time off": ("PTO", "days off"), "coursework": ("hw",)})


def in_terms(shelves: Shelves, text: str, scope: Scope = GUEST, glossary: Glossary = PTO) -> str:
    return PlainWords(shelves.library, shelves.index, SPELLING, glossary)(text, scope)


def test_what_people_say_has_the_documents_term_behind_it(shelves: Shelves) -> None:
    shelves.add("leave", "Paid time off is 20 days.", "Coursework is due at noon.")
    assert in_terms(shelves, "how much pto is there?") == "how much pto (paid time off) is there?"
    both = "hw or days  off, on my laptop"
    assert in_terms(shelves, both) == "hw (coursework) or days  off (paid time off), on my laptop"


@pytest.mark.parametrize(
    "typed", ["my laptop", "is PTO paid time off?", "ptos", "pto2", "off days", "days or off"]
)
def test_other_words_and_a_term_that_is_said_add_nothing(shelves: Shelves, typed: str) -> None:
    shelves.add("leave", "Paid time off is 20 days.")
    assert in_terms(shelves, typed) == typed


def test_a_term_that_stands_only_where_the_reader_may_not_read_is_not_told(
    shelves: Shelves,
) -> None:
    secret = Glossary({"project falcon": ("the move",)})
    shelves.add("open", "The falcon is a bird. No project is named here.")
    shelves.add("staff", "Project Falcon begins in May.", metadata=STAFF)
    typed = "when is the move"
    assert in_terms(shelves, typed, glossary=secret) == typed
    assert in_terms(shelves, typed, OF_STAFF, secret) == "when is the move (project falcon)"


def test_a_term_that_no_document_has_is_not_searched_for(shelves: Shelves) -> None:
    shelves.add("open", "Lunch is at noon.")
    assert in_terms(shelves, "pto") == "pto"


def test_an_abbreviation_that_is_an_english_word_counts_in_capitals_alone(
    shelves: Shelves,
) -> None:
    shelves.add("it", "Information Technology mends it. A corrective action plan follows.")
    words = Glossary({"information technology": ("IT",), "corrective action plan": ("CAP",)})
    for typed in ("how long does it take", "Is it late? It is", "at the pay cap"):
        assert in_terms(shelves, typed, glossary=words) == typed
    expected = "who is IT (information technology)"
    assert in_terms(shelves, "who is IT", glossary=words) == expected
