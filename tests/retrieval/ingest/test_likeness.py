"""Copies of a restricted document have its readers, and an older edition its time."""

import os
from contextlib import nullcontext
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from growth import MOST_GROWTH, steps
from ingests import House, house_in, write
from stating import labelled, pdf, word

from retrieval.ingest import reading, source_files
from retrieval.ingest.near_duplicates import COPY, Likeness, sketch_of
from retrieval.metadata.access import EVERYBODY, Audience
from retrieval.metadata.status import NEVER
from retrieval.parsing import parser_for
from retrieval.types import AccessRule, Metadata

HR: Audience = (("departments", ("hr",)),)
LINES = (
    "The salaries of the house are reviewed in March of every year by the board.",
    "A department proposes each change in writing, with the budget that it comes from.",
    "Nobody sees the figures of another person before the letters are signed and sent.",
    "Bonuses are paid with the salary of April, and never above a tenth of the year.",
)
TEXT = "\n\n".join(LINES)
IS_HR = "---\naudience: {departments: [hr]}\n---\n"


@pytest.fixture
def house(tmp_path: Path) -> House:
    return house_in(tmp_path, {"open.md": "Cats purr, and dogs bark at night."})


def test_copies_and_exports_have_the_readers_of_what_they_are_copies_of(house: House) -> None:
    write(house.docs, {"s - Copy.md": TEXT, "s.md": f"{IS_HR}{TEXT}"})
    (house.docs / "s.docx").write_bytes(word(*LINES))
    (house.docs / "s.pdf").write_bytes(pdf(*LINES))
    report = house.reads()
    audiences = {file: rule.audience for file, rule in house.rules.items()}
    copies = {"s - Copy.md", "s.docx", "s.pdf"}
    assert audiences == {"open.md": (), "s.md": HR, **dict.fromkeys(copies, HR)}
    assert {each.file for each in report.alike} == copies
    assert house.reads().unchanged == 5


def test_a_copy_that_was_there_before_is_closed_when_its_original_comes(house: House) -> None:
    write(house.docs, {"copy.md": TEXT})
    assert len(house.reads().added) == 2
    house.reads({"hr/pay.md": TEXT, "hr/metadata.yaml": "'*': {audience: {departments: [hr]}}"})
    assert house.rules["copy.md"].audience == HR
    (house.docs / "hr" / "metadata.yaml").unlink()
    house.reads()
    house.reads()
    assert house.rules["copy.md"].audience == ()


def for_departments(*names: str) -> str:
    return f"---\naudience: {{departments: [{', '.join(names)}]}}\n---\n{TEXT}"


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """No file is taken for one that may still be changing."""
    monkeypatch.setattr(source_files, "FRESH_NS", -(10**18))


@pytest.mark.usefixtures("settled")
def test_a_copy_follows_its_original_within_one_ingest(house: House) -> None:
    house.reads({"a copy.md": TEXT, "s.md": for_departments("hr", "it")})
    house.reads({"s.md": for_departments("hr")})
    assert house.rules["a copy.md"].audience == HR
    house.reads({"s.md": TEXT})
    assert house.rules["a copy.md"].audience == ()


