"""Who may read what: people and channels, and what of records and documents is open to them."""
