"""A space of Confluence is read with its tree, by its restrictions, and from nowhere else."""

import json
import time
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

import pytest
from confluence_site import Site, site, without_ids
from ingests import SourceReader
from remote_places import BOTH, CS, HR, ODD_TITLES, PASSWORD, another_server, once
from remote_places import listed as listed_by_path
from remote_places import read as read_by_path

from retrieval.errors import SourceUnavailable, UnreadableDocument
from retrieval.metadata.access import EVERYBODY, NOBODY, Audience, is_for_nobody
from retrieval.ports import DocumentSource, SourceFile
from retrieval.remote import confluence
from retrieval.remote.names import planned

GROUPS: Mapping[str, Audience] = {
    "hr-team": HR,
    "cs-team": CS,
    "all-staff": EVERYBODY,
    "id-of-board": HR,
    "teachers": (("courses", ("CS101",)),),
}


@pytest.fixture
def data_center() -> Iterator[Site]:
    with site() as made:
        yield made


@pytest.fixture
def cloud() -> Iterator[Site]:
    with site(is_cloud=True) as made:
        yield made


@pytest.fixture(params=["cloud", "data_center"])
def space(request: pytest.FixtureRequest) -> Site:
    made: Site = request.getfixturevalue(request.param)
    return made


listed = partial(listed_by_path, called=without_ids)
read = partial(read_by_path, called=without_ids)


class Reader(SourceReader):
    """Somebody who has a space read in, again and again."""

    def __init__(self, home: Path, space: Site) -> None:
        super().__init__(home, space.url, self._source, without_ids)
        self.space, self.groups = space, dict(GROUPS)

    def _source(self) -> DocumentSource:
        self.space.asked.clear()
        return self.space.source(self.groups)


@pytest.fixture
def reader(tmp_path: Path, data_center: Site) -> Reader:
    return Reader(tmp_path, data_center)


# --- what is listed -------------------------------------------------------------------


def test_pages_stand_in_their_tree_and_what_is_attached_below_its_page(space: Site) -> None:
    home = space.page("HR home", "<p>Welcome.</p>")
    leave = space.page("Leave", "<p>Ask first.</p>", home, version=7)
    space.attach("form.md", "Fill this in.", leave, version=3)
    space.attach("photo.mp4", "x", leave)
    space.page("Old leave", above=home, status="archived")
    space.page("Next leave", above=home, status="draft")
    found = listed(space.source())
    assert {path: each.etag.split()[1] for path, each in found.items()} == {
        "HR home.html": "1",
        "HR home/Leave.html": "7",
        "HR home/Leave/form.md": "3",
    }
    assert found["HR home/Leave/form.md"].size == len("Fill this in.")
    source = space.source()
    found = listed(source)
    assert "<h2>HR home › Leave</h2>\n<p>Ask first.</p>" in read(source, "HR home/Leave.html")
    page = f"http://{space.place}{space.context}/spaces/HR/pages/{leave.id}/Leave"
    assert source.link(found["HR home/Leave.html"].path) == page
    assert source.link(found["HR home/Leave/form.md"].path) == page
    assert source.link("elsewhere.html") == ""


def test_a_listing_in_many_answers_is_read_to_its_end(space: Site) -> None:
    space.at_once = 2
    pages = [space.page(f"Room {number}") for number in range(7)]
    for each in pages:
        space.attach("plan.txt", "It is here.", each)
    assert len(listed(space.source())) == 14


def test_a_data_center_may_stand_below_a_path(data_center: Site) -> None:
    data_center.path, data_center.at_once = "/confluence", 1
    data_center.attach("form.md", "Fill this in.", data_center.page("Forms"))
    data_center.page("Rooms")
    source = data_center.source()
    assert listed(source).keys() == {"Forms.html", "Forms/form.md", "Rooms.html"}
    assert read(source, "Forms/form.md") == "Fill this in."
    link = source.link(listed(source)["Rooms.html"].path)
    assert link.startswith(f"http://{data_center.place}/confluence/spaces/")
    assert all(path.startswith("/confluence/") for path, _ in data_center.asked)


