"""What a record and what came later say, for people: at every door the same words."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict

from audit.record import (
    AuditEvent,
    AuditRecord,
    Badge,
    Candidate,
    EventKind,
    ExpiredRecord,
    SearchFilter,
    badge_of,
)
from audit.values import AGENTS, Channel, Cited, ClaimRecord, PersonRecord, Prevails
from bot import wording
from bot.access.channels import is_direct
from bot.access.reading import RecordView
from bot.answering.recording import FROM_LIBRARY, SUMMED_UP
from bot.wording import evidence
from bot.wording.erasing import erased
from bot.wording.evidence import preferred_because


def shown_as(record: AuditRecord) -> str:
    near = bool(record.nearest or record.contradictions)
    return wording.shown_as(badge_of(record.decision, record.missing), quoted=near)


def asking_facts(record: AuditRecord) -> dict[str, str]:
    """Who asked what, where and when, by `evidence.FACTS`; empty where it says none."""
    gone = record.erased
    return _labelled(
        who=_named(record.person),
        where="" if gone else _where(record.channel),
        when=wording.minute(record.time),
        erased=erased(gone.on, gone.by, gone.because) if gone else "",
        question=record.question,
        before="; ".join(record.previous_questions),
        looked_for=record.standalone_question,
        hypothetical=record.imagined_passage,
        could_read="" if gone else _scope(record.filter),
    )


def place_and_version(cited: Cited) -> str:
    version = f", {evidence.VERSION} {cited.version}" if cited.version else ""
    return f"{cited.place.in_words(cited.file)}{version}"


def deciding_facts(record: AuditRecord) -> dict[str, str]:
    """Why the reply is what it is, besides its confidences; likewise."""
    return _labelled(
        why="; ".join(record.reasons),
        answered="; ".join(record.answered),
        missing="; ".join(record.missing),
        nearest="; ".join(each.place.in_words(each.file) for each in record.nearest),
        expired="; ".join(map(expired, record.expired)),
        owners=", ".join(record.owners),
        more_in_private=evidence.YES if record.more_in_private else "",
        own_rule_in_private=evidence.YES if record.own_rule_in_private else "",
        degraded="; ".join(record.degraded),
    )


def making_facts(record: AuditRecord) -> dict[str, str]:
    """What made the reply, and what that took; likewise."""
    versions, writer = record.versions, record.writer
    counted = record.model_dump(include={"tokens_by_stage", "tokens"})
    return _labelled(
        writer=" ".join(each for each in (writer.name, writer.model) if each),
        prompt=writer.prompt_hash,
        template=writer.template_hash,
        embedder=record.embedding_model,
        models=_pairs(versions.models),
        index=versions.index,
        calibration=record.calibration_id,
        software=versions.software,
        settings=versions.settings.hash,
        took=wording.times(record.latency_ms),
        tokens=wording.tokens(counted["tokens_by_stage"], counted["tokens"]),
    )


def measured(record: AuditRecord) -> dict[str, str]:
    """How sure, what made it, and what that took, likewise; nothing of what was erased."""
    known = asdict(record.confidence).items()
    sure = ", ".join(f"{name} {_share(value)}" for name, value in known)
    return {} if record.erased else _labelled(confidence=sure) | making_facts(record)


def _share(value: float | None) -> str:
    return evidence.NOT_MEASURED if value is None else f"{value:.2f}"


def expired(found: ExpiredRecord) -> str:
    source = found.source
    return wording.expired(source.title if source.title.strip() else source.file, found.valid_to)


def event_in_words(event: AuditEvent) -> str:
    details = {name: str(value) for name, value in event.details.items()}
    if event.kind is EventKind.FEEDBACK:
        value, why, file = (details.get(name, "") for name in ("value", "why", "file"))
        what = [evidence.feedback_in_words(value, why, file, event.text)]
    else:
        what = [_pairs(details), event.text]
    who = _named(event.person) if event.person else ""
    said = [wording.minute(event.time), event.kind.value, who, *what]
    return " · ".join(each for each in said if each)


def _labelled(**facts: str) -> dict[str, str]:
    return {evidence.FACTS[name]: text for name, text in facts.items() if text.strip()}


def _named(person: PersonRecord) -> str:
    return f"{person.name} ({person.id})" if person.name else person.id


def _where(channel: Channel) -> str:
    if not channel.id:
        return evidence.NO_CHANNEL
    if channel == AGENTS:
        return evidence.AGENT
    if is_direct(channel.id):
        return evidence.DIRECT
    place = f"{channel.name} ({channel.id})" if channel.name else channel.id
    return f"{place}, {evidence.THREAD} {channel.thread}" if channel.thread else place


def _scope(search_filter: SearchFilter) -> str:
    facets = [f"{name}: {', '.join(values)}" for name, values in search_filter.facets.items()]
    names = ", ".join(search_filter.sources)
    of = f", {evidence.FROM_SOURCES} {names}" if names else ""
    return f"{'; '.join(facets) or evidence.FOR_EVERYONE} ({evidence.ON} {search_filter.on}{of})"


def _pairs(values: Mapping[str, str]) -> str:
    return ", ".join(f"{name}: {value}" for name, value in values.items())


def certainty(record: AuditRecord) -> str:
    """One plain sentence; empty for an abstention, which gives its own reason, and where erased."""
    copied = all(_is_copy(claim) for claim in record.claims)
    borne_out = wording.COPIED if copied else wording.CHECKED
    badge = badge_of(record.decision, record.missing)
    if badge is Badge.UNKNOWN or record.erased:
        return ""
    if record.writer.name == FROM_LIBRARY:
        return wording.FROM_LIBRARY
    if SUMMED_UP in record.reasons:
        return wording.SUMMED_UP
    if wording.STANDARD_ANSWER in record.reasons:
        return wording.REVIEWED_BY_A_PERSON.format(borne_out=borne_out)
    if badge is Badge.ANSWERED:
        return wording.sure(borne_out)
    if badge is Badge.IN_PART:
        return wording.in_part(borne_out)
    if wording.FROM_ELSEWHERE in record.reasons:
        return wording.from_elsewhere(borne_out)
    if wording.ANOTHER_DAY in record.reasons:
        return wording.another_day(borne_out)
    if wording.DOUBTFUL in record.reasons:
        return wording.doubtful(borne_out)
    return wording.not_sure(wording.WEAKEST[_weakest(record, copied=copied)], borne_out)


def _is_copy(claim: ClaimRecord) -> bool:
    """A score of 1 in records in which nobody noted it: no model is that sure."""
    return claim.copied or claim.score == 1.0


def _weakest(record: AuditRecord, *, copied: bool) -> str:
    """The lowest of the confidences that could tell; copies are borne out whatever it was."""
    shares = asdict(record.confidence)
    known = {
        name: shares[name]
        for name in wording.WEAKEST
        if shares[name] is not None and not (copied and name == "entailment")
    }
    return min(known, key=lambda name: known[name], default="retrieval")


def standing_at(cited: Cited) -> str:
    read_in = wording.minute(cited.ingested_at) if cited.ingested_at else ""
    return evidence.standing_at(cited.char_start, len(cited.quote), read_in)


def preferences(view: RecordView, *, alone: bool) -> list[str]:
    """In words, each once; `alone`: nobody but who asked reads it.

    Nothing is said of what is withheld, nor of what is shown as contradicting already.
    """
    read = (*view.candidates(used=True), *view.candidates(used=False))
    candidates = {each.passage_id: each for each in read}
    told = [
        preferred_because(why, view.title(first), view.title(other), alone=alone)
        for claim in view.record.claims
        for first, other, why in _preferred(claim, candidates)
        if other.document_id not in view.contradicting
    ]
    return list(dict.fromkeys(told))


def _preferred(
    claim: ClaimRecord, candidates: dict[str, Candidate]
) -> Iterator[tuple[Candidate, Candidate, Prevails]]:
    cited = (candidates.get(each.passage_id) for each in claim.citations if not each.also)
    also = [candidates.get(each.passage_id) for each in claim.citations if each.also]
    for first in filter(None, cited):
        for other in candidates.values():
            if other.overridden_by == first.passage_id:
                yield first, other, Prevails.OWN_UNIT
        for other in filter(None, also):
            if (why := _over(first, other)) is not Prevails.NEITHER:
                yield first, other, why


def _over(first: Candidate, other: Candidate) -> Prevails:
    one, two = first.scores, other.scores
    hierarchy = one.hierarchy or 0.0, two.hierarchy or 0.0
    return Prevails.of(hierarchy, is_newer=(one.recency or 0.0) > (two.recency or 0.0))
