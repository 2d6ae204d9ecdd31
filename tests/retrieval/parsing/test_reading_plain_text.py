import pytest
from parsed_documents import assert_places_hold, kinds, quotes, read, sentences, texts

from retrieval.parsing.plain import parse
from retrieval.types import FragmentKind

ITEM, PARAGRAPH = FragmentKind.LIST_ITEM, FragmentKind.PARAGRAPH

TEXT = """\
The Handbook
============

Leave is earned
every month. It lapses in May.
- One item
  goes on
2) Another one. With two sentences.

SICK LEAVE

Call us.

Forms
-----
See the office.
"""


def test_paragraphs_lists_and_headings_are_told_apart() -> None:
    document = parse(TEXT.encode())
    assert_places_hold(document)
    assert document.title == "The Handbook"
    assert kinds(document) == [
        (PARAGRAPH, "Leave is earned every month. It lapses in May."),
        (ITEM, "One item goes on"),
        (ITEM, "Another one. With two sentences."),
        (PARAGRAPH, "Call us."),
        (PARAGRAPH, "See the office."),
    ]
    assert [fragment.section_path for fragment in document.fragments] == [
        *((), (), (), ("SICK LEAVE",), ("Forms",)),
    ]
    assert quotes(document)[0] == "Leave is earned\nevery month."
    assert [(s.line_start, s.line_end) for s in sentences(document)][:3] == [(4, 5), (5, 5), (6, 7)]


def test_lines_are_counted_the_same_with_carriage_returns() -> None:
    document = parse(TEXT.replace("\n", "\r\n").encode())
    assert_places_hold(document)
    assert sentences(document)[2].line_end == 7


COLUMNS = """\
Course   Home    Away
BSc      9,250   20,100
MSc      12,500  24,000
"""


def test_lines_of_columns_under_names_are_rows_of_a_table() -> None:
    document = parse(COLUMNS.encode())
    assert kinds(document) == [
        (FragmentKind.TABLE_ROW, "Course: BSc; Home: 9,250; Away: 20,100"),
        (FragmentKind.TABLE_ROW, "Course: MSc; Home: 12,500; Away: 24,000"),
    ]
    assert [each.line_start for each in sentences(document)] == [2, 3]
    assert quotes(document)[0] == "BSc      9,250   20,100"


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param(("BSc      9,250", "BSc  (hons)  9,250"), id="a value more"),
        pytest.param(("MSc      12,500", f"MSc{' ' * 20}12,500"), id="a value under another name"),
        pytest.param(("20,100", "Berlin"), id="a column of words"),
        pytest.param(("Home    Away", "8,100   Away"), id="a number for a name"),
    ],
)
def test_where_it_is_in_doubt_lines_of_columns_are_rows_as_they_are_printed(
    changed: tuple[str, str],
) -> None:
    printed = COLUMNS.replace(*changed)
    assert texts(parse(printed.encode())) == [" ".join(row.split()) for row in printed.splitlines()]


def test_a_line_in_capitals_above_its_section_is_its_heading() -> None:
    source = b"1. VISITING HOURS\nGeneral wards: 2 pm.\n\nDO NOT\nENTER THE LAB\nwithout a coat.\n"
    document = parse(source)
    assert [(fragment.section_path, read(fragment)) for fragment in document.fragments] == [
        (("1. VISITING HOURS",), "General wards: 2 pm."),
        (("1. VISITING HOURS",), "DO NOT ENTER THE LAB without a coat."),
    ]


@pytest.mark.parametrize(
    "source",
    [
        "DO NOT ENTER!\n\nThe lab is closed.\n",
        "WIFI PASSWORD: HOUSE\nAsk for the name.\n",
        "FEE 30 EUR\nper night.\n",
        "CLOSED ON MAY 4\nWe are back on Monday.\n",
        "ANNA BERG\nHead of HR\n",
        "NAME      FEE    ROOM\nThe hall  20     7.\n",
    ],
)
def test_capitals_that_say_something_themselves_are_text(source: str) -> None:
    assert parse(source.encode()).headings == ()


def test_a_line_further_out_than_an_item_is_no_more_of_it_and_a_paragraph_may_be_set_in() -> None:
    document = parse(b"Closed for\n  - visitors,\n and guests,\n  - parents.\nThey wait.\n")
    assert texts(document) == ["Closed for", "visitors, and guests,", "parents.", "They wait."]
    assert texts(parse(b"    Leave is told to\nAnn in time.\n")) == [
        "Leave is told to Ann in time."
    ]


