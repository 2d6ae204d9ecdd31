"""Copies of a restricted document have its readers, and an older edition its time."""

from datetime import date
from pathlib import Path

import pytest
from ingests import held, ingest_into, write
from stating import pdf, word

from retrieval.ingest.likeness import COPY, sketch_of
from retrieval.ingest.sync import Ingest
from retrieval.metadata.readers import EVERYBODY
from retrieval.metadata.status import NEVER
from retrieval.parsing import parser_for
from retrieval.types import AccessRule

HR = (("departments", ("hr",)),)
LINES = (
    "The salaries of the house are reviewed in March of every year by the board.",
    "A department proposes each change in writing, with the budget that it comes from.",
    "Nobody sees the figures of another person before the letters are signed and sent.",
    "Bonuses are paid with the salary of April, and never above a tenth of the year.",
)
TEXT = "\n\n".join(LINES)
IS_HR = "---\naudience: {departments: [hr]}\n---\n"


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    write(tmp_path / "docs", {"open.md": "Cats purr, and dogs bark at night."})
    return tmp_path / "docs"


@pytest.fixture
def ingest(tmp_path: Path) -> Ingest:
    return ingest_into(tmp_path / "home")


def rules(ingest: Ingest) -> dict[str, AccessRule]:
    return {
        file: each.document.metadata.access
        for file, each in ingest.stacks.library.holdings("docs").items()
        if not each.suspended
    }


def test_copies_and_exports_have_the_readers_of_what_they_are_copies_of(
    ingest: Ingest, docs: Path
) -> None:
    write(docs, {"s - Copy.md": TEXT, "s.md": f"{IS_HR}{TEXT}"})
    (docs / "s.docx").write_bytes(word(*LINES))
    (docs / "s.pdf").write_bytes(pdf(*LINES))
    report = ingest.run(docs, EVERYBODY)
    audiences = {file: rule.audience for file, rule in rules(ingest).items()}
    copies = {"s - Copy.md", "s.docx", "s.pdf"}
    assert audiences == {"open.md": (), "s.md": HR, **dict.fromkeys(copies, HR)}
    assert {each.file for each in report.alike} == copies
    assert ingest.run(docs, EVERYBODY).unchanged == 5


def test_a_copy_that_was_there_before_is_closed_when_its_original_comes(
    ingest: Ingest, docs: Path
) -> None:
    write(docs, {"copy.md": TEXT})
    assert len(ingest.run(docs, EVERYBODY).added) == 2
    write(docs, {"hr/pay.md": TEXT, "hr/metadata.yaml": "'*': {audience: {departments: [hr]}}"})
    ingest.run(docs, EVERYBODY)
    assert rules(ingest)["copy.md"].audience == HR
    (docs / "hr" / "metadata.yaml").unlink()
    ingest.run(docs, EVERYBODY)
    ingest.run(docs, EVERYBODY)
    assert rules(ingest)["copy.md"].audience == ()


def test_a_document_that_states_its_readers_itself_keeps_them(ingest: Ingest, docs: Path) -> None:
    """Handbooks of each batch are alike, and each for its own."""
    for year in ("2024", "2025"):
        write(docs, {f"handbook-{year}.md": f"---\naudience: {{batches: [{year}]}}\n---\n{TEXT}"})
    ingest.run(docs, EVERYBODY)
    found = rules(ingest)
    assert found["handbook-2024.md"] == AccessRule((("batches", ("2024",)),))
    assert found["handbook-2025.md"] == AccessRule((("batches", ("2025",)),))


FORM = (
    "Request for leave of the {} department. Name: {}. First day: {}. Last day: {}. Kind: {}. "
    "The request goes to the manager two weeks ahead, who signs it and sends it on to personnel. "
    "Whoever is ill on a day of leave tells it on that day, and has the day given back."
)
FILLED = [
    FORM.format("sales", "Ana Silva", "2 May", "9 May", "annual leave"),
    FORM.format("law", "Ben Okoro", "1 July", "30 July", "parental leave"),
    FORM.format("......", "......", "......", "......", "......"),
]


