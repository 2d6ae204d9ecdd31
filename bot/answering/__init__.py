"""From a question to an audited reply."""
