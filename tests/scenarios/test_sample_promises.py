"""A newcomer follows the sample's README, and gets what it tells them to look for."""

import re
from typing import Any

import pytest
import yaml
from at_length import first
from vouch_home import SAMPLE, STRICT, Home, cited_files

README = (SAMPLE / "README.md").read_text(encoding="utf-8")
TOUR = yaml.safe_load((SAMPLE / "tour.yaml").read_text(encoding="utf-8"))
ON = ("--on", "2026-11-21")
LATE = "How late may I hand in coursework, and what does it cost me?"
PARKING = "How much does a parking permit cost?"
RE_EVALUATION = "What's the fee to get my exam re-evaluated, and by when do I have to apply?"
FEE = "What's the fee for having an exam re-evaluated?"
BOARD = "Does the Board of Examiners raise a module mark of 49 to 50?"
LAPTOP = "How long can I borrow a laptop for?"

DEPARTMENT = "computer-science/coursework-rules.md"
FACULTY = "faculty-of-computing/coursework-and-attendance.html"
HANDBOOK = "computer-science/msc-handbook.docx"
LABS = "computer-science/labs-and-laptops.md"
FACULTY_FEE = "faculty-of-computing/re-evaluation.md"
UNIVERSITY_FEE = "university/regulations/re-evaluation-2025.md"
INFORMATION_SYSTEMS = "information-systems/department-rules.md"
EXAMINERS = "staff/examiners-guidance.md"
REGULATIONS = "university/regulations/academic-regulations-2025.pdf"

OFFERED = {
    "ana": {
        "Is generative AI allowed in CS201?": (
            "Generative AI tools are not allowed",
            "computer-science/courses/CS201-handbook.html",
        ),
        "What can I bring into the CS305 exam?": (
            "one hand-written A4 sheet",
            "computer-science/courses/CS305-handbook.docx",
        ),
        LAPTOP: ("can be borrowed for 14 days", LABS),
    },
    "ben": {
        LATE: ("up to 5 calendar days", FACULTY),
        "What does Little's law say?": (
            "the arrival rate multiplied by the average cycle time",
            "information-systems/courses/IS210-notes.html",
        ),
        "How many workshops must I attend?": ("10 of the 12 weekly workshops", INFORMATION_SYSTEMS),
    },
    "mei": {
        "Can I use both late tokens on one assignment?": (
            "Both tokens cannot be used for the same piece of coursework",
            HANDBOOK,
        ),
        "How long does the MSc thesis take, max how many words?": (
            "takes 22 weeks and has at most 25,000 words",
            HANDBOOK,
        ),
        "My thesis is going to be late, what happens?": ("handed in late is failed", HANDBOOK),
    },
    "tomas": {
        BOARD: ("A module mark of 49 is raised to 50", EXAMINERS),
        "Can coursework be re-evaluated?": (
            "Coursework cannot be re-evaluated",
            UNIVERSITY_FEE,
        ),
        "At what load factor does linear probing become slow?": (
            "when the load factor exceeds about 0.7",
            "computer-science/courses/CS201-notes.md",
        ),
    },
    "priya": {
        "How late can students hand in coursework, and how many marks does it cost them?": (
            "up to 7 calendar days",
            REGULATIONS,
        ),
        "How long are marked scripts kept?": ("kept for 18 months", EXAMINERS),
        "How much is the examiner allowance for each script?": (
            "6.50 euros for each script",
            "staff/travel-allowance.docx",
        ),
    },
}
"""What the tour offers each person besides: what the reply says, and where it stands."""


def asked(home: Home, question: str, person: str, *options: str) -> dict[str, Any]:
    """With the settings as shipped, as the newcomer has them."""
    return home.ask(question, "--as", person, *(options or ON), **STRICT)


def said(reply: dict[str, Any]) -> str:
    return " ".join(claim["text"] for claim in reply["claims"])


def overridden(home: Home, reply: dict[str, Any]) -> set[str]:
    candidates = home.record(reply["audit_id"])["candidates"]
    return {each["file"] for each in candidates if each["overridden_by"]}


