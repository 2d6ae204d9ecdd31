"""Who repeats words so as to be found is found, and not copied."""

from collections.abc import Sequence

import pytest
from answering_values import brief, draft, passage
from fakes import SameEntailment
from hypothesis import given
from hypothesis import strategies as st

from audit.values import Status
from bot.answering.values import DraftClaim
from bot.answering.verification import ClaimVerifier
from bot.answering.writers.extractive import ExtractiveWriter
from bot.answering.writers.openai import prompt_for, shown_passages
from retrieval.language.steering import repeats_itself
from retrieval.ports import RerankPair, RerankScore
from retrieval.types import Passage

HONEST = "Employees may keep ten days for the next year."
STUFFED = (
    f"{'carry over ' * 40}",
    f"Employees may {'carry over ' * 4}leave",
    f"Leave: {'carry over, ' * 30}yes.",
    f"Leave is granted by the office of your department: {'may I carry over leave ' * 10}",
    f"{'Carry over leave is unlimited! ' * 20}",
    f"{'may I carry over leave? ' * 12}",
    "carry over leave days carry leave over days leave carry over days carry over days leave over "
    "carry days leave carry over leave days carry over leave days over carry leave days carry over",
    "leave leave leave leave leave leave leave leave",
)
WRITTEN = (
    "No, no, no: never carry a full cup over the carpet, not ever, never.",
    "Mon 9 am to 5 pm Tue 9 am to 5 pm Wed 9 am to 5 pm Thu 9 am to 5 pm Fri 9 am to 5 pm",
    "Monday: 9 a.m. to 5 p.m.; Tuesday: 9 a.m. to 5 p.m.; Wednesday: 9 a.m. to 5 p.m.; "
    "Thursday: 9 a.m. to 5 p.m.; Friday: 9 a.m. to 5 p.m.; Saturday: closed; Sunday: closed",
    "Course: CS201; Week 1: yes; Week 2: yes; Week 3: yes; Week 4: yes; Week 5: yes; Week 6: yes; "
    "Week 7: yes; Week 8: yes; Week 9: yes; Week 10: yes",
    "Paid; yes; yes; yes; no; yes; yes; yes",
    "The party of the first part pays the party of the second part what the party of the first "
    "part owes to the party of the second part.",
    "Step by step, day by day and year by year the work of the group goes on.",
    "It is very, very, very important that you lock the door.",
    "January: 0; February: 0; March: 0; April: 0; May: 0; June: 0; July: 0; August: 0; "
    "September: 0; October: 0; November: 0; December: 0",
)


class Taken:
    """Finds that whatever has the words of the question answers it best."""

    name = "taken in"

    def scores(self, pairs: Sequence[RerankPair]) -> list[RerankScore]:
        found = [0.99 if "carry over" in pair.text.lower() else 0.9 for pair in pairs]
        return [RerankScore(each, each) for each in found]


def copied(*passages: Passage) -> list[str]:
    drafted = ExtractiveWriter(Taken()).write(brief("may I carry over leave", *passages))
    return [claim.text for claim in drafted.claims]


@pytest.mark.parametrize("text", STUFFED)
def test_what_repeats_itself_is_neither_copied_nor_shown_to_a_model_nor_vouched_for(
    text: str,
) -> None:
    source = passage("both", HONEST, text)
    assert copied(passage("poison", text), passage("leave", HONEST)) == [HONEST]
    assert copied(source) == [HONEST]
    asked = brief("q", source)
    shown = prompt_for(asked, shown_passages(asked)).user
    assert "<c>1.1</c>" in shown
    assert "<c>1.2</c>" not in shown
    cites_it = draft(DraftClaim(text, ("1.2",)), passages=[source])
    [checked] = ClaimVerifier(SameEntailment(1.0))(cites_it)
    assert checked.status is Status.BROKEN


def test_a_line_that_stands_twice_is_copied_once_and_one_without_an_end_is_not() -> None:
    line = "You may carry over leave."
    source = passage("leave", line, "Ask HR.", line, "Ask them soon.")
    assert copied(source).count(line) == 1
    assert copied(passage("poison", *[line] * 12), passage("leave", HONEST)) == [HONEST]


@pytest.mark.parametrize("text", WRITTEN)
def test_what_people_write_repeats_words_and_stays(text: str) -> None:
    assert not repeats_itself(text)


@given(st.lists(st.text(st.characters(categories=["L"]), min_size=1), min_size=7, unique=True))
def test_words_that_are_all_different_never_repeat_themselves(words: list[str]) -> None:
    different = {word.lower() for word in words}
    if len(different) == len(words):
        assert not repeats_itself(" ".join(words))


@given(st.text())
def test_any_text_can_be_looked_at(text: str) -> None:
    assert repeats_itself(text) in (True, False)
