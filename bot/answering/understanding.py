"""What is made of a question before anything is searched."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from bot import wording
from bot.errors import WriterUnavailable


@dataclass(frozen=True, slots=True)
class Thought:
    """What a language model wrote to search with, and what it cost."""

    text: str
    tokens: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Understood:
    """A question, and what helps to search for it."""

    text: str
    previous: tuple[str, ...]
    """Questions that it may still lean on, oldest first; empty where it was rewritten."""
    imagined: str = ""
    """A passage that would answer, made up to search with; empty for none."""
    tokens: dict[str, int] = field(default_factory=dict)
    degraded: tuple[str, ...] = ()
    """What had to be done without."""


@dataclass(frozen=True, slots=True)
class Understanding:
    """Leaves a question as it is, but for what a language model is asked to do."""

    rewrite: Callable[[str, Sequence[str]], Thought | None] | None = None
    """Makes a follow-up stand alone; None leaves that to the rules of `followups`."""
    imagine: Callable[[str], Thought | None] | None = None
    """Makes up a passage that would answer (HyDE)."""
    fall_back: bool = False
    """Whether to do without a model that cannot be reached, and say so."""

    def __call__(self, text: str, previous: tuple[str, ...]) -> Understood:
        """Raise `WriterUnavailable` where a model is needed and does not answer."""
        rewritten, imagined, degraded = None, None, []
        if self.rewrite and previous:
            rewritten, missed = self._thought(partial(self.rewrite, text, previous))
            degraded += [wording.UNDERSTOOD_BY_RULES] if missed else []
        if self.imagine:
            meant = rewritten.text if rewritten else text
            imagined, missed = self._thought(partial(self.imagine, meant))
            degraded += [wording.NOTHING_IMAGINED] if missed else []
        thoughts = [each for each in (rewritten, imagined) if each]
        return Understood(
            text=rewritten.text if rewritten else text,
            previous=() if rewritten else previous,
            imagined=imagined.text if imagined else "",
            tokens=dict(sum((Counter(each.tokens) for each in thoughts), Counter[str]())),
            degraded=tuple(degraded),
        )

    def _thought(self, think: Callable[[], Thought | None]) -> tuple[Thought | None, bool]:
        """What the model wrote, None where it refused; and whether it could not be reached."""
        try:
            return think(), False
        except WriterUnavailable:
            if not self.fall_back:
                raise
            return None, True
