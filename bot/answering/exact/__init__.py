"""What a small entailment model misses, compared word for word."""
