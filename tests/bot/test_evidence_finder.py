"""What is found for a question, for a follow-up, in private, and of what is out of date."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from fakes import StatedReranker
from shelves import TODAY, Shelves

from bot.access.people import Person
from bot.answering.evidence import EvidenceFinder
from bot.answering.query_rewriting import QueryRewriting, Rewriting
from bot.answering.values import Question, Upcoming
from bot.quality.questions import LabelledQuestion
from bot.quality.run import Evaluation
from retrieval.language.spelling import SpellingProposals
from retrieval.ports import RerankPair, RerankScore
from retrieval.search.query_understanding import PlainWords
from retrieval.timing import Stages
from retrieval.types import AccessRule, Evidence, Metadata, Passage, Scope

ANA = Person("ana", "Ana", "", {"departments": frozenset({"cs"})})
CS = Metadata(access=AccessRule((("departments", ("cs",)),)))


def scope_for(person: Person | None, channel: str | None, on: date) -> Scope:
    """A channel's audience is everyone; in private it is the person."""
    return Scope(person.facets if person and channel is None else {}, on)


def finder(shelves: Shelves) -> EvidenceFinder:
    return EvidenceFinder(scope_for, shelves.composed(), QueryRewriting())


def asked(
    text: str, *previous: str, person: Person | None = None, channel: str | None = None
) -> Question:
    return Question(text, person, TODAY, channel, previous=previous)


def found(shelves: Shelves, text: str, *previous: str) -> Evidence:
    return finder(shelves)(asked(text, *previous), Stages()).evidence


def ids(evidence: Evidence) -> list[str]:
    return [hit.passage.passage_id for hit in evidence.hits]


@pytest.fixture
def shelves(tmp_path: Path) -> Shelves:
    return Shelves(tmp_path)


def more_in_private(shelves: Shelves, question: Question) -> bool:
    find = finder(shelves)
    return find.in_private(question, find(question, Stages())).more


def test_who_tells_of_their_case_asks_the_earlier_question_again(shelves: Shelves) -> None:
    told = replace(asked("I'm a part-timer", "how much leave do I get?"), goes_on=True)
    searched = finder(shelves)(told, Stages())
    assert searched.evidence.query == "how much leave do I get: I'm a part-timer"


def test_in_a_channel_somebody_is_told_of_what_only_they_may_read(shelves: Shelves) -> None:
    shelves.add("open", "Dogs bark, 0.8.")
    in_channel = asked("dogs", person=ANA, channel="C1")
    assert not more_in_private(shelves, in_channel), "there is nothing more yet"
    shelves.add("closed", "Dogs sleep here, 0.9.", metadata=CS)
    assert more_in_private(shelves, in_channel)
    assert not more_in_private(shelves, asked("dogs", person=ANA))
    assert not more_in_private(shelves, asked("dogs", channel="C1"))


def test_what_is_more_in_private_is_looked_for_by_every_part(shelves: Shelves) -> None:
    class LastWord(StatedReranker):
        """A text answers a question of which it has the last word."""

        def scores(self, pairs: Sequence[RerankPair]) -> list[RerankScore]:
            return [
                RerankScore(0.0, 0.9 if p.question.strip("?").split()[-1] in p.text else 0.1)
                for p in pairs
            ]

    shelves.add("open", "Some say that dogs bark.")
    shelves.add("closed", "The kennel opens at noon.", metadata=CS)
    search = shelves.composed_with(LastWord())
    find = EvidenceFinder(scope_for, search, QueryRewriting())
    question = asked("What opens at noon? Who can bark?", person=ANA, channel="C1")
    searched = find(question, Stages())
    assert [part.covered for part in searched.evidence.parts] == [False, True]
    assert find.in_private(question, searched).more


def test_what_was_valid_is_told_of_where_nothing_is_any_more(shelves: Shelves) -> None:
    over = Metadata(access=AccessRule((), valid_to=date(2026, 1, 1)))
    shelves.add("old", "Dogs bark, 0.9.", metadata=over)
    find = finder(shelves)
    searched = find(asked("dogs"), Stages())
    assert ids(searched.evidence) == []
    assert [passage.passage_id for passage in find.expired(searched)] == ["old-0"]
    shelves.add("new", "Dogs bark now, 0.8.")
    assert find.expired(find(asked("dogs"), Stages())) == ()


