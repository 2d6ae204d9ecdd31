"""Who may read a source, as somebody says it: its documents can only narrow that.

An audience is what `AccessRule.audience` is: (facet, values) for each facet that is stated.
"""

from collections.abc import Collection, Sequence

from retrieval.errors import WrongReaders
from retrieval.filters import EVERYONE
from retrieval.metadata.strict_yaml import facet_values
from retrieval.types import AccessRule

Audience = tuple[tuple[str, tuple[str, ...]], ...]

EVERYBODY: Audience = ()
NOBODY: Audience = (("nobody", ()),)
"""No scope has a value of a facet that states none."""
_IN_A_WORD = {"everyone": EVERYBODY, "nobody": NOBODY}


def audience_said(said: Sequence[str], facets: Collection[str]) -> Audience:
    """`everyone`, `nobody`, or `departments=hr,finance` for each facet, as people type it.

    Raise `WrongReaders` for whatever else.
    """
    if len(said) == 1 and said[0].strip().casefold() in _IN_A_WORD:
        return _IN_A_WORD[said[0].strip().casefold()]
    stated: dict[str, tuple[str, ...]] = {}
    for each in said:
        facet, equals, values = (part.strip() for part in each.partition("="))
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
    """Whether it names no value for some facet."""
    return any(not values for _, values in audience)


def _restricting(audience: Audience) -> dict[str, tuple[str, ...]]:
    return {facet: values for facet, values in audience if EVERYONE not in values}
