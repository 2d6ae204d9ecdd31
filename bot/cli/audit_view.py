"""An audit record becomes a page that a person can read; `--json` has all of it."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from bot import wording
from bot.wording import evidence
from retrieval.types import Location

MOST_CANDIDATES = 10

Values = Mapping[str, Any]
"""A record as it is stored."""


def render(record: Values) -> RenderableType:
    """What was asked and answered, from which places, and how sure that was."""
    confidence = record["confidence"]
    lines: list[RenderableType] = [
        _facts(
            {
                "audit id": record["audit_id"],
                "time": record["time"],
                "person": _name(record["person"]),
                "channel": _name(record["channel"]) or "none: read by the person alone",
                "question": record["question"],
                "searched for": record["standalone_question"],
                "imagined to search with": record["imagined_passage"],
                "could read": _scope(record["filter"]),
                "decision": f"{record['decision']}: {'; '.join(record['reasons'])}",
                "out of date": "; ".join(_expired(each) for each in record["expired"]),
                "confidence": _numbers(confidence),
                "written by": record["writer"]["name"],
                evidence.FACTS["more_in_private"].lower(): _yes(record["more_in_private"]),
                "degraded": "; ".join(record["degraded"]),
                "calibration": record["calibration_id"],
                "time taken": wording.times(record["latency_ms"]),
                "tokens in + out": wording.tokens(record["tokens_by_stage"], record["tokens"]),
                "software": record["versions"]["software"],
                "hash": record["chain"]["hash"],
            }
        ),
        Text("\nReply", style="bold"),
        Text(record["reply"]),
    ]
    for title, claims in (("Claims", record["claims"]), ("Dropped", record["dropped"])):
        if claims:
            lines += [Text(f"\n{title}", style="bold"), *(_claim(claim) for claim in claims)]
    if record["contradictions"]:
        lines.append(Text("\nContradictions", style="bold"))
        lines += [_contradiction(each) for each in record["contradictions"]]
    lines += [Text("\nBest candidates", style="bold"), _candidates(record["candidates"])]
    if record["events"]:
        lines += [Text("\nLater", style="bold")]
        lines += [Text(f"{e['time']} {e['kind']} {e['text']}") for e in record["events"]]
    return Group(*lines)


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
        place = _place(citation["file"], citation["place"])
        text.append(f"\n    {place}, version {citation['version']}", style="cyan")
        text.append(f"\n    “{' '.join(citation['quote'].split())}”", style="dim")
    return text


def _contradiction(found: Values) -> Text:
    text = Text(f"{'; '.join(found['differs'])}  (prevails: {found['prevails']})")
    for side in (found["holds"], found["against"]):
        citation = side["citation"]
        standing = ", ".join(str(each) for each in (side["level"], side["effective"]) if each)
        text.append(
            f"\n    {_place(citation['file'], citation['place'])}  {standing}", style="cyan"
        )
        text.append(f"\n    “{' '.join(citation['quote'].split())}”", style="dim")
    return text


def _place(file: str, place: Values) -> str:
    return Location(**place).in_words(file)


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
