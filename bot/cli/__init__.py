"""The command line has one door a module; each imports what it needs late."""

from bot.cli.app import main

__all__ = ["main"]
