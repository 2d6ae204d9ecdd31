"""These thresholds hold in more than one module; any other stands where it decides something."""

from typing import Final

RELEVANT: Final = 0.7
"""Relevance, 0 to 1, from which a passage is evidence. It is that of the published
accountable-RAG system; what this one's probabilities mean under it is settled by the calibration,
and what it is worth stands in `docs/measurements.md` (recipe `no-threshold`)."""
ENTAILED: Final = 0.5
"""Probability, 0 to 1, from which a premise entails a claim: the model's more probable side. Not
tuned; the figures on the models' card are measured at it."""
