"""The bot is installed in a second workspace, whose people, channels and documents stay apart.

Ids are one workspace's own: both have a U0ANA, a C0GENERAL and a bot of the same id.
"""

import json
from collections.abc import Iterator

import httpx
import pytest
from slack_scene import GENERAL, Scene
from test_slack_over_http import asked_by_event, calls, clicked
from two_workspaces import (
    ANA,
    ANAS_DOUBLE,
    APART,
    DOORS,
    EVE,
    OTHER,
    PERMIT,
    Further,
    free_url,
    home_of_two,
    in_both,
)
from two_workspaces import told_alone as said
from vouch_home import Home

from audit.record import Decision
from bot.wording import slack as wording
from bot.workspace.seed import BOT_USER, TEAM_ID


@pytest.fixture(scope="module")
def url() -> str:
    return free_url()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, url: str) -> Home:
    return home_of_two(tmp_path_factory.mktemp("workspaces"), url, APART)


@pytest.fixture(scope="module")
def both(home: Home, url: str) -> Iterator[tuple[Scene, Further]]:
    with in_both(home, url) as both:
        yield both


def test_what_comes_from_where_it_is_not_installed_is_dropped_and_a_forged_state_refused(
    both: tuple[Scene, Further], url: str
) -> None:
    here, there = both
    asked = there.mentions(ANAS_DOUBLE, DOORS)
    here.program.wait_for_log(f"Workspace {OTHER} has no installation")
    assert there.said_by_bot(asked) == []
    assert there.records_of(ANAS_DOUBLE) == ()
    forged = f"{url}/slack/oauth_redirect?code={OTHER}-x&state=forged"
    assert httpx.get(forged).status_code == 400, "this browser did not begin"
    cookie = {"Cookie": "slack-app-oauth-state=forged"}
    assert httpx.get(forged, headers=cookie).status_code == 401, "nobody was given this state"


def test_somebody_installs_it_and_each_workspace_is_answered_from_its_own_documents_alone(
    both: tuple[Scene, Further], url: str
) -> None:
    here, there = both
    assert there.installs(url).status_code == 200
    kept = b"".join(each.read_bytes() for each in here.home.path.glob("inbox.sqlite*"))
    assert there.there.bot_token.encode() not in kept

    theirs = there.reply_to(there.mentions(ANAS_DOUBLE, PERMIT))
    assert theirs.record.decision is not Decision.ABSTAIN
    assert "40 euros" in theirs.words
    assert (theirs.record.person.id, theirs.record.channel.id) == (
        f"{OTHER}//U0ANA",
        f"{OTHER}//{GENERAL}",
    )
    for asked in (there.mentions(ANAS_DOUBLE, DOORS), there.writes(EVE, DOORS)):
        nothing = there.reply_to(asked)
        assert nothing.record.decision is Decision.ABSTAIN
        assert "reading" not in nothing.record.reply.lower()
        assert {each.file for each in nothing.record.candidates} <= {"parking.md"}

    ours = here.reply_to(here.mentions(ANA, DOORS))
    assert ours.record.decision is not Decision.ABSTAIN
    assert ours.record.person.id == "ana"
    assert here.reply_to(here.writes(ANA, PERMIT)).record.decision is Decision.ABSTAIN


def test_administrators_see_what_was_asked_in_their_own_workspace_and_forged_clicks_open_nothing(
    both: tuple[Scene, Further], url: str
) -> None:
    here, there = both
    there.installs(url)
    only_here = "when do the doors of the reading room close"
    ours = here.reply_to(here.mentions(ANA, only_here))
    there.reply_to(there.mentions(ANAS_DOUBLE, PERMIT))
    here.clicks(ANA, ours, "feedback", f"good:{ours.record.audit_id}")
    here.wait_for(lambda: here.events(ours.record.audit_id, "feedback"))

    there.slack.command(EVE.user, GENERAL, "/audit", "latest")
    assert only_here not in there.wait_for(lambda: said(there, EVE, PERMIT))
    there.slack.command(EVE.user, GENERAL, "/audit", ours.record.audit_id)
    there.wait_for(lambda: said(there, EVE, "No record has the id"))
    there.slack.command(EVE.user, GENERAL, "/audit", "feedback")
    there.wait_for(lambda: said(there, EVE, "Nobody has given feedback"))
    there.slack.command(EVE.user, GENERAL, "/audit", "jobs")
    jobs = "jobs are for all of them at once"
    there.wait_for(lambda: said(there, EVE, jobs))
    own_tab = there.home_of(EVE)
    assert "Parking" in own_tab
    assert "Reading room" not in own_tab
    assert only_here not in own_tab
    assert "documents: read" not in own_tab, "a source that is for both"

    here.slack.command(ANA.user, GENERAL, "/audit", "latest")
    mine = here.wait_for(lambda: said(here, ANA, only_here))
    assert "Anneke" not in mine
    here.slack.command(ANA.user, GENERAL, "/audit", "feedback")
    assert only_here in here.wait_for(lambda: said(here, ANA, "Feedback, newest first"))

    there.slack.command(ANAS_DOUBLE.user, GENERAL, "/audit", "latest")
    there.wait_for(lambda: said(there, ANAS_DOUBLE, "administrators"))

    forged = clicked(ANAS_DOUBLE, GENERAL, ours.ts, ours.record.audit_id)
    forged = forged.replace(TEAM_ID, OTHER)
    assert calls(url, there.workspace.signing_secret, forged, form=True) == 200
    there.wait_for(lambda: said(there, ANAS_DOUBLE, wording.NOT_THERE))


def test_somebody_of_the_other_company_in_a_shared_channel_has_not_the_scope_of_their_own(
    both: tuple[Scene, Further], url: str
) -> None:
    """Slack says with `team_id` whose they are, and with `authorizations` where it happened."""
    here, there = both
    ts = here.slack.says(ANA.user, GENERAL, PERMIT)
    body = json.loads(asked_by_event(ANA, ts)) | {"team_id": OTHER, "is_ext_shared_channel": True}
    body["event"] |= {"text": f"<@{BOT_USER}> {PERMIT}", "user_team": OTHER}
    body["authorizations"] = [{"team_id": TEAM_ID, "enterprise_id": None, "is_bot": True}]
    before = len(there.records_of(ANAS_DOUBLE))
    assert calls(url, here.workspace.signing_secret, json.dumps(body)) == 200
    asked = here.wait_for(lambda: [e for e in here.records_of(ANA) if e.question == PERMIT])
    assert here.record(asked[0].audit_id).decision is Decision.ABSTAIN
    assert len(there.records_of(ANAS_DOUBLE)) == before


def test_taken_out_of_a_workspace_it_answers_nothing_there_any_more(
    both: tuple[Scene, Further], url: str
) -> None:
    here, there = both
    there.installs(url)
    here.workspace.uninstall(OTHER)
    here.program.wait_for_log(f"The bot was taken out of workspace {OTHER}")
    before = len(there.records_of(EVE))
    asked = there.mentions(EVE, PERMIT)
    here.reply_to(here.mentions(ANA, DOORS))
    assert there.said_by_bot(asked) == []
    assert len(there.records_of(EVE)) == before
