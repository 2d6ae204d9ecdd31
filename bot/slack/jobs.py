"""What scheduled jobs do in Slack: digests, corrected answers, checkpoints, who is in user groups.

Of what they post Slack itself keeps that it was posted: each bears a mark, and is looked for before
it is sent. So nothing is posted twice, also after a backup was restored.
"""

import logging
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from functools import partial

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from audit.proof.checkpoints import Checkpoint
from audit.record import AuditEvent, AuditRecord, EventKind, of_the_log
from audit.values import Channel, known_as, slack_id, team_of
from bot.access.channels import is_direct
from bot.access.people import People
from bot.access.reading import is_private
from bot.access.user_groups import ReadGroup, is_channel, named
from bot.answering.citations.links import opening_here
from bot.answering.corrections.changes import TellingPlace
from bot.answering.digest import DigestLine, DigestPage, UnitDigest, Week
from bot.errors import JobFailed
from bot.slack.blocks.elements import (
    MESSAGE,
    SPOKEN,
    Block,
    Element,
    Message,
    RichPiece,
    bullets,
    fitting,
    header,
    in_line,
    line,
    link,
    listed,
    marked,
    note,
    preformatted,
    quotation,
    rich,
    section,
    spoken,
    trimmed,
    words,
)
from bot.slack.blocks.reply import quoted_question, reply
from bot.slack.clicked import unlisted_in
from bot.slack.directory import MEMBERS_AT_ONCE, is_shared
from bot.slack.failures import NO_PLACE, UNSENT, NotInstalled, code_of, reason_of
from bot.slack.inbox.beside import StoredUserGroups
from bot.slack.inbox.removals import ts_before
from bot.slack.inbox.tables import EPOCH
from bot.slack.steps.sending import find_marked, post
from bot.slack.workspaces import client_of
from bot.wording import corrections, digest
from bot.wording import jobs as jobs_wording
from bot.wording import slack as wording


@dataclass(frozen=True, slots=True)
class DigestPosting:
    """It implements `bot.jobs.work.Post`."""

    client: WebClient
    """Without retry handlers: a request that is sent again by itself is posted twice."""
    zone: tzinfo
    admins: str
    page: str
    """The address of the digests' page, shown to administrators alone; empty for none."""

    def __call__(self, week: Week, channel: str, units: Sequence[UnitDigest]) -> bool:
        """Post it, and tell whether it did not stand there already.

        Raise `JobFailed` where it does not stand there now, and where another company reads along.
        """
        message = digest_message(week, units, self.page if channel == self.admins else "")
        try:
            if is_shared(self.client.conversations_info(channel=channel)["channel"]):
                raise JobFailed(digest.shared(channel))
            _, over = week.times(self.zone)
            if find_marked(self.client, channel, "", ts_before(over), {digest_mark(week)}):
                return False
            post(self.client, channel, message)
        except NotInstalled as error:
            raise JobFailed(digest.not_installed(channel)) from error
        except UNSENT as error:
            raise JobFailed(digest.unposted(channel, reason_of(error))) from error
        return True


_LONGEST_NAME = 100
_LONGEST_EXAMPLE = 240
_LONGEST_LINK = 200


def digest_mark(week: Week) -> str:
    return f"vouch-digest-{week.name}"


def digest_message(week: Week, units: Sequence[UnitDigest], page: str) -> Message:
    """`units`: what one channel hears of; `page`: the address of all weeks, empty for none."""
    blocks = fitting(partial(_blocks, week, units, page), MESSAGE)
    days = digest.days(week.monday, week.sunday)
    said = [each.examples[0] for unit in units for each in unit.lines]
    return Message(
        spoken("\n".join([f"{digest.TITLE}, {days}", *said])), marked(digest_mark(week), blocks)
    )


def _blocks(week: Week, units: Sequence[UnitDigest], page: str, detail: int) -> list[Block]:
    left = len(units) - detail
    end = [line(link(page, digest.ON_THE_PAGE))] if page else []
    return [
        header(digest.TITLE),
        note(f"{digest.days(week.monday, week.sunday)}. {digest.ALSO_IN_PART}"),
        *(_unit(each, detail) for each in units[:detail]),
        *([note(digest.more_lines(left))] if left > 0 else []),
        note(digest.MAKE_KNOWN),
        *([rich(*end)] if end else []),
    ]


def _unit(unit: UnitDigest, detail: int) -> Block:
    parts = [line(words(in_line(digest.unit(unit.unit), _LONGEST_NAME), bold=True))]
    for each in unit.lines[:detail]:
        parts += _line(each)
    left = len(unit.lines) - detail
    if left > 0:
        parts.append(line(words(digest.more_lines(left), italic=True)))
    if unit.unseen:
        said = digest.unseen(unit.unseen, more=bool(unit.lines))
        parts.append(line(words(said, italic=True)))
    return rich(*parts)


def _line(asked: DigestLine) -> list[RichPiece]:
    first, *others = (in_line(each, _LONGEST_EXAMPLE) for each in asked.examples)
    times = digest.times(asked.asked, asked.people)
    below = [line(words(f"{digest.ALSO}{each}")) for each in others]
    if asked.pages:
        below.append(line(words(digest.NEAREST), *_pages(asked.pages)))
    top = bullets([line(words(first), words(f" · {times}", italic=True))])
    return [top, listed(below, "bullet", indent=1)] if below else [top]


