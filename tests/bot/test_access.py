"""Who is known, and what the readers of a reply may read."""

from collections.abc import Callable
from contextlib import suppress
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.access.channels import Channels, Widening, units_of
from bot.access.people import Access, People
from bot.errors import BadConfiguration, UnknownChannel, UnknownPerson, WrongUse
from retrieval.metadata.access import Audience, permits
from retrieval.metadata.ontology import load_ontology
from retrieval.types import AccessRule, Metadata, Scope

ONTOLOGY = load_ontology()
TODAY = date(2026, 3, 1)
GUEST = Scope({}, TODAY)
PEOPLE = """
people:
  - id: ana
    name: Ana Silva
    email: Ana@example.org
    departments: [cs]
    programmes: bsc-cs
    batches: [2023, "2024"]
    courses: {current: [CS201, " CS305 "], completed: [CS101]}
    admin: true
    semester: 5
    role: student
  - {id: U0BEN, name: Ben Okafor, email: ben@example.org, courses: [IS210]}
  - {id: U1BEN, name: ben okafor}
  - {id: 42, name: Mei, departments: [], courses: {current: [], completed: }}
"""
CHANNELS = """
channels:
  - {id: C0CS, name: cs, audience: {departments: [cs], batches: 2023}}
  - {id: C0ALL, audience: {}}
  - {id: C0NONE}
"""
MANAGED = """
channels:
  - id: C0CS
    audience: {departments: [cs]}
    answers_for: [cs, CS-Office@example.org]
    managers: [ana, U0BEN]
    forbid: [answer-outsiders]
  - {id: C0FEES, answers_for: fees@example.org}
"""
Write = Callable[[str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write(text: str) -> Path:
        path = tmp_path / "file.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.fixture
def access(write: Write) -> Access:
    return Access(people_of(write(PEOPLE)), channels_of(write(CHANNELS)))


def people_of(path: Path) -> People:
    return People.load(path, ONTOLOGY)


def channels_of(path: Path) -> Channels:
    return Channels.load(path, ONTOLOGY)


# --- finding somebody -----------------------------------------------------------------


@pytest.mark.parametrize("wanted", ["ana", "ANA@EXAMPLE.ORG", "ana silva", " Ana  Silva"])
def test_somebody_is_found_by_id_e_mail_or_name(access: Access, wanted: str) -> None:
    ana = access.people.find(wanted)
    assert (ana.id, ana.name, ana.email, ana.admin) == ("ana", "Ana Silva", "Ana@example.org", True)
    assert ana.facets == {
        "departments": {"cs"},
        "programmes": {"bsc-cs"},
        "batches": {"2023", "2024"},
        "courses": {"CS201", "CS305", "CS101"},
    }
    assert ana.profile == {"semester": "5", "role": "student"}


@pytest.mark.parametrize(
    ("wanted", "near"),
    [
        *((each, False) for each in ("", " ", "ben@example", "*", "guest")),
        *((each, True) for each in ("Ana", "ANA ", "silva", "anna silva", "ana@example.com")),
    ],
)
def test_an_unknown_person_is_no_guest_and_it_is_said_who_may_be_meant_and_who_there_is(
    access: Access, wanted: str, near: bool
) -> None:
    with pytest.raises(UnknownPerson, match=r"people\.yaml") as refused:
        access.people.find(wanted)
    assert "Did you mean ana (Ana Silva)" in str(refused.value) or not near
    assert "U0BEN (Ben Okafor)" in str(refused.value)
    assert issubclass(UnknownPerson, WrongUse)


def test_of_many_people_only_some_are_named(write: Write) -> None:
    many = ", ".join(f"{{id: p{number}}}" for number in range(500))
    people = people_of(write(f"people: [{many}]"))
    with pytest.raises(UnknownPerson, match=r"p0, .*p7 and 492 more\. Name nobody"):
        people.find("somebody else")


def test_of_two_people_with_one_name_neither_is_taken(access: Access) -> None:
    with pytest.raises(UnknownPerson, match="U0BEN, U1BEN"):
        access.people.find("Ben Okafor")


def test_an_id_comes_before_an_e_mail_before_a_name(write: Write) -> None:
    text = "people: [{id: a, name: b}, {id: b, name: c@x.org}, {id: c, email: c@x.org}]"
    people = people_of(write(text))
    assert people.find("b").id == "b"
    assert people.find("c@x.org").id == "c"


@pytest.mark.parametrize(
    ("email", "known"),
    [
        ("ANA@example.ORG", "ana"),
        ("ben@example.org", "U0BEN"),
        ("mei@example.org", None),
        ("", None),
    ],
)
def test_whoever_writes_in_slack_is_known_by_their_e_mail(
    access: Access, email: str, known: str | None
) -> None:
    found = access.people.by_email(email)
    assert (found and found.id) == known


def test_nobody_is_an_administrator_of_whom_it_is_not_said(access: Access) -> None:
    assert [who.id for who in access.people.by_id.values() if who.admin] == ["ana"]


def test_of_courses_without_current_ones_nobody_knows_which_are(write: Write) -> None:
    people = "people: [{id: mei, courses: {completed: [CS101]}}]"
    mei = people_of(write(people)).find("mei")
    assert (mei.facets, mei.current) == ({"courses": frozenset({"CS101"})}, {})


def test_who_states_little_has_little(access: Access) -> None:
    mei = access.people.find("42")
    assert (mei.email, mei.admin, mei.profile) == ("", False, {})
    assert permits(AccessRule(), access.scope_for(mei, None, TODAY))
    assert not permits(AccessRule((("departments", ("cs",)),)), access.scope_for(mei, None, TODAY))


def test_an_operator_may_write_what_several_people_share_once(write: Write) -> None:
    shared = "people: [{id: a, departments: &cs [cs]}, {id: b, departments: *cs}]"
    people = people_of(write(shared))
    assert people.find("b").facets == {"departments": frozenset({"cs"})}


def test_without_a_file_nobody_is_known_and_no_channel_is_listed(tmp_path: Path) -> None:
    people = people_of(tmp_path / "people.yaml")
    channels = channels_of(tmp_path / "channels.yaml")
    assert (len(people), len(channels)) == (0, 0)
    assert Access(people, channels).scope_for(None, "C0CS", TODAY) == GUEST


@pytest.mark.parametrize("text", ["", "people:", "people: []"])
def test_an_empty_file_knows_nobody(write: Write, text: str) -> None:
    assert len(people_of(write(text))) == 0


# --- from who and where to what -------------------------------------------------------


def test_alone_a_person_reads_what_is_theirs_and_a_guest_what_is_nobodys(access: Access) -> None:
    ben = access.people.find("U0BEN")
    assert access.scope_for(ben, None, TODAY) == Scope({"courses": frozenset({"IS210"})}, TODAY)
    assert access.scope_for(None, None, TODAY) == GUEST


def test_current_courses_are_told_from_completed_ones_which_stay_readable(access: Access) -> None:
    """Of a plain list, and in a channel, nobody knows what is current."""
    scope = access.scope_for(access.people.find("ana"), None, TODAY)
    assert scope.current == {"courses": {"CS201", "CS305"}}
    assert scope.facets["courses"] == {"CS101", "CS201", "CS305"}
    assert access.scope_for(access.people.find("42"), None, TODAY).current == {"courses": set()}
    assert access.scope_for(access.people.find("U0BEN"), None, TODAY).current == {}
    assert access.scope_for(access.people.find("ana"), "C0CS", TODAY).current == {}


def test_in_a_channel_only_what_all_there_have_counts(access: Access) -> None:
    ana = access.people.find("ana")
    common = {"departments": frozenset({"cs"}), "batches": frozenset({"2023"})}
    for who in (ana, None):
        assert access.scope_for(who, "C0CS", TODAY) == Scope(common, TODAY)


@pytest.mark.parametrize("channel", ["C0ALL", "C0NONE", "C0UNLISTED", "c0cs", ""])
def test_in_any_other_channel_the_audience_is_guests(access: Access, channel: str) -> None:
    assert access.scope_for(access.people.find("ana"), channel, TODAY) == GUEST


@pytest.mark.parametrize("wanted", ["C0CS", "cs", "#CS"])
def test_a_listed_channel_is_found_by_id_or_name(access: Access, wanted: str) -> None:
    assert access.channels.find(wanted) == "C0CS"


@pytest.mark.parametrize(
    ("channel", "listed"), [("C0NONE", True), ("C0NOWHERE", False), ("cs", False)]
)
def test_a_channel_is_listed_by_its_id(access: Access, channel: str, listed: bool) -> None:
    assert access.channels.is_listed(channel) is listed
    assert access.channels.names["C0NONE"] == "C0NONE", "without a name it goes by its id"


@pytest.mark.parametrize("wanted", ["c0cs", "css", "", "#", "general"])
def test_a_channel_that_is_not_listed_is_not_found_but_named(access: Access, wanted: str) -> None:
    with pytest.raises(
        UnknownChannel, match=r"channels\.yaml has C0CS \(cs\), C0ALL, C0NONE"
    ) as told:
        access.channels.find(wanted)
    assert ("Did you mean C0CS (cs)?" in str(told.value)) is (wanted in ("c0cs", "css"))
    assert issubclass(UnknownChannel, WrongUse)


def test_of_two_channels_with_one_name_neither_is_taken(write: Write) -> None:
    text = "channels: [{id: C1, name: staff}, {id: C2, name: Staff}]"
    channels = channels_of(write(text))
    with pytest.raises(UnknownChannel, match=r"2 channels are called staff; .*: C1, C2"):
        channels.find("staff")


@pytest.mark.parametrize(
    ("units", "channel"),
    [
        (["cs"], "C0CS"),
        (["cs-office@example.org"], "C0CS"),
        (["nobody@example.org", "FEES@example.org", "cs"], "C0FEES"),
        (["hr"], None),
        ([""], None),
        ([], None),
    ],
)
def test_the_first_unit_that_a_channel_answers_for_leads_there(
    write: Write, units: list[str], channel: str | None
) -> None:
    channels = channels_of(write(MANAGED))
    assert channels.owning_channel(units) == channel
    assert channels.facets("C0FEES") == {}, "whoever answers may read no more for it"


@pytest.mark.parametrize(
    ("level", "audience", "units"),
    [
        ("department", (("departments", ("cs", "is")),), ("office@example.org", "cs", "is")),
        ("department", (("departments", ("*",)),), ("office@example.org",)),
        ("faculty", (("departments", ("cs",)),), ("office@example.org",)),
        ("university", (("programmes", ("staff",)),), ("office@example.org",)),
        ("", (), ("office@example.org",)),
    ],
)
def test_a_document_belongs_to_whom_it_names_and_to_the_units_of_its_level(
    level: str, audience: Audience, units: tuple[str, ...]
) -> None:
    stated = Metadata(level=level, access=AccessRule(audience), owner="office@example.org")
    assert units_of(stated, ONTOLOGY) == units
    assert units_of(Metadata(), ONTOLOGY) == ()


# --- files that are wrong -------------------------------------------------------------


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ("{name: Ana}", "entry number 1: `id` is missing"),
        ("{id: }", "`id` is missing"),
        ("{id: [a]}", "`id` must be a text"),
        ("{id: 1.10}", "`id` must be a text"),
        ("ana", "entry number 1 must be a mapping"),
        ("{id: ana, name: [Ana]}", "entry ana: `name`"),
        ("{id: ana, admin: yes please}", "entry ana: `admin` must be true or false"),
        ("{id: ana, admin: 1}", "entry ana: `admin`"),
        ('{id: ana, departments: ["*"]}', "entry ana: `departments`.*only documents"),
        ("{id: ana, departments: '*'}", "entry ana: `departments`.*only documents"),
        ("{id: ana, courses: {current: [' * ']}}", "entry ana: `courses`.*only documents"),
        ("{id: ana, courses: {curent: [CS1]}}", "entry ana: `courses` has curent"),
        ("{id: ana, courses: {current: {CS1: yes}}}", "entry ana: `courses`"),
        ("{id: ana, courses: [6.10]}", "entry ana: `courses`.*quotes"),
        ("{id: ana, departments: [no]}", "entry ana: `departments`.*quotes"),
        ("{id: ana, departments: [null]}", "entry ana: `departments`"),
        ("{id: ana, departments: [cs], departments: [is]}", "departments stands twice"),
        ("{id: ana, deparments: [cs]}", "entry ana: `deparments`.*write `departments`"),
        ("{id: ana, Departments: [cs]}", "entry ana: `Departments`.*write `departments`"),
        ("{id: ana, batch: 2024}", "entry ana: `batch`.*write `batches`"),
        ("{id: ana, faculty: computing}", "entry ana: `faculty`.*write `faculties`"),
        ("{id: ana, programs: [bsc]}", "entry ana: `programs`.*write `programmes`"),
        ("{id: ana}, {id: ANA}", "2 entries have the `id` ana"),
        ("{id: a, email: x@y.z}, {id: b, email: X@y.z}", "2 entries have the `email` x@y.z"),
    ],
)
def test_a_wrong_entry_is_named(write: Write, entry: str, says: str) -> None:
    with pytest.raises(BadConfiguration, match=rf"file\.yaml.*{says}"):
        people_of(write(f"people: [{entry}]"))


