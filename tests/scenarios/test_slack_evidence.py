"""Somebody looks behind a reply, or says what they think of it, and times have changed."""

from pathlib import Path
from typing import Any

import pytest
from slack_people import Somebody, rewrite
from slack_reading import words
from slack_scene import Reply, Scene
from vouch_home import write

from bot.answering.in_words import certainty
from bot.wording import evidence as wording

LATE = "How late may I hand in coursework, and what does it cost me?"
CARD, PARKING = "what does a lost meal card cost?", "who may park in the rear courtyard?"
FILES = {
    "meal-cards.md": "---\ntitle: Meal cards\n---\n\nA lost meal card costs twelve euros.\n",
    "courtyard.md": "---\ntitle: Rear courtyard\n---\n\nOnly caretakers may park there.\n",
}


@pytest.fixture(scope="module")
def folder(scene: Scene, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Documents that the tests change."""
    folder = write(tmp_path_factory.mktemp("changing") / "docs", FILES)
    scene.home.ingest(folder)
    return folder


def numbers(scene: Scene, who: Somebody, evidence: dict[str, Any]) -> str:
    """What the button of an evidence opens over it."""
    view = scene.shown(who, lambda: scene.slack.clicks_in_view(who.user, evidence, "numbers"))
    assert view["previous_view_id"] == evidence["id"], "the evidence stands again when it closes"
    return words(view)


def everything_behind(scene: Scene, who: Somebody, reply: Reply) -> str:
    view = scene.opens(who, reply, "evidence")
    return f"{words(view)}\n{numbers(scene, who, view)}"


def test_evidence_names_claims_places_quotes_and_why_and_the_numbers_below(scene: Scene) -> None:
    ana = scene.somebody("ana")
    reply = scene.reply_to(scene.writes(ana, LATE))
    view = scene.opens(ana, reply, "evidence")
    shown = words(view)
    assert (view["type"], view["callback_id"]) == ("modal", "evidence")
    for claim in reply.record.claims:
        assert claim.text in shown
        quotes = {citation.quote for citation in claim.citations} - {claim.text}
        assert not any(quote in shown for quote in quotes), "each sentence stands once"
    assert wording.COPIED in shown
    assert certainty(reply.record) in shown
    assert "lines 21-22 (Late coursework)" in shown
    assert reply.record.audit_id in shown
    assert f"{wording.SCORES['relevance']} " not in shown
    whole = numbers(scene, ana, view)
    assert wording.STATUSES["VERIFIED"] in whole
    assert f"{wording.SCORES['relevance']} " in whole
    assert "Coursework in the BSc Computer Science may be handed in" in whole


def test_a_thumb_down_is_kept_at_once_and_then_explained_in_own_words(scene: Scene) -> None:
    ana = scene.somebody("ana")
    reply = scene.reply_to(scene.writes(ana, LATE))
    audit_id = reply.record.audit_id
    view = scene.shown(ana, lambda: scene.clicks(ana, reply, "feedback", f"bad:{audit_id}"))
    assert len(scene.events(audit_id, "feedback")) == 1
    why = {"selected_option": {"value": "outdated"}}
    values: dict[str, dict[str, object]] = {
        "why": {"why": why},
        "words": {"words": {"value": "That was last year. 🙄"}},
    }
    assert scene.slack.submits(ana.user, view["id"], values) == {}
    thumb, explained = scene.events(audit_id, "feedback")
    assert (thumb.details, thumb.text) == ({"value": "bad"}, "")
    assert (explained.details, explained.text) == (
        {"value": "bad", "why": "outdated"},
        "That was last year. 🙄",
    )


def test_of_a_document_that_was_withdrawn_nothing_is_shown(scene: Scene, folder: Path) -> None:
    ben = scene.somebody("ben")
    reply = scene.reply_to(scene.writes(ben, CARD))
    view = scene.opens(ben, reply, "evidence")
    assert "twelve euros" in words(view)
    assert "twelve euros" in numbers(scene, ben, view)
    assert scene.home.vouch("ingest", "--remove", folder / "meal-cards.md").status == 0
    shown = everything_behind(scene, ben, reply)
    assert wording.withheld(1) in shown
    assert not [each for each in ("twelve", "meal-cards", "Meal cards") if each in shown]


def test_an_evidence_that_stands_open_shows_no_numbers_of_what_was_restricted_since(
    scene: Scene, folder: Path
) -> None:
    ben = scene.somebody("ben")
    write(folder, {"lockers.md": "---\ntitle: Lockers\n---\n\nA locker costs nine euros a year.\n"})
    scene.home.ingest(folder)
    reply = scene.reply_to(scene.writes(ben, "what does a locker cost?"))
    view = scene.opens(ben, reply, "evidence")
    assert "nine euros" in words(view)
    (folder / "lockers.md").write_text("---\naudience:\n  programmes: [staff]\n---\n\nNone.\n")
    scene.home.ingest(folder)
    counted = numbers(scene, ben, view)
    assert not [each for each in ("nine", "Lockers", "lockers.md") if each in counted]


def test_of_a_document_restricted_since_nothing_is_shown(scene: Scene, folder: Path) -> None:
    ben, tomas = scene.somebody("ben"), scene.somebody("tomas")
    reply = scene.reply_to(scene.mentions(ben, PARKING))
    assert "caretakers" in words(scene.opens(ben, reply, "evidence"))
    document = folder / "courtyard.md"
    restricted = "---\naudience:\n  programmes: [staff]\n"
    document.write_text(FILES["courtyard.md"].replace("---\n", restricted, 1))
    scene.home.ingest(folder)
    shown = everything_behind(scene, ben, reply)
    assert not [each for each in ("caretakers", "courtyard.md", "Rear court") if each in shown]
    assert "caretakers" in words(scene.opens(tomas, reply, "evidence")), "staff still may"


def test_somebody_who_moved_to_another_department_sees_what_they_may_read_now(scene: Scene) -> None:
    ana = scene.somebody("ana")
    reply = scene.reply_to(scene.writes(ana, LATE))
    assert "coursework-rules.md" in str(reply.record.claims)
    rewrite(scene.home, ana, departments=["is"], programmes=["bsc-is"])
    shown = everything_behind(scene, ana, reply)
    assert "10 percentage points" not in shown
    assert "Coursework rules of the Department of Computer Science" not in shown
