"""Something looks as if it restricts who may read a document, or says that it holds no longer.

A restriction that is written but not understood must keep the document from everyone: so keys that
other systems use, and near misspellings of ours, are refused.
"""

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from difflib import get_close_matches
from enum import StrEnum
from types import MappingProxyType

from retrieval.types import Stated

RESTRICTING = ("audience", "valid_from", "valid_to")
"""Our keys that, misspelt or misplaced, would leave a document open to everyone."""
MISSPELT = 0.85
"""difflib's ratio, 0 to 1, from which one word is meant for another. Not measured; chosen so that
`audiance` and `audeince` are meant for `audience`, and `author` is not."""
SYNONYMS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "audience": tuple(
            """
            access access_control access_level acl allow allowed allowed_groups allowed_users auth
            authentication caveat dissemination distribution groups handling hidden hide internal
            markings members password privacy readable_by reader readers required_group
            required_groups restrict restrict_to rights secrecy security security_label
            security_level shared_with usage_terms viewers who_can_read who_may_read
            """.split()  # noqa: SIM905
        ),
        "valid_from": tuple(
            """
            available_after available_from embargo embargo_until embargoed_until go_live
            not_before publish_at publish_date publish_on publishdate valid_after valid_since
            validity visible_from
            """.split()  # noqa: SIM905
        ),
        "valid_to": tuple(
            """
            article_expiration_time available_until effective_to effective_until end_date
            expiration expiration_date expire expired expires expires_at expires_on expiry
            expiry_date expirydate not_after sunset unpublish unpublish_date unpublish_on until
            valid_before valid_through valid_thru valid_till valid_until visible_to_date
            visible_until
            """.split()  # noqa: SIM905
        ),
    }
)
"""Keys by which other systems restrict, to the one of ours that says the same; see `WORDS`."""
KEYS_IN_TEXT = frozenset(
    """
    access_level audience classification clearance confidentiality dissemination for_only
    intended_audience marking only_for protective_marking readers restricted_to
    security_classification sensitivity shared_with tlp valid_from valid_to valid_until visible_to
    who_may_read
    """.split()  # noqa: SIM905
)
"""Keys that count where everybody sees them too: others are about what a document is about."""
VALUES_IN_TEXT = frozenset(
    """
    confidential hidden internal limited login members nobody only private protected required
    restricted secret true yes
    """.split()  # noqa: SIM905
)
"""Words of a value beside which people see that any other key of the kind restricts."""
WORDS = frozenset(
    """
    classification classified clearance confidential confidentiality gated login marking only
    permission permissions private protected restricted restriction restrictions role roles secret
    sensitivity tlp unlisted unpublished visibility visible
    """.split()  # noqa: SIM905
)
"""Whatever key has one of these words looks like a restriction: `page_visible`, `min_role`."""
OPEN_WHERE_TRUE = frozenset({"listed", "public", "publish", "published", "visible"})
"""What restricts where it says no. Where they say yes, all others do."""
EVERYBODY_SAID = frozenset({"*", "all", "anybody", "anyone", "everybody", "everyone", "public"})
OPEN_VALUES = EVERYBODY_SAID.union(
    """
    0 clear default false general global n/a never no none off open tlp:clear tlp:white
    unclassified unlimited unrestricted white world
    """.split(),  # noqa: SIM905
    ["not restricted"],
)
"""What says that something restricts nobody. `general` is the label of Microsoft's defaults for
whatever is nothing else."""
_NO = frozenset({"false", "no", "off", "0"})
_NOTHING = _NO | {"", "-", "[]", "{}", "n/a", "never", "none", "null", "~"}
_YES = OPEN_VALUES - _NO - {"n/a", "never", "none"} | {"", "1", "on", "true", "y", "yes"}
_PUBLISHED = frozenset({"publish", "published"})
_RELEASED = frozenset({"date_released", "publication_date", "release_date", "released_on"})
TAKES_EFFECT = frozenset(
    {
        *("applicable_from", "applies_from", "date_effective", "effective_as_of", "effective_date"),
        *("effective_from", "effective_on", "effective_since", "in_effect_from", "in_force_from"),
    }
)
"""Keys that restrict where their day lies ahead, and then as `valid_from` does."""
_DAYS = ("%Y/%m/%d", "%d.%m.%Y", "%d %B %Y", "%d %b %Y", "%B %d, %Y", "%b %d, %Y")
"""How people write days that are no other ones anywhere."""
_SAYS_WHO = frozenset({"listed", "public", "visible"})
"""Keys whose value may also say to whom: `visible: hr`."""
_OF_LAW = re.compile(
    r"©|copyright|licen[cs]e|rights reserved|\bCC[ -]|public domain", re.IGNORECASE
)
"""Rights that say who made something, and not who may read it."""
_ADDRESS = re.compile(r"(?:https?://|\.{0,2}/|#)\S*")
_MEANT = {other: ours for ours, others in SYNONYMS.items() for other in others}
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NO_WORD = re.compile(r"\W+|_+")
_KEYS = re.compile(
    rf"(?<![^\W_])(?:{'|'.join([*RESTRICTING, *_MEANT, *sorted(WORDS)])})"
    r"(?:_\w{0,30}|\b)[\"']?\s*[:=]|\[\s*[\w.]*audience\s*\]",
    re.IGNORECASE,
)
_PLURALS = (("ies", "y"), ("ches", "ch"), ("sses", "ss"), ("xes", "x"), ("s", ""))


