"""People, channels and documents of several workspaces, of which Slack's ids may be the same."""

from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from libraries import library_in

from bot.access.entries import Facets
from bot.access.people import Access, LiveAccess
from bot.access.reading import foreign_sources, kept_out_in, sources_in
from bot.access.user_groups import ReadGroup
from bot.errors import BadConfiguration
from bot.settings import Settings
from bot.wiring.container import Container
from bot.wiring.given_files import values_held
from bot.wiring.workspace import workspace_seed
from bot.wording.documents import who
from bot.workspace.seed import BOT_USER
from retrieval.documents.holdings import KeptOut, KnownSource
from retrieval.errors import BadMetadata, BadOntology
from retrieval.metadata.access import EVERYONE, HOME, TEAM, audience_said
from retrieval.metadata.folder_metadata import FolderMetadata
from retrieval.metadata.ontology import load_ontology

OWN, OTHER, DAY = "T0OWN", "T0OTHER", date(2026, 3, 2)
SEVERAL = load_ontology(home_team=OWN)
PEOPLE = f"""
people:
  - {{id: U1, name: Ana, email: ana@x.example, departments: [hr]}}
  - {{id: U1, team: {OTHER}, name: Anneke, email: ana@x.example}}
  - {{id: U2, team: {OWN}, name: Ben}}
  - {{id: U2, team: {OTHER}, name: Bo}}
  - {{id: U3, team: {OTHER}, name: Cas}}
"""
CHANNELS = f"""
channels:
  - {{id: C1, audience: {{departments: [hr]}}, answers_for: hr}}
  - {{id: C1, team: {OTHER}, answers_for: hr}}
"""


def test_the_same_ids_are_somebody_else_and_somewhere_else(tmp_path: Path) -> None:
    (tmp_path / "people.yaml").write_text(PEOPLE)
    (tmp_path / "channels.yaml").write_text(CHANNELS)
    access = Access.load(tmp_path, SEVERAL)
    assert {who.id: who.name for who in access.people.by_id.values()} == {
        "U1": "Ana",
        f"{OTHER}//U1": "Anneke",
        "U2": "Ben",
        f"{OTHER}//U2": "Bo",
        f"{OTHER}//U3": "Cas",
    }
    named = (access.people.by_email("ANA@x.example", team) for team in ("", OTHER, "T0THIRD"))
    assert [who and who.name for who in named] == ["Ana", "Anneke", None]
    owning = (access.channels.owning_channel(["HR"], team) for team in ("", OTHER, "T0THIRD"))
    assert list(owning) == ["C1", f"{OTHER}//C1", None]
    live = LiveAccess(lambda: access, [])
    teams = {
        reader: live.scope_for(person, channel, DAY).facets[TEAM]
        for reader, person, channel in (
            ("a guest", None, None),
            ("Ben", access.people.find("Ben"), None),
            ("a channel", None, "C1"),
            ("their Ana", access.people.find("Anneke"), None),
            ("their channel", None, f"{OTHER}//C1"),
            ("guests in theirs", None, f"{OTHER}//"),
        )
    }
    here, there = frozenset({HOME}), frozenset({OTHER})
    assert list(teams.values()) == [here, here, here, there, there, there]


def test_where_there_is_one_workspace_alone_nothing_is_told_apart(tmp_path: Path) -> None:
    (tmp_path / "people.yaml").write_text(
        "people: [{id: TECH/ana, name: Ana, team: platform, email: ana@x.example}]"
    )
    access = Access.load(tmp_path, load_ontology())
    ana = access.people.find("TECH/ana")
    assert (ana.profile, ana.facets, ana.team) == ({"team": "platform"}, {}, "")
    assert access.people.by_email("ana@x.example") is ana
    assert access.scope_for(None, None, DAY).facets == {}


def test_a_user_group_opens_no_channel_of_another_workspace(tmp_path: Path) -> None:
    (tmp_path / "people.yaml").write_text("people: []\nusergroups: {staff: {departments: [hr]}}")
    channels = f"channels: [{{id: C1, team: {OTHER}, usergroup: staff}}]"
    (tmp_path / "channels.yaml").write_text(channels)
    with pytest.raises(BadConfiguration, match=f"`usergroup` is {OTHER}//staff, which"):
        Access.load(tmp_path, SEVERAL)


