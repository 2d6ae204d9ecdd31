from collections.abc import Callable

import pytest
from parsed_documents import assert_places_hold, kinds, quotes, read, sentences, texts

from retrieval.errors import UnreadableDocument
from retrieval.parsing.html import parse
from retrieval.parsing.markdown import parse as parse_markdown
from retrieval.types import FragmentKind, ParsedDocument

ITEM, PARAGRAPH, ROW = FragmentKind.LIST_ITEM, FragmentKind.PARAGRAPH, FragmentKind.TABLE_ROW


def parsed(text: str) -> ParsedDocument:
    document = parse(text.encode())
    assert_places_hold(document)
    return document


def test_a_page_is_read_with_its_title_sections_and_places() -> None:
    document = parsed(
        "<!doctype html>\n<html><head><title>Site &ndash; Leave</title></head>\n"
        "<body><h1>Leave</h1>\n<p>Tom &amp; <b>Ann&#233;</b>\n rest. Twice.</p>\n"
        "<h2>Sick <em>leave</em></h2>\n"
        "<div>Call <a href=x>us</a>.</div></body></html>"
    )
    assert document.title == "Leave"
    assert texts(document) == ["Tom & Anné rest.", "Twice.", "Call us."]
    assert quotes(document)[0] == "Tom &amp; <b>Ann&#233;</b>\n rest."
    assert [(s.line_start, s.line_end) for s in sentences(document)] == [(4, 5), (5, 5), (7, 7)]
    assert document.fragments[1].section_path == ("Sick leave",)


def test_the_head_names_a_page_without_a_top_heading() -> None:
    assert parsed("<title>A &lt;title&gt;</title><p>Text.").title == "A <title>"


def test_what_is_hidden_or_navigation_is_not_read() -> None:
    document = parsed(
        "<nav><ul><li>Menu</ul></nav><script>var x = '<p>no</p>'</script><style>p{}</style>"
        "<template><p>no</p></template><noscript><p>no</noscript><p hidden>no<p>Yes <s>no</s>"
        "<svg><title>no</title></svg>it is.<div style='DISPLAY : none'><p>no</p></div>"
        "<span aria-hidden=true>Icon</span><!-- no --><ul role=navigation><li>no</ul>"
    )
    assert texts(document) == ["Yes it is.", "Icon"]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("10<sup>3</sup> samples", "10³ samples"),
        ("<b>10</b><sup><small>&minus;3</small></sup> m", "10⁻³ m"),
        ("45 m<sup>2</sup>, 3 km<sup>2</sup> and x<sup>2</sup>", "45 m², 3 km² and x²"),
        ("mol<sup>-1</sup> and Na<sup>+</sup>", "mol⁻¹ and Na⁺"),
        ("101<sub>2</sub> and CO<sub>2</sub>", "101₂ and CO2"),
        ("the 1<sup>st</sup> of May", "the 1st of May"),
        ("a note<sup>1</sup>, a<sup>2</sup> and 5<sup>[1]</sup>", "a note1, a2 and 5[1]"),
    ],
)
@pytest.mark.parametrize("parser", [parse, parse_markdown])
def test_an_exponent_belongs_to_no_number_and_the_mark_of_a_note_is_as_it_was(
    parser: Callable[[bytes], ParsedDocument], written: str, read: str
) -> None:
    document = parser(f"<p>{written}</p>".encode() if parser is parse else written.encode())
    assert texts(document) == [read]


