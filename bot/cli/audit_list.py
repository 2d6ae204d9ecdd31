"""Records become a list that a narrow terminal shows too; `--json` has all of them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from bot import wording

if TYPE_CHECKING:
    from audit.queries import Summary

TO_THE_MINUTE = len("2026-01-31T23:59")
ID_BEGINNING = len("01a1fd9c-5fc9-7ee5")
"""The time in milliseconds and 12 random bits: enough for `vouch audit show`."""
INDENT = 2


def listing(records: "Sequence[Summary]") -> RenderableType:
    """Of each when, what became of it and its id, then who asked what."""
    lines = [part for record in records for part in (_facts(record), _question(record))]
    return Group(*lines) if lines else Text(wording.NO_RECORDS)


def _facts(record: "Summary") -> Text:
    decision = f"{record.decision:<{len('ABSTAIN')}}"
    audit_id = record.audit_id[:ID_BEGINNING]
    return Text.assemble(
        f"{record.time[:TO_THE_MINUTE]} UTC  ", (decision, "bold"), f"  {audit_id}"
    )


def _question(record: "Summary") -> RenderableType:
    who = record.person_name or record.person_id
    where = f" in #{record.channel_name}" if record.channel_name else ""
    said = Text(f"{who}{where}: {record.question}", overflow="fold")
    return Padding(said, (0, 0, 0, INDENT))