@pytest.mark.usefixtures("settled")
def test_a_copy_stays_closed_while_its_original_cannot_be_read(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.reads({"copy.md": TEXT, "hr/s.md": for_departments("hr")})
    write(house.docs, {"hr/s.md": f"---\naudience: {{departmnt: [board]}}\n---\n{TEXT}"})
    for text in (TEXT, TEXT, f"{TEXT} So it is."):
        house.reads({"copy.md": text})
        assert house.rules.get("copy.md", AccessRule(HR)).audience == HR
    assert "copy.md" not in house.rules, "nobody knows for whom it is"
    house.reads({"hr/s.md": for_departments("hr")})
    house.reads()
    assert house.rules["copy.md"].audience == HR
    scandir = os.scandir

    def without_hr(folder: Path) -> "os._ScandirIterator[str]":
        if Path(folder).name == "hr":
            raise PermissionError(13, "Permission denied")
        return scandir(folder)

    monkeypatch.setattr(os, "scandir", without_hr)
    house.reads()
    assert {file: rule.audience for file, rule in house.rules.items()}["copy.md"] == HR
    assert "hr/s.md" not in house.rules


def test_a_copy_that_states_days_alone_is_closed(house: House) -> None:
    text = f"---\nvalid_from: 2024-01-01\nvalid_to: 2094-01-01\n---\n{TEXT}"
    write(house.docs, {"hr/metadata.yaml": "'*': {audience: {departments: [hr]}}"})
    write(house.docs, {"hr/s.md": text, "s - Copy.md": text})
    for unchanged in (0, 3):
        assert house.reads().unchanged == unchanged
        rule = AccessRule(HR, date(2024, 1, 1), date(2094, 1, 1))
        assert house.rules["s - Copy.md"] == rule


def test_a_copy_keeps_its_readers_where_nobody_said_yet_who_may_read_its_source(
    house: House,
) -> None:
    house.reads({"copy.md": TEXT, "s.md": for_departments("hr")})
    library = house.ingest.indexed.library
    library.know(replace(library.sources()[0], said=None))
    for unchanged in (0, 3):
        assert house.reads(said=None).unchanged == unchanged
        assert {rule.audience for rule in house.rules.values()} == {EVERYBODY, HR}
        assert house.rules["copy.md"].audience == HR


def test_a_copy_stays_closed_where_its_original_has_another_name_than_its_entry(
    house: House,
) -> None:
    write(house.docs, {"copy.md": TEXT, "s.md": f"{TEXT}\n\nSo it is."})
    house.reads({"metadata.yaml": "s.md: {audience: {departments: [hr]}}"})
    (house.docs / "s.md").rename(house.docs / "t.md")
    house.reads()
    assert [house.rules[file].audience for file in ("copy.md", "t.md")] == [HR, HR]


def test_a_copy_is_closed_where_an_ingest_was_ended_before_it_could_be(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(house.docs, {"copy.md": TEXT, "s.md": for_departments("hr")})
    with monkeypatch.context() as ended:
        ended.setattr(Likeness, "late", lambda *_: [])
        house.reads()
        assert house.rules["copy.md"].audience == ()
    house.reads()
    assert house.rules["copy.md"].audience == HR


class Killed(BaseException):
    """No kind of failure that an ingest may survive."""


@pytest.mark.parametrize(("before", "said"), [(EVERYBODY, "Nothing of it yet."), (HR, TEXT)])
def test_no_copy_is_open_at_any_moment_whatever_ends_the_ingest(
    house: House, monkeypatch: pytest.MonkeyPatch, before: Audience, said: str
) -> None:
    """Be it new, changed to one, or opened by another `--for`."""
    monkeypatch.setattr(reading, "PASSAGES_AT_ONCE", 1)
    write(house.docs, {"b copy.md": said})
    house.reads(said=before)
    write(house.docs, {"a copy.md": TEXT, "b copy.md": TEXT, "m.md": "Birds sing."})
    write(house.docs, {"z.md": f"{IS_HR}{TEXT}"})
    seen: list[dict[str, str]] = []

    def looking(_: int, __: int, file: str) -> None:
        open_now = {each for each, rule in house.rules.items() if not rule.audience}
        seen.append({each: text for each, text in house.held.items() if each in open_now})
        if file == dies_at:
            raise Killed

    for dies_at in ("b copy.md", "m.md", "z.md", "never"):
        with nullcontext() if dies_at == "never" else pytest.raises(Killed):
            house.reads(progress=looking)
    looking(0, 0, "the end")
    assert not any("salaries" in text for each in seen for text in each.values())
    assert seen[-1].keys() == {"m.md", "open.md"}
    assert house.held.keys() == {"a copy.md", "b copy.md", "m.md", "open.md", "z.md"}


def test_what_was_open_is_served_while_it_is_read_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.reads({"pool.md": "The pool opens at nine."})
    monkeypatch.setattr(reading, "PASSAGES_AT_ONCE", 1)
    write(house.docs, {"metadata.yaml": "pool.md: {owner: pool@example.org}"})
    served: list[bool] = []
    house.reads(progress=lambda *_: served.append("pool.md" in house.held))
    assert all(served)


def test_what_is_only_touched_is_served_still(house: House) -> None:
    """Also where what it says of itself stands elsewhere than in front matter."""
    write(house.docs, {"copy.md": TEXT, "s.md": for_departments("hr")})
    write(house.docs, {"old.md": "# Pool (archived)\n\nThe pool is cleaned on Thursdays."})
    house.reads({"p.html": "<meta name=valid_from content=2024-01-01><p>It opens at nine.</p>"})
    before = house.rules
    for file in before:
        (house.docs / file).touch()
    assert house.reads().unchanged == len(before) == 5
    assert house.rules == before


def looking_at(documents: int) -> None:
    known, drawn = Likeness(), np.random.default_rng(0)
    fees = Metadata(access=AccessRule(HR), restricted_in=("x",), states_readers=True)
    for number in range(documents):
        sketch = drawn.integers(0, 2**16, 128, dtype=np.uint16).tobytes().hex()
        known.applied(f"{number}.md", fees if number % 2 else Metadata(), "Fees", sketch)
    assert known.late(EVERYBODY) == []


def test_twice_as_many_documents_are_looked_at_with_twice_the_work() -> None:
    once, twice = (steps(partial(looking_at, n)) for n in (300, 600))
    assert twice / once < MOST_GROWTH


def test_a_document_that_states_its_readers_itself_keeps_them(house: House) -> None:
    """Handbooks of each batch are alike, and each for its own."""
    for year in ("2024", "2025"):
        house.reads({f"handbook-{year}.md": f"---\naudience: {{batches: [{year}]}}\n---\n{TEXT}"})
    found = house.rules
    assert found["handbook-2024.md"] == AccessRule((("batches", ("2024",)),))
    assert found["handbook-2025.md"] == AccessRule((("batches", ("2025",)),))


def test_an_export_of_what_is_kept_out_as_it_may_restrict_is_kept_out_too(house: House) -> None:
    (house.docs / "s.docx").write_bytes(labelled("Confidential", *LINES))
    write(house.docs, {"a.txt": TEXT, "s.txt": TEXT})
    for _ in range(3):
        report = house.reads()
        assert house.rules.keys() == {"open.md"}
        assert {each.file for each in report.problems} == {"a.txt", "s.docx", "s.txt"}
    (house.docs / "s.docx").write_bytes(labelled("General", *LINES))
    house.reads()
    house.reads()
    assert house.rules.keys() == {"open.md", "a.txt", "s.docx", "s.txt"}


def test_a_draft_closes_no_rule_that_says_nearly_the_same(house: House) -> None:
    house.reads({"draft.md": f"---\ndraft: true\n---\n{TEXT}", "rule.md": TEXT})
    assert house.rules.keys() == {"open.md", "rule.md"}


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


def test_forms_of_one_template_are_no_copies(house: House) -> None:
    write(house.docs, {f"{n}.md": each for n, each in enumerate(FILLED[1:])})
    house.reads({"ana.md": f"{IS_HR}{FILLED[0]}"})
    assert [house.rules[file].audience for file in ("0.md", "1.md", "ana.md")] == [(), (), HR]


def test_of_two_editions_the_older_holds_until_the_newer_begins(house: House) -> None:
    rule = "# Passwords {}\n\nA password has twelve characters or more and {}.\n"
    house.reads({"it/passwords-2024.md": rule.format(2024, "is changed every 90 days")})
    assert house.rules["it/passwords-2024.md"].valid_to is None
    house.reads({"it/passwords-2026.md": rule.format(2026, "is never changed by force")})
    assert house.rules["it/passwords-2024.md"].valid_to == date(2025, 12, 31)
    assert house.rules["it/passwords-2026.md"].valid_to is None
    assert house.reads().unchanged == 3
    (house.docs / "it" / "passwords-2026.md").unlink()
    house.reads()
    assert house.rules["it/passwords-2024.md"].valid_to is None


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Kegs-2025_88121.html", "Kegs-2026_90417.html"),
        ("Kegs-v1_88121.html", "Kegs-v2_4071.html"),
        ("Kegs-2025_20458812.html", "Kegs-2026.html"),
    ],
)
def test_of_two_editions_in_an_export_the_id_behind_each_name_is_no_matter(
    house: House, older: str, newer: str
) -> None:
    page = "<title>Kegs</title><p>A keg is returned within {} days, or its deposit is kept by us."
    house.reads({older: page.format(90), newer: page.format(60)})
    assert house.rules[older].valid_to is not None
    assert house.rules[newer].valid_to is None
    assert house.reads().unchanged == 3


