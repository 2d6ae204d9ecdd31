"""All that a check of a draft may ask a model can be asked in one request.

What is asked second depends on what was answered first, in two ways only: a premise entails the
claim, or it does not. So the check is gone through twice with a model that only listens, once
where everything is entailed and once where nothing is; then with one that knows the answers.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from retrieval.ports import Entailment, EntailmentPair


def asked_at_once(model: Entailment, check: Callable[[Entailment], object]) -> Entailment:
    """A model that knows already what `check` asks of it; raise what `model` does."""
    asked: dict[EntailmentPair, None] = {}
    for answer in (1.0, 0.0):
        check(_Listening(model.name, answer, asked))
    pairs = list(asked)
    return _Knowing(model, dict(zip(pairs, model.supported(pairs), strict=True)))


@dataclass(frozen=True, slots=True)
class _Listening:
    """It keeps what it is asked, and always answers the same."""

    name: str
    answer: float
    asked: dict[EntailmentPair, None]

    def supported(self, pairs: Sequence[EntailmentPair]) -> list[float]:
        self.asked.update(dict.fromkeys(pairs))
        return [self.answer] * len(pairs)


@dataclass(frozen=True, slots=True)
class _Knowing:
    """It asks the model only what it was not told yet."""

    model: Entailment
    known: dict[EntailmentPair, float]

    @property
    def name(self) -> str:
        return self.model.name

    def supported(self, pairs: Sequence[EntailmentPair]) -> list[float]:
        unknown = [pair for pair in dict.fromkeys(pairs) if pair not in self.known]
        self.known.update(zip(unknown, self.model.supported(unknown), strict=True))
        return [self.known[pair] for pair in pairs]
