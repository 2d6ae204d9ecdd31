"""Slack's own search, as an app that somebody just wrote to may ask for it.

https://docs.slack.dev/reference/methods/assistant.search.context. How Slack ranks what it finds it
does not tell; here words count that both have.
"""

import re
from typing import Any

from bot.workspace.conversations import Conversations
from bot.workspace.events import SEARCHES, ActionTokens
from bot.workspace.seed import Room
from bot.workspace.web_api import TIER_2, Answer, Call, Method

MOST_FOUND = 20
_WORD = re.compile(r"[^\W_]{3,}")


class SearchMethods:
    """They find what anybody may read: messages in public channels."""

    def __init__(self, conversations: Conversations, tokens: ActionTokens) -> None:
        self._conversations, self._tokens = conversations, tokens

    def methods(self) -> dict[str, Method]:
        return {"assistant.search.context": Method(self._search, SEARCHES, TIER_2)}

    def _search(self, call: Call) -> Answer:
        self._tokens.demand(call.text("action_token"))
        wanted = _words(call.text("query"))
        open_rooms = (r for r in self._conversations.rooms.values() if r.channel_type == "channel")
        found = [
            (len(shared), room, message)
            for room in open_rooms
            for message in self._conversations.all(room)
            if (shared := wanted & _words(str(message.get("text", ""))))
        ]
        found.sort(key=lambda each: -each[0])
        most = int(call.number("limit", MOST_FOUND))
        return {"results": {"messages": [self._told(room, m) for _, room, m in found[:most]]}}

    def _told(self, room: Room, message: dict[str, Any]) -> dict[str, Any]:
        author = self._conversations.people.get(message["user"])
        at = f"{room.id}/p{message['ts'].replace('.', '')}"
        return {
            "author_user_id": message["user"],
            "author_name": author.real_name if author else "",
            "team_id": self._conversations.team_id,
            "channel_id": room.id,
            "channel_name": room.name,
            "message_ts": message["ts"],
            "content": message.get("text", ""),
            "is_author_bot": bool(message.get("bot_id")),
            "permalink": f"https://local.slack.com/archives/{at}",
        }


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))
