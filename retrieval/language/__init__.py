"""What is particular to a language, English so far: sentences, anaphora, how people ask."""
