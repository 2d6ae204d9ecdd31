"""Lists scheduled jobs for an administrator."""

from collections.abc import Sequence

from bot.job_runs import JobStatus
from bot.slack.blocks.elements import bullets, line, rich, words
from bot.slack.blocks.limits import in_line, spoken
from bot.slack.message import Message
from bot.wording import jobs as wording

_LONGEST_LINE = 700


def job_list(jobs: Sequence[JobStatus]) -> Message:
    """Give each a line: when, when next, and what its last run came to."""
    said = [(job.name, in_line(job.in_words, _LONGEST_LINE)) for job in jobs]
    listed = [line(words(name, bold=True), words(f": {how}")) for name, how in said]
    lines = [f"{name}: {how}" for name, how in said]
    heading = line(words(wording.HEADING if jobs else wording.NO_JOBS, bold=True))
    parts = [heading, bullets(listed)] if listed else [heading]
    return Message(spoken("\n".join([wording.HEADING, *lines])), (rich(*parts),))
