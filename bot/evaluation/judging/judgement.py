"""What a judge says of one reply."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Judgement:
    """Four scores from 0 to 1, more being better, as published."""

    correctness: float
    conciseness: float
    free_of_hallucination: float
    """Published as hallucination, in which more is better as well."""
    similarity: float
    by: str
    """The judge's name."""
    tokens: Mapping[str, int] = field(default_factory=dict)
    """What it read and wrote."""
