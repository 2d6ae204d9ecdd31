"""Why somebody may, or may not, read a document, in words."""

from collections.abc import Sequence
from datetime import date

from bot.wording.names import did_you_mean

NEVER = date.min.isoformat()
"""The last day of what no longer holds, as nobody said since when."""
SUSPENDED = (
    "it waits for an ingest that reads its folder to the end: the last one still reads, was ended, "
    "or could not list it"
)
GUEST = "A guest"
KEPT_OUT_NONE = "Nothing is kept out."


def unknown_document(name: str, near: Sequence[str]) -> str:
    return (
        f"No document is called {name!r}, neither in the library nor among what was kept out. "
        f"{did_you_mean(near)}Ingest it first, or write its path below the ingested folder."
    )


def may_read(who: str, file: str) -> str:
    return f"{who} may read {file}."


def may_not_read(who: str, file: str) -> str:
    return f"{who} may not read {file}."


def nobody_reads(file: str) -> str:
    return f"Nobody reads {file}: it is kept out."


def reason(why: str) -> str:
    return f"It {why}."


def for_everyone() -> str:
    return "It is for everyone, at any time."


def rule(audience: Sequence[tuple[str, Sequence[str]]], start: str, end: str) -> str:
    """What a document's rule says; `start` and `end` are days, or empty."""
    parts = [f"{facet} {', '.join(values)}" for facet, values in audience]
    parts += [f"from {start}"] if start else []
    parts += [f"until {end}"] if end not in ("", NEVER) else []
    if end == NEVER:
        return "It says of itself that it no longer holds."
    return f"It is for {'; '.join(parts)}."


def stated_in(places: Sequence[str]) -> str:
    return f"That stands in {' and in '.join(places)}."


def obstacle(who: str, key: str, wanted: Sequence[str], held: Sequence[str]) -> str:
    if key == "valid_from":
        return f"It holds only from {wanted[0]}; asked for {held[0]}."
    if key == "valid_to" and wanted[0] == NEVER:
        return "It no longer holds, so it is no evidence."
    if key == "valid_to":
        return f"It held only until {wanted[0]}; asked for {held[0]}."
    has = ", ".join(held) or "none"
    return f"{key}: it needs {' or '.join(wanted) or 'a value that nobody has'}; {who} has {has}."


def kept_out_heading(number: int) -> str:
    """`number`: of documents, and of entries of metadata files that name none."""
    return f"Kept out, or not understood ({number}):"


def kept_out_more(number: int) -> str:
    return f"and {number} more; `vouch check` names them all."