@pytest.mark.parametrize(
    "answer",
    [
        *((500, {}, "s3cret-of-the-server"), (404, {}, ""), (200, {}, "<html>Sign in</html>")),
        *((200, {}, '{"results": [{"id": "1"'), (200, {}, '{"results": [{"id": "1"}]}')),
        (200, {}, '{"results": [], "_links": {"next": "//elsewhere.example/rest/api/content"}}'),
        (200, {}, '{"results": [], "_links": {"next": "@elsewhere.example/a"}}'),
        (200, {}, '{"results": [], "_links": {"next": "/rest/api/user/current"}}'),
    ],
    ids=["500", "404", "sign-in", "cut", "lacking", "elsewhere", "at", "other-request"],
)
def test_half_a_listing_is_no_listing(space: Site, answer: tuple[int, dict[str, str], str]) -> None:
    space.at_once = 1
    for number in range(3):
        space.page(f"Room {number}")
    space.instead = {"start=1": [answer], "cursor=1": [answer]}
    with pytest.raises(SourceUnavailable) as raised:
        space.source().listing()
    assert "s3cret" not in str(raised.value)
    assert raised.value.__cause__ is None
    assert all("/search?" in path for path, _ in space.asked)


def test_a_listing_that_does_not_say_who_may_read_is_none(space: Site) -> None:
    page = '{"id": "1", "type": "page", "status": "current", "title": "A", "ancestors": [], '
    page += '"version": {"number": 1}, "restrictions": {"read": {"restrictions": {}}}}'
    space.instead = {"/search": [(200, {}, f'{{"results": [{page}]}}')]}
    with pytest.raises(SourceUnavailable, match="not understood"):
        space.source().listing()


@pytest.mark.parametrize("title", ODD_TITLES)
def test_a_title_leads_nowhere_and_closes_nothing(reader: Reader, title: str) -> None:
    odd = reader.space.page(title, "<p>The audience: it is odd.</p>")
    reader.space.page("Below", "<p>It stands below.</p>", odd)
    reader.space.page("Beside", "<p>It stands beside.</p>")
    plan = planned(reader.space.source().listing())
    assert (len(plan.files), plan.closed) == (3, {})
    report = reader.read()
    assert report.problems == ()
    assert len(reader.served) == 3


def test_pages_and_files_of_one_title_are_told_apart(space: Site) -> None:
    above = space.page("Forms")
    page = space.page("leave", above=above)
    file = space.attach("Leave.html", "<p>A file.</p>", above)
    assert planned(space.source().listing()).files.keys() == {
        f"{above.id} Forms.html",
        f"{above.id} Forms/{page.id} leave.html",
        f"{above.id} Forms/{file.id} Leave.html",
    }


# --- who may read ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("groups", "users", "audience"),
    [
        (("hr-team",), (), HR),
        (("hr-team", "cs-team"), (), BOTH),
        (("hr-team", "all-staff"), (), EVERYBODY),
        (("board",), (), HR),
        (("hr-team", "unmapped"), ("ana",), HR),
        (("unmapped",), (), NOBODY),
        ((), ("ana",), NOBODY),
        (("HR-Team",), (), NOBODY),
        (("hr-team", "teachers"), (), NOBODY),
    ],
)
def test_a_restricted_page_is_for_whom_its_groups_are_mapped_to(
    space: Site, groups: tuple[str, ...], users: tuple[str, ...], audience: Audience
) -> None:
    pay = space.page("Pay", groups=groups, users=users)
    space.attach("pay.md", "In May.", pay)
    for path in ("Pay.html", "Pay/pay.md"):
        assert _of(space)[path].audience == audience


def test_restrictions_of_what_a_page_stands_below_hold_too(space: Site) -> None:
    top = space.page("Top", groups=("hr-team", "cs-team"))
    middle = space.page("Middle", above=top)
    low = space.page("Low", above=middle, groups=("hr-team",))
    space.page("Lost", above=low, groups=("cs-team",))
    found = {path: each.audience for path, each in _of(space).items()}
    assert is_for_nobody(found.pop("Top/Middle/Low/Lost.html"))
    assert found == {
        "Top.html": BOTH,
        "Top/Middle.html": BOTH,
        "Top/Middle/Low.html": HR,
    }


def _of(space: Site) -> dict[str, SourceFile]:
    return listed(space.source(GROUPS))


def test_a_restricted_folder_of_cloud_restricts_what_is_in_it(cloud: Site) -> None:
    folder = cloud.page("Board", type="folder", groups=("unmapped",))
    cloud.page("Minutes", above=folder)
    assert [each.audience for each in _of(cloud).values()] == [NOBODY]