@pytest.mark.parametrize(
    "key", ["role", "groups", "access", "reader", "department_head", "class", "semester", "E-Mail"]
)
def test_any_other_key_of_a_person_is_of_their_profile(write: Write, key: str) -> None:
    people = people_of(write(f"people: [{{id: ana, {key}: x}}]"))
    assert people.find("ana").profile == {key: "x"}


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ("{audience: {}}", "`id` is missing"),
        ("{id: C1, audiance: {departments: [cs]}}", "entry C1: `audiance`.*write `audience`"),
        ("{id: C1, audience: cs}", "entry C1: `audience` must map"),
        ("{id: C1, audience: {deparments: [cs]}}", "entry C1: `audience`.*deparments"),
        ('{id: C1, audience: {departments: ["*"]}}', r"entry C1: `audience\.departments`"),
        ("{id: C1}, {id: C1, audience: {departments: [cs]}}", "2 entries have the `id`"),
        ("{id: C1, answers_for: {cs: hr}}", "entry C1: `answers_for`"),
        ('{id: C1, answers_for: ["*"]}', "entry C1: `answers_for`"),
        ("{id: C1, answers_for: hr}, {id: C2, answers_for: HR}", "2 .* `answers_for` hr"),
        ("{id: C1, forbids: [answer-unasked]}", "entry C1: `forbids`.*write `forbid`"),
        ("{id: C1, forbid: [everything]}", "entry C1: `forbid`.*answer-unasked"),
        ("{id: C1, manager: [ana]}", "entry C1: `manager`.*write `managers`"),
        ("{id: C1, user_group: x}", "entry C1: `user_group`.*write `usergroup`"),
    ],
)
def test_a_wrong_channel_is_named(write: Write, entry: str, says: str) -> None:
    with pytest.raises(BadConfiguration, match=rf"(?i)file\.yaml.*{says}"):
        channels_of(write(f"channels: [{entry}]"))


@pytest.mark.parametrize(
    "text", ["people: [", "- {id: ana}", "people: {ana: {}}", "person: []", "people: text", "ana"]
)
def test_a_file_that_is_no_list_of_people_is_named(write: Write, text: str) -> None:
    path = write(text)
    with pytest.raises(BadConfiguration, match=r"file\.yaml"):
        people_of(path)
    path.write_bytes("people: [{id: müller}]".encode("latin-1"))
    with pytest.raises(BadConfiguration, match=r"file\.yaml"):
        people_of(path)


@given(text=st.text(st.sampled_from("people:[]{}-*&!|'\" \n\t#idx,?0é")) | st.text())
def test_whatever_stands_in_the_file_is_understood_or_named(write: Write, text: str) -> None:
    path = write(text)
    for load in (people_of, channels_of):
        with suppress(BadConfiguration):
            assert len(load(path)) >= 0


def test_a_channel_names_who_manages_it_and_what_nobody_turns_on(write: Write) -> None:
    channels = channels_of(write(MANAGED))
    assert channels.managers == {"C0CS": {"ana", "U0BEN"}, "C0FEES": frozenset()}
    assert channels.forbidden == {"C0CS": {Widening.OUTSIDERS}, "C0FEES": frozenset()}
