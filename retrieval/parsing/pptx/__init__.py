"""Presentations are read here."""
