"""Pictures of places in documents: what is cited, highlighted where it stands."""
