"""Text and a scope in, evidence out; knows nothing of bots or audits."""
