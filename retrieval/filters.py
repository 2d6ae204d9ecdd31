"""What a filter means, written once.

A document states a rule: for whom and when. Rules are few, however many passages there
are, so a scope is turned into the set of rules that let it through, here and nowhere
else. An index filters by membership in that set before it ranks, and so never has a
meaning of its own that could differ.
"""

import hashlib
import json
from collections.abc import Iterable

from retrieval.types import AccessRule, Scope

EVERYONE = "*"


def permits(rule: AccessRule, scope: Scope) -> bool:
    """Whether the audience of a scope may read under a rule.

    Each facet that the rule states must contain one of the audience's values, or "*";
    a facet that it does not state is for everyone, one stated without values for nobody.
    Values compare as exact text. Outside its validity (both days inclusive) a rule
    permits nobody.
    """
    if rule.valid_from is not None and scope.on < rule.valid_from:
        return False
    if rule.valid_to is not None and scope.on > rule.valid_to:
        return False
    return all(
        EVERYONE in values or not scope.facets.get(facet, frozenset()).isdisjoint(values)
        for facet, values in rule.audience
    )


def access_id(rule: AccessRule) -> str:
    """A stable name for a rule: equal rules have one, others another."""
    days = [day.isoformat() if day else None for day in (rule.valid_from, rule.valid_to)]
    canonical = json.dumps([sorted(rule.audience), *days], ensure_ascii=False)
    return hashlib.sha256(canonical.encode()).hexdigest()[:16]


def allowed(rules: Iterable[AccessRule], scope: Scope) -> frozenset[str]:
    """The access ids of the rules that permit a scope."""
    return frozenset(access_id(rule) for rule in rules if permits(rule, scope))
