"""Search: a question and a scope in, ranked evidence out."""
