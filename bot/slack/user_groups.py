"""The job `usergroups`: who is in the user groups that `people.yaml` names is read from Slack."""

import logging
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from slack_sdk import WebClient

from bot.access.user_groups import ReadGroup, named
from bot.errors import JobFailed
from bot.slack.failures import UNSENT, code_of
from bot.slack.inbox.user_groups import KeptUserGroups
from bot.wording import jobs as wording

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class UserGroupSync:
    """What cannot be read stays as it was, and counts for a day; what is gone is forgotten."""

    client: WebClient
    kept: KeptUserGroups
    now: Callable[[], datetime]

    def __call__(self, names: Collection[str]) -> Mapping[str, int]:
        """Return how many groups were read and people came and went; raise `JobFailed`."""
        before = {each.group_id: each for each in self.kept.read()}
        try:
            listed = self.client.usergroups_list()["usergroups"]
        except UNSENT as error:
            raise JobFailed(wording.usergroups_unread(code_of(error) or str(error)), {}) from error
        there = [self._listed(each) for each in listed]
        wanted = [group for name in sorted(names) if (group := named(name, there))]
        numbers = {"groups": 0, "joined": 0, "left": 0, "not_found": len(names) - len(wanted)}
        read: dict[str, ReadGroup] = {}
        unread: list[str] = []
        for group in wanted:
            try:
                read[group.group_id] = self._with_members(group)
            except UNSENT as error:
                unread.append(f"@{group.handle} ({code_of(error) or str(error)})")
        self.kept.keep(list(read.values()), [each.group_id for each in wanted])
        for group in read.values():
            _note(group, before.get(group.group_id), numbers)
        if unread:
            raise JobFailed(wording.usergroups_unread(", ".join(unread)), numbers)
        return numbers

    def _listed(self, described: Mapping[str, Any]) -> ReadGroup:
        handle = str(described.get("handle") or "")
        return ReadGroup(str(described["id"]), handle, frozenset(), self.now())

    def _with_members(self, group: ReadGroup) -> ReadGroup:
        answer = self.client.usergroups_users_list(usergroup=group.group_id)
        members = frozenset(str(each) for each in answer["users"])
        return ReadGroup(group.group_id, group.handle, members, self.now())


def _note(group: ReadGroup, before: ReadGroup | None, numbers: dict[str, int]) -> None:
    """Count who came and went, and log who."""
    known = before.members if before else frozenset()
    joined, left = sorted(group.members - known), sorted(known - group.members)
    numbers["groups"] += 1
    numbers["joined"] += len(joined)
    numbers["left"] += len(left)
    if joined or left:
        said = (group.handle, ", ".join(joined) or "nobody", ", ".join(left) or "nobody")
        log.info("User group @%s: joined by %s, left by %s", *said)
