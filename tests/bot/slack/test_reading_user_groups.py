"""Who is in Slack's user groups is read, kept, and forgotten when they leave."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from office import ANA, BEN, EVE, PEOPLE, SEED
from pydantic import JsonValue
from slack_sdk import WebClient
from slack_sdk.web import SlackResponse

from audit.erasure.erasing import Erasure, open_eraser
from audit.errors import AuditUnavailable
from audit.log import open_reader, open_writer
from audit.record import AuditEvent, EventKind
from bot.access.user_groups import ReadGroup, UserGroups
from bot.errors import InboxUnavailable, JobFailed
from bot.slack.directory import SlackPeople
from bot.slack.inbox.beside import StoredUserGroups
from bot.slack.inbox.store import Inbox
from bot.slack.inbox.tables import EPOCH
from bot.slack.jobs import UserGroupSync
from bot.slack.workspaces import TeamClient
from bot.workspace.seed import BOT_USER, TEAM_ID, Room, UserGroup
from bot.workspace.server import Options, Workspace
from bot.workspace.web_api import LimitFigures

NAMES = ("cs-tutors", "S0STAFF")
OTHER = "T0OTHER"
STAFF = {"programmes": frozenset({"staff"})}


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[StoredUserGroups]:
    url = f"sqlite:///{tmp_path / 'inbox.sqlite'}"
    with Inbox.open(url):
        yield StoredUserGroups(url)


@contextmanager
def slack(*groups: UserGroup) -> Iterator[tuple[Workspace, WebClient]]:
    options = Options(limits=LimitFigures(enabled=False))
    with Workspace(replace(SEED, usergroups=groups), options=options) as workspace:
        client = WebClient(workspace.bot_token, base_url=workspace.api_url, retry_handlers=[])
        yield workspace, client


def members(groups: Sequence[ReadGroup]) -> dict[str, frozenset[str]]:
    return {each.handle: each.members for each in groups}


def now() -> datetime:
    return datetime.now(UTC)


def noted(_: AuditEvent) -> None:
    """Where that is not what is asked about."""


def nothing(_: datetime) -> Sequence[AuditEvent]:
    """What was noted there."""
    return ()


def read(client: WebClient, kept: StoredUserGroups, url: str) -> None:
    """Read the groups of `NAMES`, and note in the audit store who came and went."""
    with open_writer(url) as writer, open_reader(url) as reader:
        noted = partial(reader.happened, EventKind.MEMBERSHIP)
        UserGroupSync(client, kept, writer.append, noted, now)(NAMES)


TUTORS = UserGroup("S0TUTORS", "cs-tutors", (ANA, BEN))
OFFICE = UserGroup("S0STAFF", "office", (EVE,))


def test_who_left_a_group_or_whose_group_is_gone_is_in_it_no_more(kept: StoredUserGroups) -> None:
    unnamed = UserGroup("S0ELSE", "everybody", (ANA, BEN, EVE))
    with slack(TUTORS, OFFICE, unnamed) as (_, client):
        numbers = UserGroupSync(client, kept, noted, nothing, now)(NAMES)
    assert numbers == {"groups": 2, "joined": 3, "left": 0, "not_found": 0}
    assert members(kept.read()) == {"cs-tutors": {ANA, BEN}, "office": {EVE}}
    with slack(replace(TUTORS, users=(BEN,))) as (_, client):
        numbers = UserGroupSync(client, kept, noted, nothing, now)(NAMES)
    assert numbers == {"groups": 1, "joined": 0, "left": 1, "not_found": 1}
    assert members(kept.read()) == {"cs-tutors": {BEN}}


def test_who_came_into_a_group_and_left_it_is_in_the_audit_and_erased_with_the_person(
    kept: StoredUserGroups, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path / 'audit.sqlite'}"
    for groups in ((TUTORS, OFFICE), (TUTORS, OFFICE), (replace(TUTORS, users=(BEN,)),)):
        with slack(*groups) as (_, client):
            read(client, kept, url)
    changes = [
        (ANA, "S0TUTORS", "joined"),
        (BEN, "S0TUTORS", "joined"),
        (EVE, "S0STAFF", "joined"),
        (ANA, "S0TUTORS", "left"),
        (EVE, "S0STAFF", "left"),
    ]
    assert sorted(in_the_audit(url)) == sorted(changes), "also of a group that is gone"
    with open_eraser(url) as eraser:
        assert eraser.concerning(ANA).events == 2
        eraser.erase(ANA, Erasure("dpo", "Asked for", now()), lambda _: None)
    assert sorted(in_the_audit(url)) == sorted(each for each in changes if each[0] != ANA)
    with open_reader(url) as reader:
        assert reader.verify().ok


def test_a_reading_that_was_cut_short_notes_nothing_twice(
    kept: StoredUserGroups, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:///{tmp_path / 'audit.sqlite'}"
    every = (TUTORS, OFFICE)
    for groups, killed in ((every, True), (every, True), ((OFFICE,), True), (every, False)):
        with slack(*groups) as (_, client), monkeypatch.context() as patched:
            if killed:
                patched.setattr(kept, "keep", broken_off)
            with pytest.raises(InboxUnavailable) if killed else nullcontext():
                read(client, kept, url)
    assert members(kept.read()) == {"cs-tutors": {ANA, BEN}, "office": {EVE}}
    joined = [(ANA, "S0TUTORS", "joined"), (BEN, "S0TUTORS", "joined"), (EVE, "S0STAFF", "joined")]
    assert sorted(in_the_audit(url)) == sorted(joined)


def test_who_left_between_two_readings_of_which_one_was_cut_short_is_noted_once(
    kept: StoredUserGroups, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:///{tmp_path / 'audit.sqlite'}"
    with slack(TUTORS) as (_, client), monkeypatch.context() as patched:
        patched.setattr(kept, "keep", broken_off)
        with pytest.raises(InboxUnavailable):
            read(client, kept, url)
    for _ in range(2):
        with slack(replace(TUTORS, users=(BEN,))) as (_, client):
            read(client, kept, url)
    changes = [(ANA, "joined"), (BEN, "joined"), (ANA, "left")]
    assert [(who, change) for who, _, change in in_the_audit(url)] == changes


def broken_off(*_: object) -> None:
    raise InboxUnavailable("The process was killed.")


def in_the_audit(url: str) -> list[tuple[str, JsonValue, JsonValue]]:
    with open_reader(url) as reader:
        events = reader.happened(EventKind.MEMBERSHIP, EPOCH)
    return [
        (each.person.id, each.details["group"], each.details["change"])
        for each in events
        if each.person
    ]


def test_nobody_gains_anything_that_the_audit_store_does_not_note(kept: StoredUserGroups) -> None:
    def full(_: AuditEvent) -> None:
        raise AuditUnavailable("The disk is full.")

    with slack(TUTORS) as (_, client), pytest.raises(AuditUnavailable):
        UserGroupSync(client, kept, full, nothing, now)(["cs-tutors"])
    assert list(kept.read()) == []


def test_a_group_that_slack_does_not_tell_stays_as_old_as_it_was(kept: StoredUserGroups) -> None:
    with slack(TUTORS, OFFICE) as (workspace, client):
        UserGroupSync(client, kept, noted, nothing, now)(NAMES)
        before = {each.handle: each.read_at for each in kept.read()}
        workspace.faults.refuse("usergroups.users.list", "internal_error", times=1)
        with pytest.raises(JobFailed) as failed:
            UserGroupSync(client, kept, noted, nothing, now)(NAMES)
        assert failed.value.numbers["groups"] == 1
        after = {each.handle: each.read_at for each in kept.read()}
        assert sum(before[each] == after[each] for each in before) == 1
        workspace.faults.refuse("usergroups.list", "missing_scope")
        with pytest.raises(JobFailed, match="missing_scope"):
            UserGroupSync(client, kept, noted, nothing, now)(NAMES)
        assert {each.handle: each.read_at for each in kept.read()} == after


def test_each_workspace_tells_who_is_in_its_own_groups_and_one_that_does_not_loses_no_other(
    kept: StoredUserGroups,
) -> None:
    """Group and people have the same ids in both."""
    theirs = replace(SEED, team_id=OTHER, usergroups=(replace(TUTORS, users=(EVE,)), OFFICE))
    ours = replace(SEED, usergroups=(TUTORS,))
    options = Options(limits=LimitFigures(enabled=False))
    with Workspace(ours, options=options, beside=[theirs]) as workspace:
        [there] = workspace.beside
        tokens = {"": workspace.bot_token, OTHER: there.bot_token}
        client = TeamClient(tokens.__getitem__, base_url=workspace.api_url, retry_handlers=[])
        names = ("cs-tutors", f"{OTHER}//cs-tutors", f"{OTHER}//nobody", f"{OTHER}//S0STAFF")
        numbers = UserGroupSync(client, kept, noted, nothing, now)(names)
        assert numbers == {"groups": 3, "joined": 4, "left": 0, "not_found": 1}
        before = {each.group_id: each for each in kept.read()}
        assert {name: each.members for name, each in before.items()} == {
            "S0TUTORS": {ANA, BEN},
            f"{OTHER}//S0TUTORS": {f"{OTHER}//{EVE}"},
            f"{OTHER}//S0STAFF": {f"{OTHER}//{EVE}"},
        }
        tokens[OTHER] = "a token that is over"
        with pytest.raises(JobFailed, match=f"{OTHER}//invalid_auth"):
            UserGroupSync(client, kept, noted, nothing, now)(names)
        after = {each.group_id: each for each in kept.read()}
        assert after.keys() == before.keys()
        assert after["S0TUTORS"].read_at > before["S0TUTORS"].read_at
        assert after[f"{OTHER}//S0STAFF"] == before[f"{OTHER}//S0STAFF"]


def test_slack_is_told_which_workspace_is_meant_the_homes_own_too(
    kept: StoredUserGroups, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it demands of an installation in all of an organisation."""
    asked: list[tuple[str, str]] = []
    call = TeamClient.api_call

    def noting(self: TeamClient, method: str, **given: Any) -> SlackResponse:
        asked.append((method, given["params"].get("team_id")))
        return call(self, method, **given)

    monkeypatch.setattr(TeamClient, "api_call", noting)
    with slack(TUTORS) as (workspace, _):
        client = TeamClient(lambda _: workspace.bot_token, base_url=workspace.api_url)
        UserGroupSync(client, kept, noted, nothing, now, TEAM_ID)(["cs-tutors"])
    assert asked == [("usergroups.list", TEAM_ID), ("usergroups.users.list", TEAM_ID)]


