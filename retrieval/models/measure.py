"""One model's cost is measured in a process of its own: `python -m retrieval.models.measure`.

Memory is the process's, so nothing else may run in it. The pairs to read come as JSON on
the standard input; what was measured goes as JSON to the standard output.
"""

import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

EMBEDDER = "embedder"
LABELS = {EMBEDDER: 0, "reranker": 1, "entailment": 3}
THREADS = 2
BATCH = 32
"""Of pairs padded to one length, as sentence-transformers reads by default."""
RUNS = 5

Pair = tuple[str, str]
Read = Callable[[Sequence[Pair]], object]


@dataclass(frozen=True, slots=True)
class Cost:
    """One model costs so much in one process."""

    load_s: float
    """Libraries included."""
    read_s: float
    """For all pairs, at the best of some runs."""
    peak_mb: float


def measure(load: Callable[[], Read], pairs: Sequence[Pair]) -> Cost:
    start = time.perf_counter()
    read = load()
    read(pairs[:1])
    loaded = time.perf_counter() - start
    seconds = []
    for _ in range(RUNS):
        start = time.perf_counter()
        read(pairs)
        seconds.append(time.perf_counter() - start)
    return Cost(loaded, min(seconds), _peak_mb())


def shipped(kind: str) -> Read:
    """The model that ships; an embedder reads the second text of each pair."""
    from retrieval.models.cross_encoders import BundledCrossEncoder
    from retrieval.models.embedders import BundledEmbedder

    if kind == EMBEDDER:
        embedder = BundledEmbedder(threads=THREADS)
        return lambda pairs: embedder.embed([text for _, text in pairs])
    return BundledCrossEncoder(kind, threads=THREADS).logits


def in_pytorch(kind: str, weights: Path) -> Read:
    """The same architecture as `save_in_pytorch` left it, in float32."""
    import torch
    from transformers import BertForSequenceClassification, BertModel, PreTrainedTokenizerFast

    from retrieval.models.bundled_model import BUNDLED, TOKENIZER

    torch.set_num_threads(THREADS)
    made = BertForSequenceClassification if LABELS[kind] else BertModel
    network: torch.nn.Module = made.from_pretrained(weights)  # it is in evaluation mode
    file = str(BUNDLED / kind / TOKENIZER)
    tokenizer = PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]  # untyped there
        tokenizer_file=file,
        pad_token="[PAD]",  # noqa: S106  # a token of text
    )

    @torch.inference_mode()
    def read(pairs: Sequence[Pair]) -> None:
        for start in range(0, len(pairs), BATCH):
            some = pairs[start : start + BATCH]
            texts = [text for _, text in some]
            both = (texts,) if kind == EMBEDDER else ([asked for asked, _ in some], texts)
            network(**tokenizer(*both, padding=True, truncation=True, return_tensors="pt"))

    return read


def save_in_pytorch(kind: str, weights: Path) -> None:
    """Random weights: they are read as fast as trained ones."""
    from transformers import BertConfig, BertForSequenceClassification, BertModel

    config = BertConfig(
        hidden_size=384,
        num_hidden_layers=6,
        num_attention_heads=12,
        intermediate_size=1536,
        id2label={label: str(label) for label in range(LABELS[kind])},
    )
    made = (BertForSequenceClassification if LABELS[kind] else BertModel)(config)
    made.save_pretrained(weights)


def _peak_mb() -> float:
    """From the kernel; `resource` would count what the parent held when it forked, too."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("This kernel does not tell a process's peak memory.")


def _main(what: str, kind: str, weights: str) -> None:
    if what == "save":
        save_in_pytorch(kind, Path(weights))
        return
    pairs = [(str(a), str(b)) for a, b in json.load(sys.stdin)]
    models: dict[str, Callable[[], Read]] = {
        "shipped": lambda: shipped(kind),
        "pytorch": lambda: in_pytorch(kind, Path(weights)),
    }
    json.dump(asdict(measure(models[what], pairs)), sys.stdout)


if __name__ == "__main__":
    _main(*sys.argv[1:])
