"""That nothing was changed: the hash chain, the tree over it, what is signed of it, and proofs."""
