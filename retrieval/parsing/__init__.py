"""One module a format; all yield the same fragments, located in their source."""
