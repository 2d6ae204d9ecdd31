"""What documents and metadata files state becomes checked metadata.

Nothing is guessed: what may restrict and is not understood makes `BadMetadata`, and the document is
left out.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import date, datetime, time
from enum import StrEnum

from retrieval.errors import BadMetadata, IsDraft, NotYetPublished, shortened
from retrieval.metadata.access import EVERYBODY, Audience, as_facet
from retrieval.metadata.ontology import Ontology, check_link, check_owner, is_relative
from retrieval.metadata.restrictions import (
    EVERYBODY_SAID,
    NEVER,
    REPLACES,
    RESTRICTING,
    TAKES_EFFECT,
    Status,
    folded,
    meant_by,
    stated_below,
    status_of,
)
from retrieval.metadata.strict_yaml import facet_values, written
from retrieval.types import AccessRule, Metadata, Stated, Stream


class Key(StrEnum):
    """These keys are ours; any other is left alone, as a site generator has many."""

    TITLE = "title"
    STREAM = "stream"
    SUBTYPE = "subtype"
    LEVEL = "level"
    AUDIENCE = "audience"
    VALID_FROM = "valid_from"
    VALID_TO = "valid_to"
    EFFECTIVE = "effective"
    OWNER = "owner"
    LINK = "link"
    ORGANISATION = "organisation"
    REPLACES = "replaces"


Statements = Mapping[Key, Stated]


def statements(stated: Iterable[Stated], ontology: Ontology) -> dict[Key, Stated]:
    """What somebody states of a document; raise `BadMetadata` for what restricts unclearly.

    A key with nothing after it states nothing, but for `audience`. Where two places restrict, the
    first counts and the others are checked.
    """
    found: dict[Key, Stated] = {}
    for each in stated:
        ours = _as_ours(each, ontology)
        if ours is None or (ours.value is None and ours.key != Key.AUDIENCE):
            continue
        key = Key(ours.key)
        _access({key: ours}, ontology)
        if key is Key.AUDIENCE and key in found and found[key].value != ours.value:
            raise BadMetadata(
                f"states `{key}` in {found[key].place} and otherwise in {ours.place}; write it once"
            )
        found[key] = _narrower(key, found[key], ours) if key in found else ours
    _access(found, ontology)
    return found


def _narrower(key: Key, one: Stated, other: Stated) -> Stated:
    """Of two statements of one document the first, of two days that between which it holds."""
    if key not in (Key.VALID_FROM, Key.VALID_TO):
        return one
    both = sorted((one, other), key=lambda each: _day(each) or date.min)
    return both[-1] if key is Key.VALID_FROM else both[0]


def _as_ours(stated: Stated, ontology: Ontology) -> Stated | None:
    """The same under a key of ours, or None; raise `BadMetadata` where it may restrict."""
    key, value, place = stated.key, stated.value, stated.place
    if key in RESTRICTING or (stated.describes and key in {*Key} - {Key.ORGANISATION}):
        return stated
    status = status_of(stated)
    if status is Status.DRAFT:
        raise IsDraft(f"is a draft: it states `{shortened(key)}: {shortened(value)}` in {place}")
    if status is not None:
        over = NEVER if status is Status.OVER else status
        return Stated(f"`{shortened(key)}: {shortened(value)}` in {place}", Key.VALID_TO, over)
    if folded(key) in REPLACES:
        return Stated(place, Key.REPLACES, value)
    if meant := meant_by(key, value, ontology.facets):
        if meant.value is not None:
            is_held_back = meant.key == Key.VALID_FROM and folded(key) not in TAKES_EFFECT
            if is_held_back and meant.value > date.today():
                raise NotYetPublished(
                    f"is published on {meant.value}, not before: it states `{shortened(key)}` in "
                    f"{place}; a rule that may be told of now has `valid_from` instead"
                )
            return Stated(f"`{key}` in {place}", meant.key, meant.value)
        raise BadMetadata(
            f"states `{shortened(key)}: {shortened(value)}` in {place}, which is no key of ours "
            f"and may restrict who reads it; write `{meant.key}`, or remove it"
        )
    if below := next(stated_below(value), None):
        raise BadMetadata(
            f"states `{below}` below `{shortened(key)}` in {place}, where it is not read; "
            "write it at the top, or remove it"
        )
    return stated if stated.describes and key == Key.ORGANISATION else None


def over(farther: Statements, nearer: Statements) -> dict[Key, Stated]:
    """The nearer statements win, in `audience` facet by facet: no omission opens anything."""
    merged = {**farther, **nearer}
    if Key.AUDIENCE in farther and Key.AUDIENCE in nearer:
        far, near = farther[Key.AUDIENCE], nearer[Key.AUDIENCE]
        if isinstance(far.value, Mapping):
            value = {**far.value, **near.value} if isinstance(near.value, Mapping) else far.value
            merged[Key.AUDIENCE] = replace(near, value=value, place=f"{near.place} and {far.place}")
    return merged


def metadata(stated: Statements, ontology: Ontology) -> Metadata:
    """Check everything that is stated; raise `BadMetadata` naming place and key."""
    said = stated.get
    return Metadata(
        title=_text(said(Key.TITLE)),
        stream=Stream(_one_of(said(Key.STREAM), tuple(Stream)) or Stream.NON_ACADEMIC),
        subtype=_text(said(Key.SUBTYPE)),
        level=_one_of(said(Key.LEVEL), ontology.level_names),
        access=_access(stated, ontology),
        effective=_day(said(Key.EFFECTIVE), has_time=True),
        owner=_contact(said(Key.OWNER), check_owner),
        link=_link(said(Key.LINK)),
        organisation=_names(said(Key.ORGANISATION)),
        replaces=_names(said(Key.REPLACES)),
        restricted_in=tuple(
            dict.fromkeys(each.place for key, each in stated.items() if key in RESTRICTING)
        ),
        states_readers=Key.AUDIENCE in stated,
    )


def _access(stated: Statements, ontology: Ontology) -> AccessRule:
    start, last = _day(stated.get(Key.VALID_FROM)), stated.get(Key.VALID_TO)
    end = _day(last)
    if last and start and end and NEVER < end < start:
        raise _bad(last, f"is before `valid_from`, {start}; correct one of them")
    return AccessRule(audience_in(stated.get(Key.AUDIENCE), ontology), start, end)


def audience_in(stated: Stated | None, ontology: Ontology) -> Audience:
    """Whom it names; raise `BadMetadata` where that is not understood."""
    if stated is None:
        return EVERYBODY
    audience = stated.value
    if isinstance(audience, str) and audience.strip().casefold() in EVERYBODY_SAID:
        return EVERYBODY
    if not isinstance(audience, Mapping):
        raise _bad(stated, "must map facets to values, or say `everyone`")
    if not audience:
        raise _bad(stated, "names nobody; name somebody, leave it out, or say `everyone`")
    rule = []
    for stated_as, values in audience.items():
        facet = as_facet(str(stated_as), ontology.facets)
        if facet not in ontology.facets:
            known = ", ".join(ontology.facets)
            raise _bad(stated, f"has the unknown facet {facet}; write one of {known}")
        try:
            rule.append((facet, facet_values(values)))
        except ValueError as error:
            raise _bad(stated, f"has a wrong value for {facet}: {error}") from error
        if not rule[-1][1]:
            nobody = f'names nobody for {facet}; name somebody, or write "*" for everyone'
            raise _bad(stated, nobody)
    return ontology.with_home(tuple(sorted(rule)))


def _text(stated: Stated | None) -> str:
    if stated is None:
        return ""
    if isinstance(stated.value, Mapping | list | set | bytes):
        raise _bad(stated, "must be a text")
    try:
        return written(" ".join(str(stated.value).split()))
    except ValueError as error:
        raise _bad(stated, f"cannot be shown: {error}") from error


def _names(stated: Stated | None) -> tuple[str, ...]:
    """One text, or a list of them."""
    if stated is None:
        return ()
    each = stated.value if isinstance(stated.value, list) else [stated.value]
    names = (_text(replace(stated, value=name)) for name in each if name is not None)
    return tuple(dict.fromkeys(filter(None, names)))


def _contact(stated: Stated | None, check: Callable[[str], str]) -> str:
    """One, or a list of some."""
    named = _names(stated)
    if stated and (wrong := next(filter(None, map(check, named)), "")):
        raise _bad(stated, wrong)
    return ", ".join(named)


def _link(stated: Stated | None) -> str:
    """A site's own path leads nowhere from Slack, and restricts nobody."""
    return "" if is_relative(_text(stated)) else _contact(stated, check_link)


def _one_of(stated: Stated | None, known: tuple[str, ...]) -> str:
    text = _text(stated)
    if stated and text not in known:
        raise _bad(stated, f"must be one of {', '.join(known)}")
    return text


def _day(stated: Stated | None, *, has_time: bool = False) -> date | None:
    """`has_time`: it may state a time of day, which is not read."""
    if stated is None or stated.value is None:
        return None
    value = stated.value
    try:
        if isinstance(value, str):
            value = datetime.fromisoformat(value.strip())
        is_moment = isinstance(value, datetime) and (value.tzinfo or value.time() != time.min)
        if is_moment and not has_time:
            raise _bad(stated, "must be a day; a time of day is not read")
    except ValueError as error:
        raise _bad(stated, "is no date; write it as 2026-01-31") from error
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    raise _bad(stated, "is no date; write it as 2026-01-31")


def _bad(stated: Stated, reason: str) -> BadMetadata:
    key, shown = stated.key, shortened(stated.value)
    return BadMetadata(f"states `{key}: {shown}` in {stated.place}, but `{key}` {reason}")
