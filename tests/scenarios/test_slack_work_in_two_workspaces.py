"""Groups, standard answers, the digest and what administrators see: of each workspace its own."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
import yaml
from slack_people import Somebody
from slack_reading import words
from slack_scene import GENERAL, Reply, Scene, connecting_to
from test_slack_digest import asked_last_week
from test_slack_pages_in_two_workspaces import browser_of
from two_workspaces import (
    ANA,
    ANAS_DOUBLE,
    EVE,
    OTHER,
    PEOPLE,
    Further,
    free_url,
    home_of_two,
    in_both,
    told_alone,
)
from vouch_home import Home, write
from workspace_client import Refusal

from audit.record import Decision
from bot.answering.digest import Week
from bot.jobs.runs import Ended, JobOutcome
from bot.slack import referring as asks
from bot.slack.inbox.beside import JobRuns
from bot.slack.jobs import digest_mark
from bot.wording import slack as wording
from bot.workspace.seed import BOT_USER, TEAM_ID, UserGroup

OFFICE = "Front Office"
SERVERS = "what is the code of the server room"
THEIR_SERVERS = (
    f"---\naudience: {{team: {OTHER}, departments: [it]}}\n---\n\n# Server room\n\n"
    "The code of the server room is 4711.\n"
)
CARD = "what does a new library card cost"
CARDS = f"---\nowner: {OFFICE}\n---\n\n# Library cards\n\nA new library card costs 7 euros.\n"
BROKEN = "---\naudience: {no such facet: [x]}\n---\n\n# Closed\n\nNobody reads this.\n"
BLIND = "when are braille library cards printed"
REVIEWED = {
    TEAM_ID: "A new library card costs 8 euros, and the porter prints it.",
    OTHER: "A new library card costs 9 euros, and the harbour office prints it.",
}
UNANSWERED = {
    TEAM_ID: "may my grandmother use my library card in summer",
    OTHER: "does a library card open the swimming pool at night",
}
LOCKER = "what is the deposit for a locker in the cellar"
ADMINS = {"VOUCH_ADMIN_CHANNEL": GENERAL}
GROUPS = {
    "night-shift": [{"departments": ["hr"]}, {"team": OTHER, "departments": ["it"]}],
}
CHANNELS = [
    {"id": GENERAL, "name": "general", "answers_for": [OFFICE]},
    {"id": GENERAL, "name": "general", "team": OTHER, "answers_for": [OFFICE]},
]
SAME = UserGroup("S0SAME", "night-shift", ("U0ANA",))


@pytest.fixture(scope="module")
def pages() -> str:
    return free_url()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, pages: str) -> Home:
    folder = tmp_path_factory.mktemp("work")
    shared = {"cards.md": CARDS, "servers.md": THEIR_SERVERS}
    served = {**ADMINS, "VOUCH_WEB_URL": pages, "VOUCH_WEB_PORT": pages.rpartition(":")[2]}
    home = home_of_two(folder, free_url(), shared, **served)
    known = {"people": [*PEOPLE], "usergroups": GROUPS}
    (home.path / "people.yaml").write_text(yaml.safe_dump(known))
    (home.path / "channels.yaml").write_text(yaml.safe_dump({"channels": CHANNELS}))
    whose = {"ours": "everyone", "theirs": f"team={OTHER}", "shared": "team=*"}
    for name, readers in whose.items():
        files = {f"broken-{name}.md": BROKEN, f"map-{name}.md": f"# Map\n\nA map of {name}.\n"}
        home.vouch("ingest", write(folder / name, files), f"--for={readers}")
    return home


@pytest.fixture(scope="module")
def both(home: Home) -> Iterator[tuple[Scene, Further]]:
    url = str(home.environment["VOUCH_SLACK_URL"])
    with in_both(home, url, (SAME,), (SAME,)) as (here, there):
        assert there.installs(url).status_code == 200
        does(here, "jobs", "run", "usergroups")
        yield here, there


def does(scene: Scene, *arguments: str) -> None:
    connecting = {**connecting_to(scene.workspace), "VOUCH_SLACK_APP_TOKEN": ""}
    done = scene.home.vouch(*arguments, **connecting)
    assert done.status == 0, done.said


def test_a_group_of_the_same_name_and_id_opens_what_is_of_its_own_workspace(
    both: tuple[Scene, Further],
) -> None:
    here, there = both
    told = there.reply_to(there.writes(ANAS_DOUBLE, SERVERS))
    assert "4711" in told.words
    assert told.record.filter.facets["departments"] == ("it",)
    assert there.reply_to(there.writes(EVE, SERVERS)).record.decision is Decision.ABSTAIN
    ours = here.reply_to(here.writes(ANA, SERVERS))
    assert ours.record.decision is Decision.ABSTAIN
    assert ours.record.filter.facets["departments"] == ("hr",)


def test_the_administrators_hear_of_no_document_that_changed_in_another_workspace(
    both: tuple[Scene, Further],
) -> None:
    here, there = both
    told = there.reply_to(there.writes(ANAS_DOUBLE, SERVERS))
    documents = here.home.path.parent / "documents"
    write(documents, {"servers.md": THEIR_SERVERS.replace("4711", "4712")})
    assert here.home.vouch("ingest", documents).status == 0
    does(here, "jobs", "run", "corrections")
    assert there.events(told.record.audit_id, "followed")
    assert "servers.md" not in json.dumps(here.slack.messages(GENERAL, ANA.user))


def reviews(scene: Scene, who: Somebody, reply: Reply, said: str) -> None:
    """An administrator makes a reply the standard answer, in these words."""
    audited = scene.audits(who, reply.record.audit_id)
    form = scene.shown(who, lambda: scene.slack.clicks_in_view(who.user, audited, asks.STANDARD))
    filled = {
        asks.QUESTION: {asks.QUESTION: {"value": CARD}},
        asks.WORDS: {asks.WORDS: {"value": said}},
    }
    if who is EVE:  # whoever else sends the form is none
        with pytest.raises(Refusal):
            scene.slack.submits(ANAS_DOUBLE.user, form["id"], filled)
    assert scene.slack.submits(who.user, form["id"], filled) == {}


def test_a_standard_answer_is_told_in_the_workspace_of_who_reviewed_it_and_in_no_other(
    both: tuple[Scene, Further],
) -> None:
    """It rests on a document that both read."""
    here, there = both
    reviews(there, EVE, there.reply_to(there.mentions(ANAS_DOUBLE, CARD)), REVIEWED[OTHER])
    reviews(here, ANA, here.reply_to(here.mentions(ANA, CARD)), REVIEWED[TEAM_ID])
    here.wait_for(lambda: len(published(here)) == 2)
    assert {tuple(each["audience"]["slack_team"]) for each in published(here)} == {
        ("home",),
        (OTHER,),
    }
    theirs = there.reply_to(there.writes(ANAS_DOUBLE, CARD))
    assert "standard answer, reviewed by eve" in theirs.words.lower()
    assert REVIEWED[OTHER] in theirs.words
    ours = here.reply_to(here.writes(ANA, CARD))
    assert "standard answer, reviewed by ana" in ours.words.lower()
    assert REVIEWED[TEAM_ID] in ours.words
    for reply, foreign in ((theirs, "porter"), (ours, "harbour")):
        assert foreign not in reply.record.model_dump_json()


def test_what_people_answer_is_told_in_their_workspace_alone(both: tuple[Scene, Further]) -> None:
    here, there = both
    reply = there.reply_to(there.mentions(ANAS_DOUBLE, BLIND))
    assert reply.record.decision is Decision.ABSTAIN
    form = there.opens(ANAS_DOUBLE, reply, asks.ASK)
    named = {asks.NAMED: {asks.NAMED: {"selected_option": {"value": "no"}}}}
    assert there.slack.submits(ANAS_DOUBLE.user, form["id"], named) == {}

    def asked() -> list[str]:
        said = there.slack.messages(GENERAL, EVE.user)
        return [each["ts"] for each in said if asks.GIVE in json.dumps(each)]

    [post] = there.wait_for(asked)
    form = there.shown(EVE, lambda: there.slack.clicks(EVE.user, GENERAL, post, asks.GIVE))
    filled: dict[str, dict[str, Any]] = {
        asks.WORDS: {asks.WORDS: {"value": "Braille cards are printed on Tuesdays."}},
        asks.OTHERS: {asks.OTHERS: {"selected_options": [{"value": "yes"}]}},
        asks.QUESTION: {asks.QUESTION: {"value": BLIND}},
    }
    assert there.slack.submits(EVE.user, form["id"], filled) == {}
    of_eve = there.wait_for(lambda: [each for each in published(there) if each["title"] == BLIND])
    assert of_eve[0]["audience"] == {"slack_team": [OTHER]}
    assert "on Tuesdays" in there.reply_to(there.writes(ANAS_DOUBLE, BLIND)).words
    assert "Tuesdays" not in here.reply_to(here.writes(ANA, BLIND)).record.model_dump_json()


def test_what_lies_beside_the_answers_is_of_the_home_alone(both: tuple[Scene, Further]) -> None:
    here, there = both
    beside = here.home.path / "given-answers" / "cellar"
    write(
        beside, {"locker.md": "# Lockers\n\nThe deposit for a locker in the cellar is 15 euros.\n"}
    )
    does(here, "answers", "publish")
    assert "15 euros" in here.reply_to(here.writes(ANA, LOCKER)).words
    theirs = there.reply_to(there.writes(ANAS_DOUBLE, LOCKER)).record
    assert "15 euros" not in theirs.model_dump_json()
    assert theirs.decision is Decision.ABSTAIN


def published(scene: Scene) -> list[dict[str, Any]]:
    """What given answers say of themselves, once all of them are served."""
    listed = scene.home.vouch("answers", "list", "--json").json
    files = [scene.home.path / "given-answers" / f"{each['event_id']}.md" for each in listed]
    stand = [each.read_text() for each in files if each.exists()]
    held = scene.home.vouch("sources", "--json").json
    served = sum(each["documents"] for each in held if each["name"] == "given-answers")
    return [yaml.safe_load(each.split("---")[1]) for each in stand] if served == len(stand) else []


def digests(scene: Scene, who: Somebody) -> str:
    """The words of the digests of last week that stand in #general."""
    mark = digest_mark(Week.of(datetime.now(UTC).date()).earlier())
    said = scene.slack.messages(GENERAL, who.user)
    mine = (each for each in said if each["user"] == BOT_USER)
    return "\n".join(words(one) for one in mine if one["blocks"][0].get("block_id") == mark)