@pytest.mark.parametrize(
    "new",
    [
        "---\nreplaces: travel-old.md\n---\nBook the train first.",
        "---\nsupersedes: [Travel in the house]\n---\nBook the train first.",
        "# Travel\n\nThis policy replaces the Travel in the house.\n\nBook the train first.",
    ],
)
def test_what_another_says_that_it_replaces_is_over(house: House, new: str) -> None:
    house.reads({"travel-old.md": "# Travel in the house\n\nFly wherever you like."})
    report = house.reads({"travel.md": new})
    assert house.rules["travel-old.md"].valid_to == NEVER
    assert "travel.md, which replaces it" in report.alike[0].reason
    house.reads({"travel.md": "# Travel\n\nThis policy replaces nothing.\n\nBook the train first."})
    assert house.reads().alike == ()
    assert house.rules["travel-old.md"].valid_to is None


@pytest.mark.parametrize(
    ("older", "said", "is_over"),
    [
        ("Travel Policy 2024", "Agreed in May. It replaces the Travel Policy 2024.", True),
        ("Duo", "Okta is our second factor. It replaces Duo.", False),
    ],
)
def test_it_replaces_another_where_it_names_a_paper(
    house: House, older: str, said: str, is_over: bool
) -> None:
    house.reads({"a.md": f"# {older}\n\nFly wherever.", "b.md": f"# Rules\n\n{said}\n\nWalk."})
    house.reads()
    assert (house.rules["a.md"].valid_to == NEVER) is is_over


