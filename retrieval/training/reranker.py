"""The cross-encoder is trained to say how probably a passage answers a question.

Its logit is trained to put the answering passage first among those that retrieval confuses with
it (softmax over a group, as in RankNet's listwise successors), a question before the best of what
is found for another one, on the same topic or about the same handbook, that nothing answers, and
each pair high or low by itself (cross-entropy), so that its sigmoid is the relevance.
A cosine that was once added to it taught it to lean on that: without, it is better everywhere.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import torch

from retrieval.models.embedders import BundledEmbedder
from retrieval.training.data import TrainingData
from retrieval.training.embedder import EmbedderTask
from retrieval.training.encoder import is_headed, load_classifier, load_tokenizer, read_pairs
from retrieval.training.labels import Labels
from retrieval.training.loop import Plan
from retrieval.training.reranker_data import Group, RerankerGroups

PLAN = Plan(steps=1600, learning_rate=1e-4, batch=8, keep_every=400)
GPU_PLAN = Plan(steps=1023, learning_rate=1e-4, batch=64, keep_every=512, dropout=0.1)
LABELS = ("relevance",)
MISSES = 1.0
"""Weight of the loss by which what answers must come before what is found for a near miss."""


class RerankerTask:
    def __init__(
        self,
        data: TrainingData,
        weights: Path,
        device: torch.device,
        plan: Plan = PLAN,
        labels: Labels | None = None,
    ) -> None:
        labels = labels or Labels()
        # a cross-encoder makes no vectors: the embedder that ships finds what to tell apart
        miner = BundledEmbedder() if is_headed(weights) else None
        embed = miner.embed if miner else EmbedderTask(data, weights, device).vectors
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
