"""The cross-encoder is trained to say how probably a passage answers a question.

Its logit puts the answering passage first among those that retrieval confuses with it (softmax over
a group), a question before the best of what is found for one that nothing answers, and each pair
high or low by itself (cross-entropy), so that its sigmoid is the relevance.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path
from random import Random

import torch

from retrieval.models.embedders import BundledEmbedder
from retrieval.training.data import Item, TrainingData, TrainingPassage, as_typed, grouped
from retrieval.training.embedder import EmbedderTask
from retrieval.training.encoder import (
    CachedVectors,
    Embed,
    closest,
    is_headed,
    load_classifier,
    load_tokenizer,
    read_pairs,
)
from retrieval.training.labels import JUDGED_TURNS, Judged, Labels, judged_for_training
from retrieval.training.run import Plan, seeded

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


NEGATIVES = 5
SENTENCES = 0.35
"""Of questions also asked of single sentences, as sentence reranking and the writer do."""
CROPPED = 0.6
"""Of passages cut to some of their sentences: other lengths, and faster."""
WITHOUT_HEADING = 0.15
"""Of whole passages read without their heading path."""
DRAWN = 2
"""Passages that a question without an answer is asked of, beside the one that it was written
for: the bot takes the best of what it finds, so all of that must stay under what answers. One
near miss in twenty is answered by one of them."""
FOUND = 6
"""How many of the closest passages those are drawn from."""


@dataclass(frozen=True, slots=True)
class Miss:
    """The text does not answer the question, though it is on its topic."""

    question: str
    text: str


@dataclass(frozen=True, slots=True)
class Group:
    """A group has a question and texts; the first answers, the others do not."""

    question: str
    texts: tuple[str, ...]
    misses: tuple[Miss, ...] = ()
    """Another question: one on the same topic, asked of the first text's passage and of what is
    found for it, or one about the same handbook, asked of what was found for that."""


class RerankerGroups:
    """Groups and near misses are drawn afresh from a seed."""

    def __init__(self, data: TrainingData, embed: Embed, labels: Labels) -> None:
        """`embed` finds the passages and sentences that seem most like an answer."""
        self._data = data
        self._judged = judged_for_training(labels, data.passages)
        self._vectors = CachedVectors(embed)

    def batches(self, seed: int, size: int) -> Iterator[list[Group]]:
        """Of `size` questions, without end, and the same for the same seed."""
        dice = seeded(seed)
        self._read_all()
        share = round(len(self._known) * GENERAL / (1 - GENERAL))
        while True:
            some: list[Known | Judged] = [
                *self._known,
                *dice.sample(self._general, min(len(self._general), share)),
                *self._judged * JUDGED_TURNS,
            ]
            dice.shuffle(some)
            for start in range(0, len(some) - size + 1, size):
                yield self._batch(some[start : start + size], dice)

    def _read_all(self) -> None:
        """All that will be drawn, at once: a few at a time take many times as long on a GPU."""
        missed = [*chain(*self._near.values())]
        passages = {known.passage.passage_id: known.passage for known in missed}
        texts = [known.question for known in missed]
        for other in chain.from_iterable(judged.unanswered for judged in self._judged):
            passages |= {p.passage_id: p for p in other.wrong}
            texts.append(other.question)
        for passage in passages.values():
            texts += _alone(passage)
        self._vectors(texts)

    def _batch(self, some: Sequence[Known | Judged], dice: Random) -> list[Group]:
        groups = []
        for known in some:
            groups.append(self._of_whole(known, dice))
            if dice.random() < SENTENCES and (group := self._of_single(known, dice)):
                groups.append(group)
        return groups

    def _of_whole(self, known: Known | Judged, dice: Random) -> Group:
        if isinstance(known, Judged):
            return self._of_judged(known, dice)
        return self._of_passages(known, dice)

    def _of_single(self, known: Known | Judged, dice: Random) -> Group | None:
        """Of single sentences, where somebody said which of them answer."""
        if isinstance(known, Judged):
            return self._of_judged_sentences(known, dice)
        return self._of_known_sentences(known, dice) if known.item else None

    def _of_passages(self, known: Known, dice: Random) -> Group:
        """The answering passage among those that retrieval confuses with it."""
        wrong = dice.sample(known.further, min(NEGATIVES, len(known.further)))
        return Group(
            as_typed(known.question, dice),
            tuple(_form(passage, known, dice) for passage in (known.passage, *wrong)),
            self._misses(known, dice) if known.item else (),
        )

    def _misses(self, known: Known, dice: Random) -> tuple[Miss, ...]:
        near = dice.choice(self._near[known.passage.passage_id])
        question = as_typed(near.question, dice)
        own = Miss(question, _form(known.passage, known, dice))
        drawn = dice.sample(near.wrong[:FOUND], min(DRAWN, len(near.wrong)))
        return (own, *(Miss(question, _whole(passage, dice)) for passage in drawn))

    def _of_known_sentences(self, known: Known, dice: Random) -> Group | None:
        near = dice.choice(self._near[known.passage.passage_id])
        missed = (near.question, known.passage)
        return self._of_sentences(known.question, known.passage, known.answers, missed, dice)

    def _of_judged_sentences(self, judged: Judged, dice: Random) -> Group | None:
        told = [each for each in judged.answers if judged.sentences.get(each.passage_id)]
        if not told:
            return None
        passage, missed = dice.choice(told), None
        if judged.unanswered:
            other = dice.choice(judged.unanswered)
            missed = (other.question, dice.choice(other.wrong))
        right = judged.sentences[passage.passage_id]
        return self._of_sentences(judged.question, passage, right, missed, dice)

    def _of_sentences(
        self,
        question: str,
        passage: TrainingPassage,
        right: Sequence[int],
        missed: tuple[str, TrainingPassage] | None,
        dice: Random,
    ) -> Group | None:
        """One answering sentence among others; what is closest to `missed` stays under it."""
        others = [i for i in range(len(passage.sentences)) if i not in right]
        if not right or not others:
            return None
        chosen = [dice.choice(right), *dice.sample(others, min(4, len(others)))]
        texts = tuple(passage.cut_to([i]) for i in chosen)
        misses = self._closest_sentences(*missed, dice) if missed else ()
        return Group(as_typed(question, dice), texts, misses)

    def _closest_sentences(
        self, question: str, passage: TrainingPassage, dice: Random
    ) -> tuple[Miss, ...]:
        texts = _alone(passage)
        if not texts:
            return ()
        cosines = self._vectors(texts) @ self._vectors([question])[0]
        typed = as_typed(question, dice)
        return tuple(Miss(typed, texts[i]) for i in (-cosines).argsort()[:DRAWN])

    def _of_judged(self, judged: Judged, dice: Random) -> Group:
        """What answers among what was found and does not; what was found for another, too."""
        wrong = dice.sample(judged.wrong, min(NEGATIVES, len(judged.wrong)))
        passages = [dice.choice(judged.answers), *wrong]
        misses: tuple[Miss, ...] = ()
        if judged.unanswered:
            other = dice.choice(judged.unanswered)
            drawn = dice.sample(other.wrong, min(1 + DRAWN, len(other.wrong)))
            question = as_typed(other.question, dice)
            misses = tuple(Miss(question, _whole(passage, dice)) for passage in drawn)
        texts = tuple(_whole(passage, dice) for passage in passages)
        return Group(as_typed(judged.question, dice), texts, misses)

    @cached_property
    def _known(self) -> list[Known]:
        """Questions that are trained on, but public ones."""
        return self._mined_in_their_sources(
            (question, item, number)
            for item in self._data.items
            for number, question in enumerate(item.questions)
        )

    @cached_property
    def _general(self) -> list[Known]:
        asked_of: Iterator[tuple[str, Asked]] = (
            (question.source, (question.question, passage, None, 0))
            for question in self._data.general_questions
            if not (passage := self._data.general_passages[question.passage_id]).dev
        )
        return [
            known
            for every in grouped(asked_of).values()
            for asked in [every[:: -(-len(every) // GENERAL_LIMIT)]]
            for known in self._mined(asked, list({a[1].passage_id: a[1] for a in asked}.values()))
        ]

    def _mined_in_their_sources(self, written: Iterable[tuple[str, Item, int]]) -> list[Known]:
        """Of what is trained on, among the passages that are."""
        asked: Iterator[tuple[str, Asked]] = (
            (passage.source, (question, passage, item, number))
            for question, item, number in written
            if not (passage := self._data.passages[item.passage_id]).dev
        )
        passages = [p for p in self._data.passages.values() if not p.dev]
        return [
            known
            for source, some in grouped(asked).items()
            for known in self._mined(some, [p for p in passages if p.source == source])
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

    @cached_property
    def _near(self) -> dict[str, list[Known]]:
        """By the passage that they miss."""
        missed = ((near, item, 0) for item in self._data.items for near in item.near_misses)
        known = self._mined_in_their_sources(missed)
        return grouped((each.passage.passage_id, each) for each in known)


def _form(passage: TrainingPassage, known: Known, dice: Random) -> str:
    """The passage, or some neighbouring sentences; whole where nobody said what answers."""
    answers = known.answers
    if not answers or not passage.sentences or dice.random() > CROPPED:
        return _whole(passage, dice)
    last = len(passage.sentences) - 1
    kept = answers if passage is known.passage else (dice.randint(0, last),)
    first, end = dice.randint(0, min(kept)), dice.randint(max(kept), last)
    return passage.cut_to(range(first, end + 1))


def _alone(passage: TrainingPassage) -> list[str]:
    return [passage.cut_to([i]) for i in range(len(passage.sentences))]


def _whole(passage: TrainingPassage, dice: Random) -> str:
    return passage.whole if dice.random() > WITHOUT_HEADING else passage.text


PLAN = Plan(steps=1023, learning_rate=1e-4, batch=64, keep_every=512, dropout=0.1)
LABELS = ("relevance",)
MISSES = 1.0
"""Weight of the loss by which what answers must come before what is found for a near miss."""


class RerankerTask:
    def __init__(
        self,
        data: TrainingData,
        weights: Path,
        device: torch.device,
        plan: Plan,
        labels: Labels | None = None,
    ) -> None:
        labels = labels or Labels()
        # a cross-encoder makes no vectors: the embedder that ships finds what to tell apart
        miner = BundledEmbedder() if is_headed(weights) else None
        embed = miner.embed if miner else EmbedderTask(data, weights, device, plan).vectors
        self._groups = RerankerGroups(data, embed, labels)
        self._device = device
        self._batch = plan.batch
        self._tokenizer = load_tokenizer(weights)
        network = load_classifier(weights, LABELS, plan.seed, device, plan.dropout)
        self.network = network.to(torch.bfloat16)

    def batches(self, seed: int) -> Iterator[list[Group]]:
        return self._groups.batches(seed, self._batch)

    def loss(self, groups: list[Group]) -> torch.Tensor:
        """Of the order within groups, of every pair by itself, and of answers over misses."""
        misses = [miss for group in groups for miss in group.misses]
        pairs = [(group.question, text) for group in groups for text in group.texts]
        pairs += [(miss.question, miss.text) for miss in misses]
        logits = self.logits(pairs)
        wanted = torch.zeros_like(logits)
        ranking, starts, start = torch.zeros((), device=self._device), [], 0
        for group in groups:
            wanted[start] = 1.0
            ranking = ranking - torch.log_softmax(logits[start : start + len(group.texts)], 0)[0]
            starts.append(start)
            start += len(group.texts)
        telling = torch.nn.functional.binary_cross_entropy_with_logits(
            logits, wanted, weight=1 + 2 * wanted
        )
        loss = ranking / len(groups) + telling
        sizes = [len(group.misses) for group in groups if group.misses]
        if not sizes:
            return loss
        # logsumexp: the best of what is found, and a little of the others
        best = torch.stack([each.logsumexp(0) for each in torch.split(logits[start:], sizes)])
        answering = [first for first, group in zip(starts, groups, strict=True) if group.misses]
        return loss + MISSES * torch.nn.functional.softplus(best - logits[answering]).mean()

    def logits(self, pairs: Sequence[tuple[str, str]]) -> torch.Tensor:
        return read_pairs(self.network, self._tokenizer, pairs, self._device)[:, 0]
