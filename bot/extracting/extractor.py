"""A document's fields, in a straight line: what it tells, whose value that may be, what holds.

Of sentences two models tell whether they are about a field, and bear a value out.
"""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from bot.answering.anchors import anchor
from bot.answering.exact.near_copies import content, says_something
from bot.answering.values import Claim, DraftClaim
from bot.answering.verification import ClaimVerifier
from bot.extracting.by_model import FieldReader
from bot.extracting.lines import ReadLine, lines_in, with_sentence_before
from bot.extracting.reading import (
    NOT,
    Value,
    claims_of,
    is_currency,
    items_of,
    labelled_value,
    values_in,
)
from bot.extracting.schema import Field, FieldKind, is_called, words_in
from bot.extracting.values import Extraction, FieldValue, Thresholds, decided, unread_of
from retrieval.language.words import FUNCTION_WORDS, stems, words_of
from retrieval.ports import Embedder, EntailmentPair, Reranker, RerankPair
from retrieval.types import Passage

Progress = Callable[[int, int], None]
"""Is told how many of how many fields are done."""
READ_WITH_A_FIELD = 12
"""Sentences that the cross-encoder reads for each field, the nearest by meaning."""
MOST_VALUES = 4
"""Of one sentence, that are tried for a field."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    field: Field
    source: ReadLine
    value: Value
    claim: str
    score: float

    @property
    def is_named(self) -> bool:
        """Whether the sentence, or the heading above it, has a word of the field's own.

        Without one the models take any time for a term: "Goods are returned within 10 days".
        """
        wanted = stems(words_of(" ".join((*self.field.labels, self.field.description))))
        said = stems(words_of(" ".join((*self.source.passage.section_path, self.source.text))))
        return bool((wanted - _GENERIC) & said)


@dataclass(frozen=True, slots=True)
class Extractor:
    """Safe to share between threads, as far as its models are."""

    embedder: Embedder
    reranker: Reranker
    verifier: ClaimVerifier
    thresholds: Thresholds = field(default=Thresholds())
    by_model: FieldReader | None = None
    """Reads what is left open; None: nobody does."""

    def __call__(
        self,
        passages: Sequence[Passage],
        fields: Sequence[Field],
        progress: Progress = lambda *_: None,
        stated: Sequence[ReadLine] = (),
    ) -> Extraction:
        """Read the fields out of a document, whose passages these are, in order; at least one.

        `stated`: what its file states of itself beside them. Raise `WriterUnavailable` where a
        language model is to be asked and is not there.
        """
        document = passages[0].document
        lines = list(lines_in(passages))
        told = [*stated, *lines]
        head = takewhile(lambda each: not each.label and len(each.text.split()) < 4, lines)
        named = (document.title, *passages[0].section_path[:1], *(each.text for each in head))
        about = words_in(" ".join(named))
        labelled = [each for each in told if each.label]
        beside = {each.label for each in labelled}
        sentences = with_sentence_before([each for each in told if not each.label])
        read: list[_Candidate] = []
        by_label: dict[Field, list[FieldValue]] = {}
        unread: set[Field] = set()
        near = self._near(sentences, fields)
        for number, each in enumerate(fields, start=1):
            mine = [one for one in labelled if is_called(each, one.label, about, fields, *beside)]
            labels = [one for one in mine if not one.is_title]
            by_label[each] = list(self._behind_labels(each, labels or mine))
            if mine and not by_label[each]:
                unread.add(each)
            read += self._in_sentences(each, [sentences[at] for at in near[number - 1]])
            if is_currency(each):
                by_label[each] += self._beside_amounts(each, told)
            progress(number, len(fields))
        read = _shared_out([each for each in read if each.score >= self.thresholds.doubtful])
        told_of = {each: self._told_of(each, read) for each in fields}
        extracted = tuple(
            decided(each, by_label[each], told_of[each], self.thresholds)
            if by_label[each] or told_of[each] or each not in unread
            else unread_of(each)
            for each in fields
        )
        if self.by_model is None:
            return Extraction(document, extracted)
        return Extraction(document, *self.by_model(extracted, passages))

    def _behind_labels(self, wanted: Field, lines: Sequence[ReadLine]) -> Iterator[FieldValue]:
        for each in lines:
            if wanted.is_list and each.in_column:
                continue
            if wanted.is_list:
                parts = each.items or tuple(items_of(each.text))
                read = [labelled_value(part, replace(wanted, is_list=False)) for part in parts]
                if read and all(len(values) == 1 for values in read):
                    value = tuple(values[0].json for values in read)
                    yield FieldValue(value, each.text, self._copied(each), 1.0)
                continue
            if each.items:
                continue
            values = labelled_value(each.text, wanted)
            if len({one.json for one in values}) == 1:
                found = values[0]
                yield FieldValue(
                    found.json, found.written, self._copied(each), 1.0, line_at=each.line_at
                )

    def _beside_amounts(self, wanted: Field, lines: Sequence[ReadLine]) -> Iterator[FieldValue]:
        """Each currency once, with the last amount that it stands beside."""
        last = {
            value.json: (each, value)
            for each in lines
            for value in values_in(each.line, wanted)
            if not each.items and any(letter.isdigit() for letter in each.text)
        }
        for each, value in last.values():
            claim = self._copied(each) if each.label else self._checked(each, each.text)
            yield FieldValue(value.json, value.written, claim, 1.0, line_at=each.line_at)

    def _near(self, sentences: Sequence[ReadLine], fields: Sequence[Field]) -> list[list[int]]:
        """For each field the sentences that are nearest to it by meaning, of those with a value."""
        if not sentences:
            return [[] for _ in fields]
        texts = self.embedder.embed([each.text for each in sentences])
        asked = self.embedder.embed([_asked(each) for each in fields])
        nearness = asked @ texts.T
        return [
            [
                int(at)
                for at in (-row).argsort(kind="stable")
                if each.kind is FieldKind.YES_NO or values_in(sentences[at].text, each)
            ][:READ_WITH_A_FIELD]
            for each, row in zip(fields, nearness, strict=True)
        ]

    def _in_sentences(self, wanted: Field, lines: Sequence[ReadLine]) -> list[_Candidate]:
        if wanted.is_list or not lines:
            return []
        pairs = [RerankPair(_asked(wanted), each.read) for each in lines]
        relevance = [each.relevance for each in self.reranker.scores(pairs)]
        if wanted.kind is FieldKind.YES_NO:
            return self._yes_or_no(wanted, lines, relevance)
        tried = [
            (each, value, relevant)
            for each, relevant in zip(lines, relevance, strict=True)
            for value in values_in(each.text, wanted)[:MOST_VALUES]
        ]
        claims = [_claimed(wanted, value, each.text) for each, value, _ in tried]
        asked = [
            EntailmentPair(each.read, claim)
            for (each, _, _), said in zip(tried, claims, strict=True)
            for claim in said
        ]
        scores = iter(self.verifier.entailment.supported(asked))
        found = []
        for (each, value, relevant), said in zip(tried, claims, strict=True):
            best, claim = max((next(scores), claim) for claim in said)
            found.append(_Candidate(wanted, each, value, claim, math.sqrt(relevant * best)))
        return found

    def _yes_or_no(
        self, wanted: Field, lines: Sequence[ReadLine], relevance: Sequence[float]
    ) -> list[_Candidate]:
        """Yes where a sentence says it; no where it says it but for a "not"."""
        claim = f"{_WHETHER.sub('', wanted.description or wanted.labels[-1]).rstrip('.')}."
        without = [NOT.sub("", each.text) for each in lines]
        plain = [replace(each, text=text) for each, text in zip(lines, without, strict=True)]
        scores = self.verifier.entailment.supported(
            [EntailmentPair(each.read, claim) for each in plain]
        )
        found = []
        for each, text, score, relevant in zip(lines, without, scores, relevance, strict=True):
            denied = text != each.text
            if score < self.thresholds.decided or _UNDECIDED.search(each.text):
                continue
            value = Value(not denied, each.text, 0, len(each.text))
            sure = math.sqrt(relevant * score)
            if not says_something(claim) and content(text) - content(claim) - _GENERIC:
                # One word is borne out by whatever has it: "Late invoices are paid with interest".
                sure = min(sure, self.thresholds.doubtful)
            found.append(_Candidate(wanted, each, value, each.text, sure))
        return found

    def _told_of(self, wanted: Field, read: Sequence[_Candidate]) -> list[FieldValue]:
        mine = [each for each in read if each.field is wanted]
        return [
            FieldValue(
                each.value.json,
                each.value.written,
                self._checked(each.source, each.claim),
                each.score,
                named=each.is_named,
                is_second=any(one.source is each.source for one in mine[:number]),
            )
            for number, each in enumerate(mine[:MOST_VALUES])
        ]

    def _checked(self, source: ReadLine, claim: str) -> Claim:
        cited = tuple(anchor(1, index + 1) for index in range(source.first, source.last + 1))
        return self.verifier.check(DraftClaim(claim, cited), (source.passage,))

    def _copied(self, source: ReadLine) -> Claim:
        """A line of a form is checked by itself, whatever other lines stand in its sentence."""
        if source.items:
            return self._checked(source, source.line)
        sentences = list(source.passage.sentences)
        sentences[source.first] = replace(sentences[source.first], text=source.line, cells=())
        alone = replace(source, passage=replace(source.passage, sentences=tuple(sentences)))
        claim = self._checked(alone, source.line)
        cited = tuple(replace(each, passage=source.passage) for each in claim.citations)
        return replace(claim, citations=cited, lines=())


def _shared_out(read: Sequence[_Candidate]) -> list[_Candidate]:
    """In each sentence each value goes to one field, and each field takes one; surest first."""
    apart: list[_Candidate] = []
    for each in sorted(read, key=lambda one: (-round(one.score, 1), len(one.value.written))):
        mine = [one for one in apart if one.field is each.field and one.source is each.source]
        if not any(_is_taken(each, one) for one in mine):
            apart.append(each)
    apart.sort(key=lambda each: -each.score)
    taken: list[_Candidate] = []
    for is_second in (False, True):
        for each in apart:
            beside = [one for one in taken if one.source is each.source]
            served = any(one.field is each.field for one in beside)
            if served == is_second and not any(_is_taken(each, one) for one in beside):
                taken.append(each)
    return taken


def _overlap(one: Value, other: Value) -> bool:
    return one.start < other.end and other.start < one.end


def _is_taken(each: _Candidate, by: _Candidate) -> bool:
    """A sentence may decide a yes or no of any number of fields."""
    if each.field is by.field:
        return _overlap(each.value, by.value)
    span = by.value.start, by.value.end
    return each.field.kind is not FieldKind.YES_NO and span == (each.value.start, each.value.end)


_QUESTIONS = {
    FieldKind.NUMBER: "How much is the",
    FieldKind.DATE: "When is the",
    FieldKind.DURATION: "How long is the",
}
_UNIT = re.compile(r" ([a-z]{3,})(?: (?:an?|per|each) [a-z]+)?\b")


def _asked(wanted: Field) -> str:
    """As the models were taught to be asked, where no description says more."""
    label = wanted.labels[-1]
    if wanted.description or wanted.kind is FieldKind.YES_NO:
        return f"{label}: {wanted.description}" if wanted.description else label
    return f"{_QUESTIONS.get(wanted.kind, 'What is the')} {label}?"


def _claimed(wanted: Field, value: Value, text: str) -> list[str]:
    """A number is claimed with its unit: "54,000 euros a year"."""
    unit = (
        _UNIT.match(text, value.end) if wanted.kind in (FieldKind.NUMBER, FieldKind.WHOLE) else None
    )
    follows = unit[0] if unit and unit[1] not in FUNCTION_WORDS else ""
    return claims_of(wanted, value.written + follows)


_GENERIC = stems(
    FUNCTION_WORDS
    | frozenset(
        """
        agreement contract policy document invoice date day days week month year period time amount
        number name no not any without much so long whole each every
        """.split()  # noqa: SIM905  # a list of words reads as one
    )
)
"""Words of a field that tell it from no other."""
_WHETHER = re.compile(r"^(?:whether|if)(?: or not)? ", re.IGNORECASE)
_UNDECIDED = re.compile(
    r"\b(?:if|unless|where|when|may|might|could|can|no|neither|nor|none|without|not only)\b",
    re.IGNORECASE,
)
"""What such a sentence says is neither yes nor no to a small model."""
