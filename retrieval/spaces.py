"""Each embedder has a vector space of its own in the index.

Vectors of two embedders cannot be compared, so a text is embedded by each, and searched for in
each space by itself; what the searches find is fused by rank.
"""

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from retrieval.ports import TEXT_SPACE, Embedder

Embedders = Mapping[str, Embedder]
"""By vector space; the first one's is `ports.TEXT_SPACE`, whose cosine a calibration weighs."""
Vectors = Mapping[str, NDArray[np.float32]]
"""Of one text, by vector space, each of length 1."""


def space_of(number: int) -> str:
    """The name of an embedder's space by its place in the settings, from 1: also an SQL name."""
    return TEXT_SPACE if number == 1 else f"{TEXT_SPACE}{number}"


def embedded(embedders: Embedders, texts: Sequence[str]) -> list[Vectors]:
    """The vectors of each text, in the order of the texts."""
    made = {space: embedder.embed(texts) for space, embedder in embedders.items()}
    return [{space: rows[at] for space, rows in made.items()} for at in range(len(texts))]


def sought(
    embedders: Embedders, spaces: Collection[str], text: str, hypothetical: str = ""
) -> Vectors:
    """What to search for in these spaces: the text, or halfway to a hypothetical passage.

    HyDE averages the question with the hypothetical passages as well (Gao et al.,
    "Precise zero-shot dense retrieval without relevance labels", 2023, section 3.2).
    """
    texts = [text, hypothetical] if hypothetical else [text]
    return {space: _mean(embedders[space].embed(texts)) for space in spaces}


def _mean(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Of length 1; `vectors` has the shape (1 or 2, dimension)."""
    mean = vectors[0] if len(vectors) == 1 else vectors.sum(axis=0)
    length = 1 if len(vectors) == 1 else np.linalg.norm(mean)
    return np.asarray(mean / length, dtype=np.float32)