def test_forms_of_one_template_are_no_copies(ingest: Ingest, docs: Path) -> None:
    write(docs, {f"{n}.md": each for n, each in enumerate(FILLED[1:])})
    write(docs, {"ana.md": f"{IS_HR}{FILLED[0]}"})
    ingest.run(docs, EVERYBODY)
    assert [rules(ingest)[file].audience for file in ("0.md", "1.md", "ana.md")] == [(), (), HR]


def test_of_two_editions_the_older_holds_until_the_newer_begins(ingest: Ingest, docs: Path) -> None:
    rule = "# Passwords {}\n\nA password has twelve characters or more and {}.\n"
    write(docs, {"it/passwords-2024.md": rule.format(2024, "is changed every 90 days")})
    ingest.run(docs, EVERYBODY)
    assert rules(ingest)["it/passwords-2024.md"].valid_to is None
    write(docs, {"it/passwords-2026.md": rule.format(2026, "is never changed by force")})
    ingest.run(docs, EVERYBODY)
    assert rules(ingest)["it/passwords-2024.md"].valid_to == date(2025, 12, 31)
    assert rules(ingest)["it/passwords-2026.md"].valid_to is None
    assert ingest.run(docs, EVERYBODY).unchanged == 3
    (docs / "it" / "passwords-2026.md").unlink()
    ingest.run(docs, EVERYBODY)
    assert rules(ingest)["it/passwords-2024.md"].valid_to is None


@pytest.mark.parametrize(
    "new",
    [
        "---\nreplaces: travel-old.md\n---\nBook the train first.",
        "---\nsupersedes: [Travel in the house]\n---\nBook the train first.",
        "# Travel\n\nThis policy replaces the Travel in the house.\n\nBook the train first.",
    ],
)
def test_what_another_says_that_it_replaces_is_over(ingest: Ingest, docs: Path, new: str) -> None:
    write(docs, {"travel-old.md": "# Travel in the house\n\nFly wherever you like."})
    ingest.run(docs, EVERYBODY)
    write(docs, {"travel.md": new})
    report = ingest.run(docs, EVERYBODY)
    assert rules(ingest)["travel-old.md"].valid_to == NEVER
    assert "travel.md, which replaces it" in report.alike[0].reason
    write(docs, {"travel.md": "# Travel\n\nThis policy replaces nothing.\n\nBook the train first."})
    ingest.run(docs, EVERYBODY)
    assert ingest.run(docs, EVERYBODY).alike == ()
    assert rules(ingest)["travel-old.md"].valid_to is None


DESK = "# {}\n\nA room has two desks and a lamp."


@pytest.mark.parametrize(
    ("files", "texts"),
    [
        (("minutes-2024.md", "minutes-2026.md"), ("# Minutes\n\nIt rained.", "# Minutes\n\nSnow.")),
        (("room 2024.md", "stairs 2026.md"), (DESK.format("Desks"), DESK.format("Desks"))),
        (("a-2024.md", "a-2026.md"), (DESK.format("Fees"), DESK.format("Grants"))),
    ],
)
def test_what_differs_by_more_than_its_year_is_no_edition(
    ingest: Ingest, docs: Path, files: tuple[str, str], texts: tuple[str, str]
) -> None:
    write(docs, dict(zip(files, texts, strict=True)))
    ingest.run(docs, EVERYBODY)
    assert {rule.valid_to for rule in rules(ingest).values()} == {None}
    assert len(held(ingest)) == 3


def test_a_sketch_is_the_same_whoever_makes_it_and_tells_how_much_is_shared() -> None:
    def sketch(text: str) -> bytes:
        return bytes.fromhex(sketch_of(parser_for("a.txt")(text.encode())))

    def likeness(one: str, other: str) -> float:
        pairs = list(zip(*(iter(sketch(each)) for each in (one, other)), strict=True))
        return sum(a == b for a, b in pairs) / len(pairs)

    words = [f"word{n}" for n in range(400)]
    half = " ".join([*words[:200], *(f"other{n}" for n in range(200))])
    assert likeness(" ".join(words), " ".join(words)) == 1
    assert 0.2 < likeness(" ".join(words), half) < 0.5
    assert likeness(FILLED[0], FILLED[1]) < COPY
    assert sketch_of(parser_for("a.txt")(b"One")) == ""
