"""Fields of a schema are read out of a document; each is checked and cited, or null with why."""
