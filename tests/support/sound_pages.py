"""A page of ours in a browser: windows to see it in, and whether everybody can use it."""

from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

PHONE = {"width": 360, "height": 740}
DESK = {"width": 1280, "height": 900}


def is_sound(page: Page) -> None:
    """Nobody is kept out, and nothing is wider than the window."""
    found = Axe().run(page).response["violations"]
    assert [(each["id"], each["impact"], each["nodes"][0]["html"]) for each in found] == []
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0


def kept(page: Page, name: str, tmp_path: Path) -> None:
    """Keep a picture of the page, for whoever wants to look at it."""
    page.screenshot(path=tmp_path / f"{name}.png", full_page=True)
