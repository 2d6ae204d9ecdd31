"""How the bot answers in a channel: what its managers set, as far as the operator allows it.

They set it with `/ask-settings`. Who manages the channel is looked up at the command and when the
modal is sent.
"""

import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import Any

from slack_bolt import Ack, App, Respond
from slack_sdk import WebClient

from audit.values import team_of
from bot.access.channels import Channels, Widening, is_direct
from bot.access.entries import folded
from bot.slack.blocks.elements import (
    Block,
    Filled,
    View,
    boxes,
    channel_select,
    chosen,
    form,
    form_field,
    in_line,
    note,
    picked_channel,
    radio,
    ticked,
)
from bot.slack.clicked import open_modal, refuse
from bot.slack.directory import SlackChannels, SlackPeople
from bot.slack.exchange import Answers
from bot.slack.failures import UNSENT
from bot.slack.inbox.kept import ChannelSettings, ChannelSettingsStore
from bot.wording import channels as wording


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
        kept, allowed = self.kept.of(channel), self.allowed(channel)
        answers = kept.answers if Widening.UNASKED in allowed else Answers.MENTIONED
        outsiders = kept.outsiders and Widening.OUTSIDERS in allowed
        return replace(kept, answers=answers, outsiders=outsiders)

    def allowed(self, channel: str) -> frozenset[Widening]:
        """Return what may be turned on; nothing unasked where nobody said who reads the channel."""
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
        """Tell whether somebody of another company is not answered there."""
        return not self.of(channel).outsiders and not self.people.is_colleague(user)


CALLBACK = "channel_settings"
ANSWERS, SOURCES, PLACE, OUTSIDERS, PERSON = "answers", "sources", "place", "outsiders", "person"
_MOST_OPTIONS = 10
"""Of checkboxes, in Slack's Block Kit reference; so is the next."""
_LONGEST_OPTION = 75
_MOST_SOURCES = 500
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ChannelManager:
    """Opens and keeps the settings of a channel; `on` tells Bolt."""

    rules: ChannelRules
    sources: Callable[[str], Sequence[str]]
    now: Callable[[], datetime]

    def on(self, app: App) -> None:
        app.command("/ask-settings")(self.open)
        app.view(CALLBACK)(self.keep)

    def open(self, ack: Ack, body: dict[str, Any], client: WebClient, respond: Respond) -> None:
        ack()
        channel, user = str(body["channel_id"]), str(body["user_id"])
        if is_direct(channel):
            respond(wording.NOT_A_CHANNEL, response_type="ephemeral")
        elif not self.rules.may_change(channel, user):
            respond(wording.NOT_A_MANAGER, response_type="ephemeral")
        else:
            allowed, settings = self.rules.allowed(channel), self.rules.of(channel)
            view = settings_modal(channel, settings, allowed, self.sources(channel))
            open_modal(client, body["trigger_id"], view)

    def keep(self, ack: Ack, body: dict[str, Any], client: WebClient, view: dict[str, Any]) -> None:
        """Keep what the channel's manager chose; everyone hears what is newly read there."""
        channel, user = str(view["private_metadata"]), str(body["user"]["id"])
        if not self.rules.may_change(channel, user):
            log.warning("%s, who does not manage channel %s, sent settings of it", user, channel)
            refuse(ack, ANSWERS, wording.NOT_A_MANAGER)
            return
        values: Filled = view["state"]["values"]
        fields = [name for name in values if name.startswith(f"{SOURCES}-")]
        wanted = {value for name in fields for value in ticked(values, name)}
        known = {source_option(each): each for each in self.sources(channel)}
        if not wanted <= known.keys():
            refuse(ack, ANSWERS, wording.CHOOSE_AGAIN)
            return
        allowed, before = self.rules.allowed(channel), self.rules.of(channel)
        unseen = before.sources - set(known.values())  # such as one that is away
        answers, person = chosen(values, ANSWERS), picked_channel(values, PERSON)
        known_answers = Widening.UNASKED in allowed and answers in set(Answers)
        settings = ChannelSettings(
            answers=Answers(answers) if known_answers else Answers.MENTIONED,
            sources=frozenset(known[each] for each in wanted) | unseen,
            beside=chosen(values, PLACE) == "beside",
            outsiders=Widening.OUTSIDERS in allowed and bool(ticked(values, OUTSIDERS)),
            ask_person="" if is_direct(person) else person,
        )
        self.rules.kept.keep(channel, settings, user, self.now())
        ack()
        log.info("%s set how channel %s is answered: %s", user, channel, settings)
        if settings.answers is not before.answers:
            _tell_everyone(client, channel, wording.now_answers(settings.answers, user))


