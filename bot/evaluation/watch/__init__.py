"""Quality over time: labelled questions are asked again and again, and runs are compared."""
