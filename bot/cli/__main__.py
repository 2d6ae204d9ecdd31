"""`python -m bot.cli` is `vouch`."""

from bot.cli.app import main

main()
