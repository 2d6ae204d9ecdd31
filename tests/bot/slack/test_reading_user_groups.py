"""Who is in Slack's user groups is read, kept, and forgotten when they leave."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from office import ANA, BEN, EVE, PEOPLE, SEED
from slack_sdk import WebClient

from bot.access.user_groups import ReadGroup
from bot.errors import JobFailed
from bot.slack.directory import SlackPeople
from bot.slack.inbox.store import Inbox
from bot.slack.inbox.user_groups import KeptUserGroups
from bot.slack.user_groups import UserGroupSync
from bot.workspace.seed import UserGroup
from bot.workspace.server import Options, Workspace
from bot.workspace.web_api import Limits

NAMES = ("cs-tutors", "S0STAFF")
STAFF = {"programmes": frozenset({"staff"})}


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[KeptUserGroups]:
    url = f"sqlite:///{tmp_path / 'inbox.sqlite'}"
    with Inbox.open(url):
        yield KeptUserGroups(url)


@contextmanager
def slack(*groups: UserGroup) -> Iterator[tuple[Workspace, WebClient]]:
    options = Options(limits=Limits(enabled=False))
    with Workspace(replace(SEED, usergroups=groups), options=options) as workspace:
        client = WebClient(workspace.bot_token, base_url=workspace.api_url, retry_handlers=[])
        yield workspace, client


def members(groups: Sequence[ReadGroup]) -> dict[str, frozenset[str]]:
    return {each.handle: each.members for each in groups}


def now() -> datetime:
    return datetime.now(UTC)


TUTORS = UserGroup("S0TUTORS", "cs-tutors", (ANA, BEN))
OFFICE = UserGroup("S0STAFF", "office", (EVE,))


def test_who_left_a_group_or_whose_group_is_gone_is_in_it_no_more(kept: KeptUserGroups) -> None:
    unnamed = UserGroup("S0ELSE", "everybody", (ANA, BEN, EVE))
    with slack(TUTORS, OFFICE, unnamed) as (_, client):
        numbers = UserGroupSync(client, kept, now)(NAMES)
    assert numbers == {"groups": 2, "joined": 3, "left": 0, "not_found": 0}
    assert members(kept.read()) == {"cs-tutors": {ANA, BEN}, "office": {EVE}}
    with slack(replace(TUTORS, users=(BEN,))) as (_, client):
        numbers = UserGroupSync(client, kept, now)(NAMES)
    assert numbers == {"groups": 1, "joined": 0, "left": 1, "not_found": 1}
    assert members(kept.read()) == {"cs-tutors": {BEN}}


def test_a_group_that_slack_does_not_tell_stays_as_old_as_it_was(kept: KeptUserGroups) -> None:
    with slack(TUTORS, OFFICE) as (workspace, client):
        UserGroupSync(client, kept, now)(NAMES)
        before = {each.handle: each.read_at for each in kept.read()}
        workspace.faults.refuse("usergroups.users.list", "internal_error", times=1)
        with pytest.raises(JobFailed) as failed:
            UserGroupSync(client, kept, now)(NAMES)
        assert failed.value.numbers["groups"] == 1
        after = {each.handle: each.read_at for each in kept.read()}
        assert sum(before[each] == after[each] for each in before) == 1
        workspace.faults.refuse("usergroups.list", "missing_scope")
        with pytest.raises(JobFailed, match="missing_scope"):
            UserGroupSync(client, kept, now)(NAMES)
        assert {each.handle: each.read_at for each in kept.read()} == after


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