def test_what_is_out_of_date_is_told_only_to_those_whom_it_was_for(shelves: Shelves) -> None:
    over = Metadata(access=AccessRule((("departments", ("cs",)),), valid_to=date(2026, 1, 1)))
    shelves.add("old", "Dogs bark, 0.9.", metadata=over)
    find = finder(shelves)
    assert find.expired(find(asked("dogs"), Stages())) == ()
    assert len(find.expired(find(asked("dogs", person=ANA), Stages()))) == 1


AHEAD = Metadata(access=AccessRule((), valid_from=date(2027, 1, 1)))
NEXT_YEAR = "dogs in February 2027?"
THEN = Upcoming(date(2027, 2, 1), date(2027, 1, 1))


def test_a_day_ahead_is_answered_as_of_that_day_where_a_rule_begins_before_it(
    shelves: Shelves,
) -> None:
    shelves.add("next", "Dogs bark, 0.9.", metadata=AHEAD)
    shelves.add("always", "Dogs sleep, 0.8.")
    searched = finder(shelves)(asked(NEXT_YEAR), Stages())
    assert (searched.upcoming, searched.evidence.scope.on) == (THEN, THEN.day)
    assert (ids(searched.evidence), searched.evidence.query) == (["next-0", "always-0"], "dogs?")
    for other in ("dogs", "dogs in December 2026", "dogs until February 2027"):
        searched = finder(shelves)(asked(other), Stages())
        assert (searched.upcoming, ids(searched.evidence)) == (None, ["always-0"])


def test_what_will_only_come_near_then_is_what_is_told_of(shelves: Shelves) -> None:
    shelves.add("next", "Dogs bark, 0.4.", metadata=AHEAD)
    searched = finder(shelves)(asked(NEXT_YEAR), Stages())
    assert (searched.upcoming, ids(searched.evidence)) == (THEN, [])
    shelves.add("always", "Dogs sleep, 0.9.")
    searched = finder(shelves)(asked(NEXT_YEAR), Stages())
    assert (searched.upcoming, ids(searched.evidence)) == (None, ["always-0"])
    assert searched.evidence.scope.on == TODAY


@pytest.mark.parametrize(
    ("when", "found"),
    [
        ("in July", []),
        ("on 3 July", []),
        ("for 1200 euros in July", []),
        ("in July 2027", ["always-0"]),
        ("next July", ["always-0"]),
    ],
)
def test_a_time_of_every_year_is_no_time_to_leave_out(
    shelves: Shelves, when: str, found: list[str]
) -> None:
    class OfNoMonth(StatedReranker):
        def scores(self, pairs: Sequence[RerankPair]) -> list[RerankScore]:
            return [RerankScore(0.0, 0.1 if "July" in p.question else 0.9) for p in pairs]

    shelves.add("always", "Porter is brewed with barley.")
    find = EvidenceFinder(scope_for, shelves.composed_with(OfNoMonth()), QueryRewriting())
    evidence = find(asked(f"can I get porter {when}?"), Stages()).evidence
    assert ids(evidence) == found
    assert ("July" in evidence.query) is (found == [])


def test_what_holds_today_and_then_is_not_upcoming(shelves: Shelves) -> None:
    shelves.add("always", "Dogs bark, 0.9.")
    searched = finder(shelves)(asked(NEXT_YEAR), Stages())
    assert (searched.upcoming, searched.evidence.query) == (None, NEXT_YEAR)


def test_of_what_will_hold_only_those_are_answered_whom_it_is_for(shelves: Shelves) -> None:
    closed = AccessRule((("departments", ("cs",)),), valid_from=date(2027, 1, 1))
    shelves.add("next", "Dogs bark, 0.9.", metadata=Metadata(access=closed))
    find = finder(shelves)
    for question in (asked(NEXT_YEAR), asked(NEXT_YEAR, person=ANA, channel="C1")):
        searched = find(question, Stages())
        assert (searched.upcoming, ids(searched.evidence)) == (None, [])
    assert ids(find(asked(NEXT_YEAR, person=ANA), Stages()).evidence) == ["next-0"]


