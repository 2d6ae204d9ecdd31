"""What people read while an answer is in the making, besides the placeholder."""

STATUS_READING = "is reading the documents…"
"""Slack puts the bot's name before it."""
