"""What a search makes evidence of, on a real library and a real index."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from fakes import StatedReranker, WordsEmbedder
from numpy.typing import NDArray
from parsed_documents import DOCUMENT, parsed
from shelves import GUEST, TODAY, Shelves

from bot.lab.recipe import BestOfOrder
from retrieval.documents.holdings import Acquisition, Fingerprint
from retrieval.errors import IndexUnavailable
from retrieval.ingest.chunking import Paragraphs, cut
from retrieval.metadata.ontology import Recency
from retrieval.ports import IndexEntry, RerankPair, RerankScore
from retrieval.search.ranking import first_of_each_text
from retrieval.search.reranking import RelevanceCalibration, WindowReranker
from retrieval.search.search import SearchSettings
from retrieval.search.selection import (
    FOLLOWING,
    SECTION_WORDS,
    Around,
    Neighbours,
    OrganisationalSelection,
    neighbours_of,
    nothing_around,
    sections_of,
)
from retrieval.search.timing import Stages
from retrieval.types import (
    AccessRule,
    Eligibility,
    Evidence,
    Hit,
    Metadata,
    Passage,
    Scope,
    Stream,
)

ANA = Scope({"departments": frozenset({"cs"})}, TODAY)
CS = AccessRule((("departments", ("cs",)),))
ACADEMIC = Metadata(stream=Stream.ACADEMIC)


@pytest.fixture
def shelves(tmp_path: Path) -> Shelves:
    return Shelves(tmp_path)


def ids(evidence: Evidence) -> list[str]:
    return [hit.passage.passage_id for hit in evidence.hits]


def candidates(evidence: Evidence) -> list[str]:
    return [hit.passage.passage_id for hit in evidence.candidates]


def test_only_what_passes_the_threshold_is_evidence_and_the_rest_is_kept_in_sight(
    shelves: Shelves,
) -> None:
    shelves.add("low", "Dogs, 0.69.")
    shelves.add("high", "Dogs, 0.95.")
    shelves.add("just", "Dogs, 0.7.")
    evidence = shelves.search("dogs")
    assert ids(evidence) == ["high-0", "just-0"]
    assert candidates(evidence) == ["high-0", "just-0", "low-0"]
    assert [hit.scores["relevance"] for hit in evidence.candidates] == [0.95, 0.7, 0.69]


class Indifferent:
    """A cross-encoder to which all is alike."""

    name = "indifferent"

    def logits(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        return np.zeros((len(pairs), 1), np.float32)


DOUBTFUL = RelevanceCalibration(slope=0.0, intercept=-1.0)
ONE_REREAD = SearchSettings(reread=1)


def test_what_was_not_reread_is_no_evidence_by_itself(shelves: Shelves) -> None:
    for n in (6, 8, 9):
        shelves.add(f"d{n}", f"Dogs, 0.{n}.")
    reader = WindowReranker(Indifferent(), DOUBTFUL)
    found = shelves.search("dogs", settings=ONE_REREAD, window_reranker=reader)
    assert candidates(found) == ["d9-0", "d8-0", "d6-0"]
    relevances = [hit.scores["relevance"] for hit in found.candidates]
    assert relevances == pytest.approx([DOUBTFUL.relevance(0.0), 0.8, 0.6])
    assert ids(found) == []
    assert [part.covered for part in found.parts] == [False]
    assert [hit.eligibility for hit in found.candidates] == [
        Eligibility.UNDER_THRESHOLD,
        Eligibility.NOT_REREAD,
        Eligibility.NOT_REREAD,
    ]


def test_what_was_not_read_at_all_is_a_candidate_and_no_evidence(shelves: Shelves) -> None:
    for n in range(3):
        shelves.add(f"d{n}", "Dogs " * (3 - n) + f"0.{n + 7}.")
    found = shelves.search("dogs", settings=SearchSettings(reranked=2))
    assert candidates(found) == ["d1-0", "d0-0", "d2-0"]
    assert ids(found) == ["d1-0", "d0-0"]
    last = found.candidates[-1]
    assert (last.eligibility, "logit" in last.scores) == (Eligibility.NOT_REREAD, False)


def test_a_rule_of_ones_own_overrides_though_it_was_not_reread(shelves: Shelves) -> None:
    own = Metadata(level="department", access=CS)
    shelves.add("university", "Dogs must be on a lead, 0.95.")
    shelves.add("department", "Dogs must be on a lead here, 0.45.", metadata=own)
    reader = WindowReranker(Indifferent(), RelevanceCalibration(1.0, 3.0))
    hits = shelves.search("dogs", ANA, ONE_REREAD, window_reranker=reader).hits
    assert [(h.passage.passage_id, h.overridden_by) for h in hits] == [
        ("department-0", None),
        ("university-0", "department-0"),
    ]


def test_at_most_five_passages_are_evidence(shelves: Shelves) -> None:
    for n in range(9):
        shelves.add(f"d{n}", f"Dogs and {n} other animals, 0.9{n}.")
    evidence = shelves.search("dogs", selection=OrganisationalSelection(same_thing=2))
    assert ids(evidence) == ["d8-0", "d7-0", "d6-0", "d5-0", "d4-0"]
    assert len(evidence.candidates) == 9


def test_neighbours_are_context_for_academic_hits_alone(shelves: Shelves) -> None:
    texts = ("One.", "Two.", "Three.", "Dogs, 0.9.", "Five.", "Six.", "Seven.")
    shelves.add("notes", *texts, metadata=ACADEMIC)
    shelves.add("rules", *texts[:3], "All dogs, 0.9.", *texts[4:])
    evidence = shelves.search("dogs")
    assert set(ids(evidence)) == {"notes-3", "rules-3"}
    assert [p.passage_id for p in evidence.context] == ["notes-1", "notes-2", "notes-4", "notes-5"]


def test_a_neighbour_that_is_a_hit_itself_is_not_told_twice(shelves: Shelves) -> None:
    shelves.add("notes", "Dogs, 0.8.", "Dogs bark, 0.9.", "Three.", metadata=ACADEMIC)
    evidence = shelves.search("dogs")
    assert ids(evidence) == ["notes-1", "notes-0"]
    assert [passage.passage_id for passage in evidence.context] == ["notes-2"]


def test_the_section_of_a_hit_is_context_as_far_as_it_is_one(shelves: Shelves) -> None:
    texts = ("One.", "Two.", "Dogs, 0.9.", "Four.", "Five.", "Two again.")
    pay, leave, sick = ("Pay",), ("Leave",), ("Leave", "Sick")
    shelves.add("rules", *texts, sections=(pay, leave, leave, sick, pay, leave))
    found = replace(shelves.composed(), context=sections_of)("dogs", GUEST, Stages())
    assert ids(found) == ["rules-2"]
    assert [p.passage_id for p in found.context] == ["rules-1", "rules-3"]


def test_of_a_long_section_the_nearest_is_context(shelves: Shelves) -> None:
    long = " ".join(["word"] * (SECTION_WORDS // 3))
    shelves.add("rules", long, long, "Dogs, 0.9.", long, long)
    found = replace(shelves.composed(), context=sections_of)("dogs", GUEST, Stages())
    assert [p.passage_id for p in found.context] == ["rules-1", "rules-3"]


def test_hits_may_be_read_alone(shelves: Shelves) -> None:
    shelves.add("notes", "One.", "Dogs, 0.9.", metadata=ACADEMIC)
    search = replace(shelves.composed(), context=nothing_around)
    assert search("dogs", GUEST, Stages()).context == ()


@pytest.mark.parametrize("around", [neighbours_of, sections_of])
def test_what_was_restricted_since_it_was_found_is_no_context(
    shelves: Shelves, around: Around
) -> None:
    """An ingest may restrict a document between the search and the look beside its hits."""
    texts = ("A secret.", "Dogs, 0.9.")
    shelves.add("notes", *texts, metadata=ACADEMIC)

    def restricted_meanwhile(hits: Sequence[Hit], neighbours: Neighbours) -> tuple[Passage, ...]:
        shelves.add("notes", *texts, metadata=replace(ACADEMIC, access=CS))
        found = around(hits, neighbours)
        assert [each.text for each in found] == ["A secret."]
        return found

    search = replace(shelves.composed(), context=restricted_meanwhile)
    assert search("dogs", GUEST, Stages()).context == ()


def cut_steps(shelves: Shelves, *steps: str, access: AccessRule | None = None) -> list[Passage]:
    """A list that is cut behind each step, as an ingest would have stored it."""
    version = shelves.library.next_version("steps")
    metadata = Metadata(access=access or AccessRule())
    document = replace(DOCUMENT, document_id="steps", version=version, metadata=metadata)
    blocks = [("p", (), ["Dogs, 0.9:"]), *(("l", (), [step]) for step in steps)]
    found = cut(document, parsed(*blocks), Paragraphs(enough=1, most=5))
    acquired = Acquisition("docs", document, Fingerprint(0, 0, "", ""), found)
    shelves.indexed.store([acquired], Stages())
    return found


def test_the_end_of_a_list_that_is_cut_comes_with_the_hit(shelves: Shelves) -> None:
    first, *rest = cut_steps(shelves, "Feed them well.", "Walk them far often.", "Let them sleep.")
    evidence = shelves.search("dogs")
    assert ids(evidence) == [first.passage_id]
    after = [each.passage_id for each in evidence.following[first.passage_id]]
    assert after == [each.passage_id for each in rest]
    assert {evidence.continued_from(each) for each in after} == {first.passage_id}


def test_a_list_that_goes_on_too_long_has_no_end(shelves: Shelves) -> None:
    cut_steps(shelves, *(f"Do all of number {n}." for n in range(FOLLOWING + 2)))
    assert shelves.search("dogs").following == {}


@pytest.mark.parametrize("access", [AccessRule(), CS])
def test_what_was_restricted_or_read_anew_since_it_was_found_ends_no_list(
    shelves: Shelves, access: AccessRule
) -> None:
    """Of another version nobody knows whether it still goes on with the same list."""
    steps = ("Feed them well.", "Walk them far often.")
    cut_steps(shelves, *steps)

    def meanwhile(_hits: Sequence[Hit], _neighbours: Neighbours) -> tuple[Passage, ...]:
        cut_steps(shelves, *steps, access=access)
        return ()

    evidence = replace(shelves.composed(), context=meanwhile)("dogs", GUEST, Stages())
    assert len(evidence.hits) == 1
    assert evidence.following == {}


def test_every_score_that_led_to_a_place_is_kept(shelves: Shelves) -> None:
    own = Metadata(level="department", access=CS, effective=TODAY)
    shelves.add("own", "Dogs bark, 0.9.", metadata=own)
    shelves.add("other", "Cats purr, 0.2.")
    scores = {h.passage.passage_id: h.scores for h in shelves.search("dogs", ANA).candidates}
    found, near = scores["own-0"], scores["other-0"]
    assert (found["dense_rank"], found["bm25_rank"]) == (1, 1)
    assert found["fusion"] == pytest.approx(2 / 61)
    question, passage = WordsEmbedder().embed(["dogs", "own\nDogs bark, 0.9."])
    assert found["cosine"] == pytest.approx(question @ passage, abs=1e-4)
    assert found["bm25"] > 0
    assert (found["logit"], found["relevance"]) == (4.0, 0.9)
    assert (found["hierarchy"], found["recency"]) == (100, 15)
    assert (near["dense_rank"], near.get("bm25"), near.get("bm25_rank")) == (2, None, None)
    assert near["fusion"] == pytest.approx(1 / 62)
    assert (near["hierarchy"], near["recency"]) == (20, 0)


def test_what_only_the_lexical_search_found_has_its_cosine_too(shelves: Shelves) -> None:
    for n in range(3):
        shelves.add(f"near{n}", "dogs dogs dogs")
    shelves.add("far", "Dogs " + " ".join(f"word{n}" for n in range(40)) + " 0.9.")
    search = shelves.composed(SearchSettings(candidates=4))
    evidence = replace(search, retrievers=search.retrievers[1:])("dogs", GUEST, Stages())
    hit = next(hit for hit in evidence.candidates if hit.passage.passage_id == "far-0")
    assert "dense_rank" not in hit.scores
    assert 0 < hit.scores["cosine"] < 1


def test_what_a_person_may_not_read_takes_no_place_of_what_they_may(shelves: Shelves) -> None:
    for n in range(8):
        shelves.add(f"closed{n}", "Dogs, 0.99.", metadata=Metadata(access=CS))
    shelves.add("open", "Dogs and cats and birds, 0.8.")
    evidence = shelves.search("dogs", settings=SearchSettings(candidates=2))
    assert candidates(evidence) == ["open-0"]
    assert len(shelves.search("dogs", ANA).candidates) == 9


def test_an_index_a_step_ahead_of_the_library_shows_nothing_new(shelves: Shelves) -> None:
    """A document was opened, another is new, and the ingest is not done yet."""
    closed = shelves.add("closed", "Dogs, 0.9.", metadata=Metadata(access=CS))
    shelves.add("open", "Dogs, 0.8.")
    assert candidates(shelves.search("dogs")) == ["open-0"]
    vector = WordsEmbedder().embed(["dogs"])[0]
    for passage_id, document_id in (("closed-0", closed.document_id), ("new-0", "new")):
        entry = IndexEntry(passage_id, document_id, AccessRule(), vector, "dogs")
        shelves.index.upsert([entry])
    evidence = shelves.search("dogs")
    assert candidates(evidence) == ["open-0"]
    assert ids(evidence) == ["open-0"]


def test_a_library_a_step_ahead_of_the_index_shows_nothing_that_was_closed(
    shelves: Shelves,
) -> None:
    document = shelves.add("rules", "Dogs, 0.9.")
    closed = replace(document, metadata=Metadata(access=CS))
    passage = next(shelves.library.all_passages())
    fingerprint = Fingerprint(0, 0, "", "")
    closed = replace(closed, version="2")
    passages = [replace(passage, document=closed)]
    shelves.library.store([Acquisition("docs", closed, fingerprint, passages)])
    shelves.add("open", "Dogs, 0.8.")
    assert candidates(shelves.search("dogs")) == ["open-0"]


def test_a_lost_index_is_said_and_not_taken_for_a_library_without_answers(
    shelves: Shelves,
) -> None:
    shelves.add("rules", "Dogs, 0.9.")
    shelves.index.delete(["rules-0"])
    with pytest.raises(IndexUnavailable, match=r"1 passages .* Run `vouch ingest`"):
        shelves.search("dogs")


def test_who_may_read_nothing_finds_nothing(shelves: Shelves) -> None:
    shelves.add("closed", "Dogs, 0.9.", metadata=Metadata(access=CS))
    evidence = shelves.search("dogs")
    assert (evidence.candidates, evidence.hits) == ((), ())
    assert [part.covered for part in evidence.parts] == [False]
    shelves.add("blank")
    assert shelves.search("dogs").candidates == (), "a document without words is no lost index"


def test_a_rule_of_ones_own_on_another_matter_overrides_nothing(shelves: Shelves) -> None:
    own = Metadata(level="department", access=CS)
    texts = ("Dogs must be on a lead, 0.95.", "Dogs may not swim in ponds ever, 0.8.")
    shelves.add("university", texts[0])
    shelves.add("department", texts[1], metadata=own)
    vectors = shelves.index.vectors(["university-0", "department-0"])
    assert 0.3 < float(vectors["university-0"] @ vectors["department-0"]) < 0.6
    hits = shelves.search("dogs", ANA).hits
    assert [(h.passage.passage_id, h.overridden_by) for h in hits] == [
        ("university-0", None),
        ("department-0", None),
    ]


class OfOnePart(StatedReranker):
    """A text answers, as well as it says, a question of which it has the last word."""

    def scores(self, pairs: Sequence[RerankPair]) -> list[RerankScore]:
        asked = [pair.question.split()[-1] in pair.text for pair in pairs]
        stated = super().scores(pairs)
        return [s if yes else RerankScore(-5, 0) for s, yes in zip(stated, asked, strict=True)]


def test_each_part_of_a_question_is_judged_by_itself(shelves: Shelves) -> None:
    shelves.add("dogs", "Some say that dogs bark, 0.9.")
    shelves.add("cats", "Some say that cats purr, 0.9.")
    search = shelves.composed_with(OfOnePart())
    parts = ("who is it that bark", "what costs the moon")
    evidence = search("who bark, and what costs the moon", GUEST, Stages(), parts)
    assert [(p.text, p.relevance, p.covered) for p in evidence.parts] == [
        (parts[0], 0.9, True),
        (parts[1], 0.0, False),
    ]
    assert ids(evidence) == ["dogs-0"]
    assert sorted(candidates(evidence)) == ["cats-0", "dogs-0"], "each once"


def test_without_a_reranker_the_fusion_is_the_order(shelves: Shelves) -> None:
    shelves.add("second", "Cats and dogs, 0.9.")
    shelves.add("first", "Dogs dogs dogs.")
    ranking = replace(shelves.composed(), reranker=None, selection=BestOfOrder(most=1))
    evidence = ranking("dogs", GUEST, Stages())
    assert ids(evidence) == ["first-0"]
    assert "relevance" not in evidence.hits[0].scores


@pytest.mark.parametrize(
    ("level", "stream", "relevance", "prevails"),
    [
        ("department", Stream.NON_ACADEMIC, 0.4, True),
        ("department", Stream.NON_ACADEMIC, 0.3, False),
        ("university", Stream.NON_ACADEMIC, 0.6, False),
        ("department", Stream.ACADEMIC, 0.6, False),
    ],
)
def test_a_rule_of_ones_own_that_is_worded_otherwise_still_overrides(
    shelves: Shelves, level: str, stream: Stream, relevance: float, prevails: bool
) -> None:
    own = Metadata(level=level, access=CS, stream=stream)
    shelves.add("department", f"Dogs must be on a lead here, {relevance}.", metadata=own)
    shelves.add("university", "Dogs must be on a lead, 0.9.")
    hits = {h.passage.passage_id: h.overridden_by for h in shelves.search("dogs", ANA).hits}
    assert hits == ({"department-0": None} if prevails else {}) | {
        "university-0": "department-0" if prevails else None
    }


def test_a_paragraph_that_stands_in_several_documents_counts_once(shelves: Shelves) -> None:
    for n in range(7):
        shelves.add(f"copy{n}", "Dogs may come in, 0.9.")
    shelves.add("other", "Dogs must be on a lead, 0.8.")
    evidence = shelves.search("dogs")
    assert ids(evidence) == ["copy0-0", "other-0"]
    assert len(evidence.duplicates) == 6


def test_how_much_age_counts_is_the_organisations_own(shelves: Shelves) -> None:
    shelves.add("dogs", "Dogs bark, 0.9.", metadata=Metadata(effective=date(TODAY.year - 1, 1, 1)))
    search = shelves.composed()
    company = replace(search.ontology, recency=Recency(points=40, years=1000))
    found = replace(search, ontology=company)("dogs", GUEST, Stages()).candidates
    assert found[0].scores["recency"] == pytest.approx(40, abs=0.2)


def test_a_part_finds_what_the_whole_question_has_no_room_for(shelves: Shelves) -> None:
    shelves.add("dogs", "Dogs bark dogs bark dogs, 0.9.")
    shelves.add("moon", "The moon, 0.8.")
    few, whole = SearchSettings(candidates=1), "dogs bark dogs bark and the moon"
    assert candidates(shelves.search(whole, settings=few)) == ["dogs-0"]
    found = shelves.search(whole, settings=few, parts=("dogs bark", "the moon"))
    assert [part.covered for part in found.parts] == [True, True]


def test_what_is_first_for_one_part_comes_before_what_is_second_for_another(
    shelves: Shelves,
) -> None:
    for name, text in (
        ("a", "Dogs bark, 0.8."),
        ("b", "Cats purr, 0.95."),
        ("c", "All purr, 0.9."),
    ):
        shelves.add(name, text)
    search = shelves.composed_with(OfOnePart())
    found = search("dogs and cats purr", GUEST, Stages(), ("dogs bark", "cats purr"))
    assert candidates(found) == ["b-0", "a-0", "c-0"]


def test_a_copy_that_nothing_overrides_stands_in_for_one_that_is_overridden(
    shelves: Shelves,
) -> None:
    shelves.add("rules", "Dogs, 0.9.")
    [hit] = shelves.search("dogs").hits
    first, repeated = first_of_each_text([replace(hit, overridden_by="own"), hit, hit])
    assert ([hit.overridden_by for hit in first], len(repeated)) == (["own", None], 1)
