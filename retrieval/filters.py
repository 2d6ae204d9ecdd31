"""What a filter means, written once.

Rules are few, one for each distinct audience and validity, however many passages there
are. So a scope is first turned into the ids of the rules that let it through, here, and
every index only keeps the entries whose `access_id` is among them, before it ranks. No
index has an opinion of its own about facets or dates.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from retrieval.types import AccessRule, Scope

EVERYONE = "*"
"""Only a rule may say it; a person whose value is "*" has a value that no rule names."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """One thing in a rule that keeps a scope out."""

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
    for facet, values in rule.audience:
        held = scope.facets.get(facet, frozenset())
        if EVERYONE not in values and held.isdisjoint(values):
            yield Obstacle(facet, values, tuple(sorted(held)))


def allowed(rules: Iterable[AccessRule], scope: Scope) -> frozenset[str]:
    """The access ids of the rules that let a scope through."""
    return frozenset(access_id(rule) for rule in rules if permits(rule, scope))


def access_id(rule: AccessRule) -> str:
    """A stable id: rules that are written differently but mean the same share one.

    128 bits, since two rules with one id would open each other's documents.
    """
    audience = sorted(
        [facet, sorted(set(values))] for facet, values in rule.audience if EVERYONE not in values
    )
    dates = [day.isoformat() if day else None for day in (rule.valid_from, rule.valid_to)]
    canonical = json.dumps([audience, *dates], separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()[:32]
