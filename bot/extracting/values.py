"""What came of a field, and of a document; all frozen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from audit.values import Status
from bot.answering.exact.amounts import measures
from bot.answering.exact.comparison import missing_names
from bot.answering.values import Claim
from bot.extracting.reading import Json, same
from bot.extracting.schema import Field, FieldKind
from bot.wording import extracting as wording
from retrieval.documents.holdings import Parsed
from retrieval.language.dates import counts_nothing
from retrieval.types import Document, Passage


class FieldStatus(StrEnum):
    SUPPORTED = "supported"
    """It stands there, and nothing speaks against it."""
    DOUBTFUL = "doubtful"
    """It may mean something else; the reason says why."""
    CONTRADICTED = "contradicted"
    """The document says different things; no value, and all places."""
    NOT_STATED = "not stated"


@dataclass(frozen=True, slots=True)
class FieldValue:
    value: Json | tuple[Json, ...]
    written: str
    claim: Claim
    """It was checked as this, against the sentences that it cites."""
    score: float
    """How surely it is the field's, 0 to 1; 1 behind a label."""
    named: bool = True
    """Whether a word of the field's own stands with it."""
    is_second: bool = False
    """Whether its sentence tells another value of the field, and surer."""
    line_at: tuple[int, int] | None = None
    """Which of how many lines of what it cites has it, from 0; None where that is not told."""

    @property
    def holds(self) -> bool:
        return self.claim.status is Status.VERIFIED


@dataclass(frozen=True, slots=True)
class Extracted:
    field: Field
    status: FieldStatus
    value: Json | tuple[Json, ...] | None = None
    reason: str = ""
    places: tuple[FieldValue, ...] = ()
    """Where it stands, the surest first; of a contradiction each value's."""


@dataclass(frozen=True, slots=True)
class Opened:
    passages: tuple[Passage, ...]
    """In order, at least one."""
    parsed: Parsed | None
    """Its text as it was read; None where that is not kept."""
    content: bytes = b""
    """Of a file that was opened by itself; empty of a document of the library."""


@dataclass(frozen=True, slots=True)
class ByModel:
    model: str = ""
    prompt_hash: str = ""
    template_hash: str = ""
    output: str = ""
    tokens: Mapping[str, int] = field(default_factory=dict)
    degraded: str = ""
    """Why it was done without."""


@dataclass(frozen=True, slots=True)
class Extraction:
    """All fields of one document, in the schema's order."""

    document: Document
    fields: tuple[Extracted, ...]
    by_model: ByModel = ByModel()
    audit_id: str = ""
    """Of its record; empty before there is one."""


LEFT_OUT = "it leaves out "
"""So an objection of the checker begins where more stands beside a value."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Of the geometric mean, 0 to 1, of relevance and entailment.

    Chosen on the calibration documents (`docs/measurements.md`).
    """

    supported: float = 0.62
    doubtful: float = 0.5
    named: float = 0.7
    """In place of `supported` for a text, of which a sentence has many."""
    decided: float = 0.9
    """Entailment from which a sentence decides a yes or no."""


