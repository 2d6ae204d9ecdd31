"""A question's way through the pipeline, with models that see words alone."""

from dataclasses import replace
from datetime import date
from functools import partial

import pytest
from block_records import buttons, read
from fakes import StatedReranker, WordsEmbedder
from shelves import TODAY, Shelves
from shown import printed
from tiny_pipeline import copying

from audit.errors import AuditUnavailable
from audit.record import AuditRecord, Decision
from bot.access.people import Person
from bot.answering.as_json import outcome_as_json
from bot.answering.gate import UNCALIBRATED, Gate
from bot.answering.pipeline import AnsweringPipeline
from bot.answering.query_rewriting import QueryRewriting
from bot.answering.quoting import NearestQuoter, Nearness
from bot.answering.replaying import replayed
from bot.answering.values import Question
from bot.errors import NotAudited
from bot.lab.recipes import RECIPES
from bot.quality.what_if import decided_again
from bot.slack.blocks.reply import reply
from bot.wiring.answering import in_english
from bot.wording import DOUBTFUL, ENGLISH_ONLY, FOREIGN, NOT_IN_ENGLISH
from retrieval.language.sentences import asked_in_english
from retrieval.search.ranking import DenseRetriever
from retrieval.types import AccessRule, Metadata

ANA = Person("ana", "Ana", "", {"departments": frozenset({"cs"})})


@pytest.fixture
def answering(shelves: Shelves, records: list[AuditRecord]) -> AnsweringPipeline:
    return copying(shelves, records.append)


def test_what_is_about_something_else_is_not_named_as_nearest(
    shelves: Shelves, answering: AnsweringPipeline
) -> None:
    shelves.add("dogs", "Dogs bark, 0.2.")
    shelves.add("moon", "The moon is far away from here, 0.1.")
    question = Question("dogs bark?", None, TODAY)
    near, all_of_them = (
        replace(
            answering,
            nearness=Nearness(each),
            quote=NearestQuoter(StatedReranker(), WordsEmbedder(), Nearness(each)),
        )(question)
        for each in (0.15, 0.0)
    )
    assert near.decision is Decision.ABSTAIN
    assert [each.passage.passage_id for each in near.nearest] == ["dogs-0"]
    assert [passage.passage_id for passage in near.closest] == ["dogs-0"]
    assert len(all_of_them.nearest) == 2, "both are candidates"


def test_what_the_audit_store_refuses_to_keep_is_not_answered(shelves: Shelves) -> None:
    def full(record: AuditRecord) -> None:
        raise AuditUnavailable("The disk is full.")

    shelves.add("dogs", "Dogs bark, 0.9.")
    with pytest.raises(NotAudited, match="The disk is full"):
        copying(shelves, full)(Question("dogs bark?", None, TODAY))


def test_why_a_passage_is_no_evidence_stands_in_the_record_and_in_the_reply(
    shelves: Shelves, answering: AnsweringPipeline, records: list[AuditRecord]
) -> None:
    shelves.add("good", "Dogs bark, 0.9.")
    shelves.add("weak", "Dogs sleep, 0.2.")
    reply = answering(Question("dogs?", None, TODAY))
    stated = {each.passage_id: each.eligibility for each in records[0].candidates}
    assert stated == {"good-0": "over the threshold", "weak-0": "under the threshold"}
    ranked = outcome_as_json(reply)["ranked"]
    assert isinstance(ranked, list)
    assert [each["eligibility"] for each in ranked] == list(stated.values())


def test_what_a_page_leaves_open_is_sure_by_no_threshold(
    shelves: Shelves, answering: AnsweringPipeline, records: list[AuditRecord]
) -> None:
    shelves.add("fee", "Parking costs [unknown value] EUR, 0.95.")
    assert answering(Question("parking?", None, TODAY)).decision is Decision.PARTIAL
    lowest = Gate(UNCALIBRATED, answer_at=0.0, partial_at=0.0)
    assert decided_again(records[0], lowest, 0.99) == (Decision.PARTIAL, DOUBTFUL)


