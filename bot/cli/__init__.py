"""The command line has one door a module; each imports what it needs late."""


def main() -> None:
    """Run a command, as `vouch` does."""
    from bot.cli.app import main as run

    run()
