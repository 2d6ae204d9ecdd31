"""A claim cites every document that says it, and a paragraph that stands twice counts once."""

from dataclasses import replace

from answering_values import passage

from audit.values import ClaimKind, Prevails, Status
from bot.answering.corroboration import corroborated
from bot.answering.values import Citation, Claim, Contradiction
from retrieval.types import Hit, Passage

LEAVE = passage("leave", "New staff get 20 days of leave.", "Ask your manager first.")


def claim(cited: Passage, last: int = 0, status: Status = Status.VERIFIED) -> Claim:
    text = " ".join(sentence.text for sentence in cited.sentences[: last + 1])
    return Claim(text, status, ClaimKind.CITED, (Citation(cited, 0, last, status, 1.0),))


def cited(said: Claim, *others: Passage) -> list[tuple[str, int]]:
    """Passage and sentence of each citation, after looking at the other passages."""
    hits = [Hit(each, {"relevance": 0.9}) for each in (LEAVE, *others)]
    [found] = corroborated([said], hits)
    return [(each.passage.passage_id, each.first) for each in found.citations]


def test_another_document_with_the_same_sentence_is_cited_as_well() -> None:
    faq = passage("faq", "Welcome!", "New staff get 20 days of leave.")
    assert cited(claim(LEAVE), faq) == [("leave", 0), ("faq", 1)]


def test_the_same_in_another_order_of_words_counts() -> None:
    faq = passage("faq", "20 days of leave new staff get.")
    assert cited(claim(LEAVE), faq) == [("leave", 0), ("faq", 0)]


def test_another_number_does_not() -> None:
    assert cited(claim(LEAVE), passage("faq", "New staff get 25 days of leave.")) == [("leave", 0)]


def test_what_has_only_some_of_its_words_does_not() -> None:
    ask = passage("ask", "Whoever is ill for a longer time must tell the office and see a doctor.")
    tell = passage("tell", "Whoever moves must tell the office.")
    assert cited(claim(ask), tell) == [("ask", 0)]


def test_all_that_a_claim_cites_must_be_said() -> None:
    half = passage("half", "New staff get 20 days of leave.")
    whole = passage("whole", "Ask your manager first.", "New staff get 20 days of leave.")
    assert cited(claim(LEAVE, last=1), half, whole) == [("leave", 0), ("whole", 1), ("whole", 0)]


def test_a_document_is_cited_once_and_none_for_what_is_not_verified() -> None:
    again = replace(passage("faq", "New staff get 20 days of leave."), passage_id="faq-2")
    assert (
        len(cited(claim(LEAVE), passage("faq", *["New staff get 20 days of leave."]), again)) == 2
    )
    unsupported = claim(LEAVE, status=Status.UNSUPPORTED)
    assert len(cited(unsupported, again)) == 1


def test_a_sentence_that_may_be_about_anything_is_not_looked_for() -> None:
    hours = passage("library", "It opens at 9 am on weekdays.")
    [found] = corroborated(
        [claim(hours)], [Hit(passage("gym", "It opens at 9 am on weekdays."), {})]
    )
    assert len(found.citations) == 1


def test_a_document_that_says_otherwise_elsewhere_bears_nothing_out() -> None:
    faq = passage("faq", "New staff get 20 days of leave.")
    said = claim(LEAVE)
    against = replace(said.citations[0], passage=faq)
    found = Contradiction(said.citations[0], against, ("20 / 10",), Prevails.NEWER)
    [checked] = corroborated([said], [Hit(faq, {})], [found])
    assert len(checked.citations) == 1


def test_a_rule_that_is_overridden_bears_nothing_out() -> None:
    old = Hit(passage("old", "New staff get 20 days of leave."), {}, overridden_by="leave")
    [found] = corroborated([claim(LEAVE)], [Hit(LEAVE, {}), old])
    assert len(found.citations) == 1
