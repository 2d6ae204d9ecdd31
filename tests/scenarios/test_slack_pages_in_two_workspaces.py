"""In each of two workspaces people open what is cited there; of the other they see nothing."""

import json
import time
from collections.abc import Iterator
from contextlib import closing

import httpx
import pytest
from slack_people import Somebody
from slack_scene import GENERAL, Reply, Scene
from test_slack_links import details, previews, shown
from test_slack_pictures import pictures
from two_workspaces import (
    ANA,
    ANAS_DOUBLE,
    APART,
    COLLEAGUES,
    DOORS,
    EVE,
    OTHER,
    PERMIT,
    Further,
    free_url,
    home_of_two,
    in_both,
)

from bot.answering.citations.links import CitedLinks
from bot.web.sessions import Identity, Sessions, SignInProof
from bot.wiring.container import sessions_file
from bot.workspace.seed import TEAM_ID

CARD = "what does a new library card cost"
FOR_BOTH = (
    '---\naudience: {team: "*"}\n---\n\n# Library cards\n\nA new library card costs 7 euros.\n'
)


@pytest.fixture(scope="module")
def pages() -> str:
    return free_url()


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory, pages: str) -> Iterator[tuple[Scene, Further]]:
    url, folder = free_url(), tmp_path_factory.mktemp("pages")
    served = {"VOUCH_WEB_URL": pages, "VOUCH_WEB_PORT": pages.rpartition(":")[2]}
    home = home_of_two(folder, url, {**APART, "cards.md": FOR_BOTH}, **served)
    with in_both(home, url, VOUCH_SLACK_PICTURES="true") as (here, there):
        assert there.installs(url).status_code == 200
        yield here, there


def browser_of(pages: str, who: Somebody, team: str, leads_to: str = "/") -> httpx.Client:
    """Somebody who signed in, by way of the workspace in which they sit."""
    browser = httpx.Client(base_url=pages, follow_redirects=True, timeout=30)
    asked = {"next": leads_to, "login_hint": f"{team}//{who.user}"}
    assert browser.get("/sign-in/slack", params=asked).status_code == 200
    return browser


def paths(reply: Reply) -> list[str]:
    """All that opens at a reply's first citation."""
    cited = CitedLinks("", reply.record.audit_id)
    first = f"/cited/{cited.audit_id}/1-1"
    return [first, f"{first}/receipt.json", f"{first}/page/1.png"]


def test_what_is_cited_opens_in_its_own_workspace_and_is_nothing_in_the_other(
    both: tuple[Scene, Further], pages: str
) -> None:
    here, there = both
    ours = here.reply_to(here.mentions(ANA, DOORS))
    theirs = there.reply_to(there.mentions(ANAS_DOUBLE, PERMIT))
    card_here = here.reply_to(here.mentions(ANA, CARD))
    card_there = there.reply_to(there.mentions(EVE, CARD))
    assert f"{pages}/cited/{theirs.record.audit_id}/1-1" in json.dumps(theirs.message)

    ana = browser_of(pages, ANA, TEAM_ID)
    anneke, eve = (browser_of(pages, who, OTHER) for who in (ANAS_DOUBLE, EVE))
    for browser, own in ((ana, ours), (anneke, theirs), (eve, theirs), (eve, card_there)):
        page, receipt, _ = (browser.get(each) for each in paths(own))
        assert own.record.claims[0].citations[0].quote in page.text
        assert receipt.status_code == 200
    for browser, foreign in (
        (ana, theirs),
        (ana, card_there),
        (anneke, ours),
        (eve, ours),
        (eve, card_here),
    ):
        for path in paths(foreign):
            answer = browser.get(path)
            assert answer.status_code == 404, path
            assert "euros" not in answer.text
            assert "23:00" not in answer.text
    assert anneke.get("/digest").status_code == anneke.get("/audit").status_code == 404


