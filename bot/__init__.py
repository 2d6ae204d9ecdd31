"""Everything that a person touches."""
