"""A language model says what replies are worth beside reference answers, after Patwal (2025)."""