def test_a_new_retrievers_scores_are_kept_under_their_own_names_and_raw_bm25_is_not(
    shelves: Shelves, answering: AnsweringPipeline, records: list[AuditRecord]
) -> None:
    shelves.add("dogs", "Dogs bark, 0.9.")
    search = answering.evidence.search
    titles = DenseRetriever(shelves.index, 5, "titles", "title_cosine", "title_rank")
    more = replace(search, retrievers=(*search.retrievers, titles))
    replace(answering, evidence=replace(answering.evidence, search=more))(
        Question("dogs?", None, TODAY)
    )
    scores = records[0].candidates[0].scores
    assert scores.model_dump()["title_rank"] == 1
    assert (scores.bm25, scores.bm25_rank) == (None, 1)
    again = AuditRecord.model_validate_json(records[0].model_dump_json())
    assert again == records[0]


@pytest.mark.parametrize("name", RECIPES)
def test_every_recipe_can_be_composed_and_finds_what_is_there(
    name: str, shelves: Shelves, answering: AnsweringPipeline
) -> None:
    shelves.add("dogs", "Dogs bark, 0.9.")
    composed = RECIPES[name].compose(answering)
    reply = composed(Question("dogs?", None, TODAY))
    assert [hit.passage.passage_id for hit in reply.evidence.candidates] == ["dogs-0"]


def test_the_accountable_recipe_finds_by_passages_summaries_and_names(
    shelves: Shelves, answering: AnsweringPipeline
) -> None:
    shelves.add("fees", "Ask the Finance Office about fees, 0.9.")
    shelves.add("dogs", "Dogs bark, 0.8.")
    composed = RECIPES["accountable"].compose(answering)
    retrievers = composed.evidence.search.retrievers
    assert [each.name for each in retrievers] == ["dense", "summary", "entity"]
    first, *_ = composed(Question("finance office?", None, TODAY)).evidence.candidates
    assert first.passage.passage_id == "fees-0"
    assert first.scores["entity_entry_rank"] == 1


IN_GERMAN = "Wie lange kann ich einen Laptop ausleihen?"


@pytest.fixture
def knowing_english_only(answering: AnsweringPipeline) -> AnsweringPipeline:
    search = replace(answering.evidence.search, is_understood=in_english)
    by_rules = QueryRewriting(is_english=asked_in_english)
    evidence = replace(answering.evidence, search=search, understanding=by_rules)
    quote = NearestQuoter(StatedReranker(), WordsEmbedder(), Nearness(0.1))
    return replace(answering, evidence=evidence, quote=quote)


@pytest.mark.parametrize(
    "said", ["Ein Laptop kann für 14 Tage ausgeliehen werden, 0.99.", "Borrow a laptop here, 0.99."]
)
def test_in_another_language_what_is_there_is_quoted_and_sure_of_nothing(
    shelves: Shelves,
    knowing_english_only: AnsweringPipeline,
    records: list[AuditRecord],
    said: str,
) -> None:
    shelves.add("laptops", said)
    outcome = knowing_english_only(Question(IN_GERMAN, ANA, TODAY, channel="C1"))
    assert outcome.decision is Decision.ABSTAIN
    assert [each.text for each in outcome.nearest] == [said]
    [record] = records
    assert (record.in_english, record.reasons) == (False, (NOT_IN_ENGLISH,))
    assert record.candidates[0].eligibility.startswith("over the threshold, but")
    for told in (record.reply, read(reply(record, 7, quoted=False).blocks)):
        assert said in told
        assert ENGLISH_ONLY in told
        assert FOREIGN not in told
    again = partial(replayed, asker=ANA, embedder=WordsEmbedder(), by_model=False)
    assert again(record, knowing_english_only).same
    of_old = record.model_copy(update={"candidates": (), "degraded": (), "nearest": ()})
    assert "I don't know" in again(of_old, knowing_english_only).reply


