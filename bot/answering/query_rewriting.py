"""A question is rewritten before anything is searched."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from bot import wording
from bot.errors import WriterUnavailable
from retrieval.language.questions import without_chatter
from retrieval.search.timing import Stages
from retrieval.types import Passage

_MAY_ASK_SEVERAL_THINGS = re.compile(
    r"[,;.?!]\s+\S|\n|[&/+]|\b(?:and|or|plus|also|as well as)\b", re.IGNORECASE
)
"""Only then is a first question worth a request."""


@dataclass(frozen=True, slots=True)
class Rewriting:
    text: str
    """Empty where it refused."""
    tokens: dict[str, int] = field(default_factory=dict)
    parts: tuple[str, ...] = ()
    """The things that are asked, each standing alone."""


@dataclass(frozen=True, slots=True)
class RewrittenQuery:
    text: str
    previous: tuple[str, ...]
    """Questions that it may still refer to, oldest first; empty where it was rewritten."""
    parts: tuple[str, ...] = ()
    """The things that it asks, each standing alone; empty where rules are to find them."""
    tokens: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    degraded: tuple[str, ...] = ()
    """What had to be done without."""
    in_english: bool = True
    """Else it is searched for by its words, and nothing that is found is an answer."""


@dataclass(frozen=True, slots=True)
class QueryRewriting:
    """It takes what is asked out of what was typed; more only where a language model is asked."""

    understand: Callable[[str, Sequence[str]], Rewriting] | None = None
    """Makes a follow-up stand alone, and finds what a question asks; None leaves that to the
    rules of `followups` and `parts`."""
    take_steps: Callable[[str, Sequence[Passage]], Rewriting] | None = None
    """Finds the two questions, if any, by which one is looked up that is not answered, of what
    came near; None never does."""
    fall_back: bool = False
    """Whether to do without a model that cannot be reached, and say so."""
    is_english: Callable[[str], bool] = lambda _: True
    """Tells other languages, which nobody here understands."""
    what_is_asked: Callable[[str], str] = without_chatter
    """Takes what is asked out of what was typed."""

    def __call__(self, text: str, previous: tuple[str, ...], stages: Stages) -> RewrittenQuery:
        """Raise `WriterUnavailable` where a model is needed and does not answer."""
        text, previous = self.what_is_asked(text), tuple(map(self.what_is_asked, previous))
        if not self.is_english(text):
            told = not all(map(self.is_english, previous))
            said = () if told else (wording.ENGLISH_ONLY,)
            return RewrittenQuery(text, previous=(), degraded=said, in_english=False)
        understood = Rewriting("")
        degraded: list[str] = []
        if self.understand and (previous or _MAY_ASK_SEVERAL_THINGS.search(text)):
            rewrite = partial(self.understand, text, previous)
            with stages.stage("understand"):
                understood = self._written(rewrite, wording.UNDERSTOOD_BY_RULES, degraded)
        rewritten = understood.text if previous else ""
        return RewrittenQuery(
            text=rewritten or text,
            previous=() if rewritten else previous,
            parts=understood.parts,
            tokens={"understand": understood.tokens},
            degraded=tuple(degraded),
        )

    def in_steps(
        self, asked: RewrittenQuery, nearest: Sequence[Passage], stages: Stages
    ) -> RewrittenQuery:
        """The same, with the two steps as its parts where it takes two.

        A model that cannot be reached is done without, and that is said: a reply stands already.
        """
        if self.take_steps is None or not nearest or not asked.in_english:
            return asked
        degraded: list[str] = []
        with stages.stage("steps"):
            find = partial(self.take_steps, asked.text, nearest)
            found = self._written(find, wording.IN_ONE_STEP, degraded, at_all=False)
        return replace(
            asked,
            parts=found.parts,
            tokens={**asked.tokens, "steps": found.tokens},
            degraded=(*asked.degraded, *degraded),
        )

    def _written(
        self,
        write: Callable[[], Rewriting],
        without: str,
        degraded: list[str],
        *,
        at_all: bool = True,
    ) -> Rewriting:
        """What the model wrote; where it may be done `without`, that is noted in `degraded`."""
        try:
            return write()
        except WriterUnavailable:
            if at_all and not self.fall_back:
                raise
            degraded.append(without)
            return Rewriting("")
