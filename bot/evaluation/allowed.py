"""`vouch calibrate` keeps to these where nobody says otherwise, and the picture marks the risk."""

from typing import Final

RISK: Final = 0.05
"""Share, 0 to 1, of unanswerable questions that may be answered. Not measured: a choice, of which
`docs/measurements.md` tells what it costs."""
CONFIDENCE: Final = 0.95
"""Probability, 0 to 1, with which that holds for questions like the labelled ones."""
