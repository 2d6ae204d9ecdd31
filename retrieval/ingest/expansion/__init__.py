"""What leads to a passage beside its own text; see `port`."""
