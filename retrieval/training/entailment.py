"""A cross-encoder is fine-tuned to tell whether a passage supports a claim.

Three logits (entailment, neutral, contradiction) from the first token's last state, as
transformers' BertForSequenceClassification has them, so that other libraries can read it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.metrics import balanced_accuracy_score, f1_score, roc_auc_score

from retrieval import scores
from retrieval.models.cross_encoders import BundledCrossEncoder, CrossEncoderEntailment
from retrieval.ports import EntailmentPair
from retrieval.training.alterations import Alterations, Label
from retrieval.training.changes import CHANGES, INVENTED
from retrieval.training.changes.rewording import UNSEEN_FORMS
from retrieval.training.data import ASKER, CLAIMS_WRITTEN, FAMILIES, TABLES, ClaimPair, TrainingData
from retrieval.training.encoder import in_chunks, load_classifier, load_tokenizer
from retrieval.training.entailment_pairs import EntailmentPairs, held_out, pairs_of
from retrieval.training.figures import named
from retrieval.training.labels import Labels
from retrieval.training.loop import Plan, seeded

Supported = Callable[[Sequence[ClaimPair]], NDArray[np.float32]]
OF_A_CLASS = 150
"""Altered claims in the test set of a class, at most."""
OF_A_SOURCE = 300
SEED = 5


class EntailmentHeldOut:
    """The test sets are made once, and are the same in every run."""

    def __init__(self, data: TrainingData) -> None:
        self._data = data

    def figures(self, supported: Supported) -> dict[str, float]:
        siblings = supported(self.siblings) >= scores.ENTAILED if self.siblings else np.empty(0)
        return {
            **_told_apart(self.written, supported),
            **({"sibling passes": float(siblings.mean())} if siblings.size else {}),
            **_passes(self.altered, supported),
            **_told_apart(self.as_models_write, supported),
            **_passes(_apart(self.as_models_write), supported),
            **_told_apart(self.general, supported),
        }

    @cached_property
    def written(self) -> dict[str, list[ClaimPair]]:
        """Three claims for each passage, by kind of source; passages in a random order."""
        items = [i for i in self._data.items if i.yes and self._data.passages[i.passage_id].dev]
        seeded(SEED).shuffle(items)
        found: dict[str, list[ClaimPair]] = {}
        for item in items:
            passage = self._data.passages[item.passage_id]
            kind = FAMILIES if passage.source == FAMILIES else "handbook"
            claims = (
                (item.yes, Label.ENTAILED),
                (item.no, Label.CONTRADICTED),
                (item.maybe, Label.NEUTRAL),
            )
            found.setdefault(kind, []).extend(
                ClaimPair(kind, passage.whole, claim, label) for claim, label in claims
            )
        return found

    @cached_property
    def siblings(self) -> list[ClaimPair]:
        """What is true of one passage of a family, read with each of the others."""
        passages = [p for p in self._data.passages.values() if p.source == FAMILIES and p.dev]
        yes = {item.passage_id: item.yes for item in self._data.items if item.yes}
        return [
            ClaimPair(FAMILIES, other.whole, yes[passage.passage_id], Label.NOT_ENTAILED)
            for passage in passages
            for other in passages
            if other.file == passage.file and other is not passage
        ]

    @cached_property
    def altered(self) -> Mapping[str, tuple[list[ClaimPair], list[ClaimPair]]]:
        """By class the altered claims, and as many true ones about the same premises."""
        others = {claimed.source for claimed in self._data.model_claims}
        passages = [p for p in self._data.passages.values() if p.dev and p.source not in others]
        alterations = Alterations(self._data, passages, disguised=0.0)
        sets = {kind: _test_set(alterations, kind) for kind in [*CHANGES, INVENTED]}
        unseen = replace(alterations, forms=UNSEEN_FORMS)
        return MappingProxyType({**sets, "unseen connection": _test_set(unseen, INVENTED)})

    @cached_property
    def as_models_write(self) -> dict[str, list[ClaimPair]]:
        """By what they are about; what repeats the asker's words also by itself."""
        found: dict[str, list[ClaimPair]] = {}
        for claimed in self._data.model_claims:
            if claimed.dev:
                own = claimed.source in (CLAIMS_WRITTEN, TABLES)
                kind = claimed.source if own else "further handbooks"
                found.setdefault(kind, []).extend(pairs_of(claimed))
        every = [pair for pairs in found.values() for pair in pairs]
        return {**found, ASKER: [pair for pair in every if pair.source == ASKER]}

    @cached_property
    def general(self) -> dict[str, list[ClaimPair]]:
        found: dict[str, list[ClaimPair]] = {}
        for pair in self._data.claims:
            if held_out(pair):
                found.setdefault(pair.source, []).append(pair)
        return {source: pairs[:OF_A_SOURCE] for source, pairs in sorted(found.items())}


