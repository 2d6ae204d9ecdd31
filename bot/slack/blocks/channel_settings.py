"""The modal in which managers of a channel set how the bot answers there."""

from collections.abc import Collection, Sequence
from hashlib import sha256
from typing import Any

from bot.access.channels import Widening
from bot.slack.blocks.elements import Block, View, in_line, note
from bot.slack.blocks.forms import boxes, channel_select, form, form_field, radio
from bot.slack.exchange import Answers
from bot.slack.inbox.channel_settings import ChannelSettings
from bot.wording import channels as wording

CALLBACK = "channel_settings"
ANSWERS, SOURCES, PLACE, OUTSIDERS, PERSON = "answers", "sources", "place", "outsiders", "person"
_MOST_OPTIONS = 10
"""Of checkboxes, in Slack's Block Kit reference; so is the next."""
_LONGEST_OPTION = 75
_MOST_SOURCES = 500


def settings_modal(
    channel: str,
    settings: ChannelSettings,
    allowed: Collection[Widening],
    sources: Sequence[str],
) -> View:
    """Show what may be set; `sources` are those of which something may be read there."""
    place = "beside" if settings.beside else "thread"
    blocks = [
        note(_last_change(settings)),
        *_answers(settings, allowed),
        *_sources(settings, sources[:_MOST_SOURCES]),
        form_field(PLACE, wording.WHERE, radio(wording.PLACES, place)),
        *_outsiders(settings, allowed),
        _person(settings),
    ]
    return form(wording.TITLE, CALLBACK, channel, blocks, wording.SAVE)


def _last_change(settings: ChannelSettings) -> str:
    if settings.changed_at is None:
        return wording.UNCHANGED
    return wording.changed(settings.changed_by, settings.changed_at)


def _answers(settings: ChannelSettings, allowed: Collection[Widening]) -> list[Block]:
    unasked = Widening.UNASKED in allowed
    offered = [each for each in Answers if unasked or each is Answers.MENTIONED]
    options = {each.value: wording.ANSWERS[each] for each in offered}
    asked = form_field(ANSWERS, wording.HOW, radio(options, settings.answers))
    return [asked, note(wording.UNASKED_HINT if unasked else wording.UNASKED_NOT_ALLOWED)]


def _sources(settings: ChannelSettings, sources: Sequence[str]) -> list[Block]:
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
    options = {key_of(name): in_line(name, _LONGEST_OPTION) for name in names}
    return boxes(options, {key_of(name) for name in chosen})


def key_of(source: str) -> str:
    """Return what stands for a source's name, which may be too long for an option's value."""
    return sha256(source.encode()).hexdigest()[:32]


def _outsiders(settings: ChannelSettings, allowed: Collection[Widening]) -> list[Block]:
    if Widening.OUTSIDERS not in allowed:
        return [note(wording.OUTSIDERS_NOT_ALLOWED)]
    box = boxes({OUTSIDERS: wording.ANSWER_OUTSIDERS}, {OUTSIDERS} if settings.outsiders else ())
    hint = wording.OUTSIDERS_HINT
    return [form_field(OUTSIDERS, wording.OUTSIDERS, box, optional=True, hint=hint)]


def _person(settings: ChannelSettings) -> Block:
    chosen = {"initial_conversation": settings.ask_person} if settings.ask_person else {}
    hint = wording.ASK_PERSON_HINT
    return form_field(
        PERSON, wording.ASK_PERSON, channel_select(**chosen), optional=True, hint=hint
    )