def _pages(pages: Sequence[DigestPage]) -> list[Element]:
    shown: list[Element] = []
    for each in pages:
        title = in_line(each.title, _LONGEST_NAME)
        opens = each.link and len(each.link) <= _LONGEST_LINK
        shown += [words(", "), link(each.link, title) if opens else words(title)]
    return shown[1:]


@dataclass(frozen=True, slots=True)
class CorrectionPosting:
    """It implements `bot.answering.corrections.telling.Tell`."""

    client: WebClient
    """Without retry handlers: a request that is sent again by itself is posted twice."""
    asker_alone: bool
    pages: str
    user: Callable[[str], str]

    def place(self, record: AuditRecord, delivered: Channel) -> TellingPlace | None:
        """In the reply's thread, for guests if another company reads; for the asker, the DM."""
        if is_direct(delivered.id):
            return TellingPlace(delivered, None)
        try:
            if self.asker_alone or is_private(record.channel.id):
                opened = self.client.conversations_open(users=self.user(record.person.id))
                return TellingPlace(Channel(id=str(opened["channel"]["id"])), None)
            told = self.client.conversations_info(channel=delivered.id)["channel"]
            return TellingPlace(
                delivered, unlisted_in(delivered.id) if is_shared(told) else delivered.id
            )
        except UNSENT as error:
            if reason_of(error) in NO_PLACE:
                return None
            raise JobFailed(corrections.unposted(reason_of(error))) from error

    def __call__(
        self, before: AuditRecord, now: AuditRecord, old: Sequence[str], place: TellingPlace
    ) -> str:
        """Slack itself keeps that it was posted, and is asked before it is posted."""
        channel, thread = place.channel.id, place.channel.thread
        message = correction(before, opening_here(now, self.pages), old, quoted=not thread)
        mark = {correction_mark(now)}
        try:
            stands = find_marked(self.client, channel, thread, ts_before(now.time), mark)
            return stands or post(self.client, channel, message, thread)
        except UNSENT as error:
            if reason_of(error) in NO_PLACE:
                return ""
            raise JobFailed(corrections.unposted(reason_of(error))) from error


def user_of(client: WebClient, people: People, person_id: str) -> str:
    """Return Slack's id of somebody whom `people.yaml` may call otherwise; raise as slack_sdk."""
    known = people.by_id.get(person_id)
    if not known or not known.email:
        return person_id
    there = client_of(client, known.team)
    try:
        return str(there.users_lookupByEmail(email=known.email)["user"]["id"])
    except SlackApiError as error:
        if code_of(error) != "users_not_found":
            raise
        return person_id


_ROOM = MESSAGE // 4
"""For the words of then."""
_LONGEST = 600
"""Characters of one claim."""


def correction_mark(now: AuditRecord) -> str:
    return f"vouch-correction-{now.audit_id}"


def correction(
    before: AuditRecord, now: AuditRecord, old: Sequence[str], *, quoted: bool
) -> Message:
    """Lay out `old`, with the question where `quoted`, above the answer of today."""
    day = before.time.date().isoformat()
    top = fitting(partial(_of_then, old), _ROOM)
    answer = reply(
        now,
        0,
        quoted=False,
        above=[
            section(f"*{corrections.headline(day)}*"),
            *quoted_question(now.question, quoted=quoted),
            *top,
            section(f"*{corrections.NOW}*"),
        ],
    )
    aloud = "\n".join([corrections.headline(day), *old[:1], corrections.NOW, now.reply])
    return Message(spoken(aloud), marked(correction_mark(now), answer.blocks))


def _of_then(old: Sequence[str], detail: int) -> list[Block]:
    if not old:
        return [note(corrections.NOT_SHOWN)]
    quoted = [rich(quotation(in_line(each, _LONGEST))) for each in old[:detail]]
    left = len(old) - detail
    return [
        section(f"*{corrections.THEN}*"),
        *quoted,
        *([note(corrections.more(left))] if left > 0 else []),
    ]


@dataclass(frozen=True, slots=True)
class WitnessChannel:
    """A channel in which the audit log's checkpoints stand."""

    client: WebClient
    name: str

    def keep(self, checkpoint: Checkpoint) -> None:
        """Post it, to be copied as it is; raise what slack_sdk raises."""
        said = wording.checkpoint(checkpoint.size)
        shown = rich(line(words(said)), preformatted(checkpoint.note))
        post(self.client, self.name, Message(spoken(said), (shown,)))


def tell_channel(client: WebClient, channel: str, said: str) -> None:
    """Post it, with nothing of it read as markup; raise what slack_sdk raises."""
    shown = rich(line(words(trimmed(said, SPOKEN))))
    post(client, channel, Message(spoken(said), (shown,)))


