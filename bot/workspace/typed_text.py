"""What a person types becomes Slack's markup.

https://docs.slack.dev/messaging/formatting-message-text
"""

import re
from collections.abc import Callable, Iterable, Mapping

from bot.workspace.seed import Member, Room

_SIGNS = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def as_markup(text: str, people: Iterable[Member], rooms: Iterable[Room]) -> str:
    """Escape it; `@name` and `#channel` become what Slack sends for them."""
    escaped = re.sub("[&<>]", lambda found: _SIGNS[found[0]], text)
    users = {
        _escape(name).casefold(): f"<@{person.id}>"
        for person in people
        for name in (person.name, person.real_name)
        if name
    }
    channels = {
        room.name.casefold(): f"<#{room.id}|{room.name}>" for room in rooms if not room.is_im
    }
    return _replaced("#", channels, _replaced("@", users, escaped))


def _escape(name: str) -> str:
    return re.sub("[&<>]", lambda found: _SIGNS[found[0]], name)


def _replaced(sign: str, entities: Mapping[str, str], text: str) -> str:
    if not entities:
        return text
    longest_first = sorted(entities, key=len, reverse=True)
    names = "|".join(re.escape(name) for name in longest_first)
    entity: Callable[[re.Match[str]], str] = lambda found: entities[found[1].casefold()]  # noqa: E731
    return re.sub(rf"(?<!\w){sign}({names})(?!\w)", entity, text, flags=re.IGNORECASE)
