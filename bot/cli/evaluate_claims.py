"""`vouch evaluate-claims` tells what the check of claims lets pass, and what it holds back."""

from pathlib import Path
from typing import Annotated

import typer

from bot.cli.console import Terminal
from bot.cli.container import open_container
from bot.cli.files import file_to_read


def evaluate_claims(
    claims: Annotated[
        Path,
        typer.Argument(
            help="Labelled claims, JSON lines: kind, premise, claim, supported.",
            callback=file_to_read,
        ),
    ],
) -> None:
    """Check labelled claims as replies are checked, and print how many pass."""
    from bot.cli.progress import progress_bar
    from bot.evaluation.claims import load_claims, passing
    from bot.evaluation.report import claims_table

    labelled = load_claims(claims)
    with progress_bar(Terminal(stderr=True), "Checking") as progress:
        rows = passing(labelled, open_container().verification, progress)
    Terminal().print(claims_table(rows))