DRAWN = {
    """\
+------------+---------------+-------------+
| Cafe       | Term          | Out of term |
+============+===============+=============+
| Terrace    | 07:30-19:00   | 08:00-15:00 |
+------------+---------------+-------------+
| Refectory  | 11:30-14:30   | closed      |
|            | and from 17   |             |
+------------+---------------+-------------+
""": [
        "Cafe: Terrace; Term: 07:30-19:00; Out of term: 08:00-15:00",
        "Cafe: Refectory; Term: 11:30-14:30 and from 17; Out of term: closed",
    ],
    """\
Building       Mon-Thu        Sat
-------------  -------------  -----------
Main Library   08:00-24:00    09:00-20:00
Law            08:30-21:00
""": [
        "Building: Main Library; Mon-Thu: 08:00-24:00; Sat: 09:00-20:00",
        "Building: Law; Mon-Thu: 08:30-21:00",
    ],
    " Room  | Seats\n-------+-------\n Alder |    12\n Birch |    20\n": [
        *("Room: Alder; Seats: 12", "Room: Birch; Seats: 20"),
    ],
    " Room  | Day | Note\n-------+-----+---\n Alder |  12 |\n Birch |  20 | wet\n(2 rows)\n": [
        *("Room: Alder; Day: 12", "Room: Birch; Day: 20; Note: wet"),
    ],
    "name  role\n----  ----\nana   cook\nben\ncara  chef\n": [
        *("name: ana; role: cook", "name: ben", "name: cara; role: chef"),
    ],
    "Item   | EUR\n-------+----\nCoffee | 4\nSoup   | 5\n-------+----\nTotal  | 9\n": [
        *("Item: Coffee; EUR: 4", "Item: Soup; EUR: 5", "Item: Total; EUR: 9"),
    ],
    """\
┌──────┬─────┐
│ Zone │ Fee │
├──────┼─────┤
│ Blue │ 4   │
└──────┴─────┘
""": ["Zone: Blue; Fee: 4"],
}


@pytest.mark.parametrize("text", DRAWN)
def test_a_table_that_is_drawn_is_read_by_its_columns(text: str) -> None:
    rows = DRAWN[text]
    document = parse(f"Opening hours.\n\n{text}\nAsk first.".encode())
    assert kinds(document) == [
        (FragmentKind.PARAGRAPH, "Opening hours."),
        *((FragmentKind.TABLE_ROW, row) for row in rows),
        (FragmentKind.PARAGRAPH, "Ask first."),
    ]
    last = sentences(document)[-2]
    value = rows[-1].split(": ")[1].split(";")[0]
    assert value in document.source[last.char_start : last.char_end]


@pytest.mark.parametrize(
    "text",
    [
        "Name      Role\n--------  ----\nAna Silvana Cook\nBo        Chef",
        "A | B\n---|---\n1 | 2\n3 | 4 | 5",
        "| Cats may bark | and dogs |\n| may too | at night |",
        "Signed below\n------  ------\n",
        "Signed below\n------  ------\nby all of us\n",
        "Owner | Ann\n------+----\nDate  | May",
        "+------+---+\n| Blue | 4 |\n+------+---+\n| Red  | 5 |\n+------+---+\n",
        "|Law|Day|Hours|\n|---|---|-----|\n|Art|Mon|8-20 |\n|   |Sat|shut |",
        "|Cafe|Term|\n|====|====|\n|Old |8-9 |\n|bar |    |\n|----|----|\n|New |9   |",
        "Item     Fee    Limit\n-------  -----  -----\nSingle x 1  40   200\nTwin     8      90",
    ],
)
def test_what_does_not_stand_in_the_drawn_columns_is_read_as_it_is_printed(text: str) -> None:
    assert FragmentKind.TABLE_ROW not in {kind for kind, _ in kinds(parse(text.encode()))}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "Item            2024      2025\nHeating          100       120\n"
            "Cleaning                    80\nRent           1,000     1,050\n",
            [
                "Item: Heating; 2024: 100; 2025: 120",
                "Item: Cleaning; 2025: 80",
                "Item: Rent; 2024: 1,000; 2025: 1,050",
            ],
        ),
        (
            "Item      EUR\nCard       10\nBook      120\n",
            ["Item: Card; EUR: 10", "Item: Book; EUR: 120"],
        ),
        # Read line by line, as it is printed.
        ("Name:    Jane Doe\nPhone:   4400\n", ["Name: Jane Doe", "Phone: 4400"]),
        ("Owner    Jane Doe\nPhone    4400\n", ["Owner Jane Doe", "Phone 4400"]),
        (
            "Late return ...... 0.50 EUR\nLost card ..... 10 EUR\n",
            ["Late return ...... 0.50 EUR", "Lost card ..... 10 EUR"],
        ),
        (
            "Day     Hall    Lab\nMon     soup    rice\nTue     cake\n",
            ["Day Hall Lab", "Mon soup rice", "Tue cake"],
        ),
        (
            "Branch   Sat\n-------  ----\nLaw and  9-18\nhistory\nArt      shut\nNews\n",
            ["Branch: Law and history; Sat: 9-18", "Branch: Art; Sat: shut", "Branch: News"],
        ),
    ],
)
def test_lines_of_two_columns_and_lines_with_gaps_are_rows_too(text: str, told: list[str]) -> None:
    assert texts(parse(text.encode())) == told


@pytest.mark.parametrize(
    "text",
    [
        "The hall is open.  Ask at the desk\nfor a key first.  It is free\n",
        "The hall   is open and you may\nask for  a key at the desk\nof a porter   all day\n",
        "We lend books,   films and maps to\nall who have a card of ours,  and\n",
        "Wait ... and see what comes\nof it ... in the end of days\n",
        "A word  beside another one here\nand a second line without one\n",
    ],
)
def test_prose_with_wide_spaces_stays_prose(text: str) -> None:
    assert " ".join(texts(parse(text.encode()))) == " ".join(text.split())
    assert not any(each in texts(parse(text.encode())) for each in text.splitlines())
