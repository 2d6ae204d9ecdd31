"""A reviewed answer is told to those who may read all that it rests on, as long as that stands."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml
from libraries import library_in
from sample_records import a_record, an_event

from audit.feedback import GivenDetails, retraction
from audit.record import EventKind
from audit.values import PersonRecord
from bot.settings import Settings
from bot.wiring.container import Container
from bot.wiring.given_answers import (
    SOURCE,
    given_answers,
    publish_answers,
    readers_of,
    write_answers,
)
from bot.wiring.slack import library_view
from retrieval.documents.holdings import Acquisition, Fingerprint
from retrieval.documents.sql_library import SqlLibrary
from retrieval.metadata.access import EVERYONE, HOME, TEAM
from retrieval.types import AccessRule, Document, Metadata, Passage, Sentence

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
OTHER = "T0OTHER"
CS, STAFF = (("departments", ("cs",)),), (("programmes", ("staff",)),)


def acquired(document_id: str, version: str, access: AccessRule, level: str = "") -> Acquisition:
    stated = Metadata(access=access, level=level)
    document = Document(document_id, f"{document_id}.md", version, NOON, document_id, stated)
    said = Sentence("Three days.", 0, 11)
    passage = Passage(f"{document_id}-0", document, 0, (), (said,), said.text)
    return Acquisition("docs", document, Fingerprint(1, 1, version, ""), [passage])


@pytest.fixture
def library(tmp_path: Path) -> SqlLibrary:
    library = library_in(tmp_path)
    library.store([acquired("d1", "1", AccessRule(CS)), acquired("d2", "1", AccessRule(STAFF))])
    return library


def both() -> GivenDetails:
    return GivenDetails(for_others=True, rests_on=(("d1", "1"), ("d2", "1")))


def test_it_is_for_those_who_may_read_all_of_it(library: SqlLibrary) -> None:
    rule = readers_of(both(), library)
    assert rule
    assert dict(rule.audience) == dict((*CS, *STAFF))


@pytest.mark.parametrize(
    ("team", "told", "readers"),
    [
        (OTHER, GivenDetails(rests_on=(("everybody's", "1"),)), (OTHER,)),
        (HOME, GivenDetails(rests_on=(("everybody's", "1"),)), (HOME,)),
        (OTHER, GivenDetails(audience={TEAM: (OTHER,)}), (OTHER,)),
        (OTHER, GivenDetails(audience={TEAM: (HOME,)}), None),
        (HOME, GivenDetails(audience={TEAM: (OTHER,)}), None),
        (OTHER, GivenDetails(rests_on=(("everybody's", "1"), ("d1", "1"))), None),
        (HOME, GivenDetails(rests_on=(("everybody's", "1"), ("d1", "1"))), (HOME,)),
    ],
)
def test_where_there_are_several_workspaces_it_is_for_that_of_who_gave_it(
    library: SqlLibrary, team: str, told: GivenDetails, readers: tuple[str, ...] | None
) -> None:
    """What names no workspace, as `d1`, is of the home's own."""
    library.store([acquired("everybody's", "1", AccessRule(((TEAM, (EVERYONE,)),)))])
    rule = readers_of(told, library, {TEAM: frozenset({team})})
    assert (dict(rule.audience)[TEAM] if rule else None) == readers


@pytest.fixture
def several(tmp_path: Path) -> Container:
    """Somebody of the home's own gave an answer, and Eve of the other workspace."""
    settings = Settings(_env_file=None, home=tmp_path, slack_team="T0OWN")  # type: ignore[call-arg]  # pydantic-settings' own
    several = Container(settings)
    asked = a_record()
    told = GivenDetails(for_others=True, question="When?", audience={TEAM: (EVERYONE,)})
    several.stores.audit_writer.append(asked)
    for number, giver in enumerate(("carla", f"{OTHER}//U0EVE")):
        given = an_event(
            asked,
            kind=EventKind.GIVEN,
            event_id=f"{asked.audit_id}-{number}",
            person=PersonRecord(id=giver),
            details=told.details(),
        )
        several.stores.audit_writer.append(given)
    return several


def test_nobody_is_told_an_answer_of_a_workspace_that_is_none_of_ours_any_more(
    several: Container,
) -> None:
    """Also where it rests on what everybody may read."""
    assert [each.rule is None for each in given_answers(several.stores)] == [False, False]
    alone = Container(several.settings.model_copy(update={"slack_team": ""}))
    assert [each.rule is None for each in given_answers(alone.stores)] == [False, True]


@pytest.mark.parametrize(("own", "readers"), [("", {HOME, OTHER}), ("'*': {title: Our}\n", {HOME})])
def test_where_somebody_wrote_metadata_beside_the_answers_it_stays_and_opens_nothing(
    several: Container, own: str, readers: set[str]
) -> None:
    metadata = several.home / SOURCE / "metadata.yaml"
    metadata.parent.mkdir()
    if own:
        metadata.write_text(own)
    publish_answers(several)
    held = several.stores.library.holdings(SOURCE).values()
    audiences = [dict(each.document.metadata.access.audience)[TEAM] for each in held]
    assert {team for each in audiences for team in each} == readers
    assert metadata.read_text() == own or not own