@pytest.mark.parametrize("is_seen", [True, False])
@pytest.mark.parametrize("groups", [("hr-team",), ("unmapped",), ()])
def test_what_is_below_something_that_is_not_listed_is_for_nobody(
    space: Site, groups: tuple[str, ...], is_seen: bool
) -> None:
    above = space.page("Archive", status="archived", groups=groups)
    minutes = space.page("Minutes", above=above)
    space.attach("agenda.md", "It is long.", space.page("Agenda", above=minutes))
    if not is_seen:
        space.hidden.add(above.id)
    assert [each.audience for each in _of(space).values()] == [NOBODY] * 3
    assert all("/search?" in path for path, _ in space.asked)


def test_a_page_cannot_say_itself_that_more_may_read_it(reader: Reader) -> None:
    words = '<meta name="audience" content="everyone"/><p>Pay rises in May.</p>'
    pay = reader.space.page("Pay", words, groups=("hr-team",))
    wide = 'audience: {departments: "*", faculties: "*"}'
    reader.space.attach("pay.md", f"---\n{wide}\n---\nPay falls in June.", pay)
    reader.space.attach("metadata.yaml", f'"*": {{{wide}}}\naudience: everyone', pay)
    reader.read()
    assert {path: dict(each)["departments"] for path, each in reader.served.items()} == {
        "Pay.html": ("hr",),
        "Pay/pay.md": ("hr",),
    }


def test_what_was_said_of_the_source_is_not_widened(reader: Reader) -> None:
    reader.space.page("Pay", "<p>Pay rises in May.</p>", groups=("cs-team", "hr-team"))
    reader.space.page("Labs", "<p>Labs open at nine.</p>", groups=("cs-team",))
    report = reader.read(said=HR)
    assert reader.served == {"Pay.html": HR}
    assert [without_ids(each.file) for each in report.problems] == ["Labs.html"]


def test_a_copy_of_a_restricted_page_has_its_readers(reader: Reader) -> None:
    words = "Pay rises in May for all who came before March, and by two parts in a hundred. "
    text = "".join(f"<p>{words.replace('two', each)}</p>" for each in ("two", "three", "four"))
    pay = reader.space.page("Pay", text, groups=("hr-team",))
    reader.space.page("What I noted", text)
    assert reader.served_then() == {"Pay.html": HR, "What I noted.html": HR}
    pay.groups = ()
    assert reader.served_then() == {"Pay.html": EVERYBODY, "What I noted.html": EVERYBODY}


def test_a_restriction_that_comes_later_closes_and_opens_without_a_fetch(reader: Reader) -> None:
    pay = reader.space.page("Pay", "<p>Pay rises in May.</p>")
    reader.space.page("Labs", "<p>Labs open at nine.</p>")
    assert reader.served_then() == {"Pay.html": EVERYBODY, "Labs.html": EVERYBODY}
    pay.groups = ("hr-team",)
    assert reader.served_then() == {"Pay.html": HR, "Labs.html": EVERYBODY}
    reader.groups["hr-team"] = CS
    reader.read()
    assert reader.served["Pay.html"] == CS
    pay.groups = ()
    reader.read()
    assert reader.served["Pay.html"] == EVERYBODY
    assert reader.space.fetched == []


def test_what_is_for_nobody_leaves_is_named_and_not_kept_in_the_copy(reader: Reader) -> None:
    pay = reader.space.page("Pay", "<p>Pay rises in May.</p>")
    labs = reader.space.page("Labs", "<p>Labs open at nine.</p>")
    reader.read()
    pay.groups = ("unmapped",)
    labs.version = 2
    report = reader.read()
    assert reader.served == {"Labs.html": EVERYBODY}
    assert reader.space.fetched == [labs.id]
    assert [without_ids(each.file) for each in report.problems] == ["Pay.html"]
    assert "people.yaml" in report.problems[0].reason
    assert "rises" not in reader.copied
    assert reader.ingest.indexed.library.source_times()[0].read_at
    pay.groups = ()
    assert reader.served_then() == {"Pay.html": EVERYBODY, "Labs.html": EVERYBODY}


