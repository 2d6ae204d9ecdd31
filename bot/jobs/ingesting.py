"""The job `ingest`: every known source is read again."""

from collections.abc import Callable, Mapping
from threading import Event

from bot.errors import JobFailed
from bot.job_runs import Numbers
from bot.jobs.child import Finished
from bot.wording import jobs as wording

WORDS = ("ingest", "--all", "--json")
"""After `vouch`."""


def read_all_again(run: Callable[[Event], Finished], stopping: Event) -> Numbers:
    """Return the numbers of the reports; raise `JobFailed` naming sources that failed.

    Files that were left out are counted, and no failure: they are told where `ingest` and
    `check` tell them.
    """
    finished = run(stopping)
    if not isinstance(finished.told, Mapping):
        raise JobFailed(wording.ingest_broke(finished.status, finished.last_words))
    failed = finished.told["failed"]
    numbers = {name: value for name, value in finished.told.items() if name != "failed"}
    if failed:
        reasons = [f"{each['source']}: {each['reason']}" for each in failed]
        raise JobFailed(wording.sources_failed(reasons), numbers)
    return numbers
