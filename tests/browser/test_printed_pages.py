"""A page that Chromium prints to PDF, as people save pages of the web."""

import pytest
from opened_sources import assert_places_yield_their_text
from parsed_documents import kinds, texts
from playwright.sync_api import Browser

from retrieval.parsing.pdf.parser import parse
from retrieval.types import FragmentKind

PAGE = """<!doctype html><html lang=en><title>Allotment rules</title><style>
body {font: 11px "DejaVu Serif", serif} h1 {font-size: 18px} h2 {font-size: 14px}
.two {columns: 2; column-gap: 24px; text-align: justify}
table {border-collapse: collapse} td, th {border: 1px solid black; padding: 3px}
.note {font-size: 8px}
</style>
<h1>Allotments</h1>
<p>A plot is let for a year to whoever lives in the town,
and is dug over before the first frost.</p>
<div class=two><h2>Water</h2>
<p>The pump is locked from No&shy;vem&shy;ber un&shy;til March, for its pipes would burst in the
frost. Who&shy;ev&shy;er finds the of&shy;fice closed takes the key from the box be&shy;side the
gate, and signs for it with the date and the num&shy;ber of the plot. Buckets are filled first,
hoses af&shy;ter&shy;wards; a sprin&shy;kler is never left run&shy;ning with&shy;out
some&shy;body near it.</p>
<ul><li>One hose for each plot.<li>No car is washed at the pump, whether it is large or small.</ul>
<h2>Fires</h2><p>A fire is lit in the iron basket on&shy;ly, on days with&shy;out wind, and
nev&shy;er be&shy;fore six in the eve&shy;ning.<sup>1</sup> Leaves are com&shy;post&shy;ed and not
burnt. What smoul&shy;ders is put out with water by the per&shy;son who leaves last, and the basket
is emp&shy;tied on the fol&shy;low&shy;ing day.</p></div>
<h2>Fees</h2>
<table><tr><th>Plot<th>Metres<th>Fee<tr><td>Small<td>50<td>40.00
<tr><td>Half of a large plot<td>100<td>75.00<tr><td>Large<td>200<td>140.00</table>
<p>Fees are paid in January.</p>
<p class=note>1 In July and August not at all.</p>
<h2 style="break-before: page">Leaving</h2>
<p>A plot is handed back in the state in which it was found.</p></html>"""
HEAD = '<div style="font-size: 8px; margin-left: 15mm">Allotment society</div>'
FOOT = '<div style="font-size: 8px; margin-left: 70mm"><span class=pageNumber></span></div>'


@pytest.fixture
def printed(browser: Browser) -> bytes:
    page = browser.new_page()
    page.set_content(PAGE)
    margin = {"top": "20mm", "bottom": "20mm", "left": "15mm", "right": "15mm"}
    return page.pdf(
        width="150mm",
        height="210mm",
        display_header_footer=True,
        header_template=HEAD,
        footer_template=FOOT,
        margin=margin,  # type: ignore[arg-type]  # a typed dictionary of the library's own
    )


def test_passages_of_a_printed_page_stand_in_their_boxes(printed: bytes) -> None:
    assert len(assert_places_yield_their_text("printed.pdf", printed)) > 4


def test_a_printed_page_is_read_with_its_columns_table_and_running_heads(printed: bytes) -> None:
    document = parse(printed)
    assert [heading.text for heading in document.headings] == [
        *("Allotments", "Water", "Fires", "Fees", "Leaving"),
    ]
    read = " ".join(texts(document))
    assert "Whoever finds the office closed takes the key from the box beside the gate" in read
    assert "Leaves are composted and not burnt. What smoulders is put out with water" in read
    assert "Allotment society" not in read
    assert [text for kind, text in kinds(document) if kind is FragmentKind.LIST_ITEM] == [
        "One hose for each plot.",
        "No car is washed at the pump, whether it is large or small.",
    ], "their bullets are drawn, not written"
    assert (
        FragmentKind.TABLE_ROW,
        "Plot: Half of a large plot; Metres: 100; Fee: 75.00",
    ) in kinds(document)
    assert {s.text for each in document.left_out for s in each.sentences} == {
        *("Allotment society", "1", "2"),
    }
