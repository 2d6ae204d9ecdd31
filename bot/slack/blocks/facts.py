"""The facts of one audit record, a labelled line each; what is empty is left out."""

from collections.abc import Iterator, Mapping

from audit.record import AuditRecord
from audit.record.asker import Channel, PersonRecord
from audit.record.base import stamp
from audit.record.events import AuditEvent, EventKind
from audit.record.evidence import SearchFilter
from bot.slack.blocks.elements import RichPiece, labelled, line, words
from bot.slack.blocks.limits import in_line, text_room
from bot.slack.blocks.places import expired_document, place_in_words
from bot.slack.exchange import is_direct
from bot.wording import evidence as wording
from bot.wording import times, tokens


def asked(record: AuditRecord, detail: int) -> list[RichPiece]:
    """Tell who asked, where, when, what, and what they could read."""
    return _lines(
        {
            "who": _who(record.person),
            "where": _where(record.channel),
            "when": minute(stamp(record.time)),
            "question": record.question,
            "before": "; ".join(record.previous_questions),
            "looked_for": record.standalone_question,
            "hypothetical": record.imagined_passage,
            "could_read": _scope(record.filter),
        },
        detail,
    )


def decided(record: AuditRecord, detail: int) -> list[RichPiece]:
    """Return why the reply is what it is, besides its confidences."""
    nearest = (place_in_words(each.place, each.file) for each in record.nearest)
    return _lines(
        {
            "why": "; ".join(record.reasons),
            "answered": "; ".join(record.answered),
            "missing": "; ".join(record.missing),
            "nearest": "; ".join(nearest),
            "expired": "; ".join(map(expired_document, record.expired)),
            "owners": ", ".join(record.owners),
            "more_in_private": wording.YES if record.more_in_private else "",
            "own_rule_in_private": wording.YES if record.own_rule_in_private else "",
            "degraded": "; ".join(record.degraded),
        },
        detail,
    )


def made_with(record: AuditRecord, detail: int) -> list[RichPiece]:
    """Return the versions of everything, and what it cost."""
    versions, writer = record.versions, record.writer
    counted = record.model_dump(include={"tokens_by_stage", "tokens"})
    return _lines(
        {
            "writer": " ".join(each for each in (writer.name, writer.model) if each),
            "prompt": writer.prompt_hash,
            "embedder": record.embedding_model,
            "models": _pairs(versions.models),
            "index": versions.index,
            "calibration": record.calibration_id,
            "software": versions.software,
            "settings": versions.settings.hash,
            "took": times(record.latency_ms),
            "tokens": tokens(counted["tokens_by_stage"], counted["tokens"]),
        },
        detail,
    )


def happened(event: AuditEvent, detail: int) -> RichPiece:
    """Tell of one later event: when, what, who, and any words."""
    details = {name: str(value) for name, value in event.details.items()}
    if event.kind is EventKind.FEEDBACK:
        value, why, file = (details.get(name, "") for name in ("value", "why", "file"))
        what = [wording.feedback_in_words(value, why, file, event.text)]
    else:
        what = [_pairs(details), event.text]
    who = _who(event.person) if event.person else ""
    said = [minute(stamp(event.time)), event.kind.value, who, *what]
    return line(words(in_line(" · ".join(each for each in said if each), text_room(detail))))


def minute(time: str) -> str:
    """Return a stamp of the store to the minute, in UTC."""
    return f"{time[:10]} {time[11:16]} UTC"


def _lines(facts: Mapping[str, str], detail: int) -> list[RichPiece]:
    known: Iterator[tuple[str, str]] = ((n, text) for n, text in facts.items() if text.strip())
    return [labelled(wording.FACTS[name], in_line(text, text_room(detail))) for name, text in known]


def _who(person: PersonRecord) -> str:
    return f"{person.name} ({person.id})" if person.name else person.id


def _where(channel: Channel) -> str:
    if not channel.id:
        return wording.NO_CHANNEL
    if is_direct(channel.id):
        return wording.DIRECT
    place = f"{channel.name} ({channel.id})" if channel.name else channel.id
    return f"{place}, {wording.THREAD} {channel.thread}" if channel.thread else place


def _scope(search_filter: SearchFilter) -> str:
    facets = [f"{name}: {', '.join(values)}" for name, values in search_filter.facets.items()]
    return f"{'; '.join(facets) or wording.FOR_EVERYONE} ({wording.ON} {search_filter.on})"


def _pairs(values: Mapping[str, str]) -> str:
    return ", ".join(f"{name}: {value}" for name, value in values.items())