@pytest.mark.parametrize(
    ("item", "read"),
    [
        ("<li><input type=checkbox checked disabled> Done", "☑ Done"),
        ("<li><input type=CheckBox><p>Open</p>", "☐ Open"),
        ("<li><label><input type=checkbox><span></span></label><div><p>Open</p></div>", "☐ Open"),
        ("<li>Open <input type=checkbox>", "Open ☐"),
        ("<li><div class='checkbox checkbox-off'></div> <span>Open</span>", "☐ Open"),
        ("<li><div class='checkbox checkbox-on'></div> <span>Done</span>", "☑ Done"),
        ("<li data-inline-task-id=1><span>Open</span>", "☐ Open"),
        ("<li class=checked data-inline-task-id=2><p>Done</p>", "☑ Done"),
        ("<li>Paid<li class=checked>Paid", "Paid Paid"),
        ("<li><input type=radio> One<li><input> Two", "One Two"),
        ("<li><input type=checkbox hidden> Menu", "Menu"),
        ("<li><input type=checkbox><ul><li>Chapter</ul>", "Chapter"),
        ("<li><input type=checkbox><li>Other", "Other"),
    ],
)
def test_what_is_to_do_is_read_with_its_box(item: str, read: str) -> None:
    assert " ".join(texts(parsed(f"<ul>{item}</ul>"))) == read


def test_the_box_of_a_label_is_read_and_a_switch_without_words_is_none() -> None:
    page = "<p><label><input type=checkbox checked> I agree</label> to all.</p>"
    assert texts(parsed(page)) == ["☑ I agree to all."]
    switch = (
        "<label><input type=checkbox><span></span></label><p>Rules.<p><input type=checkbox>Fee."
    )
    assert texts(parsed(switch)) == ["Rules.", "Fee."]


def test_end_tags_may_be_missing_or_stray() -> None:
    document = parsed(
        "<ul><li>One <b>bold</div><li>Two<ul><li>Nested</ul>after</ul></b>Last<p>P</i>s"
    )
    assert kinds(document) == [
        (ITEM, "One bold"),
        (ITEM, "Two"),
        (ITEM, "Nested"),
        (PARAGRAPH, "after"),
        (PARAGRAPH, "Last"),
        (PARAGRAPH, "Ps"),
    ]


def test_table_rows_carry_column_names_over_merged_cells() -> None:
    document = parsed(
        "<table><caption>Fees</caption><thead><tr><th>Faculty<th colspan=2>Fee</thead>"
        "<tr><td rowspan=2>Law<td>10<td>EUR<tr><td>20<td></table>"
    )
    assert kinds(document) == [
        (FragmentKind.CAPTION, "Fees"),
        (ROW, "Faculty: Law; Fee: 10; Fee: EUR"),
        (ROW, "Faculty: Law; Fee: 20"),
    ]
    assert quotes(document)[2] == "<tr><td>20<td>"


def test_a_table_without_header_joins_its_cells() -> None:
    document = parsed("<table><tr><td>a<td><td><p>b</p><p>c</p></tr></table>")
    assert kinds(document) == [(ROW, "a; b c")]


def test_a_table_that_only_lays_out_a_page_is_no_data() -> None:
    document = parsed(
        "<table><tr><td>Menu</td><td><h2>News</h2><p>Hello.</p>"
        "<table><tr><th>K<th>V<tr><td>1<td>2</table></td><td>Right</td></tr></table>"
    )
    assert kinds(document) == [
        (PARAGRAPH, "Menu"),
        (PARAGRAPH, "Hello."),
        (ROW, "K: 1; V: 2"),
        (PARAGRAPH, "Right"),
    ]
    assert [each.text for each in document.headings] == ["News"]


def test_the_lines_of_preformatted_text_stay_apart() -> None:
    assert texts(parsed("<pre>a  b\n\n  c &lt; d\n</pre>")) == ["a b", "c < d"]


@pytest.mark.parametrize("tag", ["script", "STYLE"])
@pytest.mark.parametrize("end", ["</{}>", "<"])
def test_what_code_holds_is_no_statement_of_the_page(tag: str, end: str) -> None:
    held = "\n---\naudience: staff\n---\n"
    closing = end.format(tag)
    assert parse(f"<p>Seen.</p><{tag}>{held}{closing}".encode()).stated == ()
    assert parse(f"<p>Seen.</p><pre>{held}</pre>".encode()).stated