def _test_set(alterations: Alterations, kind: str) -> tuple[list[ClaimPair], list[ClaimPair]]:
    """One contrast pair of a passage, then a second, until there are enough."""
    dice = seeded(SEED)
    passages = list(alterations.passages)
    dice.shuffle(passages)
    wrong: dict[str, ClaimPair] = {}
    true: dict[str, ClaimPair] = {}
    for passage in [*passages, *passages, *passages]:
        contrast_pair = alterations.contrast_pair(passage, kind, dice)
        if contrast_pair is not None and len(wrong) < OF_A_CLASS:
            wrong.setdefault(contrast_pair.altered.claim, contrast_pair.altered)
            true.setdefault(contrast_pair.true.claim, contrast_pair.true)
    return list(wrong.values()), list(true.values())


def _apart(
    sets: Mapping[str, Sequence[ClaimPair]],
) -> dict[str, tuple[list[ClaimPair], list[ClaimPair]]]:
    """Of each set what is not supported, then what is."""
    return {
        name: (
            [pair for pair in pairs if pair.label != Label.ENTAILED],
            [pair for pair in pairs if pair.label == Label.ENTAILED],
        )
        for name, pairs in sets.items()
    }


def _told_apart(sets: Mapping[str, Sequence[ClaimPair]], supported: Supported) -> dict[str, float]:
    found: dict[str, float] = {}
    for name, pairs in sets.items():
        right = np.array([pair.label == Label.ENTAILED for pair in pairs])
        if right.all() or not right.any():
            continue
        probabilities = supported(pairs)
        passed = probabilities >= scores.ENTAILED
        figures = {
            "balanced accuracy": float(balanced_accuracy_score(right, passed)),
            "F1": float(f1_score(right, passed, zero_division=0)),
            "AUROC": float(roc_auc_score(right, probabilities)),
        }
        found.update(named(name, figures))
    return found


def _passes(
    sets: Mapping[str, tuple[Sequence[ClaimPair], Sequence[ClaimPair]]], supported: Supported
) -> dict[str, float]:
    """The share of altered claims that pass as supported, and of the true ones beside them."""
    found: dict[str, float] = {}
    for name, (wrong, true) in sets.items():
        if wrong:
            found[f"{name} passes"] = float((supported(wrong) >= scores.ENTAILED).mean())
            found[f"true beside {name} passes"] = float((supported(true) >= scores.ENTAILED).mean())
    return found


PLAN = Plan(steps=1680, learning_rate=1e-4, batch=48, keep_every=210)
GPU_PLAN = Plan(steps=2165, learning_rate=2e-4, batch=256, keep_every=1083)
LABELS = ("entailment", "neutral", "contradiction")


class EntailmentTask:
    """It implements `loop.Task`."""

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
        encodings = self._tokenizer.encode_batch([(pair.premise, pair.claim) for pair in pairs])

        def read(inputs: dict[str, Any]) -> torch.Tensor:
            logits: torch.Tensor = self.network(**inputs).logits
            return logits.float()

        return in_chunks(encodings, read, self._device)

    @torch.no_grad()
    def supported(self, pairs: Sequence[ClaimPair]) -> NDArray[np.float32]:
        """The probability of entailment of each pair."""
        parts = [
            torch.softmax(self.logits(pairs[start : start + 512]), dim=1)[:, 0].cpu().numpy()
            for start in range(0, len(pairs), 512)
        ]
        return np.concatenate(parts)

    def figures(self, shipped: Path | None = None) -> dict[str, float]:
        return self._held_out.figures(_shipped(shipped) if shipped else self.supported)

    @cached_property
    def _held_out(self) -> EntailmentHeldOut:
        return EntailmentHeldOut(self._data)


def _shipped(folder: Path) -> Supported:
    """As the bot reads claims."""
    model = CrossEncoderEntailment(BundledCrossEncoder("entailment", folder.resolve()))

    def supported(pairs: Sequence[ClaimPair]) -> NDArray[np.float32]:
        read = [EntailmentPair(pair.premise, pair.claim) for pair in pairs]
        return np.array(model.supported(read), np.float32)

    return supported
