"""How many candidates of each retriever to fuse, and what fusion costs, after Patwal (2025)."""