def test_the_stated_encoding_is_used() -> None:
    page = '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1"><p>Prüfung “x”'
    assert texts(parse(page.encode("cp1252"))) == ["Prüfung “x”"]
    assert texts(parse("<p>Prüfung".encode("utf-16"))) == ["Prüfung"]
    with pytest.raises(UnreadableDocument, match="unknown encoding"):
        parse(b"<meta charset=klingon><p>x")


def test_a_page_that_only_scripts_fill_is_refused() -> None:
    with pytest.raises(UnreadableDocument, match="without its scripts"):
        parse(b"<html><body><div id=app></div><script>run()</script></body></html>")


@pytest.mark.parametrize(
    ("mark", "back"),
    [
        ('role="doc-noteref"', 'role="doc-backlink"'),
        ('epub:type="noteref"', 'epub:type="backlink"'),
    ],
)
def test_the_marks_of_notes_are_no_words_and_end_no_sentence(mark: str, back: str) -> None:
    page = (
        f'<p>Members borrow ten books.<a href="#n" {mark}><sup>1</sup></a> Films are lent.</p>'
        f'<aside id="n"><p>Not in August.<a href="#r" {back}>Up</a></p></aside>'
    )
    document = parse(page.encode())
    assert texts(document) == ["Members borrow ten books.", "Films are lent.", "Not in August."]


BODY = "<tr><td><a href=a>Start</a><td><b>Gym</b><p>It is open. Call 7 for the key.</tr>"
FOOT = "<tr><td colspan=2>&copy; 2026</td></tr>"


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (
            f"<tr><td colspan=2><img src=t.gif></tr>{BODY}{FOOT}",
            ["Start", "Gym", "It is open.", "Call 7 for the key.", "© 2026"],
        ),
        (
            f"<tr><td><img src=t.gif><td>Our house</tr>{BODY}",
            ["Our house", "Start", "Gym", "It is open.", "Call 7 for the key."],
        ),
        ("<tr><td>Gym<tr><td>Open. Call 7.<tr><td>2026", ["Gym", "Open.", "Call 7.", "2026"]),
        (
            f"{BODY}<tr><td>Hall<td>8{FOOT}",
            ["Start; Gym It is open. Call 7 for the key.", "Hall; 8", "© 2026"],
        ),
        (
            "<tr><th>Room<th>Note<tr><td>Hall<td>Open. Call 7.<tr><td colspan=2>Total: 1",
            ["Room: Hall; Note: Open. Call 7.", "Total: 1"],
        ),
        (f"<tr><td>Hall<td>8{FOOT}", ["Hall; 8", "© 2026"]),
        (
            "<tr><td>Hall<td>8<tr><td colspan=2>Ask first. Call 7.",
            ["Hall; 8", "Ask first.", "Call 7."],
        ),
        (
            "<tr><td rowspan=2>Hall<td>Open. Call 7.<tr><td>Closed",
            ["Hall; Open. Call 7.", "Hall; Closed"],
        ),
    ],
)
def test_bands_above_and_below_a_row_of_boxes_leave_it_a_layout(
    written: str, told: list[str]
) -> None:
    assert texts(parsed(f"<table>{written}</table>")) == told


