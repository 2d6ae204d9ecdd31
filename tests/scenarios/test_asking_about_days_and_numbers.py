"""Somebody asks about a day ahead, an academic year, an amount, or one of many numbered things."""

from dataclasses import replace

import pytest
from vouch_home import LENIENT, STRICT, Home, cited_files

ON = ("--on", "2026-11-26")
DOCUMENTS = {
    "resit-2026.md": "---\nvalid_from: 2026-01-01\nvalid_to: 2026-12-31\n---\n"
    "# Re-sit fee\n\nA re-sit of an exam costs 40 euros.\n\nGuests pay 55 euros for a re-sit.\n",
    "resit-2027.md": "---\nvalid_from: 2027-01-01\n---\n"
    "# Re-sit fee\n\nA re-sit of an exam costs 60 euros.\n\nGuests pay 75 euros for a re-sit.\n",
    "parking.md": "# Parking\n\nA parking permit costs 12 euros a month.\n\n"
    "Bike parking costs 12 euros a year.\n",
    "lockers.md": "---\nvalid_to: 2026-12-31\n---\n# Lockers\n\n"
    "The rent of a locker is 9 euros a month.\n",
    "rooms.md": "# Seminar rooms\n\nRoom 2026 seats 24 people and has a projector.\n\n"
    "Room 3041 seats 12 people and has a whiteboard.\n",
    "labs.md": "# Labs\n\n| Room | Keys are kept by |\n|---|---|\n"
    "| 2026 | Ana Brook |\n| 3041 | Ben Carter |\n",
    "tuition.md": "# Tuition\n\n| Academic year | Tuition fee a term |\n|---|---|\n"
    "| 2025/26 | 1,500 euros |\n| 2026/27 | 1,650 euros |\n",
    "expenses.md": "# Expenses\n\nThe head of department approves expenses of more than 2050 "
    "euros.\n\nExpenses of up to 2050 euros are approved by the team leader.\n",
    "sensor.html": "<h1>Rain</h1><p>The rain sensor on the roof counts up to 10<sup>3</sup> drops "
    "an hour.</p>",
    "first-week.md": "# First week\n\nOn your first day, do this:\n\n1. Collect your badge.\n"
    "2. Fetch your laptop from room 12.\n3. Change the start password.\n4. Read the fire rules.\n"
    "5. Add your bank details.\n6. Choose a pension plan.\n7. Take the photo.\n",
}


@pytest.fixture(scope="module")
def office(shared_home: Home) -> Home:
    shared_home.reads(DOCUMENTS)
    return replace(shared_home, environment=STRICT)


@pytest.mark.parametrize(
    "asked",
    [
        "How much does a re-sit cost in February 2027?",
        "How much does a re-sit cost from January?",
        "what will a re-sit cost next year",
        "What does a re-sit cost on 1.2.2027?",
        "re-sit fee 2027?",
    ],
)
def test_who_asks_about_a_day_ahead_is_answered_as_of_that_day_and_told_so(
    office: Home, asked: str
) -> None:
    reply = office.ask(asked, *ON)
    assert cited_files(reply) == {"resit-2027.md"}
    assert "60 euros" in reply["text"]
    assert reply["text"].startswith(f"You ask about {reply['as_of']}, so I answer as of that day")
    assert "from 2027-01-01 on" in reply["text"]
    assert office.record(reply["audit_id"])["filter"]["on"] == reply["as_of"]


@pytest.mark.parametrize(
    ("earlier", "asked", "euros"),
    [
        (["How much does a re-sit cost?"], "And from January?", "60 euros"),
        (["How much does a re-sit cost?"], "and next year?", "60 euros"),
        (["How much does a re-sit cost in February 2027?"], "And for guests?", "75 euros"),
        (["How much does a re-sit cost?", "And from January?"], "and for guests?", "75 euros"),
        (["How much does a re-sit cost in February 2027?"], "and today?", "40 euros"),
        (["How much is a parking permit?"], "And from January?", "12 euros"),
    ],
)
def test_a_follow_up_is_answered_as_of_the_day_that_is_being_talked_about(
    office: Home, earlier: list[str], asked: str, euros: str
) -> None:
    after = [word for each in earlier for word in ("--after", each)]
    reply = office.ask(asked, *ON, *after)
    assert euros in reply["text"]
    ahead = euros not in ("40 euros", "12 euros")
    assert (reply["as_of"] == "2026-11-26") is not ahead
    assert ("so I answer as of that day" in reply["text"]) is ahead


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "asked",
    [
        "How much does a re-sit cost?",
        "How much does a re-sit cost until January?",
        "I took an exam in January, what does a re-sit cost?",
        "How much does a re-sit cost in room 2041?",
    ],
)
def test_who_asks_about_no_day_ahead_is_answered_as_of_today(office: Home, asked: str) -> None:
    reply = office.ask(asked, *ON)
    assert reply["as_of"] == "2026-11-26"
    assert "60 euros" not in reply["text"]


