"""Processes that may take only so much memory and time, for what meets other people's files."""
