"""Pages of Notion are read with their tree, for whom a table says, and from nowhere else."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from ingests import SourceReader
from notion_site import LATER, Site, Thing, block, site, without_ids
from remote_places import BOTH, CS, HR, ODD_TITLES, PASSWORD, another_server, once, opening
from remote_places import listed as listed_by_path
from remote_places import read as read_by_path

from retrieval.errors import BadSource, SourceUnavailable, UnreadableDocument
from retrieval.metadata.access import EVERYBODY, NOBODY, Audience, is_for_nobody
from retrieval.ports import DocumentSource
from retrieval.remote import api, notion
from retrieval.remote.names import planned
from retrieval.remote.urls import source_url

TEACHERS: Audience = (("courses", ("CS101",)),)


@pytest.fixture
def space() -> Iterator[Site]:
    with site() as made:
        yield made


listed = partial(listed_by_path, called=without_ids)
read = partial(read_by_path, called=without_ids)


class Reader(SourceReader):
    """Somebody who has pages read in, again and again."""

    readers: dict[str, Audience] | None = None

    def __init__(self, home: Path, space: Site) -> None:
        super().__init__(home, space.url, self._source, without_ids)
        self.space = space

    def _source(self) -> DocumentSource:
        self.space.asked.clear()
        return self.space.source(self.readers)


@pytest.fixture
def reader(tmp_path: Path, space: Site) -> Reader:
    return Reader(tmp_path, space)


# --- what is listed -------------------------------------------------------------------


def test_pages_and_rows_of_databases_stand_in_their_tree(space: Site) -> None:
    home = space.page("HR home", "Welcome.")
    leave = space.page("Leave", "Ask first.", above=home, edited=LATER)
    fees = space.database("Fees", home)
    space.page("Library", "Two euros.", above=fees)
    space.page("Old leave", above=home, in_trash=True)
    space.page("Elsewhere").above = None
    source = space.source()
    found = listed(source)
    assert found.keys() == {
        "Top.html",
        "HR home.html",
        "HR home/Leave.html",
        "HR home/Fees/Library.html",
    }
    assert found["HR home/Leave.html"].etag != found["HR home.html"].etag
    assert "<h2>Top › HR home › Leave</h2>\n<p>Ask first.</p>" in read(source, "HR home/Leave.html")
    page = f"https://www.notion.so/Page-{leave.key}"
    assert source.link(found["HR home/Leave.html"].path) == page
    assert source.link("elsewhere.html") == ""


def test_a_listing_and_a_page_in_many_answers_are_read_to_their_end(space: Site) -> None:
    space.at_once = 2
    for number in range(7):
        space.page(f"Room {number}", *(f"Line {line}." for line in range(5)))
    source = space.source()
    assert len(listed(source)) == 8
    said = read(source, "Room 3.html")
    assert all(f"<p>Line {line}.</p>" in said for line in range(5))


def test_a_database_may_be_what_is_read() -> None:
    with site("database") as space:
        space.page("Library", "Two euros.")
        assert listed(space.source()).keys() == {"Library.html"}


def test_a_page_stands_below_the_page_that_holds_its_block(space: Site) -> None:
    column = block("column")
    home = space.page("Home", block("column_list", "", column))
    inner = space.page("Inner", above=column)
    database = space.database("Fees", column)
    space.page("Library", above=database)
    assert listed(space.source()).keys() - {"Top.html"} == {
        "Home.html",
        "Home/Inner.html",
        "Home/Fees/Library.html",
    }
    assert inner.above is column
    assert home.below


def test_a_page_that_search_lacks_is_read_where_others_stand_below_it(space: Site) -> None:
    home = space.page("Home", "Welcome.")
    low = space.page("Low", above=space.page("Middle", "Halfway.", above=home))
    space.lost |= {space.top.id, home.id, low.above.id if low.above else ""}
    source = space.source()
    assert listed(source).keys() == {
        "Top.html",
        "Home.html",
        "Home/Middle.html",
        "Home/Middle/Low.html",
    }
    assert "<p>Halfway.</p>" in read(source, "Home/Middle.html")


def test_a_page_that_is_edited_while_pages_are_listed_has_none_passed_over(space: Site) -> None:
    space.at_once = 2
    rooms = [
        space.page(f"Room {each}", edited=f"2025-02-0{each}T10:00:00Z") for each in range(1, 7)
    ]
    asked = []

    def edit(path: str) -> None:
        asked.append(path)
        if asked.count("/v1/search") == 2:
            rooms[0].edited = rooms[3].edited = LATER

    space.before_answering = edit
    assert len(listed(space.source())) == 7


def test_a_page_far_below_the_root_is_listed_and_one_too_far_for_a_path_is_named(
    reader: Reader,
) -> None:
    low = block("toggle")
    reader.space.page("Room", low)
    for _ in range(80):
        low.below = [block("toggle")]
        reader.space.things[low.below[0].id], low.below[0].above = low.below[0], low
        low = low.below[0]
    low = reader.space.page("Low", "Halfway down.", above=low)
    for number in range(14):
        low = reader.space.page(f"Lower {number} {'x' * 40}", above=low)
    report = reader.read()
    assert "Room/Low.html" in reader.served
    assert "too long a name" in report.problems[0].reason


@pytest.mark.parametrize("status", [400, 403, 404])
def test_what_is_not_to_be_seen_is_left_out_with_what_stands_below_it(
    space: Site, status: int
) -> None:
    home = space.page("Home")
    space.page("Low", above=home)
    space.page("Room")
    space.instead = {f"/v1/pages/{home.id}": [(status, {}, "{}")]}
    assert listed(space.source()).keys() == {"Top.html", "Room.html"}


@pytest.mark.parametrize("kind", ["page", "database", "block"])
@pytest.mark.parametrize("is_seen", [True, False])
def test_what_stands_below_something_in_the_trash_is_left_out(
    space: Site, kind: str, is_seen: bool
) -> None:
    toggle = block("toggle")
    home = space.page("Home", toggle)
    above = {
        "page": lambda: space.page("Middle", above=home),
        "database": lambda: space.database("Middle", home),
        "block": lambda: toggle,
    }[kind]()
    space.page("Lower", above=space.page("Low", above=above))
    assert "Lower.html" in str(listed(space.source()))
    above.in_trash = is_seen
    if not is_seen:
        space.hidden.add(above.id)
    assert listed(space.source()).keys() == {"Top.html", "Home.html"}


def test_pages_that_stand_below_each_other_are_left_out(space: Site) -> None:
    one = space.page("One")
    two = space.page("Two", above=one)
    space.page("Below", above=two)
    own = space.page("Own")
    one.above, own.above = two, own
    assert listed(space.source()).keys() == {"Top.html"}


@pytest.mark.parametrize(
    "answer",
    [
        *((500, {}, "s3cret-of-the-server"), (404, {}, ""), (200, {}, "<html>Sign in</html>")),
        *((200, {}, '{"results": [{"id": "1"'), (200, {}, '{"results": []}')),
        (200, {}, '{"results": [{"object": "page", "id": "1"}], "has_more": false}'),
        (200, {}, '{"results": [], "has_more": true, "next_cursor": null}'),
        (200, {}, '{"results": [], "has_more": false, "request_status": {"type": "incomplete"}}'),
    ],
    ids=["500", "404", "sign-in", "cut", "lacking", "partial", "no-cursor", "incomplete"],
)
def test_half_a_listing_is_no_listing(space: Site, answer: tuple[int, dict[str, str], str]) -> None:
    space.page("Room")
    space.instead = {"/search": [answer]}
    with pytest.raises(SourceUnavailable) as raised:
        space.source().listing()
    assert "s3cret" not in str(raised.value)
    assert raised.value.__cause__ is None


@pytest.mark.parametrize("title", ODD_TITLES)
def test_a_title_leads_nowhere_and_closes_nothing(reader: Reader, title: str) -> None:
    odd = reader.space.page(title, "It is odd that the yard is closed.")
    reader.space.page("Below", "It stands below.", above=odd)
    reader.space.page("Beside", "It stands beside.")
    plan = planned(reader.space.source().listing())
    assert (len(plan.files), plan.closed) == (4, {})
    assert reader.read().problems == ()
    assert len(reader.served) == 3
    assert "<script" not in reader.copied


def test_pages_of_one_title_are_told_apart(space: Site) -> None:
    pages = [space.page("Leave"), space.page("leave")]
    names = {f"{space.top.key} Top/{each.key} {each.title}.html" for each in pages}
    assert names < planned(space.source().listing()).files.keys()


def test_without_a_token_nothing_is_asked(space: Site) -> None:
    with pytest.raises(BadSource, match="VOUCH_SOURCE_KEYS"):
        opening().source(source_url(space.url), Path())


# --- who may read ---------------------------------------------------------------------


def test_a_page_is_for_whom_it_and_what_it_stands_below_are_mapped_to(space: Site) -> None:
    hr = space.page("HR")
    space.page("Rules", above=hr)
    pay = space.database("Pay", hr)
    space.page("Ana", above=pay)
    space.page("CS", above=hr)
    it = space.page("IT")
    space.page("Labs", above=space.page("Teaching", above=it))
    space.page("Notes")
    cs = next(each for each in space.things.values() if each.title == "CS")
    teaching = next(each for each in space.things.values() if each.title == "Teaching")
    readers = {hr.id: BOTH, pay.key: HR, cs.key.upper(): TEACHERS, teaching.key: EVERYBODY}
    found = {path: each.audience for path, each in listed(space.source(readers)).items()}
    assert found == {
        "Top.html": NOBODY,
        "Notes.html": NOBODY,
        "HR.html": BOTH,
        "HR/Rules.html": BOTH,
        "HR/Pay/Ana.html": HR,
        "HR/CS.html": (*TEACHERS, *BOTH),
        "IT.html": NOBODY,
        "IT/Teaching.html": EVERYBODY,
        "IT/Teaching/Labs.html": EVERYBODY,
    }


def test_what_is_mapped_to_others_than_what_is_above_it_is_for_nobody(space: Site) -> None:
    hr = space.page("HR")
    labs = space.page("Labs", above=hr)
    found = listed(space.source({hr.key: HR, labs.key: CS}))
    assert is_for_nobody(found["HR/Labs.html"].audience)


def test_without_a_table_it_is_for_whom_its_source_is(reader: Reader) -> None:
    reader.space.page("Pay", "Pay rises in May.")
    assert reader.served_then(said=HR) == {"Pay.html": HR}


def test_a_page_cannot_say_itself_that_more_may_read_it(reader: Reader) -> None:
    wide = '<meta name="audience" content="everyone"><p>Pay rises in May.</p>'
    pay = reader.space.page("Pay", wide, 'audience: {departments: "*"}')
    reader.readers = {pay.key: HR}
    reader.read()
    assert set(reader.served.values()) <= {HR}


def test_a_row_says_itself_whom_it_is_not_for(reader: Reader) -> None:
    def row(title: str, words: str, **stated: object) -> None:
        properties = {
            name: {"type": "select", "select": {"name": said}} for name, said in stated.items()
        }
        reader.space.page(title, words, above=fees, properties=properties)

    fees = reader.space.database("Fees")
    row("Library", "A book is two euros a week.", Kind="Book")
    row("Pay", "Pay rises in May for all of us.", Access="HR")
    row("Labs", "Labs open at nine on weekdays.", Department="CS")
    row("Party", "The party is in June, by the lake.", Status="Draft")
    report = reader.read()
    assert reader.served == {"Fees/Library.html": EVERYBODY}
    closed = {without_ids(each.file) for each in report.problems}
    assert closed == {"Fees/Pay.html", "Fees/Labs.html", "Fees/Party.html"}


def test_a_page_that_is_moved_below_a_restricted_one_is_restricted(reader: Reader) -> None:
    hr = reader.space.page("HR", "It is about people.")
    plan = reader.space.page("Plan", "Forty people are let go.")
    reader.space.page("Names", "Ana and Omar.", above=plan)
    reader.readers = {reader.space.top.key: EVERYBODY, hr.key: HR}
    reader.read()
    assert reader.served["Plan.html"] == reader.served["Plan/Names.html"] == EVERYBODY
    plan.above = hr
    assert reader.served_then() == {
        "HR.html": HR,
        "HR/Plan.html": HR,
        "HR/Plan/Names.html": HR,
    }


def test_what_is_new_below_a_tree_that_was_moved_is_restricted_whatever_search_still_says(
    reader: Reader,
) -> None:
    hr = reader.space.page("HR", "It is about people.")
    plan = reader.space.page("Plan", "Forty people are let go.")
    fees = reader.space.database("Fees", plan)
    reader.readers = {reader.space.top.key: EVERYBODY, hr.key: HR}
    reader.read()
    reader.space.stale = {each.id: each.told for each in (hr, plan)}
    plan.above = hr
    reader.space.page("Names", "Ana and Omar.", above=plan)
    reader.space.page("Pay", "Ten euros.", above=fees)
    reader.read()
    new = {"HR/Plan/Names.html": HR, "HR/Plan/Fees/Pay.html": HR}
    assert reader.served == {"HR.html": HR, "HR/Plan.html": HR} | new
    asked = [path for path, _ in reader.space.asked if plan.id in path and "children" not in path]
    assert len(asked) == 3, "once in each listing, and once when it is copied"
    hr.in_trash = True
    reader.space.page("More", "Ana again.", above=plan)
    assert reader.served_then() == {}


def test_a_database_that_notion_does_not_tell_of_closes_what_it_holds_and_is_named(
    reader: Reader,
) -> None:
    fees = reader.space.database("Fees")
    reader.space.page("Library", "A book is two euros a week.", above=fees)
    labs = reader.space.page("Labs", "Labs open at nine.")
    reader.read()
    assert len(reader.served) == 2
    reader.space.instead = {f"/v1/databases/{fees.id}": [(400, {}, "{}")] * 9}
    labs.edited = LATER
    report = reader.read()
    assert reader.served == {"Labs.html": EVERYBODY}
    assert [each.file for each in report.problems] == [fees.key]
    assert "refuses to tell of" in report.problems[0].reason
    reader.readers = {reader.space.top.key: EVERYBODY, fees.key: HR}
    assert f"lacks {fees.key}" in str(reader.read().problems)
    assert reader.served == {}


def test_a_page_below_one_that_is_called_otherwise_now_is_read_again(reader: Reader) -> None:
    home = reader.space.page("Fees of the library for all the students 2024", "They are paid.")
    reader.space.page("Books", "Two euros.", above=home)
    reader.read()
    home.title, home.edited = home.title.replace("2024", "2025"), LATER
    assert len(reader.read().changed) == 2
    assert "2024" not in reader.copied
    reader.read()
    assert reader.space.fetched == []


def test_a_table_that_changes_closes_and_opens(reader: Reader) -> None:
    pay = reader.space.page("Pay", "Pay rises in May.")
    top = reader.space.top.key
    reader.readers = {top: EVERYBODY}
    assert reader.served_then() == {"Pay.html": EVERYBODY}
    reader.readers = {top: EVERYBODY, pay.key: HR}
    assert reader.served_then() == {"Pay.html": HR}
    assert reader.space.fetched == []
    reader.readers = {top: EVERYBODY, pay.key: NOBODY}
    assert reader.served_then() == {}
    assert "rises" not in reader.copied


@pytest.mark.parametrize("is_below", [True, False])
def test_an_id_of_a_page_that_stands_elsewhere_closes_all(reader: Reader, is_below: bool) -> None:
    reader.space.page("Pay", "Pay rises in May.")
    elsewhere = reader.space.page("Elsewhere")
    elsewhere.above = None
    old = reader.space.page("Pay", "Pay rose in May.", above=elsewhere) if is_below else elsewhere
    reader.readers = {reader.space.top.key: EVERYBODY, old.key: HR}
    report = reader.read()
    assert reader.served == {}
    assert f"lacks {old.key}" in str(report.problems)


def test_an_id_that_is_nobodys_page_closes_all(reader: Reader) -> None:
    pay = reader.space.page("Pay", "Pay rises in May.")
    readers: dict[str, Audience] = {reader.space.top.key: EVERYBODY, pay.key: HR}
    reader.readers = dict(readers)
    assert reader.served_then() == {"Pay.html": HR}
    reader.readers = {reader.space.top.key: EVERYBODY, "0" * 32: HR}
    report = reader.read()
    assert reader.served == {}
    assert "0" * 32 in str(report.problems)
    reader.readers = readers
    assert reader.served_then() == {"Pay.html": HR}
    pay.in_trash = True
    reader.space.page("Labs", "Labs open at nine.")
    assert reader.served_then() == {"Labs.html": EVERYBODY}


ONE = "-".join("1" * each for each in (8, 4, 4, 4, 12))


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ({"notion://" + "2" * 32: {"2" * 32: EVERYBODY}}, "has no page in `sources`"),
        ({"NOTION://" + "1" * 31: {"1" * 32: EVERYBODY}}, "has no page in `sources`"),
        ({"notion://" + "1" * 32: {}}, "has no page in `sources`"),
        ({f"notion://{each}": {"1" * 32: HR} for each in ("1" * 32, ONE)}, "Keep one"),
        ({f"{each}://{ONE}": {"1" * 32: HR} for each in ("notion", "Notion")}, "Keep one"),
        ({"notion://" + "1" * 32: {"HR home": EVERYBODY}}, "by its 32 digits"),
        ({"notion://" + "1" * 32: {"a" * 32: HR, "A" * 32: EVERYBODY}}, "has a page twice"),
    ],
)
def test_a_table_that_may_mean_this_source_is_understood_or_nothing_is_read(
    table: Mapping[str, Mapping[str, Audience]], why: str
) -> None:
    url = source_url("notion://" + "1" * 32)
    with pytest.raises(BadSource, match=why):
        opening({url.text: {"token": "t0k3n"}}, groups=table).source(url, Path())


@pytest.mark.parametrize("when", ["/v1/pages/{}", "/v1/blocks/{}/children"])
def test_a_page_that_is_moved_while_it_is_copied_is_not_served(reader: Reader, when: str) -> None:
    hr = reader.space.page("HR", "It is about people.")
    plan = reader.space.page("Plan", "Forty people are let go.")
    reader.readers = {reader.space.top.key: EVERYBODY, hr.key: HR}

    def move() -> None:
        reader.space.stale[plan.id] = plan.told
        plan.above, plan.below = hr, [block("paragraph", "Ana and Omar are let go.")]

    reader.space.before_answering = once(when.format(plan.id), move)
    report = reader.read()
    assert reader.served == {"HR.html": HR}
    assert "Plan.html" in str(report.problems)
    assert "let go" not in reader.copied
    reader.space.stale.clear()
    assert reader.served_then() == {"HR.html": HR, "HR/Plan.html": HR}


def test_a_page_of_which_search_does_not_know_yet_that_it_was_moved_is_not_read(
    reader: Reader,
) -> None:
    hr = reader.space.page("HR", "It is about people.")
    plan = reader.space.page("Plan", "Forty people are let go.")
    reader.readers = {reader.space.top.key: EVERYBODY, hr.key: HR}
    reader.space.stale[plan.id] = plan.told
    plan.above = hr
    report = reader.read()
    assert reader.served == {"HR.html": HR}
    assert "was moved" in str(report.problems)
    assert "let go" not in reader.copied
    reader.space.stale.clear()
    assert reader.served_then() == {"HR.html": HR, "HR/Plan.html": HR}


@pytest.mark.parametrize("is_seen", [True, False])
def test_a_root_that_is_gone_is_served_to_nobody_until_it_is_there(
    reader: Reader, is_seen: bool
) -> None:
    reader.space.page("Labs", "Labs open at nine.")
    assert reader.served_then() == {"Labs.html": EVERYBODY}
    top = reader.space.top
    top.in_trash = is_seen
    reader.space.hidden |= set() if is_seen else {top.id}
    report = reader.read()
    assert reader.served == {}
    assert ("--may-shrink" if is_seen else "Share it with that in Notion") in report.problems[
        0
    ].reason
    top.in_trash = False
    reader.space.hidden.clear()
    assert reader.served_then() == {"Labs.html": EVERYBODY}
    assert reader.space.fetched == []


# --- by what changed ------------------------------------------------------------------


def test_a_page_that_is_edited_again_in_the_same_minute_is_read_again(reader: Reader) -> None:
    def minute(ago: timedelta) -> str:
        at = (datetime.now(UTC) - ago).replace(second=0, microsecond=0)
        return at.isoformat().replace("+00:00", ".000Z")

    room = reader.space.page("Room", "It is open.", edited=minute(timedelta()))
    reader.read()
    assert "It is open." in reader.copied
    room.below[0].said["rich_text"][0]["plain_text"] = "It is shut."
    reader.read()
    assert "It is shut." in reader.copied
    room.edited = minute(timedelta(minutes=3))
    reader.read()
    reader.read()
    assert reader.space.fetched == [room.id]
    room.edited = minute(timedelta(minutes=10))
    reader.read()
    reader.read()
    assert reader.space.fetched == []


# --- nowhere else ---------------------------------------------------------------------


@pytest.mark.parametrize("where", ["/v1/search", "/v1/pages/", "/children"])
def test_a_redirect_leads_to_no_other_host(space: Site, where: str) -> None:
    space.page("Home")
    source = space.source()
    file = listed(source)["Home.html"]
    kind = SourceUnavailable if where == "/v1/search" else UnreadableDocument
    with another_server() as (place, told):
        space.instead = {where: [(307, {"Location": f"http://{place}/v1/search"}, "")]}
        with pytest.raises(kind, match=r"leads to|redirects") as error:
            source.listing() if kind is SourceUnavailable else source.fetch(file)
    assert told == []
    assert PASSWORD not in str(error.value)


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "https://www.notion.so.evil.example/a", "http://www.notion.so/a"]
)
def test_a_link_leads_to_notion_alone(space: Site, url: str) -> None:
    page = space.page("Home")
    space.stale[page.id] = {**page.told, "url": url}
    source = space.source()
    assert source.link(listed(source)["Home.html"].path) == ""


@pytest.mark.parametrize("token", ["t0k3n\r\nHost: elsewhere.example", "t0k3n\u2026"])
def test_a_token_that_no_header_takes_is_not_said(space: Site, token: str) -> None:
    with pytest.raises(SourceUnavailable) as raised:
        space.source(token=token).listing()
    assert "t0k3n" not in repr(raised.value)
    assert raised.value.__cause__ is None


@pytest.mark.parametrize("where", ["/v1/blocks/{}", "/v1/pages/{}"])
@pytest.mark.parametrize("answer", [(400, {}, "{}"), (200, {}, "<html>Sorry</html>")])
def test_pages_that_are_always_refused_stop_no_others(
    reader: Reader, where: str, answer: tuple[int, dict[str, str], str]
) -> None:
    rooms = [reader.space.page(f"Room {each}", f"It is {each}.") for each in range(9)]
    first = sorted(rooms, key=lambda each: each.id)[:6]
    reader.space.instead = {where.format(each.id): [answer] * 9 for each in first}
    report = reader.read()
    assert len(reader.served) == 3
    assert len(report.problems) == 6


def test_a_page_that_left_since_it_was_listed_is_gone(space: Site) -> None:
    page: Thing = space.page("Pay")
    for gone in ("trashed", "deleted"):
        page.in_trash, source = False, space.source()
        file = listed(source)["Pay.html"]
        page.in_trash = gone == "trashed"
        space.hidden |= {page.id} if gone == "deleted" else set()
        with pytest.raises(UnreadableDocument, match="not there any more"):
            source.fetch(file)


def test_a_tree_that_search_lacks_is_served_to_nobody_until_it_is_there(reader: Reader) -> None:
    rooms = [reader.space.page(f"Room {each}", f"It is {each}.") for each in range(5)]
    reader.read()
    reader.space.lost |= {each.id for each in rooms[:4]}
    report = reader.read()
    assert reader.served == {"Room 4.html": EVERYBODY}
    assert "--may-shrink" in str(report.problems)
    reader.space.lost.clear()
    reader.read()
    assert len(reader.served) == 5
    assert reader.space.fetched == []


def test_more_than_is_ever_asked_for_is_given_up(
    space: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    low = space.top
    for number in range(4):
        low = space.page(f"Level {number}", above=low)
        space.lost.add(low.id)
    space.page("Room", above=low)
    monkeypatch.setattr(notion, "MOST_ANSWERS", 3)
    with pytest.raises(BadSource, match="more than 3 that others stand below"):
        space.source().listing()
    monkeypatch.setattr(api, "MOST_ANSWERS", 3)
    again = '{"results": [], "has_more": true, "next_cursor": "1", "request_status": {}}'
    space.instead = {"/search": [(200, {}, again)] * 4}
    with pytest.raises(BadSource, match="more than 3 answers"):
        space.source().listing()
