"""What the page shows alike to everybody who may act on it."""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.workspace.conversations import Conversations
from bot.workspace.seed import BOT_USER, Seed


def page_state(
    seed: Seed,
    conversations: Conversations,
    *,
    connected: bool,
    signs_in_at: Sequence[str],
) -> Mapping[str, Any]:
    """People, channels, and what can be clicked."""
    first = seed.channels[0].id if seed.channels else None
    return {
        "team": {"name": seed.team},
        "bot": {"id": BOT_USER, "name": seed.bot_name, "connected": connected},
        "people": [
            {
                "id": person.id,
                "name": person.name,
                "real_name": person.real_name,
                "email": person.email,
                "about": person.about,
                "is_bot": person.is_bot,
            }
            for person in conversations.people.values()
        ],
        "channels": [
            {
                "id": room.id,
                "name": room.name,
                "topic": room.topic,
                "is_private": room.is_private,
                "members": room.members,
            }
            for room in conversations.rooms.values()
            if not room.is_im
        ],
        "commands": [
            {"command": one.command, "usage": one.usage, "about": one.about}
            for one in seed.commands
        ],
        "examples": [
            {"as": one.person, "channel": one.channel, "text": one.text, "note": one.note}
            for one in seed.examples
        ],
        "signs_in_at": list(signs_in_at),
        "questions": {who: list(asked) for who, asked in seed.questions.items()},
        "opens": {
            "as": seed.opens_as or next((one.id for one in seed.people), None),
            "channel": seed.opens_channel or first,
        },
    }