@pytest.mark.parametrize(
    ("of_source", "of_new", "rule"),
    [
        (EVERYBODY, "[hr]", AccessRule(over_for=((HR, NEVER),))),
        (HR, "[hr, it]", AccessRule(HR, valid_to=NEVER)),
        (EVERYBODY, '"*"', AccessRule(valid_to=NEVER)),
    ],
)
def test_a_replacement_for_some_leaves_the_older_in_force_for_the_others(
    house: House, of_source: Audience, of_new: str, rule: AccessRule
) -> None:
    stated = f"---\nreplaces: travel-old.md\naudience: {{departments: {of_new}}}\n---\n"
    write(
        house.docs, {"travel-old.md": "Fly wherever you like.", "z.md": f"{stated}Book the train."}
    )
    house.reads(said=of_source)
    assert house.rules["travel-old.md"] == rule
    write(house.docs, {"z.md": "Book the train."})
    house.reads(said=of_source)
    house.reads(said=of_source)
    assert house.rules["travel-old.md"] == AccessRule(of_source)


def test_a_newer_edition_that_is_a_copy_for_some_leaves_the_older_to_the_others(
    house: House,
) -> None:
    house.reads({"pay-2024.md": f"{TEXT}\n\n{FORM}", "pay-2026.md": TEXT})
    assert house.rules["pay-2024.md"].valid_to == date(2025, 12, 31)
    house.reads({"s.md": f"{IS_HR}{TEXT}"})
    assert house.rules["pay-2026.md"].audience == HR
    assert house.rules["pay-2024.md"] == AccessRule(over_for=((HR, date(2025, 12, 31)),))
    house.reads({"pay-2027.md": f"{TEXT}\n\n{FORM}"})
    assert house.rules["pay-2024.md"].valid_to == date(2026, 12, 31)


DESK = "# {}\n\nA room has two desks and a lamp."


@pytest.mark.parametrize(
    ("files", "texts"),
    [
        (("minutes-2024.md", "minutes-2026.md"), ("# Minutes\n\nIt rained.", "# Minutes\n\nSnow.")),
        (("room 2024.md", "stairs 2026.md"), (DESK.format("Desks"), DESK.format("Desks"))),
        (("a-2024.md", "a-2026.md"), (DESK.format("Fees"), DESK.format("Grants"))),
        (("room-2024.md", "room-2026.md"), (DESK.format("A room"), DESK.format("A room"))),
        (("2024.md", "2026.md"), (DESK.format("Room 2024"), DESK.format("Room 2026"))),
        (("2024.md", "2026.md"), (DESK.format("2024 euros"), DESK.format("2026 euros"))),
        (("room_2024.md", "room_2026.md"), (DESK.format("A room"), DESK.format("A room"))),
        (("desk_4101.md", "desk_4102.md"), (DESK.format("A room"), DESK.format("A room"))),
        (("cve-2024_0464.md", "cve-2026_0465.md"), (DESK.format("A leak"), DESK.format("A leak"))),
        (("a-2024_20241203.md", "a-2026_20260107.md"), (DESK.format("Met"), DESK.format("Met"))),
        (("a-2024_88121.md", "a-2026_90417.md"), (DESK.format("Fees"), DESK.format("Grants"))),
        (("cve-2024-0464.md", "cve-2026-0464.md"), (DESK.format("A leak"), DESK.format("A leak"))),
    ],
)
def test_what_differs_by_more_than_its_year_is_no_edition(
    house: House, files: tuple[str, str], texts: tuple[str, str]
) -> None:
    house.reads(dict(zip(files, texts, strict=True)))
    assert {rule.valid_to for rule in house.rules.values()} == {None}
    assert len(house.held) == 3


RULE = "# Guide {}\n\nA password has twelve characters or more and is changed by its owner.\n"


@pytest.mark.parametrize(
    ("older", "newer", "ends"),
    [
        ("v1.9", "v1.10", NEVER),
        ("2026 v1", "2026 v2", NEVER),
        ("2024-25", "2025-26", date(2025, 9, 30)),
        ("2025-12", "2026-01", date(2025, 12, 31)),
        ("2026-01", "2026-02", None),
        ("2024-01-05", "2024-02-05", None),
        ("v3", "2019", None),
    ],
)
def test_months_of_a_year_and_a_version_beside_a_year_are_no_editions(
    house: House, older: str, newer: str, ends: date | None
) -> None:
    house.reads({f"2020/guide {each}.md": RULE.format(each) for each in (older, newer)})
    assert house.rules[f"2020/guide {older}.md"].valid_to == ends
    assert house.rules[f"2020/guide {newer}.md"].valid_to is None


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
