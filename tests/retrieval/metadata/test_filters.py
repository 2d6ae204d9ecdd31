"""What a filter lets through."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.errors import WrongReaders
from retrieval.metadata.access import (
    HOME,
    TEAM,
    Obstacle,
    audience_said,
    audience_tokens,
    obstacles,
    permits,
    wanted_tokens,
)
from retrieval.types import AccessRule, Scope

TODAY = date(2026, 3, 1)
DAY = timedelta(days=1)

FACETS = ("departments", "courses", "batches")
facets = st.sampled_from(FACETS)
values = st.sampled_from(["cs", "CS", "is", "*", "", "2023", HOME])
days = st.none() | st.dates(TODAY - 3 * DAY, TODAY + 3 * DAY)
rules = st.builds(
    AccessRule,
    st.dictionaries(facets, st.frozensets(values).map(sorted).map(tuple)).map(
        lambda audience: tuple(sorted(audience.items()))
    ),
    days,
    days,
)
scopes = st.builds(Scope, st.dictionaries(facets, st.frozensets(values)), st.just(TODAY))


def rule(**audience: tuple[str, ...]) -> AccessRule:
    return AccessRule(tuple(sorted(audience.items())))


def scope(on: date = TODAY, **facets: set[str]) -> Scope:
    return Scope({facet: frozenset(values) for facet, values in facets.items()}, on)


GUEST = scope()
ANA = scope(departments={"cs"}, courses={"CS101", "CS201"})


def test_what_states_nothing_is_for_everyone() -> None:
    assert permits(AccessRule(), GUEST)
    assert permits(AccessRule(), ANA)


def test_a_guest_reads_nothing_that_is_for_somebody() -> None:
    assert not permits(rule(departments=("cs",)), GUEST)
    assert permits(rule(departments=("*",)), GUEST)


def test_one_common_value_in_each_stated_facet_is_enough() -> None:
    assert permits(rule(departments=("cs", "is"), courses=("CS201",)), ANA)
    assert not permits(rule(departments=("is",), courses=("CS201",)), ANA)
    assert not permits(rule(departments=("cs",), batches=("2023",)), ANA)


@pytest.mark.parametrize("other", ["CS", "c", "css", " cs", "cs ", "сs"])  # the last is Cyrillic
def test_values_are_the_same_only_if_they_are_written_the_same(other: str) -> None:
    assert not permits(rule(departments=(other,)), ANA)


HERE, THERE = Scope({TEAM: frozenset({HOME})}, TODAY), Scope({TEAM: frozenset({"T0B"})}, TODAY)


@pytest.mark.parametrize(
    ("teams", "readers"),
    [({}, [HERE]), ({TEAM: ("T0B",)}, [THERE]), ({TEAM: ("*",)}, [HERE, THERE])],
)
def test_what_names_no_workspace_is_for_the_homes_own(
    teams: dict[str, tuple[str, ...]], readers: list[Scope]
) -> None:
    stated = rule(**teams)
    assert [each for each in (HERE, THERE) if permits(stated, each)] == readers
    assert permits(rule(), GUEST), "where there is one alone"


def test_a_facet_without_values_is_for_nobody() -> None:
    assert not permits(rule(departments=()), ANA)
    assert not permits(rule(departments=()), GUEST)


def test_a_person_who_calls_themselves_everyone_is_nobody_special() -> None:
    assert not permits(rule(departments=("cs",)), scope(departments={"*"}))


def test_both_days_of_a_validity_are_in_it() -> None:
    during = AccessRule((), TODAY, TODAY + DAY)
    read_on = [permits(during, scope(TODAY + n * DAY)) for n in (-1, 0, 1, 2)]
    assert read_on == [False, True, True, False]


def test_who_asks_for_what_is_expired_reads_it_but_nothing_of_the_future_or_of_others() -> None:
    asking = replace(scope(TODAY, departments={"cs"}), expired=True)
    assert permits(AccessRule((), None, TODAY - DAY), asking)
    assert not permits(AccessRule((), TODAY + DAY), asking)
    assert not permits(replace(rule(departments=("is",)), valid_to=TODAY - DAY), asking)


@given(rules, scopes)
def test_a_rule_permits_what_its_sentences_say(rule: AccessRule, scope: Scope) -> None:
    audience = dict(rule.audience)
    in_time = (rule.valid_from or TODAY) <= TODAY <= (rule.valid_to or TODAY)
    is_meant = all(
        "*" in audience[facet]
        or any(value in audience[facet] for value in scope.facets.get(facet, ()))
        for facet in audience
    )
    assert permits(rule, scope) == (in_time and is_meant)


@given(rules, scopes, facets, values)
def test_stating_more_never_lets_more_people_in(
    rule: AccessRule, scope: Scope, facet: str, value: str
) -> None:
    if facet not in dict(rule.audience):
        stricter = AccessRule((*rule.audience, (facet, (value,))), rule.valid_from, rule.valid_to)
        assert permits(rule, scope) or not permits(stricter, scope)


@given(rules, rules, scopes)
def test_what_ends_for_some_ends_for_those_alone(
    one: AccessRule, other: AccessRule, scope: Scope
) -> None:
    ended = replace(one, over_for=((other.audience, TODAY),))
    is_over = permits(AccessRule(other.audience), scope) and scope.on > TODAY
    assert permits(ended, scope) == (permits(one, scope) and not is_over)
    ever = replace(scope, expired=True)
    assert permits(ended, ever) == permits(one, ever)


@given(rules, scopes)
def test_tokens_meet_exactly_where_the_audience_permits(rule: AccessRule, scope: Scope) -> None:
    always = replace(rule, valid_from=None, valid_to=None)
    kept = set(audience_tokens(rule, FACETS))
    meet = all(kept.intersection(tokens) for tokens in wanted_tokens(scope, FACETS))
    assert meet == permits(always, scope)


teams = st.frozensets(st.sampled_from([HOME, "T0B", "T0C", "*"])).map(sorted).map(tuple)


@given(st.none() | teams, st.none() | st.sampled_from([HOME, "T0B"]), rules, scopes)
def test_tokens_meet_where_it_is_permitted_in_several_workspaces_too(
    stated: tuple[str, ...] | None, team: str | None, rule: AccessRule, scope: Scope
) -> None:
    more = () if stated is None else ((TEAM, stated),)
    of_team = {} if team is None else {TEAM: frozenset({team})}
    theirs = AccessRule((*rule.audience, *more))
    reader = replace(scope, facets={**scope.facets, **of_team})
    kept = set(audience_tokens(theirs, (*FACETS, TEAM)))
    meet = all(kept.intersection(tokens) for tokens in wanted_tokens(reader, (*FACETS, TEAM)))
    assert meet == permits(theirs, reader)


def test_a_rule_of_every_facet_is_met_by_who_has_a_value_of_each() -> None:
    kept = set(
        audience_tokens(rule(departments=("cs",), courses=("CS201",), batches=("1",)), FACETS)
    )
    both = [ANA, replace(ANA, facets={**ANA.facets, "batches": frozenset({"1"})})]
    met = [all(kept.intersection(each) for each in wanted_tokens(who, FACETS)) for who in both]
    assert met == [False, True]


def test_a_facet_that_is_not_known_or_stated_twice_is_for_nobody() -> None:
    unknown = rule(departments=("*",), clearance=("secret",))
    twice = AccessRule((("departments", ("cs",)), ("departments", ("is",))))
    for closed in (unknown, twice):
        assert audience_tokens(closed, FACETS) == ()
    assert all(wanted_tokens(scope(clearance={"secret"}), FACETS))


def test_without_facets_there_is_no_filter() -> None:
    with pytest.raises(ValueError, match="facets"):
        wanted_tokens(GUEST, ())


def test_of_what_keeps_somebody_out_it_is_told_what_it_wants_and_what_they_have() -> None:
    last, held = TODAY - DAY, (TODAY.isoformat(),)
    over = AccessRule((("departments", ("is",)),), valid_to=last, over_for=(((), last - DAY),))
    assert list(obstacles(over, ANA)) == [
        Obstacle("valid_to", (last.isoformat(),), held),
        Obstacle("valid_to", ((last - DAY).isoformat(),), held),
        Obstacle("departments", ("is",), ("cs",)),
    ]


@pytest.mark.parametrize("said", ["all", "departments", "clearance=a", "departments="])
def test_readers_that_are_not_understood_are_named(said: str) -> None:
    with pytest.raises(WrongReaders, match=f"'{said}' says not who may read"):
        audience_said([said], FACETS)
