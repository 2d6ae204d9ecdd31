"""The index on a Weaviate server or cluster, for many bots on many machines."""
