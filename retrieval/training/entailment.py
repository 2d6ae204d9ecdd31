"""A cross-encoder is fine-tuned to tell whether a passage supports a claim.

Three logits (entailment, neutral, contradiction) from the first token's last state, as
transformers' BertForSequenceClassification has them, so that other libraries can read it.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import torch

from retrieval.training.data import ClaimPair, TrainingData
from retrieval.training.encoder import load_classifier, load_tokenizer, read_pairs
from retrieval.training.entailment_pairs import EntailmentPairs
from retrieval.training.labels import Labels
from retrieval.training.loop import Plan

PLAN = Plan(steps=1680, learning_rate=1e-4, batch=48, keep_every=210)
GPU_PLAN = Plan(steps=2165, learning_rate=2e-4, batch=256, keep_every=1083)
LABELS = ("entailment", "neutral", "contradiction")


class EntailmentTask:
    def __init__(
        self,
        data: TrainingData,
        weights: Path,
        device: torch.device,
        plan: Plan = PLAN,
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
