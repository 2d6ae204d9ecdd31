"""The bot is installed in a second workspace, whose people, channels and documents stay apart.

Ids are one workspace's own: both have a U0ANA, a C0GENERAL and a bot of the same id.
"""

import json
import re
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from urllib.parse import urlsplit

import httpx
import pytest
import yaml
from slack_people import Somebody
from slack_scene import GENERAL, UNHURRIED, Scene
from test_slack_over_http import asked_by_event, calls, clicked, free_url
from vouch_home import LENIENT, Home
from workspace_client import Slack

from audit.record import Decision
from bot.wording import slack as wording
from bot.workspace.seed import BOT_USER, TEAM_ID, Command, Member, Room, Seed
from bot.workspace.server import Workspace
from bot.workspace.web_api import Tokens

OTHER = "T0OTHER"
ANA, ANAS_DOUBLE = Somebody("U0ANA", "ana", "Ana"), Somebody("U0ANA", f"{OTHER}//U0ANA", "Anneke")
EVE = Somebody("U0EVE", f"{OTHER}//U0EVE", "Eve")
DOORS = "until when are the doors of the reading room open"
PERMIT = "what does a parking permit cost for a year"
HERE = (
    f"---\naudience: {{team: {TEAM_ID}}}\n---\n\n# Reading room\n\n"
    "The doors of the reading room are open until 23:00.\n"
)
THERE = (
    f"---\naudience: {{team: {OTHER}}}\n---\n\n# Parking\n\n"
    "A parking permit costs 40 euros for a year.\n"
)


class Further(Scene):
    """What happens in the second workspace, at the same bot."""

    def __init__(self, scene: Scene) -> None:
        self.home, self.program, self.workspace = scene.home, scene.program, scene.workspace
        [self.there] = scene.workspace.beside
        self.slack = Slack(self.there.url)


def seed(team: str, team_id: str, *people: Member) -> Seed:
    rooms = (Room(GENERAL, "general", (*(each.id for each in people), BOT_USER)),)
    commands = (Command("/ask"), Command("/audit"))
    return Seed(team, people, rooms, commands, team_id=team_id)


@pytest.fixture(scope="module")
def url() -> str:
    return free_url()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, url: str) -> Home:
    folder = tmp_path_factory.mktemp("workspaces")
    several = {
        "VOUCH_SLACK_TRANSPORT": "http",
        "VOUCH_SLACK_TEAM": TEAM_ID,
        "VOUCH_SLACK_TOKENS_KEY": urlsafe_b64encode(secrets.token_bytes(32)).decode(),
        "VOUCH_SLACK_URL": url,
        "VOUCH_PORT": url.rpartition(":")[2],
        "VOUCH_HEALTH_PORT": free_url().rpartition(":")[2],
        "VOUCH_SLACK_CLIENT_ID": "1.2",
        "VOUCH_SLACK_CLIENT_SECRET": "a secret of the app",
    }
    (folder / "home").mkdir()
    home = Home(folder / "home", {**LENIENT, **several})
    home.people(
        {"id": "ana", "name": "Ana", "email": "ana@here.example", "admin": True},
        {"id": "U0EVE", "team": OTHER, "name": "Eve", "admin": True},
    )
    channels = [{"id": GENERAL, "name": "general", "audience": {}}]
    (home.path / "channels.yaml").write_text(yaml.safe_dump({"channels": channels}))
    documents = folder / "documents"
    documents.mkdir()
    (documents / "reading-room.md").write_text(HERE)
    (documents / "parking.md").write_text(THERE)
    ingested = home.vouch("ingest", documents, "--for=team=*")
    assert ingested.status == 0, ingested.said
    return home


@pytest.fixture(scope="module")
def both(home: Home, url: str) -> Iterator[tuple[Scene, Further]]:
    tokens = replace(Tokens.new(), client_id="1.2", client_secret="a secret of the app")
    options = replace(UNHURRIED, events_url=f"{url}/slack/events")
    ana = Member("U0ANA", "ana", "Ana", "ana@here.example")
    theirs = (
        Member("U0ANA", "anneke", "Anneke", "ana@here.example"),
        Member("U0EVE", "eve", "Eve", "eve@there.example"),
    )
    with Workspace(
        seed("Here", TEAM_ID, ana),
        tokens=tokens,
        options=options,
        beside=[seed("There", OTHER, *theirs)],
    ) as here:
        here.allow_sign_in(f"{url}/slack/oauth_redirect")
        scene = Scene(home, here, VOUCH_SLACK_APP_TOKEN="")
        further = Further(scene)
        try:
            scene.wait_until_connected()
            further.wait_until_connected()
            yield scene, further
        finally:
            scene.program.end()


def installs(url: str, there: Further) -> httpx.Response:
    """Somebody opens the link, allows it in their workspace, and is sent back."""
    with httpx.Client() as browser:
        page = browser.get(f"{url}/slack/install")
        link = unescape(re.findall(r'href="([^"]*oauth[^"]*)"', page.text)[0])
        allowed = browser.get(f"{there.there.url}{urlsplit(link).path}?{urlsplit(link).query}")
        cookie = page.headers["set-cookie"].partition(";")[0]
        return httpx.get(allowed.headers["location"], headers={"Cookie": cookie})


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
    assert installs(url, there).status_code == 200
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
    installs(url, there)
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
    there.wait_for(lambda: said(there, EVE, "administrators"))
    own_tab = there.home_of(EVE)
    assert "Parking" in own_tab
    assert "Reading room" not in own_tab
    assert wording.FOR_ADMINS not in own_tab

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
    installs(url, there)
    here.workspace.uninstall(OTHER)
    here.program.wait_for_log(f"The bot was taken out of workspace {OTHER}")
    before = len(there.records_of(EVE))
    asked = there.mentions(EVE, PERMIT)
    here.reply_to(here.mentions(ANA, DOORS))
    assert there.said_by_bot(asked) == []
    assert len(there.records_of(EVE)) == before


def said(scene: Scene, who: Somebody, part: str) -> str:
    """All that somebody was told alone, once this is among it."""
    told = "\n".join(scene.whispers(who, GENERAL))
    return told if part in told else ""
