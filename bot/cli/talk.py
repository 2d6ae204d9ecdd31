"""A talk at the terminal is questions one after another, each heard with those before."""

from dataclasses import dataclass
from datetime import date

from rich.text import Text

from audit.errors import AuditError
from audit.record.asker import Channel
from bot import wording
from bot.access import Person
from bot.answering.followups import recalled
from bot.answering.values import Question
from bot.cli.console import Terminal
from bot.cli.replies import reply_to
from bot.errors import BotError
from bot.wiring import Container
from retrieval.errors import RetrievalError


@dataclass(frozen=True, slots=True)
class Talk:
    """A talk is one person's."""

    container: Container
    person: Person | None
    on: date
    channel: str | None = None
    previous: tuple[str, ...] = ()
    place: Channel | None = None
    """The channel by its name, for the record."""

    def until_the_end(self) -> None:
        """Read questions until the input ends; an error is said and the talk goes on."""
        console = Terminal()
        console.print()
        console.print(wording.talk_begins(self.person.name if self.person else None))
        previous = self.previous
        while True:
            try:
                text = console.input(Text("> ", style="bold")).strip()
            except (EOFError, KeyboardInterrupt):
                console.print()
                return
            if not text:
                continue
            try:
                asked = Question(text, self.person, self.on, self.channel, previous, self.place)
                console.print(reply_to(self.container, asked))
            except (BotError, RetrievalError, AuditError) as error:
                console.print(str(error), style="red", markup=False)
            previous = recalled((*previous, text))
