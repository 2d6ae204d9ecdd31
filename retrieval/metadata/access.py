"""What an access rule means is written once, here: who may read what, and when.

`permits` is the reference matcher. An index keeps dates and, for each facet, tokens: an entry
matches where it has one of the reader's tokens for every facet, so a query grows with what the
reader may read, never with the number of documents.
"""

import json
import math
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from retrieval.errors import WrongReaders
from retrieval.metadata.strict_yaml import facet_values
from retrieval.types import AccessRule, Evidence, Hit, Scope

EVERYONE = "*"
"""Only a rule may say it; a person whose value is "*" has a value that no rule names."""
TEAM = "slack_team"
"""The facet of workspaces, where there are several: every scope then has one of them."""
TEAM_STATED = "team"
CHANNEL_ID = re.compile(r"[CG](?=[A-Z]*\d)[A-Z0-9]{6,}")
"""Of Slack; what has no digit is a handle in capitals."""
HOME = "home"
"""The workspace that a rule is for which states none."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """An obstacle is one thing in a rule that keeps a scope out."""

    key: str
    """A facet, or `valid_from` or `valid_to`."""
    wanted: tuple[str, ...]
    """Values of which the scope would need one; or the day."""
    held: tuple[str, ...]
    """The scope's values, or the day for which it asks."""


def permits(rule: AccessRule, scope: Scope) -> bool:
    """Whether a scope may read what is under a rule.

    Each facet that the rule states must name one of the scope's values, or "*"; one not stated is
    open, one without values closed. Values compare exactly. Outside its dates nobody reads it, but
    for a scope of what is `expired`.
    """
    return next(obstacles(rule, scope), None) is None


def obstacles(rule: AccessRule, scope: Scope) -> Iterator[Obstacle]:
    """All that keeps a scope out; nothing where it is permitted."""
    day = (scope.on.isoformat(),)
    if rule.valid_from is not None and scope.on < rule.valid_from:
        yield Obstacle("valid_from", (rule.valid_from.isoformat(),), day)
    if rule.valid_to is not None and scope.on > rule.valid_to and not scope.expired:
        yield Obstacle("valid_to", (rule.valid_to.isoformat(),), day)
    for audience, last in rule.over_for:
        if scope.on > last and not scope.expired and permits(AccessRule(audience), scope):
            yield Obstacle("valid_to", (last.isoformat(),), day)
    # Where a scope is of one of several workspaces, what states none is for the home alone.
    audience = for_home(rule.audience) if TEAM in scope.facets else rule.audience
    for facet, values in audience:
        held = scope.facets.get(facet, frozenset())
        if EVERYONE not in values and held.isdisjoint(values):
            yield Obstacle(facet, values, tuple(sorted(held)))


def for_home(audience: "Audience", allowed: "Audience" = ()) -> "Audience":
    """The same, where it states no workspace for those of what is allowed, else the home's own."""
    stated = {facet for facet, _ in audience}
    teams = dict(allowed).get(TEAM, (HOME,))
    return audience if TEAM in stated else tuple(sorted((*audience, (TEAM, teams))))


def is_for_the_home(audience: "Audience") -> bool:
    """Whether some of the home's own workspace are among them."""
    return not {HOME, EVERYONE}.isdisjoint(dict(for_home(audience))[TEAM])


def audience_tokens(rule: AccessRule, facets: Sequence[str]) -> tuple[str, ...]:
    """What an index keeps of an audience; nothing where a facet is unknown or stated twice."""
    stated = [
        (facet, (EVERYONE,) if EVERYONE in values else values)
        for facet, values in rule.audience
        if facet == TEAM or EVERYONE not in values
    ]
    by_facet = dict(stated)
    if len(by_facet) != len(stated) or not by_facet.keys() <= set(facets):
        return ()
    return tuple(
        token
        for facet in facets
        for token in (
            sorted({_token(facet, value) for value in by_facet[facet]})
            if facet in by_facet
            else [_token(facet)]
        )
    )


def wanted_tokens(scope: Scope, facets: Sequence[str]) -> list[list[str]]:
    """For each facet the tokens of which an entry must have one; raise `ValueError` without any."""
    if not facets:
        raise ValueError("a filter needs the ontology's facets")
    return [
        [*_open(facet, scope), *(_token(facet, v) for v in sorted(scope.facets.get(facet, ())))]
        for facet in facets
    ]