def test_administrators_read_on_home_which_reviewed_answer_is_never_given_in_their_workspace(
    several: Container,
) -> None:
    """A sentence that leans on another leads nothing, wherever the answer happens to be cut."""
    long = " ".join(f"Staff of grade {n} get {n} days. They ask their office." for n in range(60))
    several.stores.library.store([acquired("d1", "1", AccessRule(((TEAM, (EVERYONE,)),)))])
    asked = a_record()
    several.stores.audit_writer.append(asked)
    for number, (giver, question, text) in enumerate(
        [
            ("carla", "How long is leave?", "It is 25 days."),
            ("carla", "How long is leave of each grade?", long),
            (f"{OTHER}//U0EVE", "Which rule no longer applies?", "The rule of 2019."),
        ]
    ):
        told = GivenDetails(for_others=True, question=question, rests_on=(("d1", "1"),))
        given = an_event(
            asked,
            kind=EventKind.GIVEN,
            event_id=f"{asked.audit_id}-{number}",
            person=PersonRecord(id=giver),
            text=text,
            details=told.details(),
        )
        several.stores.audit_writer.append(given)
    home = library_view(several)
    assert home.not_led("") == ["How long is leave of each grade?"]
    assert home.not_led(OTHER) == ["Which rule no longer applies?"]
    publish_answers(several)
    held = several.stores.library.holdings(SOURCE).values()
    assert sorted(e.document.title for e in held) == ["How long is leave?", "When?", "When?"]


@pytest.mark.parametrize("what", ["changed", "not served", "gone", "never there"])
def test_nobody_is_told_what_rests_on_nothing(library: SqlLibrary, what: str) -> None:
    told = both()
    if what == "changed":
        library.store([acquired("d1", "2", AccessRule(CS))])
    elif what == "not served":
        library.suspend(["d1"])
    elif what == "gone":
        library.remove(["d1"])
    else:
        told = GivenDetails(for_others=True, rests_on=(("d3", "1"),))
    assert readers_of(told, library) is None
    assert readers_of(GivenDetails(for_others=True, rests_on=(("d2", "1"),)), library)


def test_a_reviewed_answer_is_a_document_for_each_question_and_all_leave_together(
    tmp_path: Path,
) -> None:
    settings = Settings(_env_file=None, home=tmp_path)  # type: ignore[call-arg]  # as above
    container = Container(settings)
    container.stores.library.store([acquired("d1", "1", AccessRule(CS))])
    asked = a_record()
    questions = "How late may I hand in?\n\n What does a late day cost? \nHow late may I hand in?"
    told = GivenDetails(for_others=True, question=questions, rests_on=(("d1", "1"),))
    given = an_event(asked, kind=EventKind.GIVEN, text="Three days.", details=told.details())
    for each in (asked, given):
        container.stores.audit_writer.append(each)
    [answer] = given_answers(container.stores)
    rule = AccessRule(CS)
    assert [text.splitlines()[1] for text in answer.documents(rule).values()] == [
        "title: How late may I hand in?",
        "title: What does a late day cost?",
    ]
    assert write_answers([answer], tmp_path / "told") == 2
    container.stores.audit_writer.append(retraction(given.event_id, asked.audit_id, NOON))
    assert write_answers(given_answers(container.stores), tmp_path / "told") == 0
    assert not list((tmp_path / "told").glob("*.md"))


@pytest.mark.parametrize(
    ("rests_on", "level"),
    [(("d1",), "department"), (("d1", "d2"), "department"), (("d1", "d3"), "")],
)
def test_a_reviewed_answer_stands_at_the_level_of_all_that_it_rests_on(
    tmp_path: Path, rests_on: tuple[str, ...], level: str
) -> None:
    settings = Settings(_env_file=None, home=tmp_path)  # type: ignore[call-arg]  # as above
    stores = Container(settings).stores
    for name, of in (("d1", "department"), ("d2", "department"), ("d3", "university")):
        stores.library.store([acquired(name, "1", AccessRule(CS), of)])
    asked, on = a_record(), tuple((each, "1") for each in rests_on)
    told = GivenDetails(for_others=True, question="How late?", rests_on=on)
    for each in (asked, an_event(asked, kind=EventKind.GIVEN, details=told.details())):
        stores.audit_writer.append(each)
    write_answers(given_answers(stores), tmp_path / "told")
    [written] = (tmp_path / "told").glob("*.md")
    stated = yaml.safe_load(written.read_text().split("---")[1])
    assert stated.get("level", "") == level


def test_what_a_person_said_in_their_own_words_is_one_document() -> None:
    told = GivenDetails(for_others=True, question="When?\nAnd where?")
    assert told.questions == ("When? And where?",)