@pytest.mark.parametrize("group", ["hr-team", "unmapped"])
def test_a_restriction_that_comes_while_pages_are_copied_is_not_missed(
    reader: Reader, group: str
) -> None:
    pay = reader.space.page("Pay", "<p>Pay rises in May.</p>")
    reader.space.page("Labs", "<p>Labs open at nine.</p>")

    def restrict() -> None:
        pay.groups = (group,)

    reader.space.before_answering = once(f"/{pay.id}?", restrict)
    report = reader.read()
    assert reader.served == {"Labs.html": EVERYBODY}
    assert [without_ids(each.file) for each in report.problems] == ["Pay.html"]
    assert "changed who may read" in report.problems[0].reason
    assert reader.served_then() == {"Labs.html": EVERYBODY} | (
        {"Pay.html": HR} if group in GROUPS else {}
    )


def test_a_page_that_is_hidden_while_it_is_copied_is_not_served(reader: Reader) -> None:
    party = reader.space.page("Party", "<p>The party is in June.</p>")
    for number in range(4):
        reader.space.page(f"Room {number}", f"<p>Room {number} is open.</p>")
    reader.read()
    party.version, party.text = 2, "<p>Forty people are let go.</p>"

    def hide(path: str) -> None:
        if "/search" in path and party.id in reader.space.fetched:
            reader.space.hidden.add(party.id)

    reader.space.before_answering = hide
    report = reader.read()
    assert "Party.html" not in reader.served
    assert len(reader.served) == 4
    assert "changed who may read" in report.problems[0].reason


def test_who_may_read_other_pages_may_change_while_pages_are_copied(reader: Reader) -> None:
    party = reader.space.page("Party", "<p>The party is in June.</p>")

    def write() -> None:
        reader.space.page("Own", "<p>Own.</p>", groups=("hr-team",))

    reader.space.before_answering = once(f"/{party.id}?", write)
    assert reader.served_then() == {"Party.html": EVERYBODY}


@pytest.mark.parametrize(
    "readers",
    [
        {"user": {"results": [], "size": 2}, "group": {"results": [], "size": 0}},
        {"user": {"results": []}, "group": {"results": [], "size": 1}},
        {"user": {"results": []}, "group": {"results": []}, "guest": {"results": []}},
    ],
)
def test_a_restriction_that_is_not_understood_is_for_nobody(
    space: Site, readers: dict[str, object]
) -> None:
    page = {"id": "1", "type": "page", "status": "current", "title": "A", "ancestors": []}
    more = {"version": {"number": 1}, "restrictions": {"read": {"restrictions": readers}}}
    space.instead = {"/search": [(200, {}, json.dumps({"results": [page | more]}))]}
    assert _of(space)["A.html"].audience == NOBODY


def test_what_a_listing_does_not_tell_above_a_page_closes_it(cloud: Site, tmp_path: Path) -> None:
    reader = Reader(tmp_path, cloud)
    home = cloud.page("Home", "<p>Welcome to all.</p>")
    folder = cloud.page("Board", above=home, type="folder", groups=("unmapped",), is_told=False)
    plan = cloud.page("Plan", "<p>Forty people are let go.</p>", folder)
    cloud.page("Below", "<p>Ten more are let go.</p>", plan)
    cloud.attach("names.txt", "Ana and Omar.", plan)
    report = reader.read()
    assert reader.served == {"Home.html": EVERYBODY}
    assert len(report.problems) == 3
    assert all("stands below other" in each.reason for each in report.problems)
    assert "let go" not in reader.copied
    assert "Ana" not in reader.copied


def test_a_tree_that_is_closed_to_whoever_reads_it_is_served_to_nobody(reader: Reader) -> None:
    home = reader.space.page("Home", "<p>Welcome to all.</p>")
    rooms = [reader.space.page(f"Room {n}", f"<p>It is {n}.</p>", home) for n in range(4)]
    other = reader.space.page("Other", "<p>It is elsewhere.</p>")
    reader.read()
    reader.space.hidden |= {home.id, *(each.id for each in rooms)}
    report = reader.read()
    assert reader.served == {"Other.html": EVERYBODY}
    assert "--may-shrink" in report.problems[0].reason
    reader.space.hidden.add(other.id)
    assert reader.served_then() == {}
    reader.space.hidden.clear()
    reader.read()
    assert len(reader.served) == 6
    assert reader.space.fetched == []


