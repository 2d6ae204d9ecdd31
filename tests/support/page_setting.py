"""Who and what there is in the workspace that the page is tested with, and its windows."""

from collections.abc import Callable

from playwright.sync_api import FloatRect, Locator, Page, ViewportSize

from bot.workspace.seed import BOT_USER, Command, Example, Member, Room, Seed

HANDHELD: ViewportSize = {"width": 390, "height": 844}
PHONE = {"viewport": HANDHELD, "has_touch": True, "is_mobile": True}
DESK: ViewportSize = {"width": 1280, "height": 800}
QUESTION = "How often may I repeat an exam?"

ANA = Member("U0ANA", "ana", "Ana Silva", about="BSc Computer Science, year 3")
BEN = Member("U0BEN", "ben", "Ben Okafor", about="BSc Information Systems, year 2")
MEI = Member("U0MEI", "mei", "Mei Tanaka", about="MSc Computer Science, year 1")
EVERYONE = (ANA.id, BEN.id, MEI.id, BOT_USER)

NOTE = (
    "Nobody else reads this. Ben's faculty has no rule of its own on how often an exam may be "
    "repeated, so the rule of the university holds for him, which is what the reply cites."
)

Open = Callable[..., Page]

SEED = Seed(
    team="Greenfield University",
    people=(ANA, BEN, MEI),
    channels=(
        Room("C0GENERAL", "general", EVERYONE, topic="Everyone"),
        Room("C0CS", "cs-undergraduates", (ANA.id, BOT_USER)),
        Room("C0BOARD", "exam-board", (MEI.id, BOT_USER), is_private=True),
    ),
    commands=(Command("/ask", "[question]", "Ask privately"), Command("/audit", "[latest]")),
    examples=(
        Example(ANA.id, "C0CS", f"@Vouch {QUESTION}", "Ana's faculty has its own rule."),
        Example(MEI.id, "C0GENERAL", f"@Vouch {QUESTION}", "Only what all here may read."),
        Example(BEN.id, None, QUESTION, NOTE),
    ),
    questions={ANA.id: ("Who marks my project?",), BEN.id: ("When is my viva?", "Where is it?")},
)


def box_of(shown: Locator) -> FloatRect:
    """Where it is on the page, in pixels."""
    box = shown.bounding_box()
    assert box
    return box


def nothing_sticks_out(page: Page) -> None:
    """No part of the page can be scrolled sideways, tables and the like apart."""
    wide = page.evaluate(
        """() => ["html", "main", "aside", "nav", "dialog", ".scroller"]
            .flatMap((name) => [...document.querySelectorAll(name)])
            .filter((node) => node.checkVisibility() && node.scrollWidth > node.clientWidth + 1)
            .map((node) => `${node.tagName} ${node.scrollWidth} > ${node.clientWidth}`)"""
    )
    assert wide == []
