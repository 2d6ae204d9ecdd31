"""PDF is read here."""
