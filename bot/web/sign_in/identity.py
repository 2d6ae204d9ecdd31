"""Who signed in, as it was proven; name and rights are looked up anew each time."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from bot.access import People, Person


class Proof(StrEnum):
    """How somebody proved who they are; the values are stored."""

    SLACK = "slack"
    OPERATOR = "operator"
    """Whoever runs the command line acts for them, as `vouch ask --as` does."""


@dataclass(frozen=True, slots=True)
class Identity:
    """An identity is a Slack user's id, or an id of `people.yaml`."""

    proof: Proof
    id: str
    """Empty for an operator's guest."""


class NobodyAnyMore(Exception):
    """The identity was somebody when it signed in, and is nobody now."""


@dataclass(frozen=True, slots=True)
class Readers:
    """Says at each opening who an identity is today."""

    people: Callable[[], People]
    slack_person: Callable[[str], Person | None]
    """By a Slack user's id; None for a guest. Raises `NobodyAnyMore` where the user left."""

    def person(self, who: Identity) -> Person | None:
        """Return the person, None for a guest.

        Raise `NobodyAnyMore`, and `BotError` where Slack cannot be asked.
        """
        if who.proof is Proof.SLACK:
            return self.slack_person(who.id)
        if not who.id:
            return None
        person = self.people().by_id.get(who.id)
        if person is None:
            raise NobodyAnyMore
        return person
