"""These thresholds hold in more than one module; any other stands where it decides something."""

from typing import Final

RELEVANT: Final = 0.7
"""Relevance, 0 to 1, from which a passage is evidence. It is that of the published
accountable-RAG system; what this one's probabilities mean under it is settled by the calibration,
and what it is worth stands in `docs/measurements.md` (recipe `no-threshold`)."""
READ: Final = 0.05
"""Relevance, 0 to 1, from which a language model reads a passage: it tells better than the bundled
models whether a passage answers, and need not be kept from it. Chosen on the calibration split of
the 18F questions: there the answering passage is among the five that are read for 40 of 45
answerable questions at 0.02 and 0.05, for 39 at 0.1, 35 at 0.2 and 16 at 0.7, at 4.8 passages a
question with 0.05 and 4.2 with 0.1."""
ENTAILED: Final = 0.5
"""Probability, 0 to 1, from which a premise entails a claim: the model's more probable side. Not
tuned; the figures on the models' card are measured at it."""
ABOUT: Final = 0.26
"""Cosine of the embedder that ships, from which a passage is about what was asked, whether or not
it answers. Of 870 calibration questions 95 of 100 passages that answer reach it; in the sample
nothing does for questions about bread, jokes or the world cup (0.11 to 0.19), and the parking page
does (0.44) for what a permit costs, which it leaves open."""
