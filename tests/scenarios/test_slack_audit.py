"""An administrator asks in Slack what was answered, and others try to."""

from dataclasses import dataclass
from datetime import timedelta

import pytest
from slack_people import Somebody, rewrite
from slack_reading import Shown, words
from slack_scene import GENERAL, Reply, Scene

from audit.log import open_writer
from audit.record import badge_of
from audit.values import new_id
from bot.wording import BADGES
from bot.wording import evidence as wording

LATE = "How late may I hand in coursework, and what does it cost me?"
COLOUR = "how much is a colour page a4"
PAGE = 10


@dataclass(frozen=True)
class Audited:
    """A scene in which three people asked something."""

    scene: Scene
    ana: Reply
    ben: Reply
    guest: Reply


@pytest.fixture(scope="module")
def audited(scene: Scene) -> Audited:
    ana, ben, guest = (scene.somebody(like) for like in ("ana", "ben", "guest"))
    return Audited(
        scene,
        scene.reply_to(scene.writes(ana, LATE)),
        scene.reply_to(scene.mentions(ben, COLOUR)),
        scene.reply_to(scene.mentions(guest, LATE)),
    )


def audit(scene: Scene, who: Somebody, asked: str) -> Shown:
    """What `/audit ...` shows to the one who wrote it."""
    before = len(told(scene, who))
    scene.slack.command(who.user, GENERAL, "/audit", asked)
    return scene.wait_for(lambda: next(iter(told(scene, who)[before:]), None))


def told(scene: Scene, who: Somebody) -> list[Shown]:
    return [one for one in scene.slack.messages(GENERAL, who.user) if one.get("ephemeral")]


def listed(shown: Shown) -> list[str]:
    """Audit ids, each on the button beside its line."""
    return [block["accessory"]["value"] for block in shown["blocks"] if "accessory" in block]


def ids(*given: Reply) -> list[str]:
    return [each.record.audit_id for each in given]


def test_the_latest_come_newest_first_and_to_the_administrator_alone(audited: Audited) -> None:
    scene, priya = audited.scene, audited.scene.somebody("priya")
    newest_first = ids(audited.guest, audited.ben, audited.ana)
    for asked in ("", "latest"):
        shown = audit(scene, priya, asked)
        assert [each for each in listed(shown) if each in newest_first] == newest_first
    assert LATE in words(shown)
    assert told(scene, scene.somebody("priya")) == []


def test_records_are_found_by_what_is_known_of_them(audited: Audited) -> None:
    scene, priya = audited.scene, audited.scene.somebody("priya")
    ana, ben, guest = audited.ana, audited.ben, audited.guest
    who = ana.record.person.id
    tomorrow = (ana.record.time + timedelta(days=1)).date().isoformat()
    colour = "university/it/wifi-and-printing.txt"
    decision = ben.record.decision.lower()
    for asked, found in {
        f"person <@U0{who.upper()}|{who}>": [ana],
        f"person @{who}": [ana],
        f"by {ana.record.person.name}": [ana],
        who: [ana],
        f"{who} {ana.record.decision.lower()}": [ana],
        f"{ben.record.time.date()} text colour": [ben],
        f"person <@{guest.record.person.id}>": [guest],
        f"document {colour}": [ben],
        f"text colour decision {decision}": [ben],
        'about "hand in coursework" person ana1': [ana],
        f"since {tomorrow}": [],
        f"text colour until {tomorrow}": [ben],
        "text zyzzyva": [],
    }.items():
        shown = audit(scene, priya, asked)
        assert listed(shown) == ids(*found), (asked, words(shown))


def more_than_a_page(audited: Audited) -> None:
    """Appends so many records that the list of the latest goes on after its first page."""
    with open_writer(audited.scene.audit_url) as writer:
        for _ in range(2 * PAGE):
            times = {"audit_id": new_id(audited.ben.record.time), "question": "is it late?"}
            writer.append(audited.ben.record.model_copy(update=times))


def test_an_administrator_no_longer_is_refused_at_the_buttons_too(audited: Audited) -> None:
    scene, priya = audited.scene, audited.scene.somebody("priya")
    more_than_a_page(audited)
    shown = audit(scene, priya, "latest")
    rewrite(scene.home, priya, admin=False)
    for action in ("audit_open", "audit_more"):
        before = len(told(scene, priya))
        scene.slack.clicks(priya.user, GENERAL, shown["ts"], action)
        said = scene.wait_for(lambda: told(scene, priya)[before:])  # noqa: B023
        assert [words(one) for one in said] == [wording.NOT_ADMIN]


def test_what_happened_later_stands_in_the_record(audited: Audited) -> None:
    scene, priya = audited.scene, audited.scene.somebody("priya")
    ana = Somebody("U0ANA1", "ana1", "")
    scene.clicks(ana, audited.ana, "feedback", f"good:{audited.ana.record.audit_id}")
    scene.wait_for(lambda: scene.events(audited.ana.record.audit_id, "feedback"))
    shown = words(scene.audits(priya, audited.ana.record.audit_id))
    later = shown[shown.index(wording.LATER) :]
    assert "delivered" in later
    assert "feedback · ana" in later
    assert "helpful" in later
    record = audited.ana.record
    assert BADGES[badge_of(record.decision, record.missing)] in shown