log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class UserGroupSync:
    """What cannot be read stays as it was, and counts for a day; what is gone is forgotten."""

    client: WebClient
    kept: StoredUserGroups
    append: Callable[[AuditEvent], object]
    """Into the audit store: nobody gains or loses anything before it is noted there."""
    noted: Callable[[datetime], Iterable[AuditEvent]]
    """What of this stands there since a moment, oldest first."""
    now: Callable[[], datetime]
    home_team: str = ""
    """Id of the home's own workspace, where there are several."""

    def __call__(self, names: Collection[str]) -> Mapping[str, int]:
        """Return how many groups were read and people came and went; raise `JobFailed`.

        Raise `AuditError` where that cannot be noted, and then nothing is other than before.
        """
        before = {each.group_id: each for each in self.kept.read()}
        numbers = {"groups": 0, "joined": 0, "left": 0, "not_found": 0}
        read: dict[str, ReadGroup] = {}
        known: list[str] = []
        unread: list[str] = []
        for team in sorted({team_of(each) for each in names}):
            mine = sorted(each for each in names if team_of(each) == team)
            channels = [each for each in mine if is_channel(each)]
            try:
                there = self._listed(team) if len(channels) < len(mine) else []
            except UNSENT as error:
                unread.append(known_as(team, code_of(error) or str(error)))
                known += [each for each in before if team_of(each) == team]
                continue
            there += [ReadGroup(each, "", frozenset(), self.now()) for each in channels]
            wanted = [group for name in mine if (group := named(name, there))]
            numbers["not_found"] += len(mine) - len(wanted)
            known += [each.group_id for each in wanted]
            for group in wanted:
                try:
                    read[group.group_id] = self._with_members(group)
                except UNSENT as error:
                    handle = _called(group)
                    unread.append(f"{handle} ({code_of(error) or str(error)})")
        gone = before.keys() - read.keys() - set(known)
        members = self._members_noted({each: before.get(each) for each in (*read, *gone)})
        for group in read.values():
            self._note(group, members[group.group_id], numbers)
        for each in gone:
            self._note(replace(before[each], members=frozenset()), members[each], Counter())
        self.kept.keep(list(read.values()), known)
        if unread:
            raise JobFailed(jobs_wording.usergroups_unread(", ".join(unread)), numbers)
        return numbers

    def _members_noted(
        self, groups: Mapping[str, ReadGroup | None]
    ) -> Mapping[str, Collection[str]]:
        """Return who is in each group by the audit: a reading that was cut short kept less."""
        if not groups:
            return {}
        members = {key: set(each.members if each else ()) for key, each in groups.items()}
        since = min(each.read_at if each else EPOCH for each in groups.values())
        for event in self.noted(since):
            group = members.get(str(event.details["group"])) if event.person else None
            if event.person and group is not None:
                change = group.add if event.details["change"] == "joined" else group.discard
                change(event.person.id)
        return members

    def _note(
        self, group: ReadGroup, known: Collection[str], numbers: MutableMapping[str, int]
    ) -> None:
        changes = {
            "joined": sorted(group.members.difference(known)),
            "left": sorted(set(known) - group.members),
        }
        numbers["groups"] += 1
        for change, people in changes.items():
            numbers[change] += len(people)
            about = {"group": group.group_id, "handle": group.handle, "change": change}
            for each in people:
                self.append(of_the_log(EventKind.MEMBERSHIP, self.now(), each, details=about))
        if any(changes.values()):
            said = [", ".join(people) or "nobody" for people in changes.values()]
            log.info("User group %s: joined by %s, left by %s", _called(group), *said)

    def _listed(self, team: str) -> list[ReadGroup]:
        """Return the groups of a workspace, nobody in them; raise one of `failures.UNSENT`."""
        # of an installation in all of an organisation Slack asks which of its workspaces is meant
        asked = client_of(self.client, team).usergroups_list(team_id=self._named(team))
        listed = asked["usergroups"]
        told = [(known_as(team, str(each["id"])), str(each.get("handle") or "")) for each in listed]
        return [ReadGroup(*each, frozenset(), self.now()) for each in told]

    def _named(self, team: str) -> str | None:
        return team or self.home_team or None

    def _with_members(self, group: ReadGroup) -> ReadGroup:
        team, own = team_of(group.group_id), slack_id(group.group_id)
        client = client_of(self.client, team)
        if is_channel(group.group_id):
            users = _in_channel(client, own)
        else:
            users = client.usergroups_users_list(usergroup=own, team_id=self._named(team))["users"]
        members = frozenset(known_as(team, slack_id(str(each))) for each in users)
        return ReadGroup(group.group_id, group.handle, members, self.now())


def _in_channel(client: WebClient, channel: str) -> list[str]:
    """Return its members; nobody's where anybody may join or another company reads."""
    told = client.conversations_info(channel=channel)["channel"]
    if not told.get("is_private") or told.get("is_ext_shared"):
        log.warning("%s gives nothing: it is no private channel of this workspace alone", channel)
        return []
    pages = client.conversations_members(channel=channel, limit=MEMBERS_AT_ONCE)
    return [str(each) for page in pages for each in page["members"]]


def _called(group: ReadGroup) -> str:
    named = f"@{group.handle}" if group.handle else slack_id(group.group_id)
    return known_as(team_of(group.group_id), named)