def test_in_a_channel_the_asker_hears_that_they_may_read_more_of_then(shelves: Shelves) -> None:
    closed = AccessRule((("departments", ("cs",)),), valid_from=date(2027, 1, 1))
    shelves.add("closed", "Dogs purr, 0.9.", metadata=Metadata(access=closed))
    shelves.add("next", "Dogs bark, 0.9.", metadata=AHEAD)
    find = finder(shelves)
    question = asked(NEXT_YEAR, person=ANA, channel="C1")
    searched = find(question, Stages())
    assert ids(searched.evidence) == ["next-0"]
    assert find.in_private(question, searched).more


def test_of_now_and_then_what_holds_now_is_found(shelves: Shelves) -> None:
    shelves.add("next", "Dogs bark, 0.9.", metadata=AHEAD)
    shelves.add("always", "Dogs sleep, 0.9.")
    searched = finder(shelves)(asked("dogs now and from February 2027?"), Stages())
    assert (searched.upcoming, ids(searched.evidence)) == (THEN, ["always-0"])


@pytest.mark.parametrize(
    ("earlier", "text", "day"),
    [
        (["dogs?"], "And from April?", date(2026, 4, 1)),
        (["dogs in April?"], "And for guests?", date(2026, 4, 1)),
        (["dogs?", "And from April?"], "and for guests?", date(2026, 4, 1)),
        (["dogs in April?"], "and in May?", date(2026, 5, 1)),
        (["dogs in April?"], "and today?", TODAY),
        (["dogs in April?"], "what do cats eat in winter?", TODAY),
    ],
)
def test_a_follow_up_asks_about_the_day_that_is_being_talked_about(
    shelves: Shelves, earlier: list[str], text: str, day: date
) -> None:
    soon = Metadata(access=AccessRule((), valid_from=date(2026, 3, 20)))
    shelves.add("soon", "Dogs of guests bark, and cats, 0.9.", metadata=soon)
    searched = finder(shelves)(asked(text, *earlier), Stages())
    assert searched.evidence.scope.on == day
    assert "April" not in searched.evidence.query


def test_a_follow_up_that_names_a_day_and_nothing_else_asks_the_same_again(
    shelves: Shelves,
) -> None:
    shelves.add("always", "Dogs bark, 0.9.")
    shelves.add("next", "Dogs purr, 0.9.", metadata=AHEAD)
    find = finder(shelves)
    assert find(asked("And from January?", "dogs?"), Stages()).evidence.query == "dogs"


class Both(StatedReranker):
    """A text answers in the share of the two subjects that question and text have in common."""

    def __init__(self, alone: float, joined: float) -> None:
        self._by_joined = {False: alone, True: joined}

    def scores(self, pairs: Sequence[RerankPair]) -> list[RerankScore]:
        return [RerankScore(0.0, self._by_joined["parental" in p.question]) for p in pairs]


EARLIER = "How long is parental leave?"
FOLLOW_UP = "Does a contractor get a break halfway?"


def followed_up(shelves: Shelves, alone: float, joined: float) -> Evidence:
    search = shelves.composed_with(Both(alone, joined))
    find = EvidenceFinder(scope_for, search, QueryRewriting())
    return find(asked(FOLLOW_UP, EARLIER), Stages()).evidence


def test_a_follow_up_that_finds_nothing_alone_is_searched_with_what_was_asked(
    shelves: Shelves,
) -> None:
    shelves.add("leave", "A contractor may take a break.")
    assert ids(followed_up(shelves, alone=0.1, joined=0.9)) == ["leave-0"]
    assert followed_up(shelves, alone=0.8, joined=0.9).query == FOLLOW_UP


def test_where_a_follow_up_finds_nothing_the_nearer_search_is_told_of(shelves: Shelves) -> None:
    shelves.add("leave", "A contractor may take a break.")
    assert "parental" in followed_up(shelves, alone=0.1, joined=0.5).query
    assert followed_up(shelves, alone=0.1, joined=0.05).query == FOLLOW_UP


def test_what_comes_near_something_alone_is_not_told_of_as_a_follow_up(shelves: Shelves) -> None:
    shelves.add("leave", "A contractor may take a break.")
    assert followed_up(shelves, alone=0.4, joined=0.5).query == FOLLOW_UP


