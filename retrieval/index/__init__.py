"""Implementations of `retrieval.ports.PassageIndex`."""
