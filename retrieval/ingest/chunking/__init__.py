"""Cutting documents into passages: one module for each way, behind one port."""

from retrieval.ingest.chunking.paragraphs import ENOUGH_WORDS, MOST_WORDS, PARAGRAPHS, Paragraphs
from retrieval.ingest.chunking.passages import cut
from retrieval.ingest.chunking.port import Chunking

__all__ = ["ENOUGH_WORDS", "MOST_WORDS", "PARAGRAPHS", "Chunking", "Paragraphs", "cut"]
