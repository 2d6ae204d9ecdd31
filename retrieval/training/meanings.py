"""The weights by which a line's meaning is told are fitted to lines that people labelled.

python -m retrieval.training.meanings
"""

import json
from pathlib import Path

from retrieval.language.meanings import MEANINGS, Meaning
from retrieval.models.embedders import BundledEmbedder
from retrieval.ports import Embedder
from retrieval.training.labelled_lines import fit

LINES = Path(__file__).parent / "meanings.jsonl"


def main(embedder: Embedder | None = None, lines: Path = LINES, out: Path = MEANINGS) -> None:
    """Write the weights."""
    labelled = [json.loads(each) for each in lines.read_text("utf-8").splitlines()]
    said = [(str(each["said"]), str(each["meaning"])) for each in labelled]
    fit(embedder or BundledEmbedder(), said, list(Meaning), out)


if __name__ == "__main__":
    main()
