"""How the bot answers in each channel, kept as its managers set it."""

import json
from dataclasses import asdict, dataclass, replace
from datetime import datetime

from sqlalchemy import delete, insert, select

from bot.slack.exchange import Answers
from bot.slack.inbox.database import Transact
from bot.slack.inbox.tables import channel_settings


@dataclass(frozen=True, slots=True)
class ChannelSettings:
    """What managers of a channel set; without any, what is set here."""

    answers: Answers = Answers.MENTIONED
    sources: frozenset[str] = frozenset()
    """Names of those that answers come from; empty for all that may be read there."""
    beside: bool = False
    """A reply stands in the channel itself, and not in the question's thread."""
    outsiders: bool = False
    """People of another company are answered there."""
    ask_person: str = ""
    """Id of the channel where "Ask a person" goes; empty for none."""
    changed_by: str = ""
    """Slack's id; empty where nobody changed anything yet."""
    changed_at: datetime | None = None


class ChannelSettingsStore:
    """Read at every use, so that several processes see a change at once."""

    def __init__(self, transact: Transact) -> None:
        self._transact = transact

    def of(self, channel: str) -> ChannelSettings:
        """Return what was set, whatever may be set; raise `InboxUnavailable`."""
        query = select(channel_settings).where(channel_settings.c.channel == channel)
        with self._transact() as connection:
            row = connection.execute(query).mappings().one_or_none()
        if row is None:
            return ChannelSettings()
        kept = {name: value for name, value in row.items() if name != "channel"}
        read = {
            "answers": Answers(row["answers"]),
            "sources": frozenset(json.loads(row["sources"])),
        }
        return ChannelSettings(**{**kept, **read})

    def keep(self, channel: str, settings: ChannelSettings, by: str, now: datetime) -> None:
        """Keep them in place of what was set before; raise `InboxUnavailable`."""
        row = {
            **asdict(replace(settings, changed_by=by, changed_at=now)),
            "channel": channel,
            "answers": settings.answers.value,
            "sources": json.dumps(sorted(settings.sources)),
        }
        with self._transact() as connection:
            mine = channel_settings.c.channel == channel
            connection.execute(delete(channel_settings).where(mine))
            connection.execute(insert(channel_settings).values(row))