def test_restrictions_hold_where_texts_cannot_be_fetched(reader: Reader) -> None:
    rooms = [reader.space.page(f"Room {each}", "<p>It is open.</p>") for each in range(7)]
    plan = reader.space.page("Plan", "<p>Forty people are let go.</p>")
    pay = reader.space.page("Pay", "<p>Pay rises in May.</p>")
    reader.read()
    plan.groups, pay.groups = ("unmapped",), ("hr-team",)
    for each in rooms:
        each.version = 2
        reader.space.instead[f"/content/{each.id}?"] = [(500, {}, "")] * 3
    assert reader.served_then() == {"Pay.html": HR}
    assert "let go" not in reader.copied
    assert len(set(reader.space.fetched)) == 5


def test_a_file_that_is_too_large_and_for_nobody_is_not_kept(reader: Reader) -> None:
    pay = reader.space.page("Pay", "<p>Pay rises in May.</p>", groups=("hr-team",))
    file = reader.space.attach("pay.txt", "Ana earns much.", pay)
    reader.read()
    pay.groups, file.version, file.text = ("unmapped",), 2, "x" * 1_100_000
    assert reader.served_then() == {}
    assert "Ana" not in reader.copied


def test_a_file_of_which_the_space_tells_nothing_is_for_nobody(reader: Reader) -> None:
    reader.space.page("Labs", "<p>Labs open at nine.</p>")
    reader.read()
    (reader.mirror.files / "plan.html").write_text("<p>Forty people are let go.</p>")
    report = reader.read()
    assert reader.served == {"Labs.html": EVERYBODY}
    assert [each.file for each in report.problems] == ["plan.html"]


# --- nowhere else ---------------------------------------------------------------------


@pytest.fixture
def other() -> Iterator[tuple[str, list[str | None]]]:
    with another_server(b"Fill this in") as made:
        yield made


def test_a_file_of_cloud_is_fetched_from_where_it_is_without_the_token(
    cloud: Site, other: tuple[str, list[str | None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    place, told = other
    cloud.media = f"http://{place}"
    cloud.attach("form.md", "Fill this in", cloud.page("Forms"))
    with pytest.raises(UnreadableDocument, match="leads to a host"):
        read(cloud.source(), "Forms/form.md")
    assert told == []
    monkeypatch.setattr(confluence, "MEDIA", place)
    assert read(cloud.source(), "Forms/form.md") == "Fill this in"
    assert told == [None]


@pytest.mark.parametrize("is_media", [True, False])
def test_a_redirect_takes_no_token_to_another_host(
    space: Site,
    other: tuple[str, list[str | None]],
    monkeypatch: pytest.MonkeyPatch,
    is_media: bool,
) -> None:
    place, told = other
    away = {"Location": f"http://{place}/rest/api/content/search"}
    space.instead = {"/search": [(302, away, "")]}
    if is_media:
        monkeypatch.setattr(confluence, "MEDIA", place)
    with pytest.raises(SourceUnavailable) as raised:
        space.source().listing()
    assert told == ([None] if is_media else [])
    assert PASSWORD not in str(raised.value)


@pytest.mark.parametrize("status", [429, 503])
def test_a_server_with_too_many_requests_is_waited_for_as_long_as_it_says(
    space: Site, status: int
) -> None:
    space.page("Pay")
    space.instead = {"/search": [(status, {"Retry-After": "1"}, "")]}
    began = time.monotonic()
    assert listed(space.source()).keys() == {"Pay.html"}
    assert time.monotonic() - began >= 1
    for wait in ("3600", "Wed, 21 Oct 2026 07:28:00 GMT", "", "-1"):
        space.instead = {"/search": [(status, {"Retry-After": wait}, "")]}
        with pytest.raises(SourceUnavailable, match=f"status {status}"):
            space.source().listing()
    space.instead = {"/search": [(status, {"Retry-After": "0"}, "")] * 9}
    with pytest.raises(SourceUnavailable, match=f"status {status}"):
        space.source().listing()
    assert len(space.instead["/search"]) == 6


def test_more_than_is_read_is_not_taken(space: Site) -> None:
    space.page("Long", f"<p>{'long ' * 300_000}</p>")
    with pytest.raises(UnreadableDocument, match="more than"):
        read(space.source(), "Long.html")
