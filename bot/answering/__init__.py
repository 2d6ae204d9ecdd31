"""A question becomes an audited reply here."""