def test_a_colleague_reads_what_a_group_gives_and_somebody_of_another_company_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with slack() as (_, client):
        people = SlackPeople(client, lambda: PEOPLE, group_facets=lambda _: STAFF)
        ana, eve = people.person(ANA), people.person(EVE)
        assert ana
        assert eve
        assert (ana.id, ana.admin, ana.facets) == ("ana", True, STAFF)
        assert (eve.id, eve.name, eve.admin, eve.facets) == (EVE, "Eve Adams", False, STAFF)
        outside = {"id": EVE, "team_id": "T0OTHER", "profile": {"real_name": "Eve"}}
        monkeypatch.setattr(client, "users_info", lambda **_: {"user": outside})
        assert SlackPeople(client, lambda: PEOPLE, group_facets=lambda _: STAFF).person(EVE) is None


def test_who_is_in_a_private_channel_is_a_group_that_has_its_id(kept: StoredUserGroups) -> None:
    private = Room("C0APOLLO", "apollo", (ANA, BOT_USER), is_private=True)
    seed = replace(SEED, usergroups=(OFFICE,), channels=(private,))
    with Workspace(seed, options=Options(limits=LimitFigures(enabled=False))) as workspace:
        client = WebClient(workspace.bot_token, base_url=workspace.api_url, retry_handlers=[])
        numbers = UserGroupSync(client, kept, noted, nothing, now)(["office", private.id])
        read = {each.group_id: each.members for each in kept.read()}
        assert (numbers["groups"], read[private.id]) == (2, frozenset({ANA, BOT_USER}))
        groups = UserGroups({private.id: STAFF}, {})
        assert groups.of_user(ANA, kept.read(), now()) == STAFF
        assert groups.of_user(BEN, kept.read(), now()) == {}
        workspace.faults.refuse("conversations.members", "channel_not_found")
        with pytest.raises(JobFailed, match=private.id):
            UserGroupSync(client, kept, noted, nothing, now)([private.id])