AS_EXPORTED = """<html><body>
<h1>Rooms<a class="headerlink" href="#rooms" title="Permalink">¶</a></h1>
<table width="600"><tr><td><img src="l.gif"></td></tr><tr><td><a href="a">Home</a></td>
<td>A room is booked a day before. The key is at gate B.</td></tr></table>
<div role="heading" aria-level="2">Hours #</div>
<table><tr><th colspan="3">Opening hours</th></tr>
<tr><th>Room</th><th>Opens</th><th>Closes</th></tr>
<tr><th colspan="3">Lyon</th></tr><tr><td>Hall</td><td>8</td><td>20</td></tr>
<tr><th colspan="3">Graz</th></tr><tr><td>Hall</td><td>9</td><td>22</td></tr></table>
<table><tr><th>Site</th><th>Shift</th><th>Ends</th></tr>
<tr><th rowspan="2">Lyon</th></tr><tr><td>Late</td><td>22</td></tr></table>
<table role="presentation"><tr><td>Ask Ann.</td><td>Call 7.</td></tr></table>
<table><tr><td><b>Room</b></td><td><strong>Rate</strong></td></tr>
<tr><td>Hall</td><td>free</td></tr></table>
</body></html>"""


def test_what_programs_export_reads_as_it_is_seen() -> None:
    document = parse(AS_EXPORTED.encode())
    assert [(each.section_path, read(each)) for each in document.fragments] == [
        ((), "Home"),
        ((), "A room is booked a day before. The key is at gate B."),
        (("Hours",), "Opening hours"),
        (("Hours",), "Lyon: Room: Hall; Opens: 8; Closes: 20"),
        (("Hours",), "Graz: Room: Hall; Opens: 9; Closes: 22"),
        (("Hours",), "Site: Lyon"),
        (("Hours",), "Site: Lyon; Shift: Late; Ends: 22"),
        (("Hours",), "Ask Ann."),
        (("Hours",), "Call 7."),
        (("Hours",), "Room: Hall; Rate: free"),
    ]
    assert document.title == "Rooms"
    assert_places_hold(document)


HEADS = "<tr><th>Item<th>Fee"


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (
            f"{HEADS}<tr><td>Hall<td>9<tr><th colspan=2>No fee for members",
            ["Item: Hall; Fee: 9", "No fee for members"],
        ),
        (
            f"{HEADS}<tr><th colspan=2>Members<tr><th colspan=2>Weekend<tr><td>Hall<td>9"
            "<tfoot><tr><td>All guests<td>5",
            ["Members: Weekend: Item: Hall; Fee: 9", "Item: All guests; Fee: 5"],
        ),
        (
            "<tr><th colspan=2>Weekdays<tr><td>Open<td>9-17<tr><th colspan=2>Weekend"
            "<tr><td>Open<td>10-12",
            ["Weekdays: Open; 9-17", "Weekend: Open; 10-12"],
        ),
        (
            f"{HEADS}<tbody><tr><th colspan=2>Members<tbody><tr><td>Hall<td>9<tr><td>Lab<td>8"
            "<tbody><tr><td>Roof<td>7<tr><th colspan=2>Ask first<tbody><tr><td>Yard<td>6",
            [
                "Members: Item: Hall; Fee: 9",
                "Members: Item: Lab; Fee: 8",
                "Item: Roof; Fee: 7",
                "Ask first",
                "Item: Yard; Fee: 6",
            ],
        ),
        ("<tr><th colspan=2>Closed<tr><th colspan=2>No visits", ["Closed", "No visits"]),
    ],
)
def test_what_spans_a_table_is_said_of_the_rows_that_it_names(
    written: str, told: list[str]
) -> None:
    assert texts(parsed(f"<table>{written}</table>")) == told


@pytest.mark.parametrize(
    ("link", "read"),
    [
        ('<a class="header-anchor" href="#f"><span>Fees</span></a>', "Fees"),
        ('<a class="permalink">Fees</a>', "Fees"),
        ('Fees <a class="anchor-link"><span>\U0001f517</span></a>', "Fees"),
        ('Fees<a class="hash-link">#</a>', "Fees"),
    ],
)
def test_a_heading_is_read_where_it_links_to_itself(link: str, read: str) -> None:
    document = parsed(f"<h1>Site</h1><h2>{link}</h2><p>x <a class=anchor-link>the fee is 5</a>")
    assert document.fragments[0].section_path == (read,)
    assert texts(document) == ["x the fee is 5"]


