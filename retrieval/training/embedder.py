"""The bi-encoder is fine-tuned on questions and the passages that answer them.

InfoNCE in both directions over a batch (van den Oord 2018), with one mined negative for each
question. A batch is of one source, so that its other passages are near the subject too.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from retrieval.training.data import FAMILIES, Item, TrainingData, TrainingPassage, as_typed, grouped
from retrieval.training.encoder import (
    closest,
    in_chunks,
    load_tokenizer,
    load_trunk,
    mean_pooled,
)
from retrieval.training.labels import (
    JUDGED_TURNS,
    ORGANISATIONS,
    Judged,
    Labels,
    judged_for_training,
)
from retrieval.training.run import Plan, seeded

PLAN = Plan(steps=588, learning_rate=5e-5, batch=96, keep_every=294, dropout=0.1)
"""As what ships was trained; more steps made it worse on what is held out."""
SCALE = 25.0
"""By which cosines are multiplied: the inverse temperature."""
MINED = 24
"""How many of the closest wrong passages negatives are drawn from."""
GENERAL_SHARE = 0.25
"""Of batches: general questions, so that what is not a handbook is not forgotten."""
WITHOUT_HEADING = 0.15
"""Of positives read without their heading path."""
ANSWER_ALONE = 0.15
"""Of positives cut to the sentences that answer: sentence reranking embeds them singly."""

TOGETHER = (FAMILIES, ORGANISATIONS)
"""Sources whose questions about one file stand in one batch."""

Mined = dict[tuple[str, str], list[TrainingPassage]]
"""By question and the id of its passage."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question has its passage and, from handbooks, what tells them from their likes."""

    question: str
    passage: TrainingPassage
    answer: str
    """The sentences that answer, with their heading; the whole passage where unknown."""
    near_miss: str | None
    answered_by: frozenset[str] = frozenset()
    """Other passages that answer, or in part, by id: wrong for nobody who asks this."""


