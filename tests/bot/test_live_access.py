"""An operator edits the people while the program runs."""

import os
from datetime import date
from pathlib import Path

import pytest

from bot.access.channels import Channels
from bot.access.people import Access, LiveAccess, People
from bot.errors import UnknownPerson
from retrieval.metadata.ontology import load_ontology

ONTOLOGY = load_ontology(None)
TODAY = date(2026, 3, 2)


def write(path: Path, text: str) -> None:
    """As an editor does, and with a new time of change however coarse the clock is."""
    changed = path.stat().st_mtime_ns + 1_000_000 if path.exists() else None
    path.write_text(text)
    if changed:
        os.utime(path, ns=(changed, changed))


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.yaml"
    write(path, "people: [{id: ana, departments: [cs]}]")
    return path


@pytest.fixture
def access(people: Path) -> LiveAccess:
    channels = people.with_name("channels.yaml")
    return LiveAccess(
        lambda: Access(People.load(people, ONTOLOGY), Channels.load(channels, ONTOLOGY)),
        [people, channels],
    )


def test_who_changes_department_reads_other_documents_at_once(
    people: Path, access: LiveAccess
) -> None:
    write(people, "people: [{id: ana, departments: [is]}]")
    assert access.people.find("ana").facets == {"departments": {"is"}}


def test_who_leaves_is_a_stranger_at_once(people: Path, access: LiveAccess) -> None:
    write(people, "people: []")
    with pytest.raises(UnknownPerson):
        access.people.find("ana")


def test_a_channel_listed_later_gets_its_audience(people: Path, access: LiveAccess) -> None:
    assert access.scope_for(None, "C1", TODAY).facets == {}
    write(people.with_name("channels.yaml"), "channels: [{id: C1, audience: {departments: [cs]}}]")
    assert access.scope_for(None, "C1", TODAY).facets == {"departments": {"cs"}}


def test_a_typing_error_leaves_in_force_what_was_read_before(
    people: Path, access: LiveAccess
) -> None:
    write(people, "people: [{id: ana, departments: 3.5}]")
    assert access.people.find("ana").facets == {"departments": {"cs"}}
    assert "departments" in access.problem
    write(people, "people: [{id: ana, departments: [is]}]")
    assert access.people.find("ana").facets == {"departments": {"is"}}
    assert access.problem == ""
