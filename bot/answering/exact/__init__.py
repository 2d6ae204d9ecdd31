"""What a small entailment model misses is compared word for word."""
