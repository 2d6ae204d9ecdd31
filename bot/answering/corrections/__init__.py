"""Answers follow their sources: what was answered from words that have changed is asked again."""
