"""Tables of the audit database, what guards them, and how an entry is appended."""
