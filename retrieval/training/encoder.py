"""All models are trained from one network, by which the nearest passages are mined."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer

from retrieval.training.data import TrainingPassage

CPU = torch.device("cpu")
MAX_TOKENS = 256
"""As the models are served, though the network could read 512."""
CHUNK = {"cpu": 16, "cuda": 256}
"""Texts padded to one length and read at once, by device; more gains nothing on two cores."""
ATTENTION = {"cpu": "eager", "cuda": "sdpa"}
"""By device: eager is the faster one for backward passes at these lengths on a CPU."""
ROUNDED = 16
"""Padded lengths are multiples of this."""


def load_trunk(weights: Path, device: torch.device = CPU, dropout: float = 0.0) -> torch.nn.Module:
    """Its embeddings are frozen: words that fine-tuning lacks must keep their place."""
    trunk: torch.nn.Module = transformers.AutoModel.from_pretrained(
        weights,
        attn_implementation=ATTENTION[device.type],
        hidden_dropout_prob=dropout,
        attention_probs_dropout_prob=dropout,
        add_pooling_layer=False,
    )
    trunk.embeddings.requires_grad_(False)
    return trunk.to(device)


def is_headed(weights: Path) -> bool:
    """Whether the folder holds a cross-encoder, not a bare trunk."""
    architectures = transformers.BertConfig.from_pretrained(weights).architectures
    return "BertForSequenceClassification" in (architectures or ())


def load_classifier(
    weights: Path,
    labels: Sequence[str],
    seed: int,
    device: torch.device = CPU,
    dropout: float = 0.0,
) -> torch.nn.Module:
    """A cross-encoder on the trunk, one logit for each label, in the form of transformers.

    What a run trained is kept; else the pooler starts as the identity, the classifier near 0.
    """
    before, headed = transformers.BertConfig.from_pretrained(weights), is_headed(weights)
    network: torch.nn.Module = transformers.BertForSequenceClassification.from_pretrained(
        weights,
        attn_implementation=ATTENTION[device.type],
        hidden_dropout_prob=dropout,
        attention_probs_dropout_prob=dropout,
        id2label=dict(enumerate(labels)),
        label2id={label: number for number, label in enumerate(labels)},
        ignore_mismatched_sizes=True,  # another head's, where another model is started from
    )
    start = dict(network.named_parameters())
    if not headed:
        torch.nn.init.eye_(start["bert.pooler.dense.weight"])
        torch.nn.init.zeros_(start["bert.pooler.dense.bias"])
    if not headed or before.num_labels != len(labels):
        seeded = torch.Generator().manual_seed(seed)
        torch.nn.init.normal_(start["classifier.weight"], std=0.02, generator=seeded)
        torch.nn.init.zeros_(start["classifier.bias"])
    start["bert.embeddings.word_embeddings.weight"].requires_grad_(False)
    return network.to(device)


def load_tokenizer(weights: Path) -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(weights / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)
    return tokenizer


def mean_pooled(states: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Unit vectors, shape (texts, 384), of the mean over each text's word pieces."""
    weight = mask.unsqueeze(-1).float()
    mean = (states.float() * weight).sum(1) / weight.sum(1).clamp(min=1e-9)
    return torch.nn.functional.normalize(mean, dim=1)


def in_chunks(
    encodings: Sequence[Encoding],
    read: Callable[[dict[str, Any]], torch.Tensor],
    device: torch.device,
) -> torch.Tensor:
    """`read` the texts in chunks of like length; rows come back in the order given."""
    size = CHUNK[device.type]
    order = sorted(range(len(encodings)), key=lambda i: len(encodings[i].ids))
    rows = [
        read(padded([encodings[i] for i in order[start : start + size]], device))
        for start in range(0, len(order), size)
    ]
    back = torch.empty(len(order), dtype=torch.long)
    back[torch.tensor(order)] = torch.arange(len(order))
    return torch.cat(rows)[back.to(device)]


def read_pairs(
    network: torch.nn.Module,
    tokenizer: Tokenizer,
    pairs: Sequence[tuple[str, str]],
    device: torch.device,
) -> torch.Tensor:
    """A cross-encoder's logits, shape (pairs, labels), float32."""
    encodings = tokenizer.encode_batch(list(pairs))
    return in_chunks(encodings, lambda inputs: network(**inputs).logits.float(), device)


def padded(encodings: Sequence[Encoding], device: torch.device) -> dict[str, torch.Tensor]:
    """The network's inputs, (texts, longest): of few shapes, or a run grows by gigabytes."""
    longest = -(-max(len(each.ids) for each in encodings) // ROUNDED) * ROUNDED
    columns = {
        "input_ids": [each.ids for each in encodings],
        "attention_mask": [each.attention_mask for each in encodings],
        "token_type_ids": [each.type_ids for each in encodings],
    }
    filled = {name: np.zeros((len(rows), longest), np.int64) for name, rows in columns.items()}
    for name, rows in columns.items():
        for into, row in zip(filled[name], rows, strict=True):
            into[: len(row)] = row
    return {name: torch.from_numpy(each).to(device) for name, each in filled.items()}


Embed = Callable[[Sequence[str]], NDArray[np.float32]]


class CachedVectors:
    """It embeds each text once: the same passages are looked through often."""

    def __init__(self, embed: Embed) -> None:
        self._embed = embed
        self._vectors: dict[str, NDArray[np.float32]] = {}

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32]:
        new = list(dict.fromkeys(text for text in texts if text not in self._vectors))
        if new:
            self._vectors.update(zip(new, self._embed(new), strict=True))
        return np.stack([self._vectors[text] for text in texts])


def closest(
    questions: Sequence[str], pool: Sequence[TrainingPassage], embed: Embed, most: int
) -> list[list[tuple[TrainingPassage, float]]]:
    """For each question its `most` closest passages of the pool with their cosines, best first."""
    vectors = embed([passage.whole for passage in pool])
    scores = embed(questions) @ vectors.T
    found = np.argsort(-scores, axis=1)[:, :most]
    return [
        [(pool[i], float(row[i])) for i in order] for row, order in zip(scores, found, strict=True)
    ]