@dataclass(frozen=True, slots=True)
class Meant:
    key: str
    value: date | None = None
    """What says the same under our key; None where nothing does."""


def counts_in_text(key: str, value: str) -> bool:
    """Whether a line or two cells that everybody sees may say who reads the document."""
    name = folded(key)
    looks = name in _MEANT or not WORDS.isdisjoint(name.split("_"))
    return name in KEYS_IN_TEXT or (
        looks and not VALUES_IN_TEXT.isdisjoint(value.casefold().split())
    )


def meant_by(key: str, value: object, facets: Collection[str]) -> Meant | None:
    """Which of our keys a key that is none of ours seems to be meant for, if any."""
    name = folded(key)
    words = frozenset(name.split("_"))
    ours = _MEANT.get(name) or ("audience" if words & WORDS or name in OPEN_WHERE_TRUE else None)
    if name == "valid" and isinstance(value, Mapping):
        return Meant("valid_from")
    begins = words & _PUBLISHED or name in _RELEASED | TAKES_EFFECT
    if ours is None and begins and (day := _first_day(value)) and day > date.today():
        return Meant("valid_from", day)
    if ours is None:
        facet, near = facet_meant_by(key, facets), misspelt(key)
        return Meant(f"audience.{facet}") if facet else Meant(near) if near else None
    if name in _SAYS_WHO and not isinstance(value, date | None):
        said = " ".join(str(value).casefold().split())
        return None if said in _YES else Meant("audience")
    if words & _PUBLISHED and (day := _first_day(value)):
        return Meant("valid_from", day)
    if ours != "audience" and says_no(value):
        return None
    by_no = name not in _MEANT and name.rpartition("_")[2] in OPEN_WHERE_TRUE
    if _is_open(value, says_no_to_restrict=by_no):
        return None
    of_days = {"valid_from": _first_day, "valid_to": _last_day}
    return Meant(ours, of_days[ours](value) if ours in of_days else None)


def _is_open(value: object, *, says_no_to_restrict: bool) -> bool:
    """A date says when something was published, and nothing says nothing."""
    if value is None:
        return True
    said = " ".join(str(value).casefold().split())
    if says_no_to_restrict:
        return said not in _NO
    if isinstance(value, list):
        return bool(value) and all(_is_open(each, says_no_to_restrict=False) for each in value)
    return said in OPEN_VALUES or bool(_ADDRESS.fullmatch(said) or _OF_LAW.search(said))


def says_no(value: object) -> bool:
    """Whether a value says that something is not so, or says nothing."""
    return value is None or str(value).strip().casefold() in _NOTHING


