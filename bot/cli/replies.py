"""Every command that answers at a terminal prints its replies alike, with where sources open."""

from rich.console import RenderableType

from bot.answering.values import Question
from bot.terminal import render
from bot.wiring import Container
from bot.wiring.pages import pages_at


def reply_to(container: Container, question: Question) -> RenderableType:
    """Answer a question; the addresses are those of pages that are served by now."""
    return render(container.answering(question), pages_at(container))
