"""A schema says which fields are wanted: a JSON Schema, which pydantic writes of a model too.

It may come from anybody, so it is bounded, refers to nothing but its own `$defs`, and what it asks
for and is not understood is refused rather than passed over.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any

from bot.errors import WrongUse
from bot.wording import extracting as wording
from retrieval.language.words import words_of

MOST_FIELDS = 60
DEEPEST = 3
"""Objects within objects."""
MOST_CHARACTERS = 40_000
LONGEST_TEXT = 300
MOST_ALLOWED = 100
"""Values of an enumeration."""


class FieldKind(StrEnum):
    TEXT = "text"
    NUMBER = "number"
    WHOLE = "whole number"
    DATE = "date"
    DURATION = "duration"
    YES_NO = "yes or no"


@dataclass(frozen=True, slots=True)
class Field:
    path: tuple[str, ...]
    """Its name, behind those of the objects that it is in."""
    kind: FieldKind
    labels: tuple[str, ...]
    """What documents may call it: its name in words, and its title; at least one."""
    description: str = ""
    allowed: tuple[str, ...] = ()
    """The only values; empty for all of its kind."""
    is_list: bool = False

    @property
    def name(self) -> str:
        return ".".join(self.path)


class BadSchema(WrongUse):
    """A schema asks for what is not extracted; the message says what and where."""


_NOTES = frozenset(
    {"title", "description", "default", "examples", "$schema", "$id", "deprecated", "$comment"}
)
_SAID = _NOTES | {"type", "enum", "const", "format", "anyOf", "items", "$ref"}
_OBJECTS = _NOTES | {"type", "properties", "required", "$defs", "additionalProperties", "$ref"}
_LIMITS = frozenset(
    """
    pattern minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength
    minItems maxItems uniqueItems
    """.split()  # noqa: SIM905  # a list of words reads as one
)
"""Kept by pydantic where it wrote the schema; of any other schema they are refused."""
_FORMATS = {"date": FieldKind.DATE, "duration": FieldKind.DURATION}
_KINDS = {"number": FieldKind.NUMBER, "integer": FieldKind.WHOLE, "boolean": FieldKind.YES_NO}


def fields_of(schema: Mapping[str, Any], *, limits: bool = False) -> tuple[Field, ...]:
    """Return the fields in order, at least one.

    `limits`: whether somebody else holds values to limits such as `maximum`. Raise `BadSchema`.
    """
    try:
        size = len(json.dumps(schema, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise BadSchema(wording.NO_JSON) from error
    if size > MOST_CHARACTERS:
        raise BadSchema(wording.too_large(size, MOST_CHARACTERS))
    definitions = schema.get("$defs", {})
    reader = _Reader(definitions if isinstance(definitions, Mapping) else {}, limits)
    fields: list[Field] = []
    for field in reader.fields(schema, (), ()):
        fields.append(field)
        if len(fields) > MOST_FIELDS:
            raise BadSchema(wording.too_many_fields(MOST_FIELDS))
    if not fields:
        raise BadSchema(wording.NO_FIELDS)
    return tuple(fields)


@dataclass(frozen=True, slots=True)
class _Reader:
    definitions: Mapping[str, Any]
    limits: bool

    def fields(
        self, schema: Mapping[str, Any], path: tuple[str, ...], above: tuple[str, ...]
    ) -> Iterator[Field]:
        schema = self._resolved(schema, path)
        _demand(schema.keys() <= _OBJECTS, path, sorted(schema.keys() - _OBJECTS))
        _demand(len(path) < DEEPEST, path, [wording.deeper_than(DEEPEST)])
        properties = schema.get("properties")
        _demand(isinstance(properties, Mapping), path, ["properties"])
        for name, given in (properties or {}).items():
            here = (*path, name)
            said = self._resolved(given, here)
            label = _text(said.get("title"), here)
            named = " ".join((*above, in_words(name)))
            if "properties" in said:
                yield from self.fields(said, here, (*above, in_words(name)))
                continue
            labels = (named, *([label] if label and label.casefold() != named else []))
            yield self._field(said, here, labels)

    def _field(
        self, said: Mapping[str, Any], path: tuple[str, ...], labels: tuple[str, ...]
    ) -> Field:
        is_list = said.get("type") == "array"
        description = _text(said.get("description"), path)
        if is_list:
            self._check(said, path)
            items = said.get("items")
            _demand(isinstance(items, Mapping), path, ["items"])
            said = self._resolved(items, path)
        kind, allowed = self._kind(said, path)
        return Field(path, kind, labels, description, allowed, is_list)

    def _kind(
        self, said: Mapping[str, Any], path: tuple[str, ...]
    ) -> tuple[FieldKind, tuple[str, ...]]:
        self._check(said, path)
        if _is_decimal(said):
            return FieldKind.NUMBER, ()
        if "enum" in said or "const" in said:
            allowed = said.get("enum", [said.get("const")])
            if isinstance(allowed, list):
                allowed = [each for each in allowed if each is not None]
            fits = isinstance(allowed, Sequence) and 0 < len(allowed) <= MOST_ALLOWED
            _demand(fits and all(isinstance(each, str) for each in allowed), path, ["enum"])
            return FieldKind.TEXT, tuple(_text(each, path) for each in allowed)
        kind, form = said.get("type"), said.get("format")
        if kind == "string":
            _demand(form is None or form in _FORMATS, path, [f"format: {form}"])
            return (_FORMATS[form] if form else FieldKind.TEXT), ()
        _demand(isinstance(kind, str) and kind in _KINDS, path, [f"type: {kind}"])
        return _KINDS[str(kind)], ()

    def _resolved(self, given: object, path: tuple[str, ...]) -> Mapping[str, Any]:
        said = given
        for _ in range(DEEPEST + 2):
            _demand(isinstance(said, Mapping), path, ["no object"])
            assert isinstance(said, Mapping)  # noqa: S101  # demanded above, for the checker
            notes = {name: said[name] for name in _NOTES & said.keys()}
            if "$ref" in said:
                reference = said["$ref"]
                name = str(reference).removeprefix("#/$defs/")
                known = isinstance(reference, str) and reference == f"#/$defs/{name}"
                _demand(known and name in self.definitions, path, [f"$ref: {reference}"])
                target = self.definitions[name]
                _demand(isinstance(target, Mapping), path, [f"$ref: {reference}"])
                said = {**target, **notes}
                continue
            if isinstance(said.get("type"), list):  # `["string", "null"]`
                kinds = [each for each in said["type"] if each != "null"]
                _demand(len(kinds) == 1, path, [f"type: {said['type']}"])
                said = {**said, "type": kinds[0]}
            choices = said.get("anyOf")
            if not isinstance(choices, list) or _is_decimal(said):
                return said
            real = [each for each in choices if each != {"type": "null"}]
            if len(real) > 1:
                decimal = {"anyOf": real}
                _demand(_is_decimal(decimal), path, ["anyOf"])
                return {**decimal, **notes}
            _demand(len(real) == 1 and isinstance(real[0], Mapping), path, ["anyOf"])
            said = {**real[0], **notes}
        raise BadSchema(wording.not_understood(".".join(path), ["$ref"]))

    def _check(self, said: Mapping[str, Any], path: tuple[str, ...]) -> None:
        known = _SAID | _LIMITS if self.limits else _SAID
        _demand(said.keys() <= known, path, sorted(said.keys() - known))


def _is_decimal(said: Mapping[str, Any]) -> bool:
    """As pydantic writes a `Decimal`: a number, or a string with digits."""
    choices = said.get("anyOf")
    listed = choices if isinstance(choices, list) else ()
    types = [each.get("type") for each in listed if isinstance(each, Mapping)]
    return types == ["number", "string"]


def _demand(holds: bool, path: tuple[str, ...], what: Sequence[str]) -> None:
    if not holds:
        raise BadSchema(wording.not_understood(".".join(path), [each[:60] for each in what]))


def _text(said: object, path: tuple[str, ...]) -> str:
    text = " ".join(str(said).split()) if said is not None else ""
    if len(text) > LONGEST_TEXT:
        raise BadSchema(wording.too_long(".".join(path), LONGEST_TEXT))
    return text


_JOINTS = re.compile(r"[\W_]+|(?<=[a-z])(?=[A-Z])")


def in_words(name: str) -> str:
    """Such as "invoice number" for `invoice_number` or `invoiceNumber`."""
    return " ".join(each for each in _JOINTS.split(name) if each).casefold()


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