def test_a_search_that_came_nearer_by_the_earlier_question_alone_is_not_told_of(
    shelves: Shelves,
) -> None:
    shelves.add("leave", "Mothers stay at home.")
    assert followed_up(shelves, alone=0.1, joined=0.5).query == FOLLOW_UP


def test_a_question_that_is_asked_again_is_searched_alone(shelves: Shelves) -> None:
    shelves.add("leave", "A contractor may take a break.")
    find = EvidenceFinder(scope_for, shelves.composed_with(Both(0.1, 0.5)), QueryRewriting())
    again = FOLLOW_UP.upper()
    assert find(asked(again, FOLLOW_UP), Stages()).evidence.query == again
    assert "parental" in find(asked(again, EARLIER, FOLLOW_UP), Stages()).evidence.query


TITLE = "Annual leave and sick leave"
SECTIONS = [(TITLE, "Sick leave"), (TITLE, "Annual leave")]
OF_ILLNESS = "when do I need a doctor's note?"


def on_leave(shelves: Shelves, annual: float) -> Evidence:
    texts = ("A doctor writes a note, 0.9.", f"Thirty days in summer, {annual}.")
    shelves.add("leave", *texts, sections=SECTIONS, title=TITLE)
    return found(shelves, "and annual leave?", OF_ILLNESS)


def test_what_is_asked_next_of_a_listed_section_is_not_answered_from_another(
    shelves: Shelves,
) -> None:
    """The title says "annual leave" over the section on illness, too."""
    evidence = on_leave(shelves, annual=0.8)
    assert (ids(evidence), evidence.query) == (["leave-1"], f"{OF_ILLNESS[:-1]}: and annual leave?")


def test_where_the_earlier_answer_comes_again_the_next_topic_is_searched_alone(
    shelves: Shelves,
) -> None:
    evidence = on_leave(shelves, annual=0.4)
    assert (ids(evidence), evidence.query) == ([], "and annual leave?")
    assert not evidence.parts[0].covered


def test_a_title_that_lists_no_sections_speaks_for_all_of_its_own(shelves: Shelves) -> None:
    texts = ("Twenty days are free, 0.9.", "They are red, 0.4.")
    sections = [("Contractor handbook", "Leave"), ("Contractor handbook", "Contractors' badges")]
    shelves.add("contractors", *texts, sections=sections, title="Contractor handbook")
    assert ids(found(shelves, "and for contractors?", "how much leave?")) == ["contractors-0"]


def test_an_evaluation_searches_for_a_follow_up_as_the_bot_does(shelves: Shelves) -> None:
    shelves.add("leave", "A contractor may take a break.")
    labelled = LabelledQuestion.model_validate(
        {
            "id": "q1",
            "question": FOLLOW_UP,
            "previous": [EARLIER],
            "kind": "followup",
            "gold": [{"file": "leave.md", "line_start": 1, "line_end": 1}],
        }
    )
    evaluation = Evaluation([labelled], lambda _: None, [], TODAY)
    search = shelves.composed_with(Both(alone=0.1, joined=0.9))
    find = EvidenceFinder(scope_for, search, QueryRewriting())
    [(_, evidence)] = evaluation.evidences(find, lambda *_: None)
    assert "parental" in evidence.query
    assert ids(evidence) == ["leave-0"]


@pytest.mark.parametrize("on", ["and then?", "so?", "And?"])
def test_what_asks_on_is_searched_as_what_was_asked_last(shelves: Shelves, on: str) -> None:
    shelves.add("dogs", "Dogs of guests bark, 0.9.")
    for previous, query in ((["dogs?"], "dogs?"), (["dogs?", "and for guests?"], None)):
        searched = found(shelves, on, *previous)
        assert searched.query == (query or "dogs: and for guests?")
        assert ids(searched) == ["dogs-0"]


class OfParking(StatedReranker):
    """Only what is asked of parking has an answer."""

    def scores(self, pairs: Sequence[RerankPair]) -> list[RerankScore]:
        return [RerankScore(0.0, 0.9 if "parking" in p.question else 0.1) for p in pairs]


