"""The network that all models are trained from, and how texts reach it."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
import transformers
from tokenizers import Encoding, Tokenizer

MAX_TOKENS = 256
"""As in all-MiniLM-L6-v2's sentence_bert_config.json, and as the models are served."""
CHUNK = 16
"""Texts padded to one length and read at once; more gains nothing on two cores."""

ROUNDED = 16
"""Padded lengths are multiples of this."""


def load_trunk(weights: Path) -> torch.nn.Module:
    """The six layers without dropout, word embeddings frozen.

    They are fine-tuned for minutes on few texts: dropout would be noise that needs more,
    and words which those texts lack must keep their place beside words which they have.
    Eager attention is the faster one for backward passes at these lengths on a CPU.
    """
    trunk = transformers.AutoModel.from_pretrained(
        weights,
        attn_implementation="eager",
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        add_pooling_layer=False,
    )
    trunk.embeddings.requires_grad_(False)
    return trunk  # type: ignore[no-any-return]  # transformers leaves its loaders untyped


def load_classifier(weights: Path, labels: Sequence[str], seed: int) -> torch.nn.Module:
    """A cross-encoder on the trunk, one logit for each label, in the form of transformers.

    What an earlier run trained is kept. Otherwise the pooler starts as the identity (the
    packaged weights never used theirs), so that the classifier sees what the last layer
    says, and the classifier near 0.
    """
    before = transformers.BertConfig.from_pretrained(weights)
    headed = "BertForSequenceClassification" in (before.architectures or ())
    network = transformers.BertForSequenceClassification.from_pretrained(
        weights,
        attn_implementation="eager",
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
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
    network.bert.embeddings.word_embeddings.requires_grad_(False)
    return network


def load_tokenizer(weights: Path) -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(weights / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)
    return tokenizer


def mean_pooled(states: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Unit vectors, shape (texts, 384), as sentence-transformers pools this model."""
    weight = mask.unsqueeze(-1).float()
    mean = (states.float() * weight).sum(1) / weight.sum(1).clamp(min=1e-9)
    return torch.nn.functional.normalize(mean, dim=1)


def in_chunks(
    encodings: Sequence[Encoding],
    read: Callable[[dict[str, Any]], torch.Tensor],
    device: torch.device,
    size: int = CHUNK,
) -> torch.Tensor:
    """`read` the texts in chunks of like length; rows come back in the order given."""
    order = sorted(range(len(encodings)), key=lambda i: len(encodings[i].ids))
    rows = [
        read(padded([encodings[i] for i in order[start : start + size]], device))
        for start in range(0, len(order), size)
    ]
    back = torch.empty(len(order), dtype=torch.long)
    back[torch.tensor(order)] = torch.arange(len(order))
    return torch.cat(rows)[back.to(device)]


def padded(encodings: Sequence[Encoding], device: torch.device) -> dict[str, torch.Tensor]:
    """The network's inputs, each of shape (texts, longest, rounded up).

    Few distinct shapes, so that memory freed by one chunk fits the next: otherwise a run
    grows by gigabytes and slows down.
    """
    longest = -(-max(len(each.ids) for each in encodings) // ROUNDED) * ROUNDED
    columns = {
        "input_ids": [each.ids for each in encodings],
        "attention_mask": [each.attention_mask for each in encodings],
        "token_type_ids": [each.type_ids for each in encodings],
    }
    return {
        name: torch.tensor([row + [0] * (longest - len(row)) for row in rows], device=device)
        for name, rows in columns.items()
    }