def day_of(value: object) -> date | None:
    moment = _moment(value)
    return moment.date() if moment else None


def _first_day(value: object) -> date | None:
    """The first whole day on which something holds that begins then; None for no date."""
    moment = _moment(value)
    if moment and moment.time() == time.min:
        return moment.date()
    return moment.date() + timedelta(1) if moment and moment.date() < date.max else None


def _last_day(value: object) -> date | None:
    """The last whole day on which something holds that ends then; None for no date."""
    moment = _moment(value)
    if moment and moment.time() == time.min:
        return moment.date()
    return moment.date() - timedelta(1) if moment and moment.date() > date.min else None


def _moment(value: object) -> datetime | None:
    if isinstance(value, str):
        with suppress(ValueError):
            return datetime.fromisoformat(value.strip())
        for written in _DAYS:
            with suppress(ValueError):
                return datetime.strptime(value.strip(), written)
        return None
    if isinstance(value, date) and not isinstance(value, datetime):
        return datetime.combine(value, time.min)
    return value if isinstance(value, datetime) else None


def facet_meant_by(key: str, facets: Collection[str]) -> str | None:
    """Which facet a key is, almost is, or is the singular of (`batch`, `faculty`), if any."""
    forms = {form: facet for facet in facets for form in (_singular(facet), facet)}
    near = get_close_matches(folded(key), forms, 1, MISSPELT)
    return forms[near[0]] if near else None


def _singular(plural: str) -> str:
    """As English makes plurals; a word that is none stays as it is, or loses a letter or two."""
    for ending, instead in _PLURALS:
        if plural.endswith(ending):
            return plural.removesuffix(ending) + instead
    return plural


def misspelt(key: str) -> str | None:
    """Which of our restricting keys a key is, almost is, or has in it, if any."""
    name = folded(key)
    near = next(iter(get_close_matches(name, RESTRICTING, 1, MISSPELT)), None)
    parts = f"_{name}_"
    return near or next((ours for ours in RESTRICTING if f"_{ours}_" in parts), None)


def folded(key: str) -> str:
    """`validTo`, `Valid-To` and `valid to` as `valid_to`; without what nobody sees."""
    seen = "".join(c for c in unicodedata.normalize("NFKC", key) if unicodedata.category(c) != "Cf")
    return _NO_WORD.sub("_", _HUMP.sub("_", seen)).strip("_").casefold()


