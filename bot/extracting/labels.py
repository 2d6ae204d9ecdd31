"""Whether a label in a document is what a field is called.

Told by words, never by nearness in meaning: to an embedder "seller" is as near to "buyer" as "bill
to" is far.
"""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from bot.extracting.schema import Field, FieldKind
from retrieval.language.words import words_of

_SAME = (
    ("invoice number", "invoice no", "invoice nr", "invoice id", "invoice"),
    ("invoice date", "date of issue", "issue date", "date of invoice", "issued on", "issued"),
    ("due date", "due by", "due on", "payment due", "pay by", "payable by", "date due"),
    ("seller", "vendor", "supplier", "sold by", "issued by", "from"),
    ("buyer", "customer", "client", "bill to", "billed to", "invoice to", "to"),
    ("vat", "tax", "value added tax", "sales tax"),
    ("total", "total due", "amount due", "total to pay", "grand total", "balance due",
     "amount payable", "total amount", "invoice total"),
    ("purchase order", "po", "po number", "order number", "purchase order number", "your order"),
    ("start date", "effective date", "commencement date", "effective from", "valid from",
     "in force from", "starts on", "begins on"),
    ("end date", "expiry date", "valid until", "expires on", "ends on"),
    ("term", "initial term", "duration", "contract term"),
    ("notice period", "period of notice", "notice"),
    ("governing law", "applicable law"),
    ("owner", "policy owner", "document owner"),
    ("review date", "next review", "next review date", "review due", "review by"),
    ("title", "document title", "name of document"),
    ("author", "written by", "prepared by"),
    ("review interval", "review cycle", "review period", "reviewed"),
)  # fmt: skip
"""What forms call one thing; of a field that goes by one of a row's first name or title."""
_EMPTY = frozenset({"the", "a", "an", "of", "our", "your", "this", "is", "in"})
_IMPLIED = {
    FieldKind.DATE: {"date", "day", "on"},
    FieldKind.DURATION: {"period", "time", "length", "interval", "duration"},
    FieldKind.NUMBER: {"amount", "sum", "number"},
    FieldKind.WHOLE: {"number", "count"},
    FieldKind.TEXT: {"number", "name"},
    FieldKind.YES_NO: set[str](),
}
_GENERIC = frozenset({"date", "number", "amount", "name", "total", "type", "no", "day", "period"})
RATE = re.compile(r"\d+(?:[.,]\d+)? ?%")
"""Stands in a tax's label."""
_NUMBER = {"no": "number", "nr": "number", "num": "number"}

Words = frozenset[str]


@lru_cache(4096)
def words_in(label: str) -> Words:
    """Without those that tell nothing, a rate, what stands in brackets, and an s at the end.

    Not by stems: customs are no customers.
    """
    plain = RATE.sub("", label.partition("(")[0]) or label
    words = (_NUMBER.get(each, each) for each in words_of(plain) if each not in _EMPTY)
    return frozenset(each.removesuffix("s") for each in words)


def is_called(
    field: Field, label: str, about: Collection[str], others: Sequence[Field], *beside: str
) -> bool:
    """Whether the label means the field: by its own words, by another name of it, or in short.

    `about`: what the document is about; `others`: all fields, of which none may be meant as well;
    `beside`: all labels, of which none may name it better.
    """
    own = words_in(label)
    if not own or _by_name(field, own):
        return bool(own)
    if any(_by_name(each, own) for each in others):
        return False
    if any(own == words_in(each) for each in _names_beside(field)):
        return True
    meant = [each for each in others if _in_short(each, own, about)]
    if own <= _GENERIC:
        more = [each for each in map(words_in, beside) if each - _GENERIC]
        meant = [one for one in meant if not any(_in_short(one, each, ()) for each in more)]
    return meant == [field]


def _by_name(field: Field, own: Words) -> bool:
    return any(own == words_in(each) for each in field.labels)


@lru_cache(1024)
def _names_beside(field: Field) -> Sequence[str]:
    wanted = [words_in(each) for each in field.labels]
    wanted += [each - {"name"} for each in wanted]  # of an object: `buyer.name`
    rows = (row for row in _SAME if any(words_in(each) in wanted for each in row))
    return [each for row in rows for each in row]


def _in_short(field: Field, own: Words, about: Collection[str]) -> bool:
    """Such as "Date" on an invoice, "Review" for an interval, "Policy owner" on a policy."""
    known = {*about, *_IMPLIED[field.kind]}
    for label in map(words_in, field.labels):
        more, less = own - label, label - own
        if own & label and more <= known - {"number"} and less <= known:
            named = own & label - _GENERIC or less <= set(about)
            if named:
                return True
    return False
