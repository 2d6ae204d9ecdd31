"""A channel's managers say how questions are answered there, and the bot keeps to it at once."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
import yaml
from slack_people import Somebody, people_file
from slack_reading import words
from slack_scene import GENERAL, Asked, Scene, opened
from vouch_home import Home

from bot.slack.channels import source_option
from bot.wording import channels as wording
from bot.wording import slack

SURE = "how late can coursework be handed in"
UNSURE = "how many days of annual leave do employees get"
"""Guests may not read the answer."""
LATE = "How late may I hand in coursework, and what does it cost me?"
TUTORS = "C0TUTORS"
NOA = Somebody("U0NOA", "noa", "Noa Levi")
CHAT = "can someone cover my shift on Saturday?"


@pytest.fixture(scope="module")
def scene(university: Home, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    folder = tmp_path_factory.mktemp("channels")
    notices = folder / "notices"
    notices.mkdir()
    (notices / "lift.md").write_text("# The lift\n\nThe lift is repaired in May.\n")
    both = university.copy_to(folder / "both")
    both.ingest(notices)
    with_tutors(both)
    with opened(both, folder) as scene:
        yield scene


def with_tutors(home: Home) -> None:
    """Noa is nobody but a tutor, and tutors have a channel."""
    home.people(*people_file(home), {"id": NOA.id, "name": NOA.name, "email": "noa@example.org"})
    gives = {"departments": ["cs"], "faculties": ["computing"], "local_members": [NOA.id]}
    people, channels = home.path / "people.yaml", home.path / "channels.yaml"
    with_group = yaml.safe_load(people.read_text()) | {"usergroups": {"cs-tutors": gives}}
    people.write_text(yaml.safe_dump(with_group))
    listed = yaml.safe_load(channels.read_text())
    listed["channels"].append({"id": TUTORS, "usergroup": "cs-tutors"})
    channels.write_text(yaml.safe_dump(listed))


def sets(
    scene: Scene, channel: str, answers: str, place: str = "thread", sources: Sequence[str] = ()
) -> None:
    """An administrator fills in the form of a channel."""
    priya = scene.somebody("priya")
    view = scene.shown(priya, lambda: scene.slack.command(priya.user, channel, "/ask-settings"))
    state: dict[str, dict[str, Any]] = {
        "answers": {"selected_option": {"value": answers}},
        "place": {"selected_option": {"value": place}},
        "sources-0": {"selected_options": [{"value": source_option(each)} for each in sources]},
    }
    filled_in = {name: {name: value} for name, value in state.items()}
    assert scene.slack.submits(priya.user, view["id"], filled_in) == {}


def says(scene: Scene, who: Somebody, text: str, channel: str = GENERAL) -> Asked:
    """Says something to nobody there."""
    ts = scene.slack.says(who.user, channel, text)
    return Asked(who, channel, ts, ts, text)


def recorded(scene: Scene, who: Somebody) -> list[str]:
    return [each.question for each in scene.records_of(who)]


def test_what_nobody_asked_the_bot_is_answered_where_it_is_sure_and_taken_away_by_its_asker(
    scene: Scene,
) -> None:
    ana, ben, mei = (scene.somebody(like) for like in ("ana", "ben", "mei"))
    before = says(scene, ana, SURE)
    sets(scene, GENERAL, "sure")
    chat, unsure, asked = (says(scene, ben, each) for each in (CHAT, UNSURE, SURE))
    reply = scene.reply_to(asked)
    assert reply.record.decision == "ANSWER"
    assert wording.UNASKED in reply.words
    assert scene.wait_for(lambda: scene.events(reply.record.audit_id, "delivered"))
    scene.wait_for(lambda: UNSURE in recorded(scene, ben))
    scene.let_settle(unsure)
    silent = (before, chat, unsure)
    assert [words(one) for each in silent for one in scene.said_by_bot(each)] == [
        slack.THANKS,
        slack.THANKS,
    ]
    assert sorted(recorded(scene, ben)) == sorted([UNSURE, SURE])
    assert recorded(scene, ana) == []

    scene.slack.reacts(mei.user, GENERAL, reply.ts)
    scene.slack.reacts(ben.user, GENERAL, reply.ts, "thumbsup")
    scene.let_settle(asked)
    assert not scene.events(reply.record.audit_id, "folded"), "neither asked for it to go"
    scene.slack.reacts(ben.user, GENERAL, reply.ts)
    folded = scene.reads(asked, slack.FOLDED["unwanted"])
    assert folded["ts"] == reply.ts
    [event] = scene.wait_for(lambda: scene.events(reply.record.audit_id, "folded"))
    assert event.details == {"question": "unwanted"}
    sets(scene, GENERAL, "mentioned")


def test_an_answer_is_offered_to_its_asker_alone_and_asked_for_by_a_click(scene: Scene) -> None:
    ana, ben = scene.somebody("ana"), scene.somebody("ben")
    sets(scene, GENERAL, "offered")
    asked = says(scene, ana, SURE)
    scene.wait_for(lambda: any(wording.CAN_ANSWER in one for one in scene.whispers(ana, GENERAL)))
    assert scene.said_by_bot(asked) == []
    assert not [one for one in scene.whispers(ben, GENERAL) if wording.CAN_ANSWER in one]
    offer = next(
        one
        for one in scene.slack.messages(GENERAL, ana.user)
        if one.get("ephemeral") and wording.CAN_ANSWER in words(one)
    )
    scene.slack.clicks(ana.user, GENERAL, offer["ts"], "ask_privately")
    private = Asked(ana, scene.slack.direct(ana.user), "", "0", SURE)
    assert scene.reply_to(private).record.decision == "ANSWER"
    sets(scene, GENERAL, "mentioned")


def test_a_channel_is_answered_beside_and_from_the_sources_that_were_chosen(scene: Scene) -> None:
    ben = scene.somebody("ben")
    asked = scene.mentions(ben, SURE, GENERAL)
    before = scene.reply_to(asked)
    assert before.record.claims
    sets(scene, GENERAL, "mentioned", place="beside", sources=["notices"])
    ts = scene.slack.says(ben.user, GENERAL, f"@Vouch {SURE}")
    beside = scene.reply_to(Asked(ben, GENERAL, "", ts, SURE))
    assert beside.record.filter.sources == ("notices",)
    assert not beside.record.claims
    cited = {claim.citations[0].document_id for claim in before.record.claims}
    assert not cited & {each.document_id for each in beside.record.candidates}
    sets(scene, GENERAL, "mentioned")


def test_who_is_in_a_user_group_reads_what_it_opens_and_so_does_its_channel(scene: Scene) -> None:
    scene.program.wait_for_log("User group @cs-tutors: joined by U0NOA")
    own = scene.reply_to(scene.writes(NOA, LATE))
    assert own.record.filter.facets == {"departments": ("cs",), "faculties": ("computing",)}
    there = scene.reply_to(scene.mentions(NOA, LATE, TUTORS))
    for reply in (own, there):
        assert "5 calendar days" in reply.words
    in_general = scene.reply_to(scene.mentions(NOA, LATE))
    assert in_general.record.filter.facets == {}
    assert "5 calendar days" not in in_general.words
    member = next(one for one in scene.slack.state()["people"] if one["id"] == NOA.user)
    assert "@cs-tutors" in member["about"]
