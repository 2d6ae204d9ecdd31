"""Records become a list that a narrow terminal shows too; `--json` has all of them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from bot import wording
from bot.wording.evidence import feedback_in_words, feedback_nothing

if TYPE_CHECKING:
    from audit.feedback_queries import GivenFeedback
    from audit.queries import Summary

TO_THE_MINUTE = len("2026-01-31T23:59")
ID_BEGINNING = len("01a1fd9c-5fc9-7ee5")
"""The time in milliseconds and 12 random bits: enough for `vouch audit show`."""
INDENT = 2


def listing(records: "Sequence[Summary]") -> RenderableType:
    """Of each when, what became of it and its id, then who asked what."""
    lines = [part for record in records for part in (_facts(record), _question(record))]
    return Group(*lines) if lines else Text(wording.NO_RECORDS)


def feedback_listing(given: "Sequence[GivenFeedback]") -> RenderableType:
    """Of each when, what was said of which record, then who said it of which question."""
    lines = [part for each in given for part in _feedback(each)]
    return Group(*lines) if lines else Text(feedback_nothing(""))


def _feedback(given: "GivenFeedback") -> tuple[RenderableType, RenderableType]:
    said = feedback_in_words(given.value, given.why, given.file, given.words)
    who = given.person_name or given.person_id
    return _headed(given.time, said, given.audit_id), _indented(f"{who}: {given.question}")


def _facts(record: "Summary") -> Text:
    return _headed(record.time, f"{record.decision:<{len('ABSTAIN')}}", record.audit_id)


def _question(record: "Summary") -> RenderableType:
    who = record.person_name or record.person_id
    where = f" in #{record.channel_name}" if record.channel_name else ""
    return _indented(f"{who}{where}: {record.question}")


def _headed(time: str, what: str, audit_id: str) -> Text:
    beginning = audit_id[:ID_BEGINNING]
    return Text.assemble(f"{time[:TO_THE_MINUTE]} UTC  ", (what, "bold"), f"  {beginning}")


def _indented(said: str) -> RenderableType:
    return Padding(Text(said, overflow="fold"), (0, 0, 0, INDENT))
