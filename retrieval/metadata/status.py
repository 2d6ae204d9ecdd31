"""Whether a document says of itself that it holds no longer, or does not hold yet.

It may say so under a key that content systems have for that, in its title, or in its first lines.
"""

import re
from collections.abc import Iterator
from datetime import date
from enum import StrEnum

from retrieval.metadata.restrictions import day_of, folded, says_no
from retrieval.types import Stated

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
