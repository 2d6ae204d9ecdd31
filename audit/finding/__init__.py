"""By what records are found: their terms, and sets of them."""
