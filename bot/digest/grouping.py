"""Questions that ask alike are found by how near their vectors are."""

from collections.abc import Sequence

import numpy as np

from retrieval.ports import Embedder

ALIKE = 0.78
"""Cosine, by the bundled embedder, from which two questions ask alike. "How many days of paternity
leave" and "paternity leave length?" have 0.81; with "maternity" in one of them it is 0.76."""


def alike(texts: Sequence[str], embedder: Embedder) -> list[list[int]]:
    """The places of the texts in groups, each with its most typical one first.

    Each text of a group is like its first one, so nothing chains from one subject to another: as
    `community_detection` of sentence-transformers, which needs PyTorch.
    """
    if not texts:
        return []
    vectors = embedder.embed(texts)
    neighbours = [int((vectors @ vector >= ALIKE).sum()) for vector in vectors]
    left = np.ones(len(texts), dtype=bool)
    groups: list[list[int]] = []
    for centre in sorted(range(len(texts)), key=lambda place: -neighbours[place]):
        if left[centre]:
            likeness = np.where(left, vectors @ vectors[centre], -1.0)
            likeness[centre] = 2.0  # it comes first, also before another in the same words
            best_first = np.argsort(-likeness, kind="stable")
            members = [int(place) for place in best_first if likeness[place] >= ALIKE]
            left[members] = False
            groups.append(members)
    return groups
