"""`vouch lab` gathers what measures; `vouch --help` lists what a person needs every day."""

import typer

from bot.lab.commands.bench import bench
from bot.lab.commands.calibrate import calibrate
from bot.lab.commands.check_documents import check_documents
from bot.lab.commands.evaluate import (
    ListsRecipes,
    evaluate,
    evaluate_claims,
    evaluate_extraction,
    standard_answers,
)


def add_commands(program: typer.Typer, hidden: bool = False) -> None:
    """By the names that they have in `vouch lab`; hidden in a program that knew them before."""
    program.command(cls=ListsRecipes, hidden=hidden)(evaluate)
    program.command(name="evaluate-claims", hidden=hidden)(evaluate_claims)
    program.command(name="evaluate-extraction", hidden=hidden)(evaluate_extraction)
    program.command(name="standard-answers", hidden=hidden)(standard_answers)
    program.command(name="check-documents", hidden=hidden)(check_documents)
    program.command(hidden=hidden)(calibrate)
    program.command(hidden=hidden)(bench)


lab = typer.Typer(
    no_args_is_help=True,
    help="Measure questions, published systems, claims, places and speed; fit a calibration.",
)
add_commands(lab)
