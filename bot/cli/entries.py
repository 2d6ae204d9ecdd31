"""What became of the entries that lead to passages is told after an ingest."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from bot.cli.console import Terminal

if TYPE_CHECKING:
    from retrieval.ingest.report import IngestReport


def print_entries(report: "IngestReport", console: Terminal) -> None:
    """What readers' questions were learned and forgotten, then what is missing."""
    from bot.wording import entries as wording

    if said := wording.learned(report.learned.new, report.learned.gone):
        console.print(said)
    print_missing(report.owed, console)


def print_missing(owed: Mapping[str, int], console: Terminal) -> None:
    """What a language model has yet to write: in numbers of passages, by the reason."""
    from bot.wording import entries as wording

    for reason, passages in owed.items():
        said = wording.missing(passages, reason)
        console.print(said, style="yellow", markup=False, soft_wrap=True)
