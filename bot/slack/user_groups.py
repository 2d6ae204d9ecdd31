"""The job `usergroups`: who is in the user groups that `people.yaml` names is read from Slack."""

import logging
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, MutableMapping
from dataclasses import dataclass, replace
from datetime import datetime

from slack_sdk import WebClient

from audit.record import AuditEvent, EventKind, of_the_log
from audit.teams import known_as, slack_id, team_of
from bot.access.user_groups import ReadGroup, is_channel, named
from bot.errors import JobFailed
from bot.slack.directory import MEMBERS_AT_ONCE
from bot.slack.failures import UNSENT, code_of
from bot.slack.inbox.beside import StoredUserGroups
from bot.slack.inbox.tables import EPOCH
from bot.slack.workspaces import client_of
from bot.wording import jobs as wording

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
            raise JobFailed(wording.usergroups_unread(", ".join(unread)), numbers)
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
    """Return its members; nobody's of a channel that anybody may join, or another company reads.

    Raise one of `failures.UNSENT`.
    """
    told = client.conversations_info(channel=channel)["channel"]
    if not told.get("is_private") or told.get("is_ext_shared"):
        log.warning("%s gives nothing: it is no private channel of this workspace alone", channel)
        return []
    pages = client.conversations_members(channel=channel, limit=MEMBERS_AT_ONCE)
    return [str(each) for page in pages for each in page["members"]]


def _called(group: ReadGroup) -> str:
    named = f"@{group.handle}" if group.handle else slack_id(group.group_id)
    return known_as(team_of(group.group_id), named)
