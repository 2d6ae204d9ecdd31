"""`vouch audit replay` makes an answer again; `what-if` decides answers by other thresholds."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.arguments import AsJson, AuditId
from bot.cli.audit import Since, Until
from bot.cli.console import Terminal, print_json
from bot.cli.container import open_container_to_read
from bot.errors import WrongUse
from bot.wording import quality as wording

if TYPE_CHECKING:
    from bot.answering.replaying import ReplayDifference
    from bot.quality.what_if import WhatIf

Threshold = Annotated[float | None, typer.Option(min=0.0, max=1.0, help="Overall confidence.")]


def replay(audit_id: AuditId, as_json: AsJson = False) -> None:
    """Answer again of what a record keeps, and say what comes out otherwise, and why it may."""
    from bot.wiring.quality import replay as again

    found = again(open_container_to_read(), audit_id)
    if as_json:
        print_json(asdict(found))
        return
    terminal = Terminal()
    terminal.print(wording.SAME if found.same else wording.ANOTHER, style="bold")
    for title, differences in (
        (wording.WHAT_DIFFERS, found.differences),
        (wording.MADE_WITH, found.changed),
    ):
        _print(terminal, title, [_in_words(each) for each in differences])
    _print(terminal, wording.LACKING, found.lacking)
    if not found.same and not found.changed and not found.lacking:
        terminal.print(wording.NO_REASON)


def _in_words(difference: "ReplayDifference") -> str:
    said = wording.then_and_now(difference.then, difference.now)
    return f"{difference.what}\n{said}"


def what_if(
    answer_at: Threshold = None,
    partial_at: Threshold = None,
    since: Since = None,
    until: Until = None,
    labels: Annotated[
        Path | None, typer.Option(help="Labelled questions, as `vouch lab evaluate` reads them.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Decide recorded answers by other thresholds, and say which would change, and if for good."""
    from bot.quality.questions import load_questions
    from bot.wiring.quality import what_if as decided

    if answer_at is None and partial_at is None:
        raise WrongUse(wording.NO_THRESHOLD)
    known = load_questions(labels, split=None) if labels else []
    found = decided(open_container_to_read(), answer_at, partial_at, since, until, known)
    if as_json:
        print_json(asdict(found))
    else:
        _print_decided(found)


def _print_decided(found: "WhatIf") -> None:
    terminal = Terminal()
    terminal.print(wording.decided_again(found.records, found.decisions, found.would_be))
    terminal.print(wording.changes(found.judged))
    for each in found.changed:
        became = f"{each.was} → {each.would_be} ({wording.JUDGED[each.judged]})"
        terminal.print(f"{each.audit_id}  {became}")
        terminal.print(f"  {each.question}")
    if any(each.was == "ABSTAIN" for each in found.changed):
        terminal.print(wording.ABSTENTIONS)


def _print(terminal: Terminal, title: str, said: Sequence[str]) -> None:
    if said:
        terminal.print()
        terminal.print(title, style="bold")
    for each in said:
        first, *others = each.splitlines()
        terminal.print(f"- {first}")
        for line in others:
            terminal.print(f"    {line}")
