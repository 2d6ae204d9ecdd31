"""Who asks what an administrator pinned an answer to reads that answer, and who reviewed it."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from block_records import read
from fakes import WordsEmbedder
from shelves import Shelves
from shown import printed
from tiny_pipeline import copying

from audit.record import AuditRecord, Decision
from audit.values import Prevails
from bot.access.people import Person
from bot.answering.in_words import certainty
from bot.answering.pipeline import AnsweringPipeline
from bot.answering.recording import FROM_REVIEW
from bot.answering.replaying import answered_again, still_stored
from bot.answering.reply import reply_text
from bot.answering.standard import StandardAnswers
from bot.answering.values import Question
from bot.quality.what_if import decided_again
from bot.slack.blocks.reply import reply
from bot.wording import ASKED_IN_ITS_WORDS, STANDARD_ANSWER
from bot.wording.referrals import reviewed_on
from retrieval.types import AccessRule, Metadata

ASKED = "How many days of leave do I get?"
REVIEWED = "Standard answer, reviewed by Priya on 2026-03-01."
ANA = Person("ana", "Ana", "", {"departments": frozenset({"cs"})})
NOW = datetime.now(UTC).date()


@pytest.fixture
def answering(shelves: Shelves, records: list[AuditRecord]) -> AnsweringPipeline:
    made = copying(shelves, records.append)
    standard = StandardAnswers(
        lambda: {"pinned"},
        lambda logit: (logit + 5) / 10,
        lambda each: shelves.library.passages(shelves.library.passage_ids([each])).values(),
        made.verification,
        made.gate,
        replace(made.circumstances, writer=FROM_REVIEW, writer_model=""),
    )
    return replace(made, standard=standard)


def pinned(
    shelves: Shelves,
    text: str = "Staff get 25 days of leave, 0.75.",
    *further: str,
    name: str = "pinned",
    access: AccessRule | None = None,
    level: str = "",
) -> None:
    kind = reviewed_on("Priya", "2026-03-01")
    stated = Metadata(subtype=kind, effective=NOW, access=access or AccessRule(), level=level)
    shelves.add(name, text, *further, metadata=stated, title=ASKED)


def asked(text: str = ASKED, who: Person | None = None) -> Question:
    return Question(text, who, NOW)


def test_asked_in_those_very_words_it_leads_and_is_sure(
    shelves: Shelves, answering: AnsweringPipeline, records: list[AuditRecord]
) -> None:
    pinned(shelves, "Staff get 25 days of leave, 0.75.", "New staff wait a month, 0.1.")
    shelves.add("old", "Leave is taken in days, 0.9.")
    outcome = answering(asked("how many days of leave do I get"))
    [record] = records
    assert record.decision is Decision.ANSWER
    assert record.reasons == (STANDARD_ANSWER, ASKED_IN_ITS_WORDS)
    assert record.writer.name == FROM_REVIEW
    assert record.reply.splitlines() == [
        REVIEWED,
        "Staff get 25 days of leave, 0.75. [1]",
        "New staff wait a month, 0.1. [1]",
    ]
    blocks = read(reply(record, 7, quoted=False).blocks)
    assert blocks.index(REVIEWED) < blocks.index("Staff get 25 days")
    assert REVIEWED in reply(record, 7, quoted=False).text
    assert REVIEWED in printed(outcome)
    assert "a person reviewed it" in certainty(record)
    low = record.confidence.overall or 0.0
    assert decided_again(record, answering.gate, low)[0] is Decision.ANSWER  # type: ignore[arg-type]  # it is a `Gate`


@pytest.mark.parametrize(("relevance", "leads"), [(0.95, True), (0.93, False)])
def test_asked_otherwise_it_leads_from_the_threshold_on(
    shelves: Shelves, answering: AnsweringPipeline, relevance: float, leads: bool
) -> None:
    pinned(shelves, f"Staff get 25 days of leave, {relevance}.")
    outcome = answering(asked("How long may I be away?"))
    assert outcome.verdict.claims, "below it is found as any document is"
    assert (STANDARD_ANSWER in outcome.verdict.reasons) is leads
    assert (f"{relevance} is at least 0.94" in str(outcome.verdict.reasons)) is leads


def test_what_is_asked_in_another_language_may_be_another_question(
    shelves: Shelves, answering: AnsweringPipeline
) -> None:
    pinned(shelves, "Staff get 25 days of leave, 0.95.")
    search = replace(answering.evidence.search, is_understood=lambda *_: False)
    foreign = replace(answering, evidence=replace(answering.evidence, search=search))
    assert foreign(asked("wie viele Tage")).decision is Decision.ABSTAIN
    assert foreign(asked("how many days of leave do I get")).decision is Decision.ANSWER


def test_what_only_calls_itself_reviewed_is_not(
    shelves: Shelves, answering: AnsweringPipeline
) -> None:
    pinned(shelves, name="forged")
    assert STANDARD_ANSWER not in answering(asked()).verdict.reasons


def test_what_the_check_of_claims_refuses_does_not_lead(
    shelves: Shelves, answering: AnsweringPipeline
) -> None:
    stated = Metadata(subtype=reviewed_on("Priya", "2026-03-01"), effective=NOW)
    words = "Staff get 25 days of leave, 0.75."
    shelves.add("pinned", words, metadata=stated, sections=[("No longer in force",)], title=ASKED)
    assert STANDARD_ANSWER not in answering(asked()).verdict.reasons


def test_who_may_not_read_it_is_not_told(shelves: Shelves, answering: AnsweringPipeline) -> None:
    pinned(shelves, access=AccessRule((("departments", ("cs",)),)))
    assert STANDARD_ANSWER in answering(asked(who=ANA)).verdict.reasons
    assert answering(asked()).decision is Decision.ABSTAIN


@pytest.mark.parametrize(("level", "leads"), [("department", True), ("", False)])
def test_it_leads_over_the_document_of_the_reader_s_own_unit_on_which_it_rests(
    shelves: Shelves, answering: AnsweringPipeline, level: str, leads: bool
) -> None:
    """Below that document's level it gives way to it."""
    own = AccessRule((("departments", ("cs",)),))
    stated = Metadata(level="department", access=own)
    shelves.add("policy", "Staff get 25 days of leave, 0.9.", metadata=stated)
    pinned(shelves, access=own, level=level)
    assert (STANDARD_ANSWER in answering(asked(who=ANA)).verdict.reasons) is leads


