"""What a tab opens is read with its label, however it is written: in HTML, in Markdown, in MDX."""

import pytest
from parsed_documents import assert_places_hold, sentences, texts

from retrieval.parsing import html, markdown, restructured

ROWS = "| Item | Limit |\n|---|---|\n| Taxi | {} EUR |\n"
TWO_CITIES = ["Oslo: Item: Taxi; Limit: 30 EUR", "Rome: Item: Taxi; Limit: 20 EUR", "For all."]
LABELS = '<div role="tablist"><b role="tab" {}>Oslo</b><b role="tab" {}>Rome</b></div>'
PANEL = '<div role="tabpanel" {}><table><tr><th>Item<th>Limit<tr><td>Taxi<td>{} EUR</table></div>'


def mkdocs(*cities: tuple[str, int]) -> str:
    rows = ((city, ROWS.format(limit).replace("\n", "\n    ")) for city, limit in cities)
    return "".join(f'=== "{city}"\n\n    {row}\n' for city, row in rows)


def mdx(*cities: tuple[str, int]) -> str:
    items = (
        f'  <TabItem value="x" label="{city}">\n\n{ROWS.format(limit)}\n  </TabItem>\n'
        for city, limit in cities
    )
    return f"<Tabs>\n{''.join(items)}</Tabs>\n"


@pytest.mark.parametrize("write", [mkdocs, mdx])
def test_the_rows_of_a_table_in_a_tab_of_markdown_are_told_with_its_label(write) -> None:  # type: ignore[no-untyped-def]  # a function of this file
    document = markdown.parse(f"# Limits\n\n{write(('Oslo', 30), ('Rome', 20))}\nFor all.".encode())
    assert_places_hold(document)
    assert texts(document) == TWO_CITIES
    assert {each.section_path for each in document.fragments} == {()}
    cells = [each for each in sentences(document) if each.cells]
    assert [row.text[row.cells[1].start : row.cells[1].end] for row in cells] == [
        "30 EUR",
        "20 EUR",
    ]


@pytest.mark.parametrize(
    ("labels", "panels"),
    [
        (LABELS.format("", ""), PANEL.format("", 30) + PANEL.format("hidden", 20)),
        (
            LABELS.format("id=a", "id=b"),
            PANEL.format("aria-labelledby=b style=display:none", 20)
            + PANEL.format("aria-labelledby=a", 30),
        ),
    ],
    ids=["in order", "by name"],
)
def test_a_panel_that_is_not_pressed_yet_is_read_with_the_label_that_presses_it(
    labels: str, panels: str
) -> None:
    document = html.parse(f"<h1>Limits</h1>{labels}{panels}<p>For all.".encode())
    assert_places_hold(document)
    assert sorted(texts(document)) == sorted(TWO_CITIES)


def test_what_a_set_of_tabs_leaves_over_is_no_label_of_the_next() -> None:
    tabs = '<label class="sd-tab-label">{0}</label><div class="sd-tab-content"><p>{0}!</div>'
    lost = '<b role="tab" aria-controls="gone">Lost</b>' + LABELS.format("id=a", "id=b")
    page = f"{lost}<div role=tabpanel aria-labelledby=b>R.</div>{tabs.format('pip')}"
    document = html.parse(f"{page}{tabs.format('conda')}<div class=tab-pane>None.".encode())
    assert texts(document) == ["Rome: R.", "pip: pip!", "conda: conda!", "None."]


@pytest.mark.parametrize(
    "hidden",
    [
        "<div hidden>" + LABELS.format("", "") + "<div role=tabpanel>Secret.</div></div>",
        LABELS.format("", "") + "<div role=tabpanel style='color:white' hidden>Secret.</div>",
        "<div role=tabpanel hidden aria-label=Oslo>Secret.</div>",
    ],
    ids=["around", "in white", "no tab"],
)
def test_what_no_tab_shows_stays_hidden(hidden: str) -> None:
    document = html.parse(f"<body style='background:#fff'><p>Seen.</p>{hidden}".encode())
    assert texts(document) == ["Seen."]
    assert [each.text for each in document.hidden][-1].endswith("Secret.")


def test_tabs_within_a_tab_keep_both_labels_and_a_heading_there_ends_none() -> None:
    written = (
        '=== "Abroad"\n\n    ## Nights\n\n    === "Asia"\n\n'
        "        ```\n        run x\n        ```\n\n"
        "        - 9 EUR. Or 8.\n\n"
        '    === ":fontawesome-brands-x: Else"\n\n        7 EUR. Ask.\n\nAll.\n'
    )
    document = markdown.parse(written.encode())
    assert_places_hold(document)
    assert texts(document) == [
        "Abroad: Asia:",
        "run x",
        "Abroad: Asia: 9 EUR. Or 8.",
        "Abroad: Else: 7 EUR.",
        "Abroad: Else: Ask.",
        "All.",
    ]


def test_labels_that_a_set_of_tabs_states_for_its_items_are_theirs() -> None:
    written = (
        "<Tabs\n  defaultValue=\"a\"\n  values={[\n    {label: 'Apple', value: 'a'},\n"
        "    {label: 'Pear', value: 'b'},\n  ]}>\n  <TabItem value=\"a\">Red, **5**.</TabItem>\n"
        '  <TabItem value="b">Green.</TabItem>\n</Tabs>\n\nAll.\n'
    )
    assert texts(markdown.parse(written.encode())) == ["Apple: Red, 5.", "Pear: Green.", "All."]


def test_tabs_of_myst_and_of_restructured_text_are_read_alike() -> None:
    colons = "::::{tab-set}\n:::{tab-item} Staff\n- Gate A.\n:::\n::::\n"
    fences = "```{tab-item} Guests\nGate B.\n```\n\n(here)=\n% A remark.\n\nAll.\n"
    document = markdown.parse(f"{colons}\n{fences}".encode())
    assert_places_hold(document)
    read = ["Staff: Gate A.", "Guests: Gate B.", "All."]
    assert texts(document) == read
    sphinx = ".. tab-set::\n\n   .. tab-item:: Staff\n\n      Gate A.\n\n"
    written = f"{sphinx}.. tabs::\n\n   .. tab:: Guests\n\n      Gate B.\n\nAll.\n"
    assert texts(restructured.parse(written.encode())) == read
