"""What is found for a question, for a follow-up, in private, and of what is out of date."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import pytest
from fakes import StatedReranker
from shelves import TODAY, Shelves
from tiny_pipeline import scope_for

from audit.record import Upcoming
from bot.access.people import Person
from bot.answering.evidence import EvidenceFinder, SearchResult
from bot.answering.query_rewriting import QueryRewriting, Rewriting
from bot.answering.values import Question
from bot.quality.questions import LabelledQuestion
from bot.quality.run import Evaluation
from retrieval.ports import RerankPair, RerankScore
from retrieval.search.query_understanding import PlainWords, SpellingProposals
from retrieval.search.timing import Stages
from retrieval.types import AccessRule, Evidence, Metadata, Passage

ANA = Person("ana", "Ana", "", {"departments": frozenset({"cs"})})
CS = Metadata(access=AccessRule((("departments", ("cs",)),)))


def finder(shelves: Shelves, reranker: StatedReranker | None = None) -> EvidenceFinder:
    search = shelves.composed_with(reranker or StatedReranker())
    return EvidenceFinder(scope_for, search, QueryRewriting())


def spelling(shelves: Shelves) -> EvidenceFinder:
    """It corrects what is misspelt as well."""
    plain = PlainWords(shelves.library, shelves.index, SpellingProposals())
    return replace(finder(shelves), plain_words=plain)


def asked(
    text: str, *previous: str, person: Person | None = None, channel: str | None = None
) -> Question:
    return Question(text, person, TODAY, channel, previous=previous)


def searched(
    shelves: Shelves, text: str, *previous: str, by: StatedReranker | None = None
) -> SearchResult:
    return finder(shelves, by)(asked(text, *previous), Stages())


def found(
    shelves: Shelves, text: str, *previous: str, by: StatedReranker | None = None
) -> Evidence:
    return searched(shelves, text, *previous, by=by).evidence


def ids(evidence: Evidence) -> list[str]:
    return [hit.passage.passage_id for hit in evidence.hits]


def more_in_private(shelves: Shelves, question: Question) -> bool:
    find = finder(shelves)
    return find.in_private(question, find(question, Stages())).more


def test_who_tells_of_their_case_asks_the_earlier_question_again(shelves: Shelves) -> None:
    told = replace(asked("I'm a part-timer", "how much leave do I get?"), goes_on=True)
    evidence = finder(shelves)(told, Stages()).evidence
    assert evidence.query == "how much leave do I get: I'm a part-timer"


def test_who_tells_of_their_case_and_asks_a_whole_question_is_asked_nothing_else(
    shelves: Shelves,
) -> None:
    text = "I'm a contractor, how do I request a badge?"
    told = replace(asked(text, "how much leave do I get?"), goes_on=True)
    assert finder(shelves)(told, Stages()).evidence.query == text


def test_what_is_typed_without_its_accent_is_in_what_is_found(shelves: Shelves) -> None:
    shelves.add("crèche", "The crèche is open at noon, 0.9.")
    assert ids(found(shelves, "and the creche?", "what is open at noon?")) == ["crèche-0"]


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
    find = finder(shelves, LastWord())
    question = asked("What opens at noon? Who can bark?", person=ANA, channel="C1")
    searched = find(question, Stages())
    assert [part.covered for part in searched.evidence.parts] == [False, True]
    assert find.in_private(question, searched).more


def test_what_was_valid_is_told_of_where_nothing_is_any_more_to_those_whom_it_was_for(
    shelves: Shelves,
) -> None:
    over = Metadata(access=AccessRule(valid_to=date(2026, 1, 1)))
    of_cs = Metadata(access=replace(CS.access, valid_to=date(2026, 1, 1)))
    shelves.add("old", "Dogs bark, 0.9.", metadata=over)
    shelves.add("older", "Dogs howl, 0.9.", metadata=of_cs)
    find = finder(shelves)

    def expired(person: Person | None = None) -> list[str]:
        over = find.expired(find(asked("dogs", person=person), Stages()))
        return sorted(passage.passage_id for passage in over)

    assert (expired(), expired(ANA)) == (["old-0"], ["old-0", "older-0"])
    assert ids(found(shelves, "dogs")) == []
    shelves.add("new", "Dogs bark now, 0.8.")
    assert expired() == []


AHEAD = Metadata(access=AccessRule((), valid_from=date(2027, 1, 1)))
NEXT_YEAR = "dogs in February 2027?"
THEN = Upcoming(date(2027, 2, 1), date(2027, 1, 1))


def dated(shelves: Shelves, text: str) -> tuple[Upcoming | None, list[str]]:
    """What is upcoming, and found."""
    then = searched(shelves, text)
    return then.upcoming, ids(then.evidence)


def test_a_day_ahead_is_answered_as_of_that_day_where_a_rule_begins_before_it(
    shelves: Shelves,
) -> None:
    shelves.add("next", "Dogs bark, 0.9.", metadata=AHEAD)
    shelves.add("always", "Dogs sleep, 0.8.")
    then = searched(shelves, NEXT_YEAR)
    assert (then.upcoming, then.evidence.scope.on) == (THEN, THEN.day)
    assert (ids(then.evidence), then.evidence.query) == (["next-0", "always-0"], "dogs?")
    for other in ("dogs", "dogs in December 2026", "dogs until February 2027"):
        assert dated(shelves, other) == (None, ["always-0"])
    assert dated(shelves, "dogs now and from February 2027?") == (THEN, ["always-0"])


def test_what_will_only_come_near_then_is_what_is_told_of(shelves: Shelves) -> None:
    shelves.add("next", "Dogs bark, 0.4.", metadata=AHEAD)
    assert dated(shelves, NEXT_YEAR) == (THEN, [])
    shelves.add("always", "Dogs sleep, 0.9.")
    assert dated(shelves, NEXT_YEAR) == (None, ["always-0"])
    now = found(shelves, NEXT_YEAR)
    assert (now.scope.on, now.query) == (TODAY, NEXT_YEAR), "that holds today and then"


@pytest.mark.parametrize(
    ("when", "left"),
    [
        ("in July", []),
        ("on 3 July", []),
        ("for 1200 euros in July", []),
        ("in July 2027", ["always-0"]),
        ("next July", ["always-0"]),
    ],
)
def test_a_time_of_every_year_is_no_time_to_leave_out(
    shelves: Shelves, when: str, left: list[str]
) -> None:
    class OfNoMonth(StatedReranker):
        def scores(self, pairs: Sequence[RerankPair]) -> list[RerankScore]:
            return [RerankScore(0.0, 0.1 if "July" in p.question else 0.9) for p in pairs]

    shelves.add("always", "Porter is brewed with barley.")
    evidence = found(shelves, f"can I get porter {when}?", by=OfNoMonth())
    assert ids(evidence) == left
    assert ("July" in evidence.query) is (left == [])


def test_of_what_will_hold_only_those_are_answered_whom_it_is_for_and_told_of_it_in_a_channel(
    shelves: Shelves,
) -> None:
    closed = Metadata(access=replace(CS.access, valid_from=date(2027, 1, 1)))
    shelves.add("closed", "Dogs purr, 0.9.", metadata=closed)
    find, in_channel = finder(shelves), asked(NEXT_YEAR, person=ANA, channel="C1")
    for question in (asked(NEXT_YEAR), in_channel):
        then = find(question, Stages())
        assert (then.upcoming, ids(then.evidence)) == (None, [])
    assert ids(find(asked(NEXT_YEAR, person=ANA), Stages()).evidence) == ["closed-0"]
    shelves.add("next", "Dogs bark, 0.9.", metadata=AHEAD)
    then = find(in_channel, Stages())
    assert ids(then.evidence) == ["next-0"]
    assert find.in_private(in_channel, then).more


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
    evidence = found(shelves, text, *earlier)
    assert evidence.scope.on == day
    assert "April" not in evidence.query
    assert text != "And from April?" or evidence.query == "dogs", "it names a day and nothing else"


class Both(StatedReranker):
    """A text answers in the share of the two subjects that question and text have in common."""

    def __init__(self, alone: float, joined: float) -> None:
        self._by_joined = {False: alone, True: joined}

    def scores(self, pairs: Sequence[RerankPair]) -> list[RerankScore]:
        return [RerankScore(0.0, self._by_joined["parental" in p.question]) for p in pairs]


EARLIER = "How long is parental leave?"
FOLLOW_UP = "Does a contractor get a break halfway?"


def followed_up(shelves: Shelves, alone: float, joined: float) -> Evidence:
    return found(shelves, FOLLOW_UP, EARLIER, by=Both(alone, joined))


def test_a_follow_up_that_finds_nothing_alone_is_searched_with_what_was_asked(
    shelves: Shelves,
) -> None:
    shelves.add("leave", "A contractor may take a break.")
    assert ids(followed_up(shelves, alone=0.1, joined=0.9)) == ["leave-0"]
    for alone, joined in ((0.8, 0.9), (0.1, 0.5)):
        assert followed_up(shelves, alone, joined).query == FOLLOW_UP
    again, both = FOLLOW_UP.upper(), Both(0.1, 0.9)
    assert found(shelves, again, FOLLOW_UP, by=both).query == again, "it is asked again"
    assert "parental" in found(shelves, again, EARLIER, FOLLOW_UP, by=both).query


def test_what_answers_the_earlier_question_alone_is_not_found_for_the_follow_up(
    shelves: Shelves,
) -> None:
    shelves.add("leave", "Mothers stay at home.")
    evidence = followed_up(shelves, alone=0.1, joined=0.9)
    assert (ids(evidence), evidence.query) == ([], FOLLOW_UP)


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
    find = finder(shelves, Both(alone=0.1, joined=0.9))
    [(_, evidence)] = evaluation.evidences(find, lambda *_: None)
    assert "parental" in evidence.query
    assert ids(evidence) == ["leave-0"]


@pytest.mark.parametrize("on", ["and then?", "so?", "And?"])
def test_what_asks_on_is_searched_as_what_was_asked_last(shelves: Shelves, on: str) -> None:
    shelves.add("dogs", "Dogs of guests bark, 0.9.")
    for previous, query in ((["dogs?"], "dogs?"), (["dogs?", "and for guests?"], None)):
        evidence = found(shelves, on, *previous)
        assert evidence.query == (query or "dogs: and for guests?")
        assert ids(evidence) == ["dogs-0"]


def test_a_misspelt_question_is_searched_as_it_was_meant_and_kept_as_it_was_typed(
    shelves: Shelves,
) -> None:
    shelves.add("it", "Password resets, 0.9.")
    find = spelling(shelves)
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
    find = spelling(shelves)
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