@pytest.mark.parametrize("how", [{"is_private": False}, {"is_ext_shared": True}])
def test_a_channel_that_anybody_may_join_or_others_read_gives_nothing(
    kept: StoredUserGroups, how: dict[str, bool]
) -> None:
    class Telling(WebClient):
        """Slack, of a channel that the stand-in has none of."""

        def conversations_info(self, **_: Any) -> Any:
            return {"channel": {"is_private": True, "is_ext_shared": False, **how}}

        def conversations_members(self, **_: Any) -> Any:
            raise AssertionError("nobody is asked for")

    UserGroupSync(Telling(), kept, noted, nothing, now)(["C0APOLLO"])
    assert [each.members for each in kept.read()] == [frozenset()]


def test_members_of_a_channel_of_another_workspace_are_of_that(kept: StoredUserGroups) -> None:
    class Pages(WebClient):
        """A long list of members, which comes in parts."""

        def conversations_info(self, **_: Any) -> Any:
            return {"channel": {"is_private": True, "is_ext_shared": False}}

        def conversations_members(self, **_: Any) -> Any:
            return [{"members": [ANA]}, {"members": [f"{OTHER}//{BEN}"]}]

    UserGroupSync(Pages(), kept, noted, nothing, now)([f"{OTHER}//C0APOLLO"])
    assert [each.members for each in kept.read()] == [{f"{OTHER}//{ANA}", f"{OTHER}//{BEN}"}]