def decided(
    wanted: Field,
    labelled: Sequence[FieldValue],
    in_text: Sequence[FieldValue],
    thresholds: Thresholds,
) -> Extracted:
    """`labelled`: what stands behind the field's label; `in_text`: in sentences, surest first."""
    is_text = wanted.kind is FieldKind.TEXT and not wanted.allowed
    if is_text and labelled:  # a sentence names many, of whom each may seem to be meant
        in_text = ()
    enough = thresholds.named if is_text else thresholds.supported
    sure = [each for each in in_text if each.score >= enough and each.named and each.holds]
    seconds = [each for each in sure if each.is_second and not labelled]
    in_text, sure = ([one for one in said if not one.is_second] for said in (in_text, sure))
    strong = [*(each for each in labelled if each.holds), *sure]
    if not labelled and sure:
        # of one thing told in several sentences the surest tells most
        strong = [each for each in sure if each.score >= sure[0].score - 0.1]
    cases = () if is_text else _rule_and_cases(strong, labelled, in_text)
    if cases:
        said = " / ".join(f"“{_sentence(each)}”" for each in cases[1:])
        reason = f"{wording.SPECIAL_CASES}: {said}."
        return Extracted(wanted, FieldStatus.DOUBTFUL, cases[0].value, reason, cases)
    told = _each_once(strong)
    if len(told) > 1:
        reason = f"{wording.OTHER_PLACES}: {' / '.join(each.written for each in told)}."
        return Extracted(wanted, FieldStatus.CONTRADICTED, None, reason, told)
    if strong:
        others = [each for each in _each_once(sure) if same(each.value) != same(strong[0].value)]
        reason = f"{wording.OTHER_PLACES}: {' / '.join(e.written for e in others)}."
        if seconds and not others:
            others = list(_each_once(seconds))
            said = " / ".join(each.written for each in (strong[0], *others))
            reason = f"{wording.SEVERAL_IN_ONE}: {said}."
        if not others:
            is_open = any(each.is_doubtful for each in strong[0].claim.citations[0].sentences)
            reason = wording.OPEN if is_open else ""
        status = FieldStatus.DOUBTFUL if reason else FieldStatus.SUPPORTED
        return Extracted(wanted, status, strong[0].value, reason, (*strong, *others))
    weak = [*labelled, *in_text]
    if weak:
        left = [each for each in weak[0].claim.objections if each.startswith(LEFT_OUT)]
        reason = wording.SURELY_NOT if weak[0].named else wording.NOT_NAMED_THERE
        if left:
            reason = f"{wording.BESIDE}: {'; '.join(left).replace(LEFT_OUT, '')}."
        return Extracted(wanted, FieldStatus.DOUBTFUL, weak[0].value, reason, (weak[0],))
    return Extracted(wanted, FieldStatus.NOT_STATED, None, wording.NOWHERE)


def unread_of(wanted: Field) -> Extracted:
    reason = wording.UNREAD.format(kind=wanted.kind)
    return Extracted(wanted, FieldStatus.NOT_STATED, None, reason)


def _each_once(found: Sequence[FieldValue]) -> tuple[FieldValue, ...]:
    return tuple({same(each.value): each for each in reversed(found)}.values())[::-1]


def _rule_and_cases(
    strong: Sequence[FieldValue], labelled: Sequence[FieldValue], in_text: Sequence[FieldValue]
) -> tuple[FieldValue, ...]:
    """A rule, and what else is told of cases by name; empty where that is not all that is told."""
    for rule in (*strong, *(each for each in in_text if each.named and each not in strong)):
        cases = [
            each
            for each in in_text
            if each.named and each.holds and _is_case_of(each, rule, by_label=rule in labelled)
        ]
        others = [each for each in strong if same(each.value) != same(rule.value)]
        is_near = rule in strong or any(_stands_before(rule, each) for each in others)
        if cases and is_near and all(each in cases for each in others):
            return rule, *_each_once(cases)
    return ()


def _sentence(told: FieldValue) -> str:
    return told.claim.citations[0].sentences[-1].text


def _stands_before(rule: FieldValue, case: FieldValue) -> bool:
    one, other = rule.claim.citations[0], case.claim.citations[0]
    return one.passage is other.passage and one.last < other.first


def _is_case_of(case: FieldValue, rule: FieldValue, *, by_label: bool) -> bool:
    """Whether it is told of somewhere or somebody by name, beside a rule that names nobody.

    Never of another time, which may be a rule that replaces it.
    """
    if same(case.value) == same(rule.value) or not (case.claim.citations and rule.claim.citations):
        return False
    said, told = _sentence(case), _sentence(rule)
    other = measures(said)
    if other.months or counts_nothing(said) or told == said:
        return False
    rest = measures(told).rest
    names_nobody = by_label or not missing_names(rest, other.rest)
    return bool(names_nobody and missing_names(other.rest, rest))
