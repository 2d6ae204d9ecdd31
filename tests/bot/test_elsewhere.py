"""What no document answers is looked for elsewhere, and nothing else is."""

from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest
from shelves import TODAY, Shelves
from tiny_pipeline import copying

from audit.record import AuditRecord, Decision
from audit.values import SEARCHED
from bot.answering.values import Elsewhere, Question
from bot.wording import FROM_ELSEWHERE
from retrieval.types import Document, Metadata, Passage, Sentence


def said(text: str, name: str = "said") -> Passage:
    document = Document(f"{SEARCHED}{name}", name, "1", datetime.now(UTC), name, Metadata())
    return Passage(name, document, 0, (), (Sentence(text, 0, len(text)),), text)


@dataclass
class Search:
    """Finds the same whatever is asked."""

    found: Elsewhere
    asked: list[str] = field(default_factory=list)

    def __call__(self, question: str) -> Elsewhere:
        self.asked.append(question)
        return self.found


def test_what_is_found_elsewhere_is_probable_at_most_and_says_so(
    shelves: Shelves, records: list[AuditRecord]
) -> None:
    shelves.add("dogs", "Dogs bark, 0.2.")
    search = Search(Elsewhere((said("Cats purr, 0.99."),)))
    outcome = copying(shelves, records.append)(
        Question("cats purr?", None, TODAY), elsewhere=search
    )
    assert search.asked == ["cats purr?"]
    assert outcome.decision is Decision.PARTIAL
    assert records[0].reasons[0] == FROM_ELSEWHERE
    assert [each.text for each in records[0].claims] == ["Cats purr, 0.99."]


@pytest.mark.parametrize(
    "found", [Elsewhere(), Elsewhere((said("Cats purr, 0.1."),)), Elsewhere((), "Not searched.")]
)
def test_where_nothing_elsewhere_answers_it_is_refused_as_before(
    shelves: Shelves, records: list[AuditRecord], found: Elsewhere
) -> None:
    shelves.add("dogs", "Dogs bark, 0.2.")
    answering = copying(shelves, records.append)
    outcome = answering(Question("cats purr?", None, TODAY), elsewhere=Search(found))
    assert outcome.decision is Decision.ABSTAIN
    assert not outcome.evidence.hits
    assert outcome.degraded == ((found.why_not,) if found.why_not else ())


def test_what_documents_answer_or_a_file_came_with_is_not_looked_for_elsewhere(
    shelves: Shelves, records: list[AuditRecord]
) -> None:
    shelves.add("dogs", "Dogs bark, 0.99.")
    search = Search(Elsewhere((said("Dogs never bark, 0.99."),)))
    answering = copying(shelves, records.append)
    answering(Question("dogs bark?", None, TODAY), elsewhere=search)
    attached = Question("cats purr?", None, TODAY, attached=(said("Cows moo, 0.1."),))
    answering(attached, elsewhere=search)
    assert search.asked == []


def test_a_follow_up_is_looked_for_with_what_it_goes_on_from(
    shelves: Shelves, records: list[AuditRecord]
) -> None:
    shelves.add("dogs", "Dogs bark, 0.2.")
    search = Search(Elsewhere())
    asked = Question("and on which days?", None, TODAY, previous=("Who hands out kayak permits?",))
    copying(shelves, records.append)(asked, elsewhere=search)
    assert search.asked == ["Who hands out kayak permits: and on which days?"]