@pytest.mark.parametrize(
    "page",
    [
        "<div role=tablist><button role=tab id=t1 aria-controls=p1>Portal</button>"
        "<button role=tab id=t2>Paper</button></div><div role=tabpanel aria-labelledby=t2>"
        "<p>Nine days.</div><div role=tabpanel id=p1><p>Five days.</div>",
        "<ul class=nav><li><a role=tab href=#p1>Portal</a><li><a role=tab href=#p2>Paper</a></ul>"
        "<div class=tab-pane id=p2><p>Nine days.</div>"
        "<div class=tab-pane id=p1><p>Five days.</div>",
        "<div class=sd-tab-set><input type=radio><label class=sd-tab-label>Paper</label>"
        "<div class=sd-tab-content><p>Nine days.</div><input type=radio>"
        "<label class=sd-tab-label>Portal</label>"
        "<div class=sd-tab-content><p>Five days.</div></div>",
        "<div class=tabbed-set><input><input><div class=tabbed-labels><label>Paper</label>"
        "<label>Portal</label></div><div class=tabbed-content><div class=tabbed-block>"
        "<p>Nine days.</div><div class=tabbed-block><p>Five days.</div></div></div>",
    ],
)
def test_the_label_of_a_tab_stands_before_its_text_and_ends_with_it(page: str) -> None:
    document = parse(f"<h1>Claims</h1>{page}<p>For all.".encode())
    assert texts(document) == ["Paper: Nine days.", "Portal: Five days.", "For all."]


def test_a_tab_without_text_names_nothing_behind_it() -> None:
    page = b"<b role=tab>Portal</b><div role=tabpanel></div><p>For all.<div class=tab-pane>Five."
    assert texts(parse(page)) == ["For all.", "Five."]


@pytest.mark.parametrize(
    "sign",
    ["[edit]", "<a href=#f>Link to this heading</a>", "<a href=#f>¶</a>", " <a href=#f>#</a>"],
)
def test_what_links_to_a_heading_is_no_part_of_it(sign: str) -> None:
    document = parse(f"<h2>Fees{sign}</h2><p>Five.".encode())
    assert [each.text for each in document.headings] == ["Fees"]


def test_tabs_are_matched_by_the_links_in_them_and_headings_that_open_text_stay_headings() -> None:
    document = parse(
        b"<div role=tab id=a><h2>Who pays?</h2></div><div role=tabpanel aria-labelledby=a>The desk "
        b"pays.</div><h2>Keys</h2><div role=tab>Another</div><ul><li role=tab><a href=#p1>Windows"
        b"</a></li><li role=tab><a href=#p2>Mac</a></li></ul><div id=p1 role=tabpanel>Press F1."
        b"</div><div id=p2 role=tabpanel>Press F2.</div>"
    )
    assert [each.text for each in document.headings] == ["Who pays?", "Keys"]
    assert texts(document) == ["The desk pays.", "Windows: Press F1.", "Mac: Press F2."]


FIRST, OTHER = "<td><p><span {first}>", "<td><p><span {other}>"
HOURS = (
    f"<style>{{style}}</style><table><tr {{row}}>{FIRST}Day</span></p></td>{FIRST}Taproom</span>"
    f"</p></td></tr><tr>{OTHER}Tuesday</span></p></td>{OTHER}16:00</span></p></td></tr>"
    f"<tr>{OTHER}Sunday</span></p></td>{OTHER}closed</span></p></td></tr></table>"
)
HEADED = ["Day: Tuesday; Taproom: 16:00", "Day: Sunday; Taproom: closed"]
PLAIN = ["Day; Taproom", "Tuesday; 16:00", "Sunday; closed"]
C1 = {"first": "class=c1"}


