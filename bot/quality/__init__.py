"""Quality: labelled questions, what came of them, metrics, calibration, and quality over time."""
