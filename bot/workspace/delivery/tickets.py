"""The app may use a trigger or a response URL for a while after somebody did something."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from bot.workspace.methods.refusal import Refused
from bot.workspace.seed import Room

TRIGGER_LASTS = 3.0
"""Seconds: https://docs.slack.dev/interactivity/handling-user-interaction#modal_responses."""
RESPONSE_LASTS = 1800.0
RESPONSE_USES = 5
"""https://docs.slack.dev/interactivity/handling-user-interaction#message_responses."""


class Triggers:
    """Each opens one modal for the person who did something."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._given: dict[str, tuple[str, float]] = {}
        self._used: set[str] = set()

    def give(self, user: str) -> str:
        trigger = f"{secrets.randbelow(10**12)}.{secrets.randbelow(10**10)}.{secrets.token_hex(16)}"
        self._given[trigger] = (user, self._clock() + TRIGGER_LASTS)
        return trigger

    def use(self, trigger: str) -> str:
        """Return the person; `Refused` for a trigger that is unknown, late or used."""
        if trigger in self._used:
            raise Refused("exchanged_trigger_id")
        if trigger not in self._given:
            raise Refused("invalid_trigger_id")
        user, until = self._given.pop(trigger)
        if self._clock() > until:
            raise Refused("expired_trigger_id")
        self._used.add(trigger)
        return user


@dataclass(slots=True)
class ResponseTicket:
    """A response URL stands for a ticket: whose response it is, and where it goes."""

    user: str
    room: Room
    until: float
    ts: str = ""
    """The message with the button; empty after a command."""
    ephemeral: bool = False
    """That message is for the person alone."""
    thread: str = ""
    uses_left: int = RESPONSE_USES


class ResponseUrls:
    """They let the app answer a click or a command later."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._given: dict[str, ResponseTicket] = {}

    def give(
        self, user: str, room: Room, *, ts: str = "", ephemeral: bool = False, thread: str = ""
    ) -> str:
        """Return the secret part of a new URL."""
        secret = secrets.token_urlsafe(24)
        until = self._clock() + RESPONSE_LASTS
        self._given[secret] = ResponseTicket(user, room, until, ts, ephemeral, thread)
        return secret

    def use(self, secret: str) -> ResponseTicket:
        """Return what it stands for; `Refused` for one that is unknown, late or used up."""
        ticket = self._given.get(secret)
        if ticket is None or self._clock() > ticket.until:
            raise Refused("expired_url")
        if ticket.uses_left == 0:
            raise Refused("used_url")
        ticket.uses_left -= 1
        return ticket