def shown_files(reply: dict[str, Any]) -> set[str]:
    """Of an answer what it cites, of a refusal what it quotes as nearest."""
    return cited_files(reply) | {each["file"] for each in reply["nearest"]}


def test_the_readme_asks_what_is_tried_here() -> None:
    told = " ".join(README.split())
    for question in (LATE, RE_EVALUATION, PARKING, FEE, BOARD, LAPTOP):
        assert question in told


def test_what_the_tour_offers_is_tried_here() -> None:
    offered = {person: list(told) for person, told in OFFERED.items()}
    assert offered == TOUR["questions"]


@pytest.mark.parametrize(
    ("person", "question"),
    first(4, [(person, each) for person, several in OFFERED.items() for each in several]),
)
def test_who_asks_what_the_tour_offers_is_answered_from_the_right_document(
    university: Home, person: str, question: str
) -> None:
    words, file = OFFERED[person][question]
    reply = asked(university, question, person)
    assert reply["decision"] != "ABSTAIN"
    assert words in said(reply)
    assert cited_files(reply) == {file}


@pytest.mark.parametrize("stop", TOUR["stops"], ids=[stop["as"] for stop in TOUR["stops"]])
def test_a_stop_of_the_tour_is_refused_where_its_note_says_so_and_else_answered(
    university: Home, stop: dict[str, str]
) -> None:
    reply = asked(university, stop["question"], stop["as"])
    assert (reply["decision"] == "ABSTAIN") == ("found no answer" in stop["note"])


def test_bens_re_evaluation_is_answered_by_the_rule_of_his_department_alone(
    university: Home,
) -> None:
    reply = asked(university, RE_EVALUATION, "ben")
    assert "20 euros" in said(reply)
    assert "15 working days" in said(reply)
    assert cited_files(reply) == {INFORMATION_SYSTEMS}
    assert overridden(university, reply) >= {FACULTY_FEE, UNIVERSITY_FEE}


@pytest.mark.exhaustive
def test_what_asks_by_when_is_missing_where_no_time_is_said(university: Home) -> None:
    reply = asked(university, "how do students cite a web page, how and by when", "mei")
    assert "the author, the title" in said(reply)
    assert (reply["decision"], reply["missing"]) == ("PARTIAL", ["by when"])


@pytest.mark.parametrize("leave", ["leave", "annual leave"])
def test_staff_are_told_how_many_days_of_leave_they_have(university: Home, leave: str) -> None:
    reply = asked(university, f"how many days of {leave} do I have?", "tomas")
    assert reply["decision"] != "ABSTAIN"
    assert "Employees have 28 days of annual leave a year" in said(reply)
    assert university.record(reply["audit_id"])["question"].endswith("do I have?")


def test_staff_are_not_told_of_a_leave_that_no_document_has(university: Home) -> None:
    reply = asked(university, "how many days of study leave do I have?", "tomas")
    assert reply["decision"] == "ABSTAIN"


def test_students_are_told_nothing_of_the_leave_of_staff(university: Home) -> None:
    reply = asked(university, "how many days of leave do I have?", "ana")
    assert reply["decision"] == "ABSTAIN"
    assert "leave.md" not in " ".join(shown_files(reply))


def test_a_table_row_is_answered_as_a_sentence(university: Home) -> None:
    reply = asked(university, "daily allowance for a full day abroad in europe", "tomas")
    assert said(reply) == (
        "Absence: Full day of 24 hours; Within the country: 42 euros; "
        "Elsewhere in Europe: 58 euros; Outside Europe: 75 euros"
    )
    assert "\t58 euros\t" in reply["claims"][0]["citations"][0]["quote"]


def test_anas_rule_is_not_bens_to_see(university: Home) -> None:
    reply = asked(university, LATE, "ben")
    assert reply["missing"] == [], "a duration tells how late"
    record = university.record(reply["audit_id"])
    assert DEPARTMENT not in {each["file"] for each in record["candidates"]}
    assert "10 percentage points" not in reply["text"]


def test_who_is_missing_one_part_is_told_the_office_for_that_part_alone(university: Home) -> None:
    both = "How late may I hand in coursework, how much is a parking permit?"
    reply = asked(university, both, "ana")
    assert reply["missing"] == ["how much is a parking permit?"]
    assert reply["owners"] == ["campus@example.org"]


