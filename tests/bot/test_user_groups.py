"""Slack's user groups give what `people.yaml` says, to whoever was in them within a day."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from bot.access.people import Access, LiveAccess
from bot.access.user_groups import COUNTS_FOR, ReadGroup
from bot.errors import BadConfiguration
from retrieval.metadata.ontology import load_ontology

TODAY = date(2026, 3, 1)
CS = {"departments": frozenset({"cs"})}
PEOPLE = """
people: []
usergroups:
  cs-tutors: {departments: [cs], local_members: [ana]}
  S0STAFF: {programmes: [staff]}
"""
CHANNELS = """
channels:
  - {id: C0TUTORS, audience: {faculties: [computing]}, usergroup: cs-tutors}
  - {id: C0ELSE, audience: {}}
"""


def live(home: Path, *read: ReadGroup, people: str = PEOPLE) -> LiveAccess:
    (home / "people.yaml").write_text(people)
    (home / "channels.yaml").write_text(CHANNELS)
    return LiveAccess(lambda: Access.load(home, load_ontology()), [], lambda: read)


def group(
    group_id: str = "S1", handle: str = "cs-tutors", ago: timedelta = timedelta()
) -> ReadGroup:
    return ReadGroup(group_id, handle, frozenset({"U1"}), datetime.now(UTC) - ago)


def test_who_is_in_a_group_has_what_it_gives_and_nobody_else(tmp_path: Path) -> None:
    access = live(tmp_path, group(handle="CS-Tutors"), group("S0STAFF", "team"))
    assert access.group_facets("U1") == CS | {"programmes": frozenset({"staff"})}
    assert access.group_facets("U2") == {}
    assert access.group_facets("ana") == {}, "local members are not Slack's"


def test_everyone_in_the_channel_of_a_group_has_it_beside_what_they_have_in_common(
    tmp_path: Path,
) -> None:
    access = live(tmp_path, group())
    common = {"faculties": frozenset({"computing"})}
    assert access.scope_for(None, "C0TUTORS", TODAY).facets == common | CS
    assert access.scope_for(None, "C0ELSE", TODAY).facets == {}
    assert access.scope_for(None, None, TODAY).facets == {}


def test_what_people_of_a_channel_have_in_common_is_unknown_where_its_group_is(
    tmp_path: Path,
) -> None:
    common = {"faculties": frozenset({"computing"})}
    assert live(tmp_path, group()).common_in("C0TUTORS") == common | CS
    for unsure in (live(tmp_path), live(tmp_path, group(ago=COUNTS_FOR))):
        assert unsure.common_in("C0TUTORS") is None
        assert unsure.common_in("C0ELSE") == {}
        assert unsure.common_in("C0UNLISTED") is None


def test_a_group_may_stand_in_two_spellings_and_gives_what_both_say(tmp_path: Path) -> None:
    both = "CS-tutors: {programmes: [staff]}, cs-tutors: {departments: [cs]}"
    access = live(tmp_path, group(), people=f"people: []\nusergroups: {{{both}}}")
    assert access.group_facets("U1") == CS | {"programmes": frozenset({"staff"})}


def test_nobody_takes_the_id_of_a_group_for_a_handle(tmp_path: Path) -> None:
    assert live(tmp_path, group("S9", "s0staff")).group_facets("U1") == {}


@pytest.mark.parametrize(
    "read",
    [(), (group(ago=COUNTS_FOR),), (group(handle="is-tutors"),), (group("S1"), group("S2"))],
    ids=["not read", "not read for a day", "of another handle", "one of two of its handle"],
)
def test_a_group_that_is_not_surely_known_gives_nothing(
    tmp_path: Path, read: tuple[ReadGroup, ...]
) -> None:
    access = live(tmp_path, *read)
    assert access.group_facets("U1") == {}
    assert "departments" not in access.scope_for(None, "C0TUTORS", TODAY).facets


@pytest.mark.parametrize(
    ("people", "says"),
    [
        ("people: []", "usergroup"),
        ("people: []\nusergroup: {cs-tutors: {departments: [cs]}}", "write `usergroups`"),
        ("people: []\nusergroups: [cs-tutors]", "must map groups"),
        ("people: []\nusergroups: {cs-tutors: [cs]}", r"people\.yaml: the user group cs-tutors"),
        ("people: []\nusergroups: {cs-tutors: {department: [cs]}}", "department"),
        ('people: []\nusergroups: {cs-tutors: {departments: ["*"]}}', "departments"),
        ("people: []\nusergroups: {cs-tutors: []}", "cs-tutors must map"),
        ("people: []\nusergroups: {cs-tutors: {local_members: {ana: 1}}}", "`local_members` has"),
        ("people: []\nusergroups: {cs-tutors: [{departments: [cs]}]}", "cs-tutors must map"),
    ],
)
def test_what_is_not_understood_is_refused(tmp_path: Path, people: str, says: str) -> None:
    with pytest.raises(BadConfiguration, match=says):
        live(tmp_path, people=people)
