"""`vouch ingest --all`: every known source is read again, and one that is gone removes nothing."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bot.cli.console import Terminal
from bot.wiring import Container

if TYPE_CHECKING:
    from retrieval.ingest.report import IngestReport
    from retrieval.ingest.sources import ToRead


@dataclass(frozen=True, slots=True)
class ReadAgain:
    """What became of all sources."""

    reports: "tuple[IngestReport, ...]"
    failed: "tuple[ToRead, ...]"

    @property
    def is_clean(self) -> bool:
        return not self.failed and all(report.is_clean for report in self.reports)

    def numbers(self) -> dict[str, object]:
        """For `--json`: sums over all sources, and what failed."""
        reports = self.reports
        return {
            "new": sum(len(each.added) for each in reports),
            "changed": sum(len(each.changed) for each in reports),
            "gone": sum(len(each.removed) for each in reports),
            "unchanged": sum(each.unchanged for each in reports),
            "passages": sum(each.passages for each in reports),
            "left_out": sum(len(each.problems) + len(each.unused) for each in reports),
            "read_in_part": sum(len(each.unread) for each in reports),
            "without_readers": sum(each.unsaid for each in reports),
            "entries_missing": max((sum(each.owed.values()) for each in reports), default=0),
            "failed": [{"source": each.source, "reason": each.problem} for each in self.failed],
        }


def read_all_again(container: Container, console: Terminal, only: str = "") -> ReadAgain:
    """Read one source after another, or only the one; one that fails holds up no other."""
    from retrieval.ingest.sources import known_paths

    reports: list[IngestReport] = []
    failed: list[ToRead] = []
    for each in known_paths(container.library):
        if only not in ("", each.source):
            continue
        try:
            reports.append(_read(container, each, console))
        except _NotRead as error:
            said = f"{each.source}: {error}"
            console.print(said, style="red", markup=False, soft_wrap=True)
            failed.append(replace(each, problem=str(error)))
    return ReadAgain(tuple(reports), tuple(failed))


class _NotRead(Exception):
    """A source cannot be read; the message is the reason."""


def _read(container: Container, wanted: "ToRead", console: Terminal) -> "IngestReport":
    from bot.cli.ingest import print_report
    from bot.cli.progress import progress_bar
    from retrieval.errors import SourceNameTaken, UnreadableDocument

    if wanted.problem:
        raise _NotRead(wanted.problem)
    try:
        with progress_bar(console, f"Reading {wanted.path}") as progress:
            report = container.ingest.run(wanted.path, progress=progress)
    except (UnreadableDocument, SourceNameTaken) as error:
        raise _NotRead(str(error)) from error
    except FileNotFoundError as error:
        raise _NotRead(f"{wanted.path} went away while it was read") from error
    print_report(report, console)
    return report
