"""An outcome as it is recorded, and as doors show it."""

from typing import Any

from rich.console import Console

from audit.record import AuditRecord, Versions
from bot.answering.outcome import Outcome
from bot.answering.recording import Circumstances, audit_record
from bot.cli.replies import render
from bot.slack.blocks.reply import reply
from bot.workspace.block_kit.validation import problems


def recorded(outcome: Outcome) -> AuditRecord:
    record = audit_record(outcome, Circumstances(Versions(software="0"), "", "", "", ""))
    return AuditRecord.model_validate_json(record.model_dump_json())


def in_slack(outcome: Outcome) -> list[dict[str, Any]]:
    blocks = list(reply(recorded(outcome), 7, quoted=False).blocks)
    assert problems(blocks) == []
    return blocks


def printed(outcome: Outcome, pages: str = "", width: int = 120) -> str:
    console = Console(width=width)
    with console.capture() as captured:
        console.print(render(outcome, pages))
    return captured.get()
