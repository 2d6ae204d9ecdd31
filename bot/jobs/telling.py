"""When administrators are told of a job: once that it fails, once that it works again.

Both follow from the recorded runs alone, so that a restart neither repeats nor forgets them.
"""

from collections.abc import Sequence
from itertools import takewhile

from bot.job_runs import Outcome, Run, Told
from bot.wording import jobs as wording


def to_be_told(run: Run, marked: Sequence[Run]) -> str:
    """Return what to tell of a run that ended; empty for nothing new.

    `marked`: earlier runs that were told or are owed, newest first.
    """
    owed = takewhile(lambda each: each.told is Told.OWED, marked)
    said = next((each for each in marked if each.told is Told.TOLD), None)
    known_to_fail = said is not None and said.outcome is Outcome.FAILED
    if run.outcome is Outcome.FAILED:
        return "" if known_to_fail else wording.job_failed(run.job, run.started_at, run.reason)
    if run.outcome is not Outcome.OK:
        return ""
    unsaid = next((each for each in owed if each.outcome is Outcome.FAILED), None)
    failed = said if known_to_fail else unsaid
    if failed is None:
        return ""
    reason = "" if known_to_fail else failed.reason
    return wording.job_works_again(run.job, failed.started_at, reason)
