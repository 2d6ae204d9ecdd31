"""What a filter means is written once, here.

`permits` is the reference matcher. An index keeps of a rule its dates and, for each facet, tokens:
an entry matches where it has one of the reader's tokens for every facet. So a query grows with
what the reader may read, never with the number of documents or rules, and every engine that can
tell whether two lists have something in common can filter before it ranks.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from retrieval.types import AccessRule, Scope

EVERYONE = "*"
"""Only a rule may say it; a person whose value is "*" has a value that no rule names."""


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

    Each facet that the rule states must name one of the scope's values, or "*"; a facet
    that it does not state is open, one stated with no values is closed to all. Values
    compare as text and exactly: `CS201` is not `cs201`; white space around a value is
    removed where it is read, by `facet_values`. Outside the rule's dates nobody reads it, but
    for a scope that asks for what is `expired`.
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
    for facet, values in rule.audience:
        held = scope.facets.get(facet, frozenset())
        if EVERYONE not in values and held.isdisjoint(values):
            yield Obstacle(facet, values, tuple(sorted(held)))


def audience_tokens(rule: AccessRule, facets: Sequence[str]) -> tuple[str, ...]:
    """What an index keeps of a rule's audience, for a reader's `wanted_tokens` to meet.

    `facets` are all that the ontology knows. A rule that states another one, or one twice, is
    for nobody: it gets no token at all.
    """
    stated = [(facet, values) for facet, values in rule.audience if EVERYONE not in values]
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
        [_token(facet), *(_token(facet, v) for v in sorted(scope.facets.get(facet, frozenset())))]
        for facet in facets
    ]


def _token(*facet_and_value: str) -> str:
    """Two differ where their parts do, whatever characters these have; in ASCII alone."""
    return json.dumps(facet_and_value, separators=(",", ":"))