def _open(facet: str, scope: Scope) -> list[str]:
    """The tokens of what is open in a facet; of workspaces, what states none is the home's own."""
    if facet != TEAM:
        return [_token(facet)]
    is_home = HOME in scope.facets.get(TEAM, (HOME,))
    return [*([_token(TEAM)] if is_home else []), _token(TEAM, EVERYONE)]


def _token(*facet_and_value: str) -> str:
    """Two differ where their parts do, whatever characters these have; in ASCII alone."""
    return json.dumps(facet_and_value, separators=(",", ":"))


def first_begun(evidence: Evidence, after: date, least: float) -> date | None:
    """The first day, after one, on which a later rule in evidence, or near it, begins, if any."""
    prevailing = [hit for hit in evidence.plain if hit.overridden_by is None]
    starts = (rule.valid_from for rule in _rules(prevailing, evidence, least))
    return min((each for each in starts if each and each > after), default=None)


def over_by(day: date, evidence: Evidence, least: float = math.inf) -> bool:
    """Whether there is evidence, or what is near it, and none of it holds on a later day."""
    rules = _rules(evidence.plain, evidence, least)
    then = replace(evidence.scope, on=day)
    return bool(rules) and not any(permits(rule, then) for rule in rules)


def _rules(hits: Sequence[Hit], evidence: Evidence, least: float) -> list[AccessRule]:
    """Whom and when these are for; without any, that of the nearest candidate, if that is near."""
    if not hits and any(part.relevance >= least for part in evidence.parts):
        hits = evidence.candidates[:1]
    return [hit.passage.document.metadata.access for hit in hits]


Audience = tuple[tuple[str, tuple[str, ...]], ...]
EVERYBODY: Audience = ()
NOBODY: Audience = (("nobody", ()),)
"""No scope has a value of a facet that states none."""
_IN_A_WORD = {"everyone": EVERYBODY, "nobody": NOBODY}


def audience_said(said: Sequence[str], facets: Collection[str]) -> Audience:
    """`everyone`, `nobody`, or `departments=hr,finance` for each facet; raise `WrongReaders`."""
    if len(said) == 1 and said[0].strip().casefold() in _IN_A_WORD:
        return _IN_A_WORD[said[0].strip().casefold()]
    stated: dict[str, tuple[str, ...]] = {}
    for each in said:
        facet, equals, values = (part.strip() for part in each.partition("="))
        facet = as_facet(facet, facets)
        if not equals or facet not in facets or facet in stated:
            raise WrongReaders(
                f"{each!r} says not who may read. Write `everyone`, `nobody`, or each facet once "
                f"with its values, such as departments=hr,finance; facets are {', '.join(facets)}."
            )
        try:
            stated[facet] = facet_values(values.split(","))
        except ValueError as error:
            raise WrongReaders(f"{each!r} says not who may read: {error}.") from error
    return tuple(sorted(stated.items()))


def as_facet(stated: str, facets: Collection[str]) -> str:
    """The facet that is meant by what is written."""
    return TEAM if stated == TEAM_STATED and TEAM in facets else stated


def allowed_by(said: Audience | None, stated: Audience | None) -> Audience | None:
    """Whom the operator and the source's folder both allow; None where neither says anything."""
    if said is None or stated is None:
        return said if stated is None else stated
    return narrowed(said, stated)


def narrowed(source: Audience, own: Audience) -> Audience:
    """Whom both allow: facet by facet the intersection, which may be nobody."""
    outer, inner = _restricting(source), _restricting(own)
    both = {
        facet: tuple(sorted(set(values) & set(inner.get(facet, values))))
        for facet, values in outer.items()
    }
    return tuple(sorted({**dict(own), **both}.items()))


def narrower(one: AccessRule, other: AccessRule) -> AccessRule:
    """Whom both rules allow, while both hold."""
    starts = [rule.valid_from for rule in (one, other) if rule.valid_from is not None]
    ends = [rule.valid_to for rule in (one, other) if rule.valid_to is not None]
    audience = narrowed(other.audience, one.audience)
    return AccessRule(audience, max(starts, default=None), min(ends, default=None))


def is_for_nobody(audience: Audience) -> bool:
    return any(not values for _, values in audience)


def _restricting(audience: Audience) -> dict[str, tuple[str, ...]]:
    return {facet: values for facet, values in audience if EVERYONE not in values}