def test_the_askers_language_is_told_once_and_again_to_who_asks_in_it_first(
    shelves: Shelves, knowing_english_only: AnsweringPipeline, records: list[AuditRecord]
) -> None:
    shelves.add("laptops", "Laptop ausleihen, 0.2.")
    for previous in ((), ("how long may I borrow a laptop",), (IN_GERMAN,)):
        knowing_english_only(Question(IN_GERMAN, ANA, TODAY, previous=previous))
    assert [ENGLISH_ONLY in each.reply for each in records] == [True, True, False]


def test_a_page_in_another_language_is_never_told_as_sure_and_an_english_one_beside_it_is(
    shelves: Shelves, knowing_english_only: AnsweringPipeline, records: list[AuditRecord]
) -> None:
    shelves.add("urlaub", "Alle haben 28 Tage Urlaub im Jahr, 0.99.")
    asked = Question("Urlaub Tage", ANA, TODAY)
    outcome = knowing_english_only(asked)
    assert (outcome.decision, outcome.dropped) == (Decision.ABSTAIN, ())
    assert FOREIGN in records[0].reply
    assert ENGLISH_ONLY not in records[0].reply
    shelves.add("leave", "There are 28 days of leave (Urlaub) in a year, 0.95.")
    [claim] = knowing_english_only(asked).claims
    assert claim.citations[0].file == "leave.md"


def test_a_day_ahead_is_answered_as_of_it_and_reply_and_record_say_so(
    shelves: Shelves, answering: AnsweringPipeline, records: list[AuditRecord]
) -> None:
    begins = Metadata(title="Next", access=AccessRule((), valid_from=date(2027, 1, 1)))
    ends = Metadata(access=AccessRule((), valid_to=date(2026, 12, 31)))
    shelves.add("old", "Dogs bark, 0.9.", metadata=ends)
    shelves.add("new", "Dogs purr, 0.9.", metadata=begins)
    outcome = answering(Question("dogs in February 2027?", ANA, TODAY))
    [record] = records
    assert record.filter.on == date(2027, 2, 1)
    assert [claim.text for claim in record.claims] == ["Dogs purr, 0.9."]
    message = reply(record, 7, quoted=False)
    said = (
        "You ask about 2027-02-01, so I answer as of that day: "
        "another rule holds from 2027-01-01 on."
    )
    for shown in (record.reply, read(message.blocks), message.text):
        assert said in shown
    assert "ask_as_of" not in buttons(message.blocks)
    assert outcome_as_json(outcome)["as_of"] == "2027-02-01"
    assert said in printed(outcome, width=200)


def test_of_now_and_then_the_reply_is_of_now_and_says_from_when_another_rule_holds(
    shelves: Shelves, answering: AnsweringPipeline, records: list[AuditRecord]
) -> None:
    ends = Metadata(access=AccessRule((), valid_to=date(2025, 1, 1)))
    begins = Metadata(title="Secret", access=AccessRule((), valid_from=date(2027, 1, 1)))
    shelves.add("old", "Dogs bark, 0.9.", metadata=ends)
    shelves.add("new", "Dogs purr, 0.9.", metadata=begins)
    outcome = answering(Question("dogs now, and dogs in February 2027?", ANA, TODAY))
    [record] = records
    assert record.upcoming is not None
    assert (record.upcoming.day, record.upcoming.valid_from) == (
        date(2027, 2, 1),
        date(2027, 1, 1),
    )
    assert record.expired == (), "what is past answers nothing of what is to come"
    assert "from 2027-01-01 on" in record.reply
    message = reply(record, 7, quoted=False)
    assert "from 2027-01-01 on" in read(message.blocks)
    assert buttons(message.blocks)["ask_as_of"] == record.audit_id
    for shown in (str(outcome_as_json(outcome)), record.model_dump_json(), message.text):
        assert "purr" not in shown
        assert "Secret" not in shown
