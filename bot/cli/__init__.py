"""The doors of the command line; each module holds one, and imports what it needs late."""

from bot.cli.app import main

__all__ = ["main"]
