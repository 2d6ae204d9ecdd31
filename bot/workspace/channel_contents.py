"""What stands in a channel beside its messages, as an app that reads channels asks for it.

https://docs.slack.dev/reference/methods/files.list and its neighbours. The page pins nothing and
has no bookmarks, so there are none.
"""

import math

from bot.workspace.conversations import Conversations
from bot.workspace.files import Files, described
from bot.workspace.web_api import TIER_2, TIER_3, Answer, Call, Method

AT_ONCE = 100


class ChannelContents:
    """They are listed where the bot is a member."""

    def __init__(self, conversations: Conversations, files: Files) -> None:
        self._conversations, self._files = conversations, files

    def methods(self) -> dict[str, Method]:
        return {
            "files.list": Method(self._list, "files:read", TIER_3),
            "pins.list": Method(self._pins, "pins:read", TIER_2),
            "bookmarks.list": Method(self._bookmarks, "bookmarks:read", TIER_3),
        }

    def _list(self, call: Call) -> Answer:
        room = self._conversations.own_room(call.text("channel"))
        posted = [described(each, call.base_url) for each in self._files.posted_in(room)]
        at_once, page = int(call.number("count", AT_ONCE)), int(call.number("page", 1))
        pages = math.ceil(len(posted) / at_once)
        shown = posted[(page - 1) * at_once : page * at_once]
        paging = {"count": at_once, "total": len(posted), "page": page, "pages": pages}
        return {"files": shown, "paging": paging}

    def _pins(self, call: Call) -> Answer:
        self._conversations.own_room(call.text("channel"))
        return {"items": []}

    def _bookmarks(self, call: Call) -> Answer:
        self._conversations.own_room(call.text("channel_id"))
        return {"bookmarks": []}