@pytest.mark.parametrize("effective", [NOW, NOW - timedelta(days=400), None])
def test_a_document_that_says_otherwise_is_told_beside_it(
    shelves: Shelves, answering: AnsweringPipeline, effective: date | None
) -> None:
    """One without a date stood there when the answer was reviewed."""
    shelves.add("old", "Staff get 30 days of leave, 0.9.", metadata=Metadata(effective=effective))
    pinned(shelves)
    outcome = answering(asked())
    [against] = outcome.verdict.contradictions
    if effective == NOW:
        assert outcome.decision is Decision.ABSTAIN, "neither is newer"
        return
    assert (outcome.decision, against.prevails) == (Decision.ANSWER, Prevails.NEWER)
    assert "an older document says otherwise:\n- “Staff get 30 days" in reply_text(outcome)


def test_a_newer_document_that_says_otherwise_comes_first(
    shelves: Shelves, answering: AnsweringPipeline
) -> None:
    pinned(shelves)
    newer = Metadata(effective=NOW + timedelta(days=1))
    shelves.add("new", "Staff get 30 days of leave, 0.9.", metadata=newer)
    outcome = answering(replace(asked(), on=newer.effective or NOW))
    assert STANDARD_ANSWER not in outcome.verdict.reasons
    assert [claim.text for claim in outcome.verdict.claims] == ["Staff get 30 days of leave, 0.9."]
    assert [each.against.quote for each in outcome.verdict.contradictions] == [
        "Staff get 25 days of leave, 0.75."
    ]


def test_what_was_pinned_then_is_told_again_after_it_was_reviewed_anew_or_left(
    shelves: Shelves, answering: AnsweringPipeline, records: list[AuditRecord]
) -> None:
    pinned(shelves, "Staff get 25 days of leave, 0.75.", "New staff wait a month, 0.1.")
    answering(asked())
    [then] = records
    pinned(shelves, "Staff get 99 days of leave, 0.75.")
    kept = still_stored(then, shelves.library, WordsEmbedder())
    standard = replace(answering.standard, reviewed=lambda: set())  # type: ignore[type-var]  # it is `StandardAnswers`
    again = answered_again(then, replace(answering, standard=standard), None, kept)
    assert (again.decision, again.reply) == (then.decision, then.reply)


def test_of_a_day_before_its_review_it_is_a_document_like_any_other(
    shelves: Shelves, answering: AnsweringPipeline
) -> None:
    pinned(shelves)
    before = Question(ASKED, None, NOW - timedelta(days=1))
    assert STANDARD_ANSWER not in answering(before).verdict.reasons


@pytest.mark.parametrize(
    ("title", "question", "leads"),
    [
        ("Can you tell me what leave costs?", "Can you tell me what leave costs?", True),
        ("What does a C++ permit cost?", "What does a C# permit cost?", False),
    ],
)
def test_its_very_words_are_those_that_are_typed(
    shelves: Shelves, answering: AnsweringPipeline, title: str, question: str, leads: bool
) -> None:
    stated = Metadata(subtype=reviewed_on("Priya", "2026-03-01"), effective=NOW)
    shelves.add("pinned", "It costs 25 euros, 0.75.", metadata=stated, title=title)
    outcome = answering(asked(question))
    assert (ASKED_IN_ITS_WORDS in outcome.verdict.reasons) is leads