class EmbedderTask:
    def __init__(
        self,
        data: TrainingData,
        weights: Path,
        device: torch.device,
        plan: Plan,
        labels: Labels | None = None,
    ) -> None:
        self._data = data
        self._labels = labels or Labels()
        self._device = device
        self._batch = plan.batch
        self._tokenizer = load_tokenizer(weights)
        self.network = load_trunk(weights, device, plan.dropout).to(torch.bfloat16)

    def batches(self, seed: int) -> Iterator[list[tuple[Asked, TrainingPassage]]]:
        """Negatives are mined before the first is drawn, by the weights as they are now."""
        mined = self._mined
        return self._endless(seeded(seed), mined)

    def loss(self, batch: list[tuple[Asked, TrainingPassage]]) -> torch.Tensor:
        """Of questions among passages, and of passages among questions and near misses."""
        dice = seeded(len(batch) + hash_of(batch[0][0].question))
        questions = self.embed([as_typed(asked.question, dice) for asked, _ in batch])
        near = [asked.near_miss for asked, _ in batch if asked.near_miss]
        passages = self.embed(
            [_form(asked, dice) for asked, _ in batch] + [negative.whole for _, negative in batch]
        )
        read = [asked.passage.passage_id for asked, _ in batch]
        read += [negative.passage_id for _, negative in batch]
        same = torch.tensor(
            [
                [other == asked.passage.passage_id or other in asked.answered_by for other in read]
                for asked, _ in batch
            ],
            device=self._device,
        )
        across = SCALE * questions @ passages.T
        right = torch.arange(len(batch), device=self._device)
        same[right, right] = False
        forward = torch.nn.functional.cross_entropy(across.masked_fill(same, -1e4), right)
        asking = torch.cat([questions, self.embed(near)]) if near else questions
        back = SCALE * passages[: len(batch)] @ asking.T
        repeated = torch.zeros_like(back, dtype=torch.bool)
        repeated[:, : len(batch)] = same[:, : len(batch)].T
        return forward + 0.5 * torch.nn.functional.cross_entropy(
            back.masked_fill(repeated, -1e4), right
        )

    def embed(self, texts: Sequence[str]) -> torch.Tensor:
        encodings = self._tokenizer.encode_batch(list(texts))

        def read(inputs: dict[str, Any]) -> torch.Tensor:
            states = self.network(**inputs).last_hidden_state
            return mean_pooled(states, inputs["attention_mask"])

        return in_chunks(encodings, read, self._device)

    @torch.no_grad()
    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.concatenate(
            [
                self.embed(texts[start : start + 512]).float().cpu().numpy()
                for start in range(0, len(texts), 512)
            ]
        )

    def _endless(self, dice: Random, mined: Mined) -> Iterator[list[tuple[Asked, TrainingPassage]]]:
        while True:
            for batch in self._epoch(dice):
                yield [
                    (asked, dice.choice(mined[asked.question, asked.passage.passage_id]))
                    for asked in batch
                ]

    def _epoch(self, dice: Random) -> list[list[Asked]]:
        """Every handbook question once, and as many general ones as their share takes."""
        every = (*self._handbook_questions, *list(self._judged) * JUDGED_TURNS)
        by_source = grouped((asked.passage.source, asked) for asked in every)
        batches = [
            batch for some in by_source.values() for batch in _batches(some, dice, self._batch)
        ]
        general = [
            batch
            for some in self._general_by_source.values()
            for batch in _batches(some, dice, self._batch)
            if len(batch) == self._batch
        ]
        dice.shuffle(general)
        wanted = round(len(batches) * GENERAL_SHARE / (1 - GENERAL_SHARE))
        batches += general[:wanted]
        dice.shuffle(batches)
        return batches

    @cached_property
    def _handbook_questions(self) -> list[Asked]:
        return [
            Asked(question, passage, answer_alone(item, number, passage), item.near_miss_of(number))
            for item in self._data.items
            for passage in [self._data.passages[item.passage_id]]
            if not passage.dev
            for number, question in enumerate(item.questions)
        ]

    @cached_property
    def _judged(self) -> dict[Asked, tuple[TrainingPassage, ...]]:
        """Labelled questions with each of their answers, and what does not answer them."""
        judged = judged_for_training(self._labels, self._data.passages)
        near = {
            passage.passage_id: other.question
            for each in judged
            for other in each.unanswered
            for passage in other.near_misses
        }
        return {
            Asked(
                each.question,
                passage,
                answer_of(each, passage),
                near.get(passage.passage_id),
                each.right_or_partly,
            ): each.wrong
            for each in judged
            for passage in each.answers
        }

    @cached_property
    def _general_by_source(self) -> dict[str, list[Asked]]:
        return grouped(
            (question.source, Asked(question.question, passage, passage.whole, None))
            for question in self._data.general_questions
            if not (passage := self._data.general_passages[question.passage_id]).dev
        )

    @cached_property
    def _mined(self) -> Mined:
        """For each question the closest wrong passages of its source, by the first weights."""
        found: Mined = {}
        general = [asked for some in self._general_by_source.values() for asked in some]
        everything = [*self._handbook_questions, *general]
        by_source = grouped((asked.passage.source, asked) for asked in everything)
        read = {asked.passage.passage_id: asked.passage for asked in general}
        texts = list({**self._data.passages, **read}.values())
        for source, some in by_source.items():
            pool = [p for p in texts if p.source == source and not p.dev]
            questions = [asked.question for asked in some]
            near = closest(questions, pool, self.vectors, MINED + 2)
            for asked, order in zip(some, near, strict=True):
                wrong = [passage for passage, _ in order if passage.text != asked.passage.text]
                found[asked.question, asked.passage.passage_id] = wrong[:MINED]
        for asked, judged in self._judged.items():
            found[asked.question, asked.passage.passage_id] = list(judged)
        return found


def answer_alone(item: Item, number: int, passage: TrainingPassage) -> str:
    if number >= len(item.answers) or not item.answers[number] or not passage.sentences:
        return passage.whole
    return passage.cut_to(i for i in item.answers[number] if i < len(passage.sentences))


def answer_of(judged: Judged, passage: TrainingPassage) -> str:
    chosen = judged.sentences.get(passage.passage_id)
    return passage.cut_to(chosen) if chosen else passage.whole


def hash_of(text: str) -> int:
    """The same in every process, unlike `hash`."""
    return int.from_bytes(text.encode()[:6], "little")


def _form(asked: Asked, dice: Random) -> str:
    throw = dice.random()
    if throw < WITHOUT_HEADING:
        return asked.passage.text
    if throw < WITHOUT_HEADING + ANSWER_ALONE:
        return asked.answer
    return asked.passage.whole


def _batches(asked: Sequence[Asked], dice: Random, size: int) -> list[list[Asked]]:
    """Shuffled; families and organisations stay together: siblings are the best negatives."""
    order = list(
        grouped(
            (each.passage.file if each.passage.source in TOGETHER else str(number), each)
            for number, each in enumerate(asked)
        ).values()
    )
    dice.shuffle(order)
    flat = [each for group in order for each in group]
    return [flat[start : start + size] for start in range(0, len(flat), size)]
