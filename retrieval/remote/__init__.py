"""Documents that live elsewhere: what lists and fetches them, and the mirror that is read."""
