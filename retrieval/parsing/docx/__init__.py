"""Word documents are read here."""