def test_where_the_topic_has_no_answer_to_a_follow_up_the_question_before_it_may(
    shelves: Shelves,
) -> None:
    shelves.add("parking", "Visitors stand anywhere.")
    find = EvidenceFinder(scope_for, shelves.composed_with(OfParking()), QueryRewriting())
    previous = ("how late can I hand in coursework?", "is there parking?")
    searched = find(asked("how about visitors", *previous), Stages()).evidence
    assert (ids(searched), searched.query) == (
        ["parking-0"],
        "is there parking: how about visitors",
    )


def test_a_misspelt_question_is_searched_as_it_was_meant_and_kept_as_it_was_typed(
    shelves: Shelves,
) -> None:
    shelves.add("it", "Password resets, 0.9.")
    plain = PlainWords(shelves.library, shelves.index, SpellingProposals())
    find = replace(finder(shelves), plain_words=plain)
    answer = find(asked("pasword"), Stages())
    assert ids(answer.evidence) == ["it-0"]
    assert answer.evidence.query == "password"
    assert answer.understood.text == "pasword"
    followed = find(asked("and for guests?", "pasword resets"), Stages())
    assert followed.evidence.query == "password resets: and for guests?"


def test_in_a_channel_no_word_is_corrected_by_what_the_asker_alone_may_read(
    shelves: Shelves,
) -> None:
    shelves.add("open", "Dogs bark, 0.8.")
    shelves.add("closed", "Redundancy is announced, 0.9.", metadata=CS)
    plain = PlainWords(shelves.library, shelves.index, SpellingProposals())
    find = replace(finder(shelves), plain_words=plain)
    in_channel = asked("redundncy dogs", person=ANA, channel="C1")
    answer = find(in_channel, Stages())
    assert answer.evidence.query == "redundncy dogs"
    assert find.in_private(in_channel, answer).more
    assert find(asked("redundncy", person=ANA), Stages()).evidence.query == "redundancy"


STEPS = {"Which team feeds dogs?": "feeds", "Who leads the kennel team?": "leads"}


class Steps(StatedReranker):
    """Each step is answered by the text that has its verb, and the whole question by none."""

    def scores(self, pairs: Sequence[RerankPair]) -> list[RerankScore]:
        return [
            RerankScore(0.0, 0.9 if STEPS.get(p.question, "no step") in p.text else 0.1)
            for p in pairs
        ]


def taking_steps(shelves: Shelves) -> tuple[EvidenceFinder, list[str]]:
    """And what is asked of the model that finds the steps."""
    told: list[str] = []

    def take(question: str, nearest: Sequence[Passage]) -> Rewriting:
        told.append(f"{question} {' '.join(each.source for each in nearest)}")
        return Rewriting("", {"prompt": 9}, tuple(STEPS))

    understanding = QueryRewriting(take_steps=take)
    return EvidenceFinder(scope_for, shelves.composed_with(Steps()), understanding), told


def test_a_question_in_two_steps_is_found_where_both_are_and_by_who_may_read_both(
    shelves: Shelves,
) -> None:
    shelves.add("feeds", "The kennel team feeds dogs.")
    shelves.add("leads", "Dana leads the kennel team.", metadata=CS)
    find, told = taking_steps(shelves)
    question = asked("who leads the team that feeds dogs?", person=ANA, channel="C1")
    in_channel = find.in_steps(find(question, Stages()), Stages())
    assert ids(in_channel.evidence) == []
    assert "Dana" not in told[0], "not everybody in the channel may read that"
    assert find.in_private(question, in_channel).more
    alone = replace(question, channel=None)
    found = find.in_steps(find(alone, Stages()), Stages())
    assert sorted(ids(found.evidence)) == ["feeds-0", "leads-0"]
    assert found.understood.tokens["steps"] == {"prompt": 9}


def test_what_asks_several_things_or_of_a_day_ahead_is_not_taken_apart_again(
    shelves: Shelves,
) -> None:
    shelves.add("feeds", "The kennel team feeds dogs.")
    find, told = taking_steps(shelves)
    several = find(asked("Who feeds dogs? Who leads the team?"), Stages())
    assert find.in_steps(several, Stages()) is several
    ahead = replace(find(asked("who leads it?"), Stages()), upcoming=THEN)
    assert find.in_steps(ahead, Stages()) is ahead
    assert told == []