def test_what_holds_no_more_on_the_day_is_no_answer_about_it(office: Home) -> None:
    asked = "What does it cost to rent a locker in {}?"
    reply = office.ask(asked.format("February 2027"), *ON)
    assert reply["decision"] == "ABSTAIN"
    assert not any("locker" in each["file"] for each in reply["nearest"])
    assert "9 euros" not in reply["text"]
    assert reply["text"].startswith("You ask about 2027-02-01, so I answer as of that day.")
    assert "Lockers (valid until 2026-12-31)" in reply["text"]
    assert "9 euros" in office.ask(asked.format("December 2026"), *ON)["text"]


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("asked", "fee"),
    [
        ("tuition in 2026/27", "1,650"),
        ("tuition fee 2026-27", "1,650"),
        ("tuition fee a term in 2025/26?", "1,500"),
        ("tuition fee a term in 2026/2027?", "1,650"),
        ("tuition fee a term in 2026\N{EN DASH}27?", "1,650"),
    ],
)
def test_an_academic_year_is_looked_for_whole(office: Home, asked: str, fee: str) -> None:
    reply = office.ask(asked, *ON)
    assert office.record(reply["audit_id"])["standalone_question"] == asked
    assert [fee in claim["text"] for claim in reply["claims"]] == [True]


def test_an_exponent_is_read_as_one(office: Home) -> None:
    (claim,) = office.ask("how many drops an hour does the rain sensor count?")["claims"]
    assert "10³ drops" in claim["text"]
    assert "10<sup>3</sup> drops" in claim["citations"][0]["quote"]
    assert claim["status"] == "VERIFIED"


def test_an_amount_is_no_year(office: Home) -> None:
    asked = "Who approves expenses of more than 2050 euros?"
    reply = office.ask(asked, *ON)
    assert office.record(reply["audit_id"])["standalone_question"] == asked
    assert "head of department" in reply["text"]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("How many people does room 2026 seat?", "24 people"),
        ("who keeps the keys of room 3041", "Ben Carter"),
        ("How many people does room 3041 seat?", "12 people"),
    ],
)
def test_a_room_is_no_year_and_is_found_by_its_number(office: Home, asked: str, said: str) -> None:
    reply = office.ask(asked, *ON)
    assert office.record(reply["audit_id"])["standalone_question"] == asked
    assert [said in claim["text"] for claim in reply["claims"]] == [True]


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "asked",
    [
        "How many people does room 2041 seat?",
        "Does room 2041 have a projector?",
        "who keeps the keys of room 2041",
        "Does room 304 have a whiteboard?",
    ],
)
def test_of_a_room_that_nothing_is_said_of_nothing_is_answered(office: Home, asked: str) -> None:
    reply = office.ask(asked, *ON)
    assert (reply["decision"], reply["claims"]) == ("ABSTAIN", [])
    candidates = office.record(reply["audit_id"])["candidates"]
    stated = {each["file"]: each["eligibility"] for each in candidates}
    assert stated["rooms.md"] == "about others of what the question names by its number"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("What is step 5 on my first day?", "Add your bank details."),
        ("what's step seven on my first day", "Take the photo."),
    ],
)
def test_one_step_of_many_is_found_by_its_number(office: Home, asked: str, said: str) -> None:
    reply = office.ask(asked, *ON, **LENIENT)
    assert [claim["text"] for claim in reply["claims"]] == [said]


def test_of_a_step_that_no_list_has_nothing_is_answered(office: Home) -> None:
    assert office.ask("What is step 14 on my first day?", *ON)["decision"] == "ABSTAIN"
