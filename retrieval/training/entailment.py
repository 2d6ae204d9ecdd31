"""A cross-encoder is fine-tuned to tell whether a passage supports a claim.

Three logits (entailment, neutral, contradiction) from the first token's last state, as
transformers' BertForSequenceClassification has them, so that other libraries can read it.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from random import Random
from zlib import crc32

import torch

from retrieval.training.alterations import (
    INVENTED,
    Alterations,
    Label,
    premise_of,
    together,
)
from retrieval.training.changes.falsifying import CHANGES
from retrieval.training.data import (
    ASKER,
    FAMILIES,
    TABLES,
    ClaimPair,
    Item,
    ModelClaims,
    TrainingData,
)
from retrieval.training.encoder import load_classifier, load_tokenizer, read_pairs
from retrieval.training.labels import Labels
from retrieval.training.run import Plan, seeded

FIRST_BATCHES = 150
"""Of public pairs alone, twice as many in a batch: the network must first learn to compare two
texts at all, which takes some ten thousand pairs of any kind at least, and these are short."""
GENERAL_SHARE = 0.25
"""Of later batches: public sets, so that a claim may be worded in any way."""
ALTERED_SHARE = 0.25
"""Of later batches: contrast pairs made by rule."""
CONTRAST_SHARE = 0.125
"""Of later batches: contrast pairs that were written."""
MODEL_SHARE = 0.125
"""Of later batches: claims worded as a language model does; the rest are the data's others."""
ASKED_SHARE = 0.33
"""Of such claims that do not repeat what the asker said: read with the question, too."""
FAMILY_TURNS = 2
"""Times that families come in an epoch of written claims: they are few and the hardest."""
CAP = 12_000
"""Pairs of one public set in an epoch."""
INVENTED_SHARE = 0.25
"""Of contrast pairs: the most dangerous class; the other classes share what is left."""
DISGUISED = 0.3
BESIDE = 0.2
"""Of written claims: read with a second passage."""


def held_out(pair: ClaimPair) -> bool:
    """A twentieth of the public pairs, all claims about one premise together."""
    return crc32(pair.premise.encode()) % 20 == 0


def pairs_of(
    claimed: ModelClaims, also_asked: Callable[[], bool] = lambda: False
) -> list[ClaimPair]:
    """With the question as the last line where a claim repeats the asker, or it is `also_asked`."""
    asked = f"{claimed.premise}\nAsked: {claimed.question}"
    return [
        ClaimPair(
            kind,
            asked if claimed.question and (kind == ASKER or also_asked()) else claimed.premise,
            claim,
            Label.ENTAILED if true else Label.NOT_ENTAILED,
        )
        for claim, true, kind in claimed.claims
    ]


