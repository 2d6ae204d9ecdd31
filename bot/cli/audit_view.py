"""An audit record becomes a page that a person can read; `--json` has all of it."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from audit.badge import badge_of
from audit.record import AuditRecord
from audit.record.events import EventKind
from audit.record.verdict import Decision
from bot import wording
from bot.answering.certainty import certainty
from bot.cited_links import UNLINKED, CitedLinks
from bot.wording import evidence
from retrieval.types import Location

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
        "searched for": record["standalone_question"],
        "imagined to search with": record["imagined_passage"],
        "could read": _scope(record["filter"]),
        "decision": f"{record['decision']}: {'; '.join(record['reasons'])}",
        "shown as": wording.BADGES[_shown_as(record)],
        "out of date": "; ".join(_expired(each) for each in record["expired"]),
        **{
            evidence.FACTS[name].lower(): _yes(record[name])
            for name in ("more_in_private", "own_rule_in_private")
        },
        "degraded": "; ".join(record["degraded"]),
    }


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
        "confidence": _numbers(record["confidence"]),
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
    """A person or a channel."""
    name, own_id = who_or_where["name"], str(who_or_where["id"])
    return f"{name} ({own_id})" if name else own_id


def _scope(search_filter: Values) -> str:
    facets = [f"{name}: {', '.join(values)}" for name, values in search_filter["facets"].items()]
    return f"{'; '.join(facets) or 'what is for everyone'}, on {search_filter['on']}"


def _numbers(confidence: Values) -> str:
    return ", ".join(f"{name} {_share(value)}" for name, value in confidence.items())


def _share(value: float | None) -> str:
    return evidence.NOT_MEASURED if value is None else f"{value:.2f}"


def _yes(so: bool) -> str:
    return evidence.YES if so else ""


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
    return Location(**place).in_words(file, cells)


def _candidates(candidates: Sequence[Values]) -> Table:
    table = Table("", "passage", "relevance", "level", "recency", "overridden")
    for candidate in candidates[:MOST_CANDIDATES]:
        scores = candidate["scores"]
        table.add_row(
            "used" if candidate["used"] else "",
            Text(_place(candidate["file"], candidate["place"])),
            "" if scores["relevance"] is None else f"{scores['relevance']:.2f}",
            f"{scores['hierarchy']:.0f}",
            f"{scores['recency']:.1f}",
            "yes" if candidate["overridden_by"] else "",
        )
    return table