@pytest.mark.parametrize(
    ("style", "written", "read"),
    [
        (".c1{font-weight:700}", {**C1, "other": "class=c2"}, HEADED),
        ("", {"first": 'style="font-weight:700"'}, HEADED),
        ("", {"first": 'style="font: italic bold 11pt/1.5 Arial"'}, HEADED),
        ("tr:first-child td{font-weight:600}", {}, HEADED),
        (":root{--w:bolder} .h{font-weight:var(--w)}", {"row": "class=h"}, HEADED),
        # As a document is pasted from Google Docs: all of it is in an element that is not bold.
        ("b{font-weight:normal} .c1{font-weight:700}", C1, HEADED),
        ("", {}, PLAIN),
        ("td{font-weight:700}", {}, PLAIN),
        (".c1{font-weight:500}", C1, PLAIN),
        (".c1{font-weight:heavy}", C1, PLAIN),
        (".c1{font-weight:700} .c1{font:11pt Arial}", C1, PLAIN),
        ("@media print{.c1{font-weight:700}}", C1, PLAIN),
        (".c1{font-weight:700}", {**C1, "other": "class=c1"}, PLAIN),
    ],
)
def test_a_first_row_that_styles_make_bolder_than_the_next_names_the_columns(
    style: str, written: dict[str, str], read: list[str]
) -> None:
    said = {"first": "", "other": "", "row": "", **written}
    assert texts(parsed(HOURS.format(style=style, **said))) == read


def test_what_an_export_makes_bold_around_all_of_it_is_as_bold_as_its_style_says() -> None:
    row = "<tr><td>{0}Day{1}</td><td>{0}Taproom{1}</td></tr>"
    table = row.format("<b>", "</b>") + "<tr><td>Sunday</td><td>closed</td></tr>"
    pasted = f'<b style="font-weight:normal"><div><table>{table}</table></div></b>'
    assert texts(parsed(pasted)) == ["Day: Sunday; Taproom: closed"]


def test_a_weight_that_nobody_can_follow_hides_nothing() -> None:
    document = parsed('<p style="font-weight:calc(var(--w, 1) * 700 / 9kg)">Open.</p>')
    assert texts(document) == ["Open."]
    assert not document.hidden


@pytest.mark.parametrize("spans", ["", " rowspan=2"])
def test_a_bold_head_over_several_columns_is_said_with_those_below_it(spans: str) -> None:
    beside = "" if spans else "<td></td>"
    table = (
        f"<tr><td{spans}><b>Expense</b></td><td colspan=2><b>At most</b></td></tr>"
        f"<tr>{beside}<td>UK</td><td>Abroad</td></tr><tr><td>Dinner</td><td>£24</td><td>£32</td></tr>"
    )
    assert texts(parsed(f"<table>{table}</table>")) == [
        "Expense: Dinner; At most UK: £24; At most Abroad: £32"
    ]


def test_a_heading_in_a_box_of_a_layout_is_one_and_what_stands_below_it_is_its_own() -> None:
    document = parsed(
        "<table><tr><td><h2>News</h2><p>Parking is free. Ask first.</p><h2>Rules</h2><p>Dogs stay "
        "out.</p></td><td><h2>Contact</h2><div>Call 4400.</div></td></tr></table>"
        "<table><tr><th>Room<th>Note<tr><td><h3>Hall</h3><td><p>Open.</p><p>Call 7.</p></table>"
    )
    assert [(each.section_path, read(each)) for each in document.fragments] == [
        (("News",), "Parking is free. Ask first."),
        (("Rules",), "Dogs stay out."),
        (("Contact",), "Call 4400."),
        (("Contact",), "Room: Hall; Note: Open. Call 7."),
    ]


def test_buttons_beside_each_other_are_words_apart_and_one_in_a_sentence_is_in_it() -> None:
    document = parsed(
        "<div><button>London</button><button>Paris</button></div><p>Press <button>OK"
        "</button>, or <b>re</b><b>set</b>."
    )
    assert texts(document) == ["London Paris", "Press OK, or reset."]
