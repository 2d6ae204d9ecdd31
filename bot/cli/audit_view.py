"""Audit records become pages, and a list that a narrow terminal shows; `--json` has all."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from audit.places import Place
from audit.record import AuditRecord, Decision, EventKind, badge_of
from bot import wording
from bot.answering.certainty import certainty
from bot.citations.layout import place_in_words
from bot.citations.links import UNLINKED, CitedLinks
from bot.wording import erasing, evidence
from bot.wording.evidence import feedback_in_words, feedback_nothing

if TYPE_CHECKING:
    from audit.feedback import GivenFeedback
    from audit.queries import Summary

MOST_CANDIDATES = 10
Values = Mapping[str, Any]
"""A record as it is stored."""


def render(record: Values, links: CitedLinks = UNLINKED) -> RenderableType:
    """What was asked and answered, from which places, how sure that was; the numbers last."""
    linked = links.among(record)
    lines: list[RenderableType] = [
        _facts(_asked(record)),
        *_titled("Reply", [Text(record["reply"])]),
        *_titled(evidence.CLAIMS, map(_claim, linked["claims"])),
        *_titled(evidence.WHY_SO, [Text(said)] if (said := _certainty(record)) else []),
        *_titled("Dropped", map(_claim, record["dropped"])),
        *_titled("Contradictions", map(_contradiction, linked["contradictions"])),
        *_titled(evidence.NUMBERS, [_facts(_made(record))]),
        *_titled("Best candidates", [_candidates(record["candidates"])]),
        *_titled("Later", map(_event, record["events"])),
    ]
    return Group(*lines)


def _titled(title: str, lines: Iterable[RenderableType]) -> list[RenderableType]:
    """Nothing where there are no lines."""
    shown = list(lines)
    return [Text(f"\n{title}", style="bold"), *shown] if shown else []


def _asked(record: Values) -> dict[str, str]:
    return {
        "audit id": record["audit_id"],
        "time": record["time"],
        "person": _name(record["person"]),
        "channel": _name(record["channel"]) or "none: read by the person alone",
        "question": record["question"],
        "erased on": _erased(record.get("erased")),
        "searched for": record["standalone_question"],
        "imagined to search with": record["imagined_passage"],
        "could read": _scope(record["filter"]),
        "decision": f"{record['decision']}: {'; '.join(record['reasons'])}",
        "shown as": wording.BADGES[_shown_as(record)],
        "out of date": "; ".join(_expired(each) for each in record["expired"]),
        **{
            evidence.FACTS[name].lower(): evidence.YES if record[name] else ""
            for name in ("more_in_private", "own_rule_in_private")
        },
        "degraded": "; ".join(record["degraded"]),
    }


def _erased(said: Values | None) -> str:
    if not said:
        return ""
    return erasing.erased(datetime.fromisoformat(said["on"]), said["by"], said["because"])


def _event(event: Values) -> Text:
    said, details = event["text"], event["details"]
    if event["kind"] == EventKind.FEEDBACK:
        value, why, file = (details.get(name, "") for name in ("value", "why", "file"))
        said = evidence.feedback_in_words(value, why, file, said)
    return Text(f"{event['time']} {event['kind']} {said}")


def _shown_as(record: Values) -> str:
    badge = badge_of(Decision(record["decision"]), record["missing"])
    near = bool(record["nearest"] or record["contradictions"])
    return wording.shown_as(badge, near=near)


def _made(record: Values) -> dict[str, str]:
    return {
        "confidence": ", ".join(
            f"{name} {_share(value)}" for name, value in record["confidence"].items()
        ),
        "written by": record["writer"]["name"],
        "calibration": record["calibration_id"],
        "time taken": wording.times(record["latency_ms"]),
        "tokens in + out": wording.tokens(record["tokens_by_stage"], record["tokens"]),
        "software": record["versions"]["software"],
        "hash": record["chain"]["hash"],
    }


def _certainty(record: Values) -> str:
    known = {name: record[name] for name in AuditRecord.model_fields if name in record}
    return certainty(AuditRecord.model_validate(known))


def _facts(facts: Mapping[str, str]) -> Table:
    table = Table.grid(padding=(0, 2))
    for name, value in facts.items():
        if value:
            table.add_row(Text(name, style="dim"), Text(value))
    return table


def _name(who_or_where: Values) -> str:
    name, own_id = who_or_where["name"], str(who_or_where["id"])
    return f"{name} ({own_id})" if name not in ("", own_id) else own_id


def _scope(search_filter: Values) -> str:
    facets = [f"{name}: {', '.join(values)}" for name, values in search_filter["facets"].items()]
    of = f", from {', '.join(search_filter['sources'])}" if search_filter.get("sources") else ""
    return f"{'; '.join(facets) or 'what is for everyone'}, on {search_filter['on']}{of}"


def _share(value: float | None) -> str:
    return evidence.NOT_MEASURED if value is None else f"{value:.2f}"


def _expired(expired: Values) -> str:
    until = expired["valid_to"]
    return wording.expired(expired["source"]["file"], date.fromisoformat(until) if until else None)


def _claim(claim: Values) -> Text:
    text = Text(f"{claim['status']}  {claim['text']}")
    for objection in claim["objections"]:
        text.append(f"\n    {objection}", style="yellow")
    for citation in claim["citations"]:
        cells = [cell["reference"] for cell in citation["cells"]]
        place = _place(citation["file"], citation["place"], cells)
        which = f"version {citation['version']}, passage {citation['passage_id']}"
        kind = wording.document_kind(citation["subtype"], citation["level"])
        shown = " · ".join(filter(None, (f"{place}, {which}", kind)))
        text.append(f"\n    {shown}", style="cyan")
        text.append(f"\n    “{' '.join(citation['quote'].split())}”", style="dim")
        _append_url(text, citation)
    return text


def _append_url(text: Text, citation: Values) -> None:
    if url := citation.get("url"):
        text.append(f"\n    {url}", style=f"dim link {url}")


def _contradiction(found: Values) -> Text:
    text = Text(f"{'; '.join(found['differs'])}  (prevails: {found['prevails']})")
    for side in (found["holds"], found["against"]):
        citation = side["citation"]
        standing = ", ".join(str(each) for each in (side["level"], side["effective"]) if each)
        text.append(
            f"\n    {_place(citation['file'], citation['place'])}  {standing}", style="cyan"
        )
        text.append(f"\n    “{' '.join(citation['quote'].split())}”", style="dim")
        _append_url(text, citation)
    return text


def _place(file: str, place: Values, cells: Sequence[str] = ()) -> str:
    return place_in_words(Place(**place), file, cells)


def _candidates(candidates: Sequence[Values]) -> Table:
    table = Table("", "passage", "relevance", "level", "recency", "overridden")
    for candidate in candidates[:MOST_CANDIDATES]:
        scores = candidate["scores"]
        looked_up = " looked up" if "read_relevance" in scores else ""
        table.add_row(
            "used" if candidate["used"] else "",
            Text(_place(candidate["file"], candidate["place"])),
            "" if scores["relevance"] is None else f"{scores['relevance']:.2f}{looked_up}",
            f"{scores['hierarchy']:.0f}",
            f"{scores['recency']:.1f}",
            "yes" if candidate["overridden_by"] else "",
        )
    return table


TO_THE_MINUTE = len("2026-01-31T23:59")
ID_BEGINNING = len("01a1fd9c-5fc9-7ee5")
"""The time in milliseconds and 12 random bits: enough for `vouch audit show`."""
INDENT = 2


def listing(records: "Sequence[Summary]") -> RenderableType:
    """Of each when, what became of it and its id, then who asked what."""
    lines = [part for record in records for part in (_record_head(record), _question(record))]
    return Group(*lines) if lines else Text(wording.NO_RECORDS)


def feedback_listing(given: "Sequence[GivenFeedback]") -> RenderableType:
    """Of each when, what was said of which record, then who said it of which question."""
    lines = [part for each in given for part in _feedback(each)]
    return Group(*lines) if lines else Text(feedback_nothing(""))


def _feedback(given: "GivenFeedback") -> tuple[RenderableType, RenderableType]:
    said = feedback_in_words(given.value, given.why, given.file, given.words)
    who = given.person_name or given.person_id
    return _headed(given.time, said, given.audit_id), _indented(f"{who}: {given.question}")


def _record_head(record: "Summary") -> Text:
    return _headed(record.time, f"{record.decision:<{len('ABSTAIN')}}", record.audit_id)


def _question(record: "Summary") -> RenderableType:
    who = record.person_name or record.person_id
    where = f" in #{record.channel_name}" if record.channel_name else ""
    if not who:
        return _indented(erasing.ERASED)
    return _indented(f"{who}{where}: {record.question}")


def _headed(time: str, what: str, audit_id: str) -> Text:
    beginning = audit_id[:ID_BEGINNING]
    return Text.assemble(f"{time[:TO_THE_MINUTE]} UTC  ", (what, "bold"), f"  {beginning}")


def _indented(said: str) -> RenderableType:
    return Padding(Text(said, overflow="fold"), (0, 0, 0, INDENT))