class EntailmentPairs:
    """Batches have written, altered and public pairs, in fixed shares."""

    def __init__(self, data: TrainingData, size: int, labels: Labels) -> None:
        """Without contrast pairs among the labels the data's own claims stand in their place."""
        self._data = data
        self._size = size
        self._contrast_pairs = [
            each
            for each in labels.about(data.passages).contrast_pairs
            if not data.passages[each.passage_id].dev
        ]

    def batches(self, seed: int) -> Iterator[list[ClaimPair]]:
        """Without end, and the same for the same seed."""
        dice = seeded(seed)
        streams = [self._general(dice), self._altered(dice), self._contrasting(dice)]
        streams += [self._as_models_write(dice), self._written(dice)]
        for _ in range(FIRST_BATCHES):
            yield list(islice(streams[0], 2 * self._size))
        contrasting = CONTRAST_SHARE if self._contrast_pairs else 0
        shares = (GENERAL_SHARE, ALTERED_SHARE, contrasting, MODEL_SHARE)
        counts = [round(self._size * share) for share in shares]
        counts.append(self._size - sum(counts))
        while True:
            yield [
                pair
                for stream, count in zip(streams, counts, strict=True)
                for pair in islice(stream, count)
            ]

    def _general(self, dice: Random) -> Iterator[ClaimPair]:
        by_source: dict[str, list[ClaimPair]] = {}
        for pair in self._data.claims:
            if not held_out(pair):
                by_source.setdefault(pair.source, []).append(pair)
        while True:
            epoch = [
                pair
                for pairs in by_source.values()
                for pair in dice.sample(pairs, min(CAP, len(pairs)))
            ]
            dice.shuffle(epoch)
            yield from epoch

    def _altered(self, dice: Random) -> Iterator[ClaimPair]:
        """ContrastPairs; a class is kept until a passage allows it, so that dates are not rare."""
        passages = list(self._alterations.passages)
        while True:
            dice.shuffle(passages)
            kind = _kind(dice)
            for passage in passages:
                contrast_pair = self._alterations.contrast_pair(passage, kind, dice)
                if contrast_pair is not None:
                    yield contrast_pair.altered
                    yield contrast_pair.true
                    kind = _kind(dice)

    def _contrasting(self, dice: Random) -> Iterator[ClaimPair]:
        while True:
            for contrast_pairs in dice.sample(self._contrast_pairs, len(self._contrast_pairs)):
                premise = premise_of(self._data.passages[contrast_pairs.passage_id], dice)
                for yes, no in contrast_pairs.twins:
                    yield ClaimPair("contrast pair", premise, yes, Label.ENTAILED)
                    yield ClaimPair("contrast pair", premise, no, Label.NOT_ENTAILED)
                yield ClaimPair("contrast pair", premise, contrast_pairs.maybe, Label.NEUTRAL)

    def _as_models_write(self, dice: Random) -> Iterator[ClaimPair]:
        every = [each for each in self._data.model_claims if not each.dev]
        while True:
            dice.shuffle(every)
            for each in every:
                yield from pairs_of(each, lambda: dice.random() < ASKED_SHARE)

    def _written(self, dice: Random) -> Iterator[ClaimPair]:
        items = [
            item
            for item in self._data.items
            for passage in [self._data.passages[item.passage_id]]
            if item.yes and not passage.dev
            for _ in range(FAMILY_TURNS if passage.source == FAMILIES else 1)
        ]
        while True:
            dice.shuffle(items)
            for item in items:
                yield from self._of_item(item, dice)

    def _of_item(self, item: Item, dice: Random) -> list[ClaimPair]:
        """The three claims, and the true one with a passage that does not support it."""
        passage = self._data.passages[item.passage_id]
        other = self._alterations.beside(passage, dice)
        premise, alone = premise_of(passage, dice), True
        if dice.random() < BESIDE:
            both = together(passage.whole, other.whole, dice)
            premise, alone = both or premise, both is None
        pairs = [
            ClaimPair("written", premise, item.yes, Label.ENTAILED),
            ClaimPair(
                "written", premise, item.no, Label.CONTRADICTED if alone else Label.NOT_ENTAILED
            ),
            ClaimPair(
                "written", premise, item.maybe, Label.NEUTRAL if alone else Label.NOT_ENTAILED
            ),
        ]
        if other.text != passage.text:
            pairs.append(ClaimPair("sibling", other.whole, item.yes, Label.NOT_ENTAILED))
        return pairs

    @cached_property
    def _alterations(self) -> Alterations:
        train = [p for p in self._data.passages.values() if not p.dev and p.source != TABLES]
        return Alterations(self._data, train, DISGUISED)


def _kind(dice: Random) -> str:
    return INVENTED if dice.random() < INVENTED_SHARE else dice.choice(list(CHANGES))


PLAN = Plan(steps=2165, learning_rate=2e-4, batch=256, keep_every=1083)
LABELS = ("entailment", "neutral", "contradiction")


class EntailmentTask:
    def __init__(
        self,
        data: TrainingData,
        weights: Path,
        device: torch.device,
        plan: Plan,
        labels: Labels | None = None,
    ) -> None:
        """`weights` is a folder of a BERT without or with a head of its own."""
        self._data = data
        self._labels = labels or Labels()
        self._device = device
        self._batch = plan.batch
        self._tokenizer = load_tokenizer(weights)
        network = load_classifier(weights, LABELS, plan.seed, device, plan.dropout)
        self.network = network.to(torch.bfloat16)

    def batches(self, seed: int) -> Iterator[list[ClaimPair]]:
        return EntailmentPairs(self._data, self._batch, self._labels).batches(seed)

    def loss(self, batch: list[ClaimPair]) -> torch.Tensor:
        """Cross entropy; where a pair is known only as not entailed, of that alone."""
        logs = torch.nn.functional.log_softmax(self.logits(batch), dim=1)
        labels = torch.tensor([pair.label for pair in batch], device=self._device)
        either = torch.logsumexp(logs[:, 1:], dim=1, keepdim=True)
        chosen = torch.cat([logs, either], dim=1)[torch.arange(len(batch)), labels]
        return -chosen.mean()

    def logits(self, pairs: Sequence[ClaimPair]) -> torch.Tensor:
        """Shape (pairs, 3), float32."""
        texts = [(pair.premise, pair.claim) for pair in pairs]
        return read_pairs(self.network, self._tokenizer, texts, self._device)