@pytest.mark.exhaustive
def test_a_new_question_that_finds_nothing_quotes_nothing_of_the_one_before(
    university: Home,
) -> None:
    before = ("--after", "a student got 49, do we bump them up")
    reply = asked(university, "is there a limit to jury service?", "tomas", *ON, *before)
    assert reply["decision"] == "ABSTAIN"
    assert {each["file"] for each in reply["nearest"]} == {"staff/leave.md"}
    assert "bump" not in reply["text"]


@pytest.mark.parametrize(
    ("person", "question", "added", "told"),
    [
        ("mei", "how late can i hand in coursework", "and for group projects", "group projects"),
        ("mei", "how late can i hand in coursework", "and for the thesis?", "the thesis"),
        ("ana", LATE, "and for group work?", "cannot be used for group work"),
    ],
)
def test_a_follow_up_is_answered_by_the_sentence_about_what_it_adds(
    university: Home, person: str, question: str, added: str, told: str
) -> None:
    reply = asked(university, added, person, *ON, "--after", question)
    assert reply["decision"] != "ABSTAIN"
    assert all(told in claim["text"].lower() for claim in reply["claims"])


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "new",
    [
        "does it rain tomorrow",
        "a student got 49, do we bump them up",
        "can i use chatgpt for cs305",
    ],
)
def test_another_question_is_not_taken_for_a_part_of_what_was_asked_before(
    university: Home, new: str
) -> None:
    reply = asked(university, new, "ana", *ON, "--after", LATE)
    assert university.record(reply["audit_id"])["standalone_question"] == new
    assert "coursework-rules.md" not in cited_files(reply)


@pytest.mark.parametrize(
    ("day", "euros", "version"),
    [("2026-11-21", "40 euros", "2025"), ("2025-03-10", "60 euros", "2022")],
)
def test_each_version_of_a_regulation_is_read_on_its_day(
    university: Home, day: str, euros: str, version: str
) -> None:
    reply = asked(university, FEE, "priya", "--on", day)
    assert reply["decision"] != "ABSTAIN"
    assert euros in said(reply)
    assert cited_files(reply) == {f"university/regulations/re-evaluation-{version}.md"}


def test_the_guidance_for_examiners_is_for_staff(university: Home) -> None:
    answered = asked(university, BOARD, "tomas")
    assert answered["decision"] == "ANSWER"
    assert "A module mark of 49 is raised to 50" in said(answered)
    assert cited_files(answered) == {"staff/examiners-guidance.md"}
    refused = asked(university, BOARD, "ana")
    assert refused["decision"] == "ABSTAIN"
    assert "staff/" not in str(refused)


def entries(name: str) -> list[dict[str, Any]]:
    found = yaml.safe_load((SAMPLE / f"{name}.yaml").read_text(encoding="utf-8"))[name]
    assert isinstance(found, list)
    return found


def test_the_readme_counts_right() -> None:
    numbers = {"five": 5, "six": 6}
    documents = [
        each
        for each in (SAMPLE / "documents").rglob("*")
        if each.is_file() and each.name != "metadata.yaml"
    ]
    labelled = (SAMPLE / "questions.jsonl").read_text(encoding="utf-8").strip().split("\n")
    counted = re.findall(r"^    \S+ +(\w+) (documents|people|channels)", README, re.MULTILINE)
    told = {what: count for count, what in counted}
    assert int(told["documents"]) == len(documents)
    assert numbers[told["people"]] == len(entries("people"))
    assert numbers[told["channels"]] == len(entries("channels"))
    assert f"{len(labelled)} labelled questions" in README


def test_everybody_in_the_readmes_table_is_in_the_sample_and_nobody_else() -> None:
    assert re.findall(r"^\| `(\w+)` \|", README, re.MULTILINE) == [
        person["id"] for person in entries("people")
    ]


def test_the_files_that_the_readme_names_are_there() -> None:
    named = re.findall(r"^    ([\w./]+) ", README, re.MULTILINE)
    assert named
    assert [name for name in named if not (SAMPLE / name).exists()] == []
