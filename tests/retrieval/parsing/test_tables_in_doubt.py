"""A value stands under the name that it has on screen; in doubt its row is read as printed."""

import pytest
from openpyxl.styles import Font
from parsed_documents import texts
from workbooks import Rows, saved, workbook

from retrieval.parsing import delimited, html, markdown
from retrieval.parsing.xlsx import parser as xlsx

BLUE = ["Zone: Blue; Fee: 4", "Zone: Blue; Deposit: 40"]
ANEW = {
    "values.csv": "Zone,Fee\nBlue,4\nZone,Deposit\nBlue,40\n",
    "page.md": "|Zone|Fee|\n|---|---|\n|Blue|4|\n|**Zone**|**Deposit**|\n|Blue|40|\n",
    "page.html": "<table><thead><tr><th>Zone<th>Fee<tbody><tr><td>Blue<td>4<thead><tr><th>Zone"
    "<th>Deposit<tbody><tr><td>Blue<td>40</table>",
}
READERS = {"csv": delimited.parse, "md": markdown.parse, "html": html.parse}


@pytest.mark.parametrize("file", ANEW)
def test_heads_that_begin_anew_name_what_stands_below_them(file: str) -> None:
    assert texts(READERS[file.rpartition(".")[2]](ANEW[file].encode())) == BLUE


AS_PRINTED = {
    "Name,Type,Needed\nname,string,yes\nage,number,no\n": (
        "Name: name; Type: string; Needed: yes|Name: age; Type: number; Needed: no"
    ),
    ",,2025,,,2026,\nItem,Plan,Now,Left,Plan,Now,Left\nMap,1,2,3,4,5,6\n": (
        "2025; 2026|Item; Plan; Now; Left; Plan; Now; Left|Map; 1; 2; 3; 4; 5; 6"
    ),
}


@pytest.mark.parametrize("written", AS_PRINTED)
def test_rows_that_may_be_heads_or_stand_under_others_are_read_as_printed(written: str) -> None:
    assert texts(delimited.parse(written.encode())) == AS_PRINTED[written].split("|")


PAGES = {
    "<tr><th>Kind<th>Fee": "Kind; Fee",
    "<tr><th>A<th>B<th>C<tbody><tr><td rowspan=0>x<td>1<td>2<tr><td>3<td>4<tbody><tr><td>y<td>5": (
        "A: x; B: 1; C: 2|A: x; B: 3; C: 4|A: y; B: 5"
    ),
    "<tr><th>Day<th>Open<tr><td>Mon<td>8<tr><th>Hall<th>Ends<tr><td>K1<td>9": (
        "Day: Mon; Open: 8|Hall; Ends|K1; 9"
    ),
    "<tr><th>Item<th>EUR<tr><td>A<td>1<tr><th>Total<th>1<tr><td>B<td>2": (
        "Item: A; EUR: 1|Item: Total; EUR: 1|Item: B; EUR: 2"
    ),
    "</table><div role=table><div role=row><span role=columnheader>Key</span><span "
    "role=columnheader>Deposit</span></div><div role=row><span role=cell><span>R1</span></span>"
    "<span role=cell>25 EUR</span></div></div><p><span role=cell>End</span>.": (
        "Key: R1; Deposit: 25 EUR|End."
    ),
}


@pytest.mark.parametrize("rows", PAGES)
def test_header_cells_in_a_page_lead_what_they_name_alone(rows: str) -> None:
    assert texts(html.parse(f"<table>{rows}</table>".encode())) == PAGES[rows].split("|")


SHEETS: list[tuple[Rows, str]] = [
    (
        [["Owner", "Ana"], ["Version", 2], ["Valid", "2025-01-01"]],
        "Owner; Ana|Version; 2|Valid; 2025-01-01",
    ),
    (
        [
            ["Staff", None, None, "Guests"],
            ["Grade", "Days", None, "Room", "Beds"],
            ["A", 25, None, "K1", 2],
            [None, None, None, "K2", 3],
        ],
        "Staff: Grade: A; Days: 25|Guests: Room: K1; Beds: 2|Guests: Room: K2; Beds: 3",
    ),
    (
        [["Site", "Plan", "Now", None, "Last", "Before"], ["Lyon", 1, 2, None, 3, 4]],
        "Site: Lyon; Plan: 1; Now: 2; Last: 3; Before: 4",
    ),
    (
        [["Item", "Weight", "Fee"], [None, "kg", "EUR"], ["Box", 3, 4], ["Bag", 1, 2]],
        "Item: Box; Weight kg: 3; Fee EUR: 4|Item: Bag; Weight kg: 1; Fee EUR: 2",
    ),
    ([["Item", "Fee"], ["Map", 3], ["Pen", 4.5]], "Item: Map; Fee: 3|Item: Pen; Fee: 4.5"),
]


@pytest.mark.parametrize(("rows", "read"), SHEETS)
def test_what_stands_beside_something_is_of_its_own_table_alone(rows: Rows, read: str) -> None:
    assert texts(xlsx.parse(saved(workbook({"S": rows})))) == read.split("|")


def test_bold_rows_of_one_cell_are_over_the_rows_below_them() -> None:
    rows: Rows = [["Course", "Credits"], ["First year"], ["Logic", 5], ["Last year"], ["Art", 6]]
    made = workbook({"S": rows})
    for number in (1, 2, 4):
        for cell in made["S"][number]:
            cell.font = Font(bold=True)
    assert texts(xlsx.parse(saved(made))) == [
        "First year: Course: Logic; Credits: 5",
        "Last year: Course: Art; Credits: 6",
    ]
