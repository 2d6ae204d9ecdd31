"""Answers are looked back at: made again of what their records keep, or decided again."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import JsonValue, TypeAdapter, ValidationError

from audit.record import AuditRecord
from bot.errors import WrongUse
from bot.settings import Settings
from bot.wiring.container import Container
from bot.wording.erasing import cannot_replay, erased

if TYPE_CHECKING:
    from bot.answering.replaying import Replay
    from bot.quality.questions import LabelledQuestion
    from bot.quality.what_if import WhatIf

ALONE = frozenset(
    {
        *("answer_at", "partial_at", "unsupported_claims", "organisation"),
        *("candidates", "relevance_threshold", "reading_floor", "most_passages", "context"),
    }
)
"""Settings that are all there is to what they say: no model, file or server stands behind them."""
EVER = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


def replay(container: Container, audit_id: str) -> "Replay":
    """Answer again what a record keeps, by its own thresholds and counts; nothing is recorded.

    Raise what an answer does.
    """
    from bot.answering.replaying import replayed

    payload = container.stores.audit_reader.record(audit_id).payload
    record = AuditRecord.model_validate_json(payload, extra="ignore")
    if gone := record.erased:
        raise WrongUse(cannot_replay(erased(gone.on, gone.by, gone.because)))
    asker = container.stores.access.people.by_id.get(record.person.id)
    changed = _of_then(record, container.settings)
    then = replace(container, settings=container.settings.model_copy(update=changed))
    settings, models = then.settings, then.models
    by_model = models.language_models or (
        settings.checks_by_language_model or settings.reranks_by_language_model
    )
    embedder = models.named.embedder
    pipeline = then.answering_unrecorded
    return replayed(record, pipeline, asker, embedder, by_model=bool(by_model))


def _of_then(record: AuditRecord, settings: Settings) -> dict[str, object]:
    """The settings of a record that need nothing beside them, as far as they are settings today."""
    found: dict[str, object] = {}
    values = record.versions.settings.values
    for name in ALONE & values.keys():
        field = type(settings).model_fields[name]
        with suppress(ValidationError):
            found[name] = _setting(Annotated[field.annotation, field]).validate_python(values[name])
    return found


def _setting(kind: Any) -> TypeAdapter[object]:
    return TypeAdapter(kind)


def what_if(
    container: Container,
    answer_at: float | None,
    partial_at: float | None,
    since: datetime | None,
    until: datetime | None,
    labels: "Sequence[LabelledQuestion]",
) -> "WhatIf":
    """Decide again what was asked then; a threshold that is not given is that of the record."""
    from bot.answering.gate import UNCALIBRATED, Gate
    from bot.quality.what_if import what_if as decided

    settings, reader = container.settings, container.stores.audit_reader

    def threshold(given: float | None, then: JsonValue, now: float) -> float:
        recorded = then if isinstance(then, float | int) else now
        return recorded if given is None else given

    def gate_of(record: AuditRecord) -> Gate:
        then = record.versions.settings.values
        return Gate(
            UNCALIBRATED,
            threshold(answer_at, then.get("answer_at"), settings.answer_at),
            threshold(partial_at, then.get("partial_at"), settings.partial_at),
        )

    asked = reader.asked_between(since or EVER[0], until or EVER[1])
    return decided((each.record for each in asked), gate_of, reader.happened_to, labels)
