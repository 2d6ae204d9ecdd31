"""The revisions of what is kept of quality runs."""
