"""Documents say something of themselves, and somebody may read them."""
