"""Where the pages in a browser are, for commands that serve none: nothing heavy is loaded."""

from pathlib import Path

from bot.web.addresses import CALLBACK, address_in
from bot.wiring.container import Container


def pages_at(container: Container) -> str:
    """Where what is cited can be opened now; empty where it cannot."""
    settings = container.settings
    if not settings.serves_pages:
        return ""
    return settings.web_base or address_in(container.home)


def callback(container: Container) -> str:
    """Where Slack sends people back to who sign in."""
    return f"{container.settings.web_base}{CALLBACK}"


def sessions_file(home: Path) -> Path:
    """Who is signed in is kept here."""
    return home / "web.sqlite"
