"""From what front matter and metadata files state to checked metadata.

Nothing is guessed: a statement that is not understood makes `BadMetadata`, and the
document is left out. Read leniently, it would be shown to everyone.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from difflib import get_close_matches
from enum import StrEnum

from retrieval.contacts import check_link, check_owner
from retrieval.errors import BadMetadata
from retrieval.ontology import Ontology
from retrieval.strict_yaml import facet_values
from retrieval.types import AccessRule, Metadata, Stream


class Key(StrEnum):
    """The keys that are ours; any other is left alone, as a site generator has many."""

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


RESTRICTING = (Key.AUDIENCE, Key.VALID_FROM, Key.VALID_TO)
"""Keys that, misspelt, would leave a document open to everyone."""
ALIKE = 0.85
"""Of difflib's ratio: `audiance` and `Audience` are meant for `audience`, `author` is not."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A value as YAML gives it, and where it stands, to name in an error."""

    value: object
    place: str


Statements = Mapping[Key, Statement]


def statements(mapping: Mapping[str, object], place: str) -> dict[Key, Statement]:
    """What a mapping states.

    A key with nothing after it states nothing, so a farther mapping's value holds;
    `audience` is the exception, since an emptied audience is no open one. Raise
    `BadMetadata` for a key that is almost one of those that restrict.
    """
    for key in mapping:
        meant = get_close_matches(key.lower(), RESTRICTING, 1, ALIKE)
        if meant and key not in RESTRICTING:
            raise BadMetadata(f"{place}: {key}: is no key of ours; write {meant[0]}")
    return {
        key: Statement(mapping[key], place)
        for key in Key
        if key in mapping and (mapping[key] is not None or key is Key.AUDIENCE)
    }


def over(farther: Statements, nearer: Statements) -> dict[Key, Statement]:
    """The nearer statements win, inside `audience` facet by facet.

    So nothing that is added to a document can by omission lift a restriction of the
    folder that it lies in.
    """
    merged = {**farther, **nearer}
    if Key.AUDIENCE in farther and Key.AUDIENCE in nearer:
        far, near = farther[Key.AUDIENCE], nearer[Key.AUDIENCE]
        if isinstance(far.value, Mapping) and isinstance(near.value, Mapping):
            place = f"{near.place} and {far.place}"
            merged[Key.AUDIENCE] = Statement({**far.value, **near.value}, place)
        elif not isinstance(far.value, Mapping):
            merged[Key.AUDIENCE] = far  # it may have been a restriction: refused, not replaced
    return merged


def metadata(stated: Statements, ontology: Ontology) -> Metadata:
    """Check everything that is stated; raise `BadMetadata` naming place and key."""
    return Metadata(
        title=_text(stated, Key.TITLE),
        stream=Stream(_one_of(stated, Key.STREAM, tuple(Stream)) or Stream.NON_ACADEMIC),
        subtype=_text(stated, Key.SUBTYPE),
        level=_one_of(stated, Key.LEVEL, ontology.level_names),
        access=_access(stated, ontology),
        effective=_day(stated, Key.EFFECTIVE),
        owner=_contact(stated, Key.OWNER, check_owner),
        link=_contact(stated, Key.LINK, check_link),
    )


def _access(stated: Statements, ontology: Ontology) -> AccessRule:
    start, end = _day(stated, Key.VALID_FROM), _day(stated, Key.VALID_TO)
    if start and end and end < start:
        raise _bad(stated, Key.VALID_TO, f"is before `valid_from`, {start}; correct one of them")
    return AccessRule(_audience(stated, ontology), start, end)


def _audience(stated: Statements, ontology: Ontology) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if Key.AUDIENCE not in stated:
        return ()
    audience = stated[Key.AUDIENCE].value
    if not isinstance(audience, Mapping):
        raise _bad(stated, Key.AUDIENCE, "must map facets to values; for everyone leave it out")
    rule = []
    for facet, values in audience.items():
        if facet not in ontology.facets:
            known = ", ".join(ontology.facets)
            raise _bad(stated, Key.AUDIENCE, f"has the unknown facet {facet}; write one of {known}")
        try:
            rule.append((str(facet), facet_values(values)))
        except ValueError as error:
            raise _bad(stated, Key.AUDIENCE, f"has a wrong value for {facet}: {error}") from error
        if not rule[-1][1]:
            raise _bad(
                stated,
                Key.AUDIENCE,
                f'names nobody for {facet}; name somebody, or write "*" for everyone',
            )
    return tuple(sorted(rule))


def _text(stated: Statements, key: Key) -> str:
    if key not in stated:
        return ""
    value = stated[key].value
    if isinstance(value, Mapping | list | set | bytes):
        raise _bad(stated, key, "must be a text")
    return " ".join(str(value).split())


def _contact(stated: Statements, key: Key, check: Callable[[str], str]) -> str:
    text = _text(stated, key)
    if wrong := check(text):
        raise _bad(stated, key, wrong)
    return text


def _one_of(stated: Statements, key: Key, known: tuple[str, ...]) -> str:
    text = _text(stated, key)
    if key in stated and text not in known:
        raise _bad(stated, key, f"must be one of {', '.join(known)}")
    return text


def _day(stated: Statements, key: Key) -> date | None:
    value = stated[key].value if key in stated else None
    try:
        if isinstance(value, str):
            value = datetime.fromisoformat(value.strip())
    except ValueError as error:
        raise _bad(stated, key, "is no date; write it as 2026-01-31") from error
    if isinstance(value, datetime):
        return value.date()
    if value is None or isinstance(value, date):
        return value
    raise _bad(stated, key, "is no date; write it as 2026-01-31")


def _bad(stated: Statements, key: Key, reason: str) -> BadMetadata:
    value = str(stated[key].value)
    shown = value if len(value) <= 60 else f"{value[:60]}..."
    return BadMetadata(f"states `{key}: {shown}` in {stated[key].place}, but `{key}` {reason}")