def stated_below(value: object) -> Iterator[str]:
    """Each of our restricting keys that stands somewhere inside another key's value."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Mapping):
            yield from (str(key) for key in each if misspelt(str(key)))
            waiting.extend(each.values())
        elif isinstance(each, list | tuple):
            waiting.extend(each)


def states_a_restriction(text: str) -> bool:
    """Whether a text has one of our restricting keys, or a synonym, with a value, anywhere."""
    return _KEYS.search(text) is not None


NEVER = date.min
"""The last day of what holds on no day, as nobody knows on which it ended."""
IN_FIRST_LINES = "its first lines"
_STATUS = frozenset(
    {
        *("content_status", "doc_status", "document_status", "lifecycle", "lifecycle_stage"),
        *("lifecycle_state", "page_status", "publication_status", "stage", "state", "status"),
        *("workflow_state",),
    }
)
_PAST = frozenset(
    {
        *("abolished", "archive", "archived", "deprecated", "deprecated_by", "expired", "obsolete"),
        *("obsoleted_by", "replaced_by", "rescinded", "retired", "superseded"),
        *("superseded_by", "withdrawn"),
    }
)
"""Keys that say so unless they say no."""
REPLACES = frozenset({"replaces", "supersedes", "obsoletes", "is_replacement_of"})
OVER = "abolished|obsolete|out of date|outdated|repealed|rescinded|revoked|superseded|withdrawn"
"""A pattern: words for what no longer holds, be it a document or what stands under a heading."""
_OVER = (
    rf"(?:{OVER}|archived|deprecated|retired|end of life"
    r"|no longer (?:valid|in force|in effect|current|maintained|applicable))"
)
_NOT_YET = r"(?:draft|proposed|proposal|in review|under review|pending|wip|work in progress)"
_IS_OVER = re.compile(
    rf"(?:{_OVER}|inactive|cancell?ed|replaced|historic(?:al)?)\b.*|deleted", re.I | re.S
)
_IS_DRAFT = re.compile(
    rf"(?:{_NOT_YET}|awaiting|embargoed|not yet (?:approved|published|released)|rejected"
    r"|unapproved|unpublished|unreleased)\b.*|for review|not (?:approved|published|released)"
    r"|scheduled",
    re.I | re.S,
)
_TITLE = re.compile(
    rf"(?P<alone>{_OVER}|draft)"
    rf"|[(\[]\s*(?P<ahead>{_OVER}|{_NOT_YET})\s*[)\]].*"
    rf"|.*\s[(\[]\s*(?P<behind>{_OVER}|{_NOT_YET})\s*[)\]]\W*"
    rf"|^(?P<first>{_OVER}|{_NOT_YET})\s*[:\u2013\u2014-].*"
    rf"|.*\S\s*[,:;\u2013\u2014-]\s*(?P<last>{_OVER})\s*\.?$",
    re.IGNORECASE,
)
"""A mark alone, in brackets at either end, before a colon, or after a comma at the end."""
_PAPER = (
    r"(?:page|document|polic(?:y|ies)|guide|guidelines?|guidance|procedures?|rules?|section|version"
    r"|handbook|article|notice|regulations?|text|chapter|information|process|template|wiki|memo)"
)
_THIS = (
    r"(?:(?:please )?(?:note|warning|attention|important|notice)\W+(?:that )?)?"
    rf"(?:this|these|the following) (?:[\w-]+ )?{_PAPER} "
)
_REPLACES = re.compile(
    rf"(?:{_THIS}|it (?=[^.;]*\b{_PAPER}\b))(?:replaces|supersedes) (?:the )?(?P<name>[^.;]+)",
    re.IGNORECASE,
)
_OF_ITSELF = re.compile(
    rf"{_THIS}"
    r"(?:(?:is|are|was|were|has been|have been)(?: now| hereby| therefore| since)? (?:an? )?"
    rf"(?P<is>{_OVER}|draft)"
    r"(?=\W*$|\W+(?:and|as|by|since|from|in|for|on|only|until|version|with|please|see|it)\b|[.,;:(])"
    r"|no longer (?P<not>applies|apply|holds?|is valid|are valid|is in force|are in force))",
    re.IGNORECASE,
)


class Status(StrEnum):
    """A status is what keeps a document from being evidence."""

    DRAFT = "draft"
    OVER = "over"


def status_of(stated: Stated) -> Status | date | None:
    """What a key says of it, or the day until which it held; None where it says nothing of that."""
    name, value = folded(stated.key), stated.value
    if says_no(value):
        return None
    if name == Status.DRAFT:
        return Status.DRAFT
    if name in _PAST:
        return day_of(value) or Status.OVER
    if name not in _STATUS:
        return None
    said = str(value).strip()
    if _IS_OVER.fullmatch(said):
        return Status.OVER
    return Status.DRAFT if _IS_DRAFT.fullmatch(said) else None


def stated_in_title(title: str) -> Iterator[Stated]:
    if found := _TITLE.fullmatch(" ".join(title.split())):
        said = next(filter(None, found.groups()))
        yield Stated("its title", "status", said, describes=False)


def stated_of_itself(sentence: str) -> Iterator[Stated]:
    """Where one of the first sentences says it of the document."""
    if found := _OF_ITSELF.match(sentence.strip()):
        said = found["is"] or "no longer valid"
        yield Stated(IN_FIRST_LINES, "status", said, describes=False)


def stated_of_another(sentence: str) -> Iterator[Stated]:
    """Where the document says by name which one it replaces."""
    if found := _REPLACES.match(sentence.strip()):
        yield Stated(IN_FIRST_LINES, "replaces", found["name"].strip(), describes=False)
