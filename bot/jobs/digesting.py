"""The job `digest`: each unit's channel hears what was asked last week and not answered."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Event

from bot.answering.digest import Digest, UnitDigest, Week
from bot.errors import JobFailed, JobStopped
from bot.jobs.runs import Numbers

Post = Callable[[Week, str, Sequence[UnitDigest]], bool]
"""Posts a week's digest into a channel, and tells whether it did not stand there already.

Raises `JobFailed` where it does not now."""


@dataclass(frozen=True, slots=True)
class TellDigest:
    """Tells the newest whole week: of one in which no bot ran nothing is told later."""

    digest: Callable[[Week], Digest]
    this_week: Callable[[], Week]
    post: Post

    def __call__(self, stopping: Event) -> Numbers:
        """Return how many channels were told, and of the home's own how much was not answered.

        Raise `JobFailed` for those that could not be told. What was told is not told again. A week
        in which all was answered is not told at all.
        """
        digest = self.digest(self.this_week().earlier())
        told, failed = 0, list[str]()
        for channel, units in digest.by_channel().items():
            if stopping.is_set():
                raise JobStopped("The bot stops.")
            try:
                if channel and self.post(digest.week, channel, units):
                    told += 1
            except JobFailed as error:
                failed.append(str(error))
        homes = [unit for unit in digest.units if not unit.team]
        asked = sum(unit.unseen + sum(line.asked for line in unit.lines) for unit in homes)
        numbers: Numbers = {"week": digest.week.name, "unanswered": asked, "channels_told": told}
        if failed:
            raise JobFailed(" ".join(failed), numbers)
        return numbers
