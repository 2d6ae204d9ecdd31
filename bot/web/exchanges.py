"""Who may read what a reply said, and not only what it cites."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from audit.record import AuditRecord
from bot.access import Person
from retrieval.types import Scope


@dataclass(frozen=True, slots=True)
class Exchanges:
    """A reply's words are for whoever asked, for its channel's audience, and for administrators.

    A link may be handed on to anybody. That somebody asked in private, and what they were told,
    is not for whoever comes by it, even where the documents are for everyone.
    """

    scope_for: Callable[[Person | None, str | None, date], Scope]
    is_listed: Callable[[str], bool]
    """Whether it is known who is in a channel: of one that is not, it may be two people's own."""
    today: Callable[[], date]

    def may_read(self, record: AuditRecord, reader: Person | None) -> bool:
        """Tell whether a reader is of the audience to which the reply was given."""
        if reader is not None and (reader.admin or reader.id == record.person.id):
            return True
        channel = record.channel.id
        known = not _is_private(channel) and self.is_listed(channel)
        return known and self._is_of(channel, reader)

    def _is_of(self, channel: str, reader: Person | None) -> bool:
        """Tell whether somebody has all that the people of a channel have in common."""
        own = self.scope_for(reader, None, self.today()).facets
        common = self.scope_for(None, channel, self.today()).facets
        return all(values <= own.get(facet, frozenset()) for facet, values in common.items())


def _is_private(channel: str) -> bool:
    """Tell whether one person alone was answered.

    At a command line there is no channel, and ids of direct messages in Slack begin with D
    (https://docs.slack.dev/apis/web-api/using-the-conversations-api).
    """
    return not channel or channel.startswith("D")
