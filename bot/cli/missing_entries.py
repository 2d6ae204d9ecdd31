"""What a language model has yet to write for an ingest is told, by the reason."""

from collections.abc import Mapping

from bot.cli.console import Terminal


def print_missing_entries(owed: Mapping[str, int], console: Terminal) -> None:
    """No fault of a document, which is found all the same: in yellow, by number of passages."""
    from bot.wording import entries as wording

    for reason, passages in owed.items():
        said = wording.missing(passages, reason)
        console.print(said, style="yellow", markup=False, soft_wrap=True)