def _tell_everyone(client: WebClient, channel: str, said: str) -> None:
    """Where the bot is no member it reads nothing, either: a failure is logged and ends there."""
    try:
        client.chat_postMessage(channel=channel, text=said)
    except UNSENT as error:
        log.warning("Channel %s is not told how it is answered: %s", channel, error)


def settings_modal(
    channel: str,
    settings: ChannelSettings,
    allowed: Collection[Widening],
    sources: Sequence[str],
) -> View:
    place = "beside" if settings.beside else "thread"
    changed = wording.UNCHANGED
    if settings.changed_at:
        changed = wording.changed(settings.changed_by, settings.changed_at)
    blocks = [
        note(changed),
        *_answers_field(settings, allowed),
        *_source_fields(settings, sources[:_MOST_SOURCES]),
        form_field(PLACE, wording.WHERE, radio(wording.PLACES, place)),
        *_outsiders_field(settings, allowed),
        _person_field(settings),
    ]
    return form(wording.TITLE, CALLBACK, channel, blocks, wording.SAVE)


def _answers_field(settings: ChannelSettings, allowed: Collection[Widening]) -> list[Block]:
    unasked = Widening.UNASKED in allowed
    offered = [each for each in Answers if unasked or each is Answers.MENTIONED]
    options = {each.value: wording.ANSWERS[each] for each in offered}
    asked = form_field(ANSWERS, wording.HOW, radio(options, settings.answers))
    return [asked, note(wording.UNASKED_HINT if unasked else wording.UNASKED_NOT_ALLOWED)]


def _source_fields(settings: ChannelSettings, sources: Sequence[str]) -> list[Block]:
    """Boxes to choose from; nothing where there is no choice."""
    if len(sources) < 2 and not settings.sources:
        return []
    shown = [
        form_field(
            f"{SOURCES}-{start}",
            wording.WHICH_SOURCES,
            _source_boxes(sources[start : start + _MOST_OPTIONS], settings.sources),
            optional=True,
        )
        for start in range(0, len(sources), _MOST_OPTIONS)
    ]
    return [*shown, note(wording.SOURCES_HINT)]


def _source_boxes(names: Sequence[str], chosen: Collection[str]) -> dict[str, Any]:
    options = {source_option(name): in_line(name, _LONGEST_OPTION) for name in names}
    return boxes(options, {source_option(name) for name in chosen})


def source_option(source: str) -> str:
    """Return what stands for a source's name, which may be too long for an option's value."""
    return sha256(source.encode()).hexdigest()[:32]


def _outsiders_field(settings: ChannelSettings, allowed: Collection[Widening]) -> list[Block]:
    if Widening.OUTSIDERS not in allowed:
        return [note(wording.OUTSIDERS_NOT_ALLOWED)]
    box = boxes({OUTSIDERS: wording.ANSWER_OUTSIDERS}, {OUTSIDERS} if settings.outsiders else ())
    hint = wording.OUTSIDERS_HINT
    return [form_field(OUTSIDERS, wording.OUTSIDERS, box, optional=True, hint=hint)]


def _person_field(settings: ChannelSettings) -> Block:
    chosen = {"initial_conversation": settings.ask_person} if settings.ask_person else {}
    hint = wording.ASK_PERSON_HINT
    return form_field(
        PERSON, wording.ASK_PERSON, channel_select(**chosen), optional=True, hint=hint
    )
