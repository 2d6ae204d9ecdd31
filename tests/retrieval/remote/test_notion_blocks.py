"""Of a page of Notion that is read which its own authors wrote in it."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from confluence_site import own_words
from notion_site import Site, Thing, block, mention, rich, site

from retrieval.errors import UnreadableDocument
from retrieval.parsing.html import parse
from retrieval.remote import notion_pages


@pytest.fixture
def space() -> Iterator[Site]:
    with site() as made:
        yield made


def fetched(space: Site, page: Thing) -> str:
    source = space.source()
    made = source.fetch(next(e for e in source.listing().files if page.key in e.path))
    assert made
    return b"".join(made.chunks).decode()


def whole(space: Site, blocks: Sequence[Thing | str], **more: Any) -> str:
    return fetched(space, space.page("Pay", *blocks, **more))


def body(space: Site, *blocks: Thing | str, **more: Any) -> str:
    return " ".join(own_words(whole(space, blocks, **more)).split())


def row(*cells: str) -> Thing:
    return block("table_row", cells=[rich(each) for each in cells])


BOLD = "<p><strong>B</strong></p>"
NUMBERED = [block("numbered_list_item", "One", block("bulleted_list_item", "Of it"))]


@pytest.mark.parametrize(
    ("blocks", "html"),
    [
        ([block("heading_1", "Pay & leave")], "<h3>Pay &amp; leave</h3>"),
        (
            [block("heading_3", "More", block("paragraph", "Within."), is_toggleable=True)],
            "<p><strong>More</strong></p> <p>Within.</p>",
        ),
        (["One.\nTwo."], "<p>One.<br> Two.</p>"),
        ([block("paragraph", "Out", block("paragraph", "In"))], "<p>Out</p> <p>In</p>"),
        (
            [block("bulleted_list_item", "A"), block("bulleted_list_item", "B"), "C"],
            "<ul> <li>A </li> <li>B </li> </ul> <p>C</p>",
        ),
        (
            [*NUMBERED, block("numbered_list_item", "Two")],
            "<ol> <li>One <ul> <li>Of it </li> </ul> </li> <li>Two </li> </ol>",
        ),
        ([block("heading_3", "A"), block("heading_4", "B")], "<h5>A</h5> <h6>B</h6>"),
        ([block("toggle", "A", block("heading_1"), block("heading_1", "B"))], f"<p>A</p> {BOLD}"),
        ([block("heading_2", "B", is_toggleable=True), "C"], f"{BOLD} <p>C</p>"),
        (
            [block("to_do", "Sign", checked=True), block("to_do", "Pay", checked=False)],
            "<ul> <li>☑ Sign </li> <li>☐ Pay </li> </ul>",
        ),
        (
            ["A", block("tab", "", block("paragraph", "B")), "C"],
            "<p>A</p> <p>[unknown value]</p> <p>C</p>",
        ),
        ([block("toggle", "Why?", block("paragraph", "So."))], "<p>Why?</p> <p>So.</p>"),
        ([block("callout", "Ask.", icon={"emoji": "x"})], "<p>Ask.</p>"),
        ([block("quote", "He said.")], "<blockquote><p>He said.</p> </blockquote>"),
        (
            [block("code", "if a < b:\n    c", language="python", caption=rich("How"))],
            "<pre>if a &lt; b: c</pre> <p>How</p>",
        ),
        ([block("equation", expression="a < b")], "<p>a &lt; b</p>"),
        ([block("bookmark", url="https://a.example", caption=[])], "<p>https://a.example</p>"),
        ([block("image", caption=rich("The plan"), type="file")], "<p>The plan</p>"),
        ([block("divider"), block("table_of_contents"), "A"], "<p>A</p>"),
        (
            [block("column_list", "", *(block("column", "", block("paragraph", e)) for e in "AB"))],
            "<p>A</p> <p>B</p>",
        ),
        (
            [block("synced_block", "", block("paragraph", "Own"), synced_from=None)],
            "<p>Own</p>",
        ),
        (
            [
                block(
                    "table",
                    "",
                    row("Fee", "Euros"),
                    row("Book", "<2"),
                    has_column_header=True,
                    has_row_header=True,
                )
            ],
            "<table> <tr><th>Fee</th><th>Euros</th></tr> <tr><th>Book</th><td>&lt;2</td></tr> "
            "</table>",
        ),
        (
            [block("table", "", row("A", "B"), has_column_header=False, has_row_header=False)],
            "<table> <tr><td>A</td><td>B</td></tr> </table>",
        ),
        (
            [block("paragraph", [*rich("It is "), *rich("30", strikethrough=True), *rich(" 40.")])],
            "<p>It is <s>30</s> 40.</p>",
        ),
        (
            [block("paragraph", [*rich("Ask ", bold=True), *mention("user", "@Ana"), *rich(".")])],
            "<p><strong>Ask </strong>@Ana.</p>",
        ),
        (
            [block("paragraph", [*rich("By "), *mention("date", "2026-05-01")])],
            "<p>By 2026-05-01</p>",
        ),
    ],
)
def test_what_people_wrote_is_read_as_they_see_it(
    space: Site, blocks: list[Thing | str], html: str
) -> None:
    assert body(space, *blocks) == html


def paragraphs(*texts: str) -> list[Thing]:
    return [block("paragraph", each) for each in texts]


@pytest.mark.parametrize(
    ("within", "after"),
    [
        (
            block("heading_2", "Old fees 2019", *paragraphs("The fee is 10 euros.")),
            "The fee is 30 euros now.",
        ),
        (
            block("toggle", "Why?", block("heading_2", "Draft ideas"), *paragraphs("Maybe 99.")),
            "The fee is 30 euros.",
        ),
        (
            block(
                "column_list",
                "",
                block("column", "", block("heading_2", "Students"), *paragraphs("Pay 10.")),
                block("column", "", *paragraphs("Staff pay 20.")),
            ),
            "All pay by May.",
        ),
        (
            block("callout", "Note", block("heading_2", "Guests"), *paragraphs("Guests pay 5.")),
            "Students pay 10.",
        ),
        (block("quote", "", block("heading_3", "Guests")), "Students pay 10."),
        (block("numbered_list_item", "", block("heading_3", "Guests")), "Students pay 10."),
        (
            block("synced_block", "", block("heading_1", "Guests"), synced_from=None),
            "Students pay 10.",
        ),
    ],
)
def test_a_heading_in_a_block_is_none_of_what_comes_after_that(
    space: Site, within: Thing, after: str
) -> None:
    parsed = parse(whole(space, [block("heading_1", "Fees"), within, after]).encode())
    paths = {str(each): each.section_path for each in parsed.fragments}
    assert [path for said, path in paths.items() if after in said] == [("Top › Pay", "Fees")]
    assert set(paths.values()) <= {("Top › Pay", "Fees"), ("Top › Pay",), ()}


SECRET = block("paragraph", "Secret")


@pytest.mark.parametrize(
    "secret",
    [
        block("synced_block", "", SECRET, synced_from={"type": "block_id", "block_id": "1"}),
        block("synced_block", "", SECRET),
        block("unsupported", "Secret", SECRET),
        block("template", "Secret", SECRET),
        block("unheard_of", "Secret", SECRET),
        block("link_to_page", "Secret", page_id="1"),
        block("embed", url="https://a.example/Secret"),
        block("file", name="Secret", type="file", file={"url": "https://s3.example/Secret"}),
        block("paragraph", mention("page", "Secret")),
        block("paragraph", [*rich("See "), *mention("page", "Secret")]),
        block("paragraph", [*rich("See "), *mention("database", "Secret")]),
        block("paragraph", [*rich("See "), *mention("unheard_of", "Secret")]),
        block("paragraph", [*rich("See "), {**rich("Secret")[0], "type": "unheard_of"}]),
    ],
)
def test_what_is_of_another_page_or_not_known_is_left_out(space: Site, secret: Thing) -> None:
    assert "Secret" not in body(space, "Before", secret, "After")


def test_pages_and_databases_in_a_page_are_no_words_of_it(space: Site) -> None:
    page = space.page("Pay", "Pay rises.")
    space.page("Secret", "Secret", above=page)
    space.database("Secret", page)
    assert "Secret" not in fetched(space, page)


def test_what_is_in_the_trash_is_not_read(space: Site) -> None:
    gone = block("paragraph", "Secret")
    page = space.page("Pay", gone, "Pay rises.")
    told = {"results": [{**gone.told, "in_trash": True}], "has_more": False}
    space.instead = {f"{page.id}/children": [(200, {}, json.dumps(told))]}
    assert "Secret" not in fetched(space, page)


@pytest.mark.parametrize(
    "blocks",
    [
        [block("paragraph", [*rich("Ask "), *mention("page", "Leave"), *rich(" first.")])],
        [block("bulleted_list_item", [*mention("link_mention", "A site"), *rich(" tells.")])],
    ],
)
def test_within_a_sentence_it_is_said_that_something_stands_there(
    space: Site, blocks: list[Thing]
) -> None:
    assert "[unknown value]" in body(space, *blocks)


def test_properties_of_a_row_stand_above_its_text(space: Site) -> None:
    def value(kind: str, said: object) -> dict[str, object]:
        return {"id": kind, "type": kind, kind: said}

    properties = {
        "Note": value("rich_text", [*rich("Ask <b>"), *mention("page", "Secret")]),
        "Fee": value("number", 30),
        "Share": value("number", 0.5),
        "Kind": value("select", {"id": "1", "name": "Book", "color": "red"}),
        "Tags": value("multi_select", [{"name": "A"}, {"name": "B"}]),
        "State": value("status", {"name": "Open"}),
        "Days": value("date", {"start": "2026-05-01", "end": "2026-05-03", "time_zone": None}),
        "Day": value("date", {"start": "2026-05-01", "end": None}),
        "Paid": value("checkbox", False),
        "Site": value("url", "https://a.example"),
        "Mail": value("email", "a@b.example"),
        "Phone": value("phone_number", "12"),
        "Made": value("created_time", "2026-05-01T10:00:00.000Z"),
        "None": value("select", None),
        "Empty": value("rich_text", []),
        "People": value("people", [{"object": "user", "name": "Secret"}]),
        "Sum": value("formula", {"type": "string", "string": "Secret"}),
        "Of": value("relation", [{"id": "Secret"}]),
        "Up": value("rollup", {"type": "array", "array": [value("title", rich("Secret"))]}),
    }
    assert own_words(whole(space, ["Words."], properties=properties)).splitlines() == [
        "<p>Note: Ask &lt;b&gt;[unknown value]</p>",
        "<p>Fee: 30</p>",
        "<p>Share: 0.5</p>",
        "<p>Kind: Book</p>",
        "<p>Tags: A, B</p>",
        "<p>State: Open</p>",
        "<p>Days: 2026-05-01 – 2026-05-03</p>",
        "<p>Day: 2026-05-01</p>",
        "<p>Paid: no</p>",
        "<p>Site: https://a.example</p>",
        "<p>Mail: a@b.example</p>",
        "<p>Phone: 12</p>",
        "<p>Made: 2026-05-01T10:00:00.000Z</p>",
        "<p>Words.</p>",
    ]


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("select", {"name": "HR"}),
        ("people", [{"object": "user", "name": "Ana"}]),
        ("formula", {"type": "string", "string": "HR"}),
        ("unheard_of", {"of": "HR"}),
    ],
)
def test_a_property_that_may_restrict_is_stated_wherever_it_stands_and_whatever_its_kind(
    space: Site, kind: str, said: object
) -> None:
    fees = {f"Fee {each}": {"type": "number", "number": each} for each in range(40)}
    access = {'Q"><\0': {"type": kind, kind: said}, "Access": {"type": kind, kind: said}}
    stated = parse(whole(space, ["Words."], properties=fees | access).encode()).stated
    assert len(stated) == 42
    assert ("Access", "HR" if kind == "select" else "[unknown value]") in [
        (each.key, each.value) for each in stated
    ]


def test_words_are_words_and_titles_are_text(space: Site) -> None:
    said = whole(space, [block("heading_1", "Part time"), "<script>x()</script> & \0 more"])
    parsed = parse(said.encode())
    assert parsed.title == "Pay"
    assert parsed.fragments[-1].section_path == ("Top › Pay", "Part time")
    assert "<script>x()</script> &" in str(parsed.fragments[-1])
    assert "<script" not in said


def test_blocks_without_end_are_left(space: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notion_pages, "MOST_BLOCKS", 50)
    page = space.page("Pay")
    for told in ([], [block("paragraph", "More").told]):
        more = json.dumps({"results": told, "has_more": True, "next_cursor": "more"})
        space.asked.clear()
        space.instead = {f"{page.id}/children": [(200, {}, more)] * 99}
        with pytest.raises(UnreadableDocument, match="more than 50 blocks"):
            fetched(space, page)
        assert len(space.asked) < 60


def test_blocks_in_blocks_without_end_are_left(space: Site) -> None:
    deep = block("toggle", "More")
    page = space.page("Pay", deep)
    deep.below = [deep]
    with pytest.raises(UnreadableDocument, match="in more than 30 others"):
        fetched(space, page)


def test_blocks_that_lack_something_are_not_half_read(space: Site) -> None:
    page = space.page("Pay", block("paragraph", [{"type": "text"}]))
    with pytest.raises(UnreadableDocument, match="not understood"):
        fetched(space, page)
