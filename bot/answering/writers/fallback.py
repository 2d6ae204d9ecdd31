"""A second writer writes when the first fails: chosen by a setting, never hidden."""

from dataclasses import dataclass, replace

from bot import wording
from bot.answering.values import Brief, Draft
from bot.answering.writers.port import Writer
from bot.errors import WriterUnavailable


@dataclass(frozen=True, slots=True)
class FallbackWriter:
    """It writes with `second` where `first` cannot, and says so in the draft."""

    first: Writer
    second: Writer

    @property
    def name(self) -> str:
        return f"{self.first.name}, else {self.second.name}"

    def write(self, brief: Brief) -> Draft:
        try:
            return self.first.write(brief)
        except WriterUnavailable as error:
            draft = self.second.write(brief)
            return replace(draft, degraded=f"{wording.FALLBACK_WRITER} ({error})")
