"""Whom and what an auditor names, and which records are meant."""

import pytest

from audit.queries import Asker, CitedDocument
from bot.access.names import document_id, person_id
from bot.access.people import People, Person
from bot.errors import UnknownDocument, UnknownPerson, WrongUse

PEOPLE = People(
    {
        "ana": Person("ana", "Ana Silva", "ana@example.org", {}),
        "U1": Person("U1", "Sam Lee", "", {}),
    }
)
ASKERS = [
    Asker("ana", "Ana S."),
    Asker("U2", "Sam Lee"),
    Asker("U3", "Robin"),
    Asker("guest", "guest"),
]
CITED = [
    CitedDocument("d1", "old/leave.md", "Leave"),
    CitedDocument("d1", "staff/leave.md", "Annual leave"),
    CitedDocument("d2", "leave.md", "Sabbaticals"),
    CitedDocument("d3", "a/fees.md", "Fees"),
    CitedDocument("d4", "b/fees.md", "Fees"),
]


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("ana", "ana"),
        ("Ana  silva", "ana"),
        ("ANA@example.org", "ana"),
        ("Ana", "ana"),
        ("silva", "ana"),
        ("robin", "U3"),
        ("U2", "U2"),
        ("guest", "guest"),
    ],
)
def test_somebody_is_meant_by_id_e_mail_or_name_also_who_left(said: str, meant: str) -> None:
    assert person_id(said, PEOPLE, ASKERS) == meant


def test_who_shares_a_name_with_somebody_who_left_is_not_taken_for_them() -> None:
    with pytest.raises(UnknownPerson, match="U1, U2"):
        person_id("sam lee", PEOPLE, ASKERS)


@pytest.mark.parametrize("said", ["Anna", "silvia", "ana@example.com"])
def test_of_somebody_unknown_it_is_said_who_may_be_meant(said: str) -> None:
    with pytest.raises(UnknownPerson, match=r"Did you mean ana \(Ana Silva\)"):
        person_id(said, PEOPLE, ASKERS)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("d1", "d1"),
        ("staff/leave.md", "d1"),
        ("old/leave.md", "d1"),
        ("annual LEAVE", "d1"),
        ("leave.md", "d2"),
        ("Leave.MD", None),
        ("fees.md", None),
        ("B/fees.md", "d4"),
    ],
)
def test_a_document_is_meant_by_its_id_or_path_before_a_name_that_others_share(
    said: str, meant: str | None
) -> None:
    if meant:
        assert document_id(said, CITED) == meant
        return
    with pytest.raises(WrongUse, match="2 documents are called"):
        document_id(said, CITED)


@pytest.mark.parametrize("said", ["sabatical", "leave", "handbook.md", ""])
def test_a_document_that_no_answer_cites_is_not_found(said: str) -> None:
    with pytest.raises(UnknownDocument, match="No answer cites"):
        document_id(said, CITED[2:])
