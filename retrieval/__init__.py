"""Text and a scope go in, evidence comes out; retrieval knows nothing of bots or audits."""