GROUPS = f"""
people: []
usergroups:
  staff: [{{departments: [hr]}}, {{team: {OTHER}, departments: [it]}}]
  S0SAME: {{team: {OTHER}, programmes: [night]}}
"""


def test_a_group_gives_something_in_its_own_workspace_alone_whatever_it_is_called(
    tmp_path: Path,
) -> None:
    (tmp_path / "people.yaml").write_text(GROUPS)
    channels = (
        f"channels: [{{id: C1, usergroup: staff}}, {{id: C1, team: {OTHER}, usergroup: staff}}]"
    )
    (tmp_path / "channels.yaml").write_text(channels)
    known = Access.load(tmp_path, SEVERAL)
    now = datetime.now(UTC)
    ours = ReadGroup("S0SAME", "staff", frozenset({"U1"}), now)
    theirs = ReadGroup(f"{OTHER}//S0SAME", "Staff", frozenset({f"{OTHER}//U1"}), now)
    third = ReadGroup("T0THIRD//S0SAME", "staff", frozenset({"T0THIRD//U1"}), now)

    def given(*read: ReadGroup) -> list[Facets]:
        live = LiveAccess(lambda: known, [], lambda: read)
        people = [live.group_facets(each) for each in ("U1", f"{OTHER}//U1", "T0THIRD//U1")]
        return [*people, *(live.common_in(each) or {} for each in ("C1", f"{OTHER}//C1"))]

    hr, it, night = ({"departments": {"hr"}}, {"departments": {"it"}}, {"programmes": {"night"}})
    here, there = {TEAM: {HOME}}, {TEAM: {OTHER}}
    assert given(ours, theirs, third) == [hr, it | night, {}, hr | here, it | there]
    assert given(theirs, third) == [{}, it | night, {}, {}, it | there]
    assert given(ours, third) == [hr, {}, {}, hr | here, {}]


def test_what_groups_give_elsewhere_is_offered_to_no_administrator_here(tmp_path: Path) -> None:
    """As readers of a file that is read in."""
    (tmp_path / "people.yaml").write_text(GROUPS)
    known = Access.load(tmp_path, SEVERAL)
    offered = values_held(LiveAccess(lambda: known, []), SEVERAL.facets)
    assert {facet: values for facet, values in offered.items() if values} == {"departments": ["hr"]}


def test_a_local_workspace_has_the_groups_of_its_own_people(tmp_path: Path) -> None:
    groups = f"staff: [{{local_members: [U1]}}, {{team: {OTHER}, local_members: [U3]}}]"
    (tmp_path / "people.yaml").write_text(f"{PEOPLE}\nusergroups: {{{groups}}}")
    channels = (
        f"channels: [{{id: C1, usergroup: staff}}, {{id: C1, team: {OTHER}, usergroup: staff}}]"
    )
    (tmp_path / "channels.yaml").write_text(channels)
    settings = Settings(_env_file=None, home=tmp_path, slack_team=OWN)  # type: ignore[call-arg]  # pydantic-settings' own
    for team, member in (("", "U0U1"), (OTHER, "U3")):
        seed = workspace_seed(Container(settings), team=team)
        assert [(each.handle, each.users) for each in seed.usergroups] == [("staff", (member,))]
        [room] = seed.channels
        assert (room.members, room.topic) == ((member, BOT_USER), "everyone here is in @staff")


def test_two_groups_of_one_handle_in_one_workspace_are_an_error(tmp_path: Path) -> None:
    twice = f"[{{team: {OTHER}, departments: [hr]}}, {{team: {OTHER}, departments: [it]}}]"
    (tmp_path / "people.yaml").write_text(f"people: []\nusergroups: {{staff: {twice}}}")
    with pytest.raises(BadConfiguration, match="2 entries have the `usergroups`"):
        Access.load(tmp_path, SEVERAL)


def test_a_group_of_no_workspace_at_all_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "people.yaml").write_text("people: []\nusergroups: {staff: []}")
    with pytest.raises(BadConfiguration, match="the user group staff must map"):
        Access.load(tmp_path, SEVERAL)


