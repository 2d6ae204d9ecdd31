"""How the bot answers in a channel: what its managers set, as far as the operator allows it."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from audit.values import team_of
from bot.access.channels import Channels, Widening
from bot.access.entries import folded
from bot.slack.directory import SlackChannels, SlackPeople
from bot.slack.exchange import Answers
from bot.slack.inbox.channel_settings import ChannelSettings, ChannelSettingsStore


@dataclass(frozen=True, slots=True)
class ChannelRules:
    """Looked at anew at every message and every click."""

    kept: ChannelSettingsStore
    people: SlackPeople
    slack: SlackChannels
    listed: Callable[[], Channels]
    forbidden: frozenset[Widening] = frozenset()
    """What may be turned on in no channel."""

    def of(self, channel: str) -> ChannelSettings:
        """Return what holds there now; raise `InboxUnavailable`."""
        kept, allowed = self.kept.of(channel), self.allowed(channel)
        answers = kept.answers if Widening.UNASKED in allowed else Answers.MENTIONED
        outsiders = kept.outsiders and Widening.OUTSIDERS in allowed
        return replace(kept, answers=answers, outsiders=outsiders)

    def allowed(self, channel: str) -> frozenset[Widening]:
        """Return what may be turned on; nothing is answered unasked in a channel of nobody's list.

        Of such a channel nobody said who reads it.
        """
        channels = self.listed()
        denied = self.forbidden | channels.forbidden.get(channel, frozenset())
        unlisted = frozenset() if channels.is_listed(channel) else {Widening.UNASKED}
        return frozenset(Widening) - denied - unlisted

    def may_change(self, channel: str, user: str) -> bool:
        """Tell whether somebody manages a channel; raise what slack_sdk raises.

        Whoever created it, an administrator here or of the workspace, or named in `channels.yaml`;
        nobody of another company or workspace.
        """
        if team_of(channel) != team_of(user) or not self.people.is_colleague(user):
            return False
        person = self.people.person(user)
        if (person and person.admin) or self.people.is_workspace_admin(user):
            return True
        named = self.listed().managers.get(channel, frozenset())
        called = {user, self.people.email(user), *((person.id, person.email) if person else ())}
        is_named = not {folded(each) for each in called if each}.isdisjoint(map(folded, named))
        return is_named or self.slack.creator(channel) == user

    def refuses(self, channel: str, user: str) -> bool:
        """Tell whether somebody of another company is not answered there.

        Raise `InboxUnavailable`, and what slack_sdk raises.
        """
        return not self.of(channel).outsiders and not self.people.is_colleague(user)