def test_the_page_of_the_audit_lists_to_administrators_what_was_asked_in_their_own(
    both: tuple[Scene, Further], pages: str
) -> None:
    here, there = both
    here.reply_to(here.mentions(ANA, DOORS))
    there.reply_to(there.mentions(ANAS_DOUBLE, PERMIT))
    theirs = browser_of(pages, EVE, OTHER).get("/audit").text
    ours = browser_of(pages, ANA, TEAM_ID).get("/audit").text
    assert (PERMIT in theirs, DOORS in theirs) == (True, False)
    assert (PERMIT in ours, DOORS in ours) == (False, True)


def test_an_address_shows_what_it_opens_in_its_own_workspace_alone(
    both: tuple[Scene, Further], pages: str
) -> None:
    here, there = both
    ours = here.reply_to(here.mentions(ANA, DOORS))
    theirs = there.reply_to(there.mentions(ANAS_DOUBLE, PERMIT))

    def posted(scene: Scene, reply: Reply) -> tuple[str, str]:
        url = CitedLinks(pages, reply.record.audit_id).of_citation(0, 0)
        return scene.slack.says(ANA.user, GENERAL, f"look: {url} ?"), url

    foreign = [(scene, *posted(scene, of)) for scene, of in ((here, theirs), (there, ours))]
    for scene, own in ((here, ours), (there, theirs)):
        ts, url = posted(scene, own)
        quote = own.record.claims[0].citations[0].quote
        assert quote in json.dumps(shown(scene, ANA, GENERAL, ts))
        assert quote in json.dumps(details(scene, ANA, GENERAL, ts, url))
    for scene, ts, _ in foreign:  # one after another: those before were looked at
        assert previews(scene, ANA, GENERAL, ts) == []


def test_evidence_shows_pictures_that_are_of_the_workspace_in_which_it_is_looked_at(
    both: tuple[Scene, Further],
) -> None:
    here, there = both
    sites = [here.workspace.url, there.there.url]
    for scene, who, question, site in zip(
        both, (ANA, ANAS_DOUBLE), (DOORS, PERMIT), sites, strict=True
    ):
        reply = scene.reply_to(scene.mentions(who, question))
        [block] = pictures(scene, who, reply)
        assert block["alt_text"] == reply.record.claims[0].citations[0].quote
        found = [each for each in sites if is_there(each, block["slack_file"]["id"])]
        assert found == [site]


def is_there(site: str, file_id: str) -> bool:
    shown = httpx.get(f"{site}/page/files/{file_id}?as={ANA.user}")
    return shown.headers["content-type"] == "image/png"


def returning(pages: str, here: Scene, user: str) -> httpx.Client:
    """Somebody who signed in more than a minute ago: whether they left is asked again."""
    with closing(Sessions(sessions_file(here.home.path), time.time)) as sessions:
        secret = sessions.begin(Identity(SignInProof.SLACK, f"{OTHER}//{user}"))
    return httpx.Client(
        base_url=pages, follow_redirects=True, timeout=30, cookies={"vouch": secret}
    )


def test_where_the_bot_was_taken_out_nobody_is_signed_in_any_more(
    both: tuple[Scene, Further], pages: str
) -> None:
    here, there = both
    theirs = there.reply_to(there.mentions(ANAS_DOUBLE, PERMIT))
    page = paths(theirs)[0]
    fay, gil = (returning(pages, here, each.id) for each in COLLEAGUES)
    assert fay.get(page).status_code == 200
    here.workspace.uninstall(OTHER)
    here.program.wait_for_log(f"The bot was taken out of workspace {OTHER}")
    assert gil.get(page).status_code == 404
    assert gil.get(page).url.path == "/sign-in"
    with httpx.Client(base_url=pages, follow_redirects=True, timeout=30) as browser:
        asked = {"next": page, "login_hint": f"{OTHER}//{EVE.user}"}
        assert browser.get("/sign-in/slack", params=asked).status_code == 403