def test_what_is_no_workspace_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "people.yaml").write_text("people: [{id: ana, team: platform}]")
    with pytest.raises(BadConfiguration, match="`team` must be the id of a workspace"):
        Access.load(tmp_path, SEVERAL)
    for stated in (f"{OTHER}/U0ANA", f"{OTHER}//U0ANA", "TECH/ana"):
        (tmp_path / "people.yaml").write_text(f"people: [{{id: {stated}, admin: true}}]")
        with pytest.raises(BadConfiguration, match="`id` begins as that of a workspace"):
            Access.load(tmp_path, SEVERAL)
    (tmp_path / "people.yaml").write_text(f"usergroups: {{hr: {{{TEAM}: {OTHER}}}}}\npeople: []")
    with pytest.raises(BadConfiguration, match="unknown facet"):
        Access.load(tmp_path, SEVERAL)
    own = tmp_path / "ontology.yaml"
    own.write_text("levels: [{name: all, score: 1}]\nfacets: [team]")
    with pytest.raises(BadOntology, match="call it otherwise"):
        load_ontology(own, OWN)
    assert load_ontology(own).facets == ("team",)


@pytest.mark.parametrize(
    ("source", "stated", "teams"),
    [
        ("everyone", "", (HOME,)),
        ("everyone", f"audience: {{team: {OWN}}}", (HOME,)),
        ("everyone", f"audience: {{team: [{OTHER}, {OWN}]}}", (HOME,)),
        ("everyone", 'audience: {team: "*"}', (HOME,)),
        (f"team={OTHER}", "", (OTHER,)),
        (f"team={OTHER}", 'audience: {team: "*"}', (OTHER,)),
        ("team=*", "", ("*",)),
        ("team=*", f"audience: {{team: [{OTHER}, {OWN}]}}", (OTHER, HOME)),
    ],
)
def test_a_document_says_for_which_workspaces_it_is(
    tmp_path: Path, source: str, stated: str, teams: tuple[str, ...]
) -> None:
    (tmp_path / "metadata.yaml").write_text(f"fees.md:\n  {stated or 'title: Fees'}\n")
    said = audience_said([source], SEVERAL.facets)
    folder = FolderMetadata(tmp_path, SEVERAL, said, ["fees.md"], ["metadata.yaml"])
    assert dict(folder.resolve([], "fees.md").access.audience) == {TEAM: teams}


@pytest.mark.parametrize(
    ("said", "stated", "hearing"),
    [
        ("everyone", "everyone", [""]),
        (None, f"team={OTHER}", [""]),
        ("everyone", f"team={OTHER}", [""]),
        ("team=*", f"team={OTHER}", [""]),
        (f"team={OTHER}", "everyone", [OTHER]),
        (f"team={OWN}", "everyone", [""]),
        (f"team={OWN},{OTHER}", f"team={OTHER}", [""]),
        (f"team={OTHER},T0THIRD", "everyone", []),
    ],
)
def test_only_whom_the_operator_let_read_a_source_hear_how_it_stands(
    tmp_path: Path, said: str | None, stated: str, hearing: list[str]
) -> None:
    """Whatever its folder says, and whichever way the home's own workspace is written."""
    operators = None if said is None else audience_said([said], SEVERAL.facets)
    folders = audience_said([stated], SEVERAL.facets)
    library = library_in(tmp_path)
    library.know(KnownSource("docs", "docs", whole=True, said=operators, stated=folders))
    library.keep_out("docs", (), [KeptOut("docs", "fees.md", "is for nobody")])
    everyone = ["", OTHER, "T0THIRD"]
    for heard in (kept_out_in, sources_in):
        assert [each for each in everyone if heard(library, SEVERAL, each)] == hearing
    assert foreign_sources(library, SEVERAL) == (set() if "" in hearing else {"docs"})


def test_no_document_opens_itself_to_another_workspace(tmp_path: Path) -> None:
    (tmp_path / "metadata.yaml").write_text(f"fees.md:\n  audience: {{team: {OTHER}}}\n")
    folder = FolderMetadata(tmp_path, SEVERAL, (), ["fees.md"], ["metadata.yaml"])
    with pytest.raises(BadMetadata, match="is for nobody"):
        folder.resolve([], "fees.md")


def test_whose_documents_they_are_is_said_in_words() -> None:
    assert who([(TEAM, [HOME])]) == "everyone in your own workspace"
    assert who([("courses", ["CS201"]), (TEAM, [OTHER, HOME])]) == (
        f"courses CS201 in workspace {OTHER} or your own workspace"
    )
    assert who([(TEAM, [EVERYONE])]) == "everyone in any workspace"
    assert who([(TEAM, [])]) == "nobody"