def test_each_workspace_hears_on_monday_what_was_asked_there_and_not_answered(
    both: tuple[Scene, Further], pages: str
) -> None:
    """One unit answers in both, for the same document."""
    here, there = both
    asked_last_week(here, here.mentions(ANA, UNANSWERED[TEAM_ID]))
    asked_last_week(there, there.mentions(ANAS_DOUBLE, UNANSWERED[OTHER]))
    does(here, "jobs", "run", "digest")
    page_here = browser_of(pages, ANA, TEAM_ID).get("/digest").text
    page_there = browser_of(pages, EVE, OTHER).get("/digest").text
    for told in (digests(here, ANA), page_here):
        assert (UNANSWERED[TEAM_ID] in told, UNANSWERED[OTHER] in told) == (True, False)
    for told in (digests(there, EVE), page_there):
        assert (UNANSWERED[TEAM_ID] in told, UNANSWERED[OTHER] in told) == (False, True)
    assert browser_of(pages, ANAS_DOUBLE, OTHER).get("/digest").status_code == 404


def test_administrators_hear_of_their_own_sources_and_questions_and_of_no_others(
    both: tuple[Scene, Further],
) -> None:
    here, there = both
    here.reply_to(here.mentions(ANA, UNANSWERED[TEAM_ID]))
    there.reply_to(there.mentions(ANAS_DOUBLE, UNANSWERED[OTHER]))

    def kept_out(scene: Scene, who: Somebody) -> set[str]:
        scene.slack.command(who.user, GENERAL, "/audit", "kept out")
        told = scene.wait_for(lambda: told_alone(scene, who, "broken-"))
        return {each for each in ("ours", "theirs", "shared") if f"broken-{each}" in told}

    assert kept_out(there, EVE) == {"theirs"}
    assert kept_out(here, ANA) == {"ours", "shared"}

    now = datetime.now(UTC)
    with JobRuns.open(f"sqlite:///{here.home.path / 'inbox.sqlite'}") as runs:
        for name in ("ours", "theirs"):
            run = runs.start(f"ingest {name}", now, by_hand=False)
            runs.finish(run, now, Ended(JobOutcome.FAILED, {}, f"the disk of {name} is full"))
    tab_here, tab_there = here.home_of(ANA), there.home_of(EVE)
    of_home = ("ours: 1 document", "shared: 1 document", "documents: ", "the disk of ours is full")
    ours = (*of_home, UNANSWERED[TEAM_ID])
    theirs = ("theirs: 1 document", UNANSWERED[OTHER])
    for tab, own, foreign in ((tab_here, ours, theirs), (tab_there, theirs, ours)):
        assert wording.FOR_ADMINS in tab
        assert [each for each in own if each not in tab] == []
        assert [each for each in foreign if each in tab] == []
    assert "the disk of theirs" not in tab_there, "a job is the whole installation's"
    assert (wording.HOME_JOBS in tab_here, wording.HOME_JOBS in tab_there) == (True, False)
    assert wording.FOR_ADMINS not in there.home_of(ANAS_DOUBLE)
