"""The reranker learns questions, each with what retrieval confuses its passage with."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from retrieval.training.data import FAMILIES, Item, TrainingData, TrainingPassage
from retrieval.training.mining import CachedVectors, closest

MINED = 20
"""How many of the closest wrong passages negatives are drawn from."""
TOO_CLOSE = 0.06
"""Difference of cosines by which a wrong passage is so much closer than the right one that it may
well answer too. Not measured."""
GENERAL = 0.25
"""Of written questions: from public data sets."""
GENERAL_LIMIT = 1500
"""Questions of one public set, each mined for."""


@dataclass(frozen=True, slots=True)
class Known:
    """A question is as it was written, with what retrieval confuses its passage with."""

    question: str
    passage: TrainingPassage
    wrong: tuple[TrainingPassage, ...]
    """The closest first."""
    further: tuple[TrainingPassage, ...]
    """Those of `wrong` that are not so much closer than `passage` that they may well answer too."""
    item: Item | None
    number: int
    """Which of the item's questions it is."""

    @property
    def answers(self) -> tuple[int, ...]:
        """The sentences of its passage that answer; empty where nobody said."""
        if self.item is None or self.number >= len(self.item.answers):
            return ()
        inside = range(len(self.passage.sentences))
        return tuple(i for i in self.item.answers[self.number] if i in inside)


Asked = tuple[str, TrainingPassage, Item | None, int]
"""A question, its passage, its item and which of the item's questions it is."""


class RerankerQuestions:
    """They are mined for when they are first asked for."""

    def __init__(self, data: TrainingData, vectors: CachedVectors) -> None:
        self._data = data
        self._vectors = vectors

    @cached_property
    def known(self) -> list[Known]:
        """Questions that are trained on, but public ones."""
        return [known for known in self._all_known if not known.passage.dev]

    @cached_property
    def dev(self) -> dict[str, list[Known]]:
        """Held-out questions by source."""
        found: dict[str, list[Known]] = {}
        for known in self._all_known:
            if known.passage.dev:
                found.setdefault(known.passage.source, []).append(known)
        return found

    @cached_property
    def _all_known(self) -> list[Known]:
        return self._mined_in_their_sources(
            (question, self._data.passages[item.passage_id], item, number)
            for item in self._data.items
            for number, question in enumerate(item.questions)
        )

    @cached_property
    def general(self) -> list[Known]:
        by_source: dict[str, list[Asked]] = {}
        for question in self._data.general_questions:
            passage = self._data.general_passages[question.passage_id]
            if not passage.dev:
                by_source.setdefault(question.source, []).append(
                    (question.question, passage, None, 0)
                )
        return [
            known
            for every in by_source.values()
            for asked in [every[:: -(-len(every) // GENERAL_LIMIT)]]
            for known in self._mined(asked, list({a[1].passage_id: a[1] for a in asked}.values()))
        ]

    def _pool(self, source: str, dev: bool) -> list[TrainingPassage]:
        """Measured over the whole source; trained without what is measured."""
        return [
            p
            for p in self._data.passages.values()
            if p.source == source and ((dev and source != FAMILIES) or p.dev == dev)
        ]

    def _mined_in_their_sources(self, asked: Iterable[Asked]) -> list[Known]:
        """Held-out questions among others than those that are trained on."""
        by_source: dict[tuple[str, bool], list[Asked]] = {}
        for each in asked:
            by_source.setdefault((each[1].source, each[1].dev), []).append(each)
        return [
            known
            for (source, dev), some in by_source.items()
            for known in self._mined(some, self._pool(source, dev))
        ]

    def _mined(
        self,
        asked: Sequence[Asked],
        pool: Sequence[TrainingPassage],
    ) -> list[Known]:
        questions = [question for question, _, _, _ in asked]
        found = closest(questions, pool, self._vectors, MINED + 1)
        own = self._vectors(questions)
        right = self._vectors([passage.whole for _, passage, _, _ in asked])
        cosines = (own * right).sum(axis=1)
        return [
            Known(
                question,
                passage,
                tuple(p for p, _ in near if p.text != passage.text)[:MINED],
                tuple(p for p, c in near if p.text != passage.text and c < cosine + TOO_CLOSE),
                item,
                number,
            )
            for (question, passage, item, number), cosine, near in zip(
                asked, cosines, found, strict=True
            )
        ]

    @property
    def general_share(self) -> int:
        return min(len(self.general), round(len(self.known) * GENERAL / (1 - GENERAL)))

    @cached_property
    def dev_near(self) -> dict[str, list[Known]]:
        """Held-out near misses by source."""
        found: dict[str, list[Known]] = {}
        for known in chain.from_iterable(self.near.values()):
            if known.passage.dev:
                found.setdefault(known.passage.source, []).append(known)
        return found

    @cached_property
    def near(self) -> dict[str, list[Known]]:
        """By the passage that they miss."""
        found: dict[str, list[Known]] = {}
        for known in self._mined_in_their_sources(
            (near, self._data.passages[item.passage_id], item, 0)
            for item in self._data.items
            for near in item.near
        ):
            found.setdefault(known.passage.passage_id, []).append(known)
        return found
