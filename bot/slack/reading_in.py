"""Administrators give files to be read as documents, and say who may read them.

From a message's menu, or with "read this" and a file. Who is an administrator, and who may be
chosen, is looked up anew at each step.
"""

import logging
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from slack_bolt import Ack, App
from slack_sdk import WebClient

from bot.access.channels import is_direct
from bot.access.entries import Facets
from bot.slack.blocks.elements import (
    MOST_OF_GROUP,
    Block,
    Message,
    View,
    bullets,
    chosen,
    form,
    form_field,
    in_line,
    line,
    note,
    rich,
    section,
    select,
    small,
    spoken,
    words,
)
from bot.slack.blocks.system_messages import READ_IN, files_of, packed_files
from bot.slack.clicked import conclude, open_modal, refuse
from bot.slack.directory import SlackChannels, SlackPeople
from bot.slack.exchange import MOST_GIVEN, AttachedFile, files_in
from bot.slack.given_files import (
    GivenFiles,
    GivenQueue,
    can_be_said,
    id_of,
    option_of,
)
from bot.slack.home import say_at
from bot.slack.referring import each_one
from bot.slack.steps.sending import respond
from bot.wording import reading_in as wording
from bot.wording.documents import who
from retrieval.errors import UnreadableDocument
from retrieval.metadata.access import EVERYBODY, TEAM, Audience

READERS = "readers"
AudienceChoices = Mapping[str, Mapping[str, Audience]]
"""Who may be chosen, by group and label."""


def nothing_to_read(refused: Sequence[str]) -> Message:
    said = wording.NO_FILES
    return Message(spoken(said), (section(said), *_refused(refused)))


def _refused(names: Sequence[str]) -> list[Block]:
    return [small(in_line(f"{wording.NOT_READ_IN} {each}", 600)) for each in names]


def readers_form(
    channel: str, files: Sequence[AttachedFile], refused: Sequence[str], offered: AudienceChoices
) -> View:
    """Ask who may read them; `refused`: names with why they are not read in."""
    groups = {
        group: {option_of(each): label for label, each in of.items()}
        for group, of in offered.items()
    }
    more = [group for group, of in groups.items() if len(of) > MOST_OF_GROUP]
    left_out = wording.TOO_MANY_VALUES.format(facets=", ".join(more))
    blocks: list[Block] = [
        rich(bullets([line(words(in_line(each.name, 300))) for each in files])),
        *_refused(refused),
        form_field(READERS, wording.WHO_READS, select(groups, wording.SELECT)),
        note(wording.WHO_READS_HINT),
        *([small(in_line(left_out, 600))] if more else []),
    ]
    return form(wording.TITLE, READ_IN, f"{channel}:{packed_files(files)}", blocks, wording.SEND)


log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ReadIn:
    """The message shortcut, the button and the form; `on` tells Bolt."""

    queue: GivenQueue
    people: SlackPeople
    channels: SlackChannels
    common_in: Callable[[str], Facets | None]
    """What everyone in a channel has; None where that is not known for certain."""
    values: Callable[[], Mapping[str, Sequence[str]]]
    check: Callable[[str], None]
    """Raises `UnreadableDocument` for the name of a file that is not read in."""
    now: Callable[[], datetime]

    def on(self, app: App) -> None:
        app.shortcut(READ_IN)(self.used)
        app.action(READ_IN)(self.pressed)
        app.view(READ_IN)(self.given)

    def used(self, ack: Ack, body: dict[str, Any], client: WebClient) -> None:
        ack()
        self._ask(files_in(body["message"].get("files")), body, client)

    def pressed(self, ack: Ack, body: dict[str, Any], client: WebClient) -> None:
        ack()
        self._ask(files_of(body["actions"][0]["value"]), body, client)

    def _ask(
        self, files: Sequence[AttachedFile], body: Mapping[str, Any], client: WebClient
    ) -> None:
        url, channel = str(body.get("response_url") or ""), str(body["channel"]["id"])
        if self.people.operator(body["user"]["id"]) is None:
            say_at(url, wording.NOT_ADMIN)
            return
        wanted, refused = self._sorted(files)
        if not wanted:
            respond(url, nothing_to_read(refused))
            return
        form = readers_form(channel, wanted, refused, self._offered(channel))
        open_modal(client, body["trigger_id"], form)

    def _sorted(self, files: Sequence[AttachedFile]) -> tuple[list[AttachedFile], list[str]]:
        """Return those that may be read in, and the names of the others with why not."""
        wanted: dict[str, AttachedFile] = {}
        refused: list[str] = []
        for each in files:
            name = unicodedata.normalize("NFC", each.name)
            try:
                self.check(name)
            except UnreadableDocument as error:
                refused.append(f"{each.name} {error}")
            else:
                if name in wanted or len(wanted) == MOST_GIVEN:
                    why = wording.SAME_NAME if name in wanted else wording.ONE_TOO_MANY
                    refused.append(f"{each.name} {why}")
                    continue
                wanted[name] = each
        return list(wanted.values()), refused

    def given(self, ack: Ack, body: dict[str, Any], view: dict[str, Any]) -> None:
        """Keep what was given before it is acknowledged; nothing that was shown is believed."""
        user = str(body["user"]["id"])
        channel, _, packed = str(view["private_metadata"]).partition(":")
        offered = [each for group in self._offered(channel).values() for each in group.values()]
        readers = {option_of(each): each for each in offered}
        wanted, _ = self._sorted(files_of(packed))
        option = chosen(view["state"]["values"], READERS)
        wrong = wording.CHOOSE_AGAIN if option not in readers or not wanted else ""
        if self.people.operator(user) is None:
            log.warning("%s, who is no administrator, gave files to be read in", user)
            wrong = wording.NOT_ADMIN
        if wrong:
            refuse(ack, READERS, wrong)
            return
        now, given_id = self.now(), id_of(user, str(view["id"]))
        self.queue.add(
            GivenFiles(given_id, user, channel, tuple(wanted), readers[option], now, now)
        )
        conclude(ack, wording.TITLE, "given", wording.TAKEN)

    def _offered(self, channel: str) -> AudienceChoices:
        """Return who may be chosen there: everyone, all who are there, or who has a value."""
        values = self.values()
        at_large: dict[str, Audience] = {wording.EVERYONE: EVERYBODY}
        if common := self._common(channel):
            at_large[wording.everyone_in(who(common))] = common
        by_facet: AudienceChoices = {
            facet: {f"{facet}: {value}": ((facet, (value,)),) for value in of}
            for facet, of in values.items()
        }
        return {
            group: {label: each for label, each in of.items() if can_be_said(each, [*values])}
            for group, of in {wording.ALL: at_large, **by_facet}.items()
        }

    def _common(self, channel: str) -> Audience:
        """Return what everyone in a channel has; nothing where that is not known for certain."""
        if is_direct(channel) or self.channels.is_shared(channel):
            return EVERYBODY
        common = each_one(self.common_in(channel)) or {}
        return tuple(sorted((facet, tuple(of)) for facet, of in common.items() if facet != TEAM))
