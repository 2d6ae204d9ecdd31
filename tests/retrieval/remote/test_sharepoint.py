"""A library of SharePoint is read as far as its own permissions let its readers, and no farther."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from ingests import SourceReader
from remote_places import BOTH, CS, HR, another_server, listed, read
from sharepoint_site import (
    APP,
    DRIVE,
    EVERYONE,
    OWNERS,
    ROOT,
    TOKEN,
    VISITORS,
    Grant,
    Site,
    by_link,
    site,
    to_group,
    to_person,
    to_site_group,
)

from retrieval.errors import BadSource, SourceUnavailable, UnreadableDocument
from retrieval.metadata.access import EVERYBODY, NOBODY, Audience
from retrieval.remote import api
from retrieval.remote.guarded import GuardedHttp
from retrieval.remote.names import planned
from retrieval.remote.sharepoint import SharePointSource
from retrieval.remote.urls import source_url

GROUPS: Mapping[str, Audience] = {"HR@example.org": HR, "site group 5": HR}
HR_ALONE = (to_group("hr@example.org"),)
DELTA = "root/delta"


@pytest.fixture
def ours() -> Iterator[Site]:
    with site() as made:
        yield made


def audiences(made: Site, groups: Mapping[str, Audience] = GROUPS) -> dict[str, Audience]:
    return {path: each.audience for path, each in listed(made.source(groups)).items()}


# --- what is listed -------------------------------------------------------------------


def test_files_stand_in_their_folders_whatever_is_told_first(ours: Site) -> None:
    ours.at_once = 2
    leave = ours.folder("Leave", ours.folder("HR"))
    ours.file("policy.md", "Ask first.", leave)
    ours.file("notes", "<p>Be kind.</p>")
    ours.file("old.md", trashed=True)
    book = ours.folder("Notes", more=(("package", {"type": "oneNote"}),))
    ours.file("page.html", above=book)
    ours.file("Elsewhere.md", more=(("remoteItem", {"id": "x"}), ("file", None)))
    source = ours.source()
    assert listed(source).keys() == {"HR/Leave/policy.md", "notes.html", "Elsewhere.md"}
    assert planned(source.listing()).closed.keys() == {"Elsewhere.md"}, "a link is not followed"
    assert read(source, "HR/Leave/policy.md") == "Ask first."


def test_a_library_and_a_folder_are_found_as_the_browser_shows_them(ours: Site) -> None:
    folder = ours.folder("Über uns", ours.folder("HR"))
    ours.file("a.md", above=folder)
    ours.file("b.md")
    at = f"sharepoint+{ours.here}/sites/HR"
    for url in (at, ours.url, f"{at}/shared%20documents"):
        assert listed(ours.source(url=url)).keys() == {"HR/Über uns/a.md", "b.md"}
    assert listed(ours.source(url=f"{ours.url}/HR/%C3%9Cber%20uns")).keys() == {"a.md"}
    assert f"/v1.0/drives/{DRIVE}/root:/HR/%C3%9Cber%20uns" in ours.paths
    with pytest.raises(BadSource, match="no library 'Pay'"):
        ours.source(url=f"{at}/Pay").listing()
    with pytest.raises(BadSource, match="is no folder"):
        ours.source(url=f"{ours.url}/b.md").listing()
    assert not any("b!other" in path for path in ours.paths)
    with pytest.raises(SourceUnavailable):  # that library is asked, and is not there
        ours.source(url=f"{at}/Documents").listing()
    assert "/v1.0/drives/b!other/root" in ours.paths, "an address counts before a title"


def test_an_item_that_is_told_twice_is_as_it_was_told_last(ours: Site) -> None:
    ours.at_once = 1
    closed = ours.folder("Closed", grants=HR_ALONE)
    moved = ours.file("pay.md", above=closed)
    back, gone = ours.file("back.md"), ours.file("gone.md", trashed=True)
    ours.told_before += [
        {**moved.told(ours.place), "parentReference": {"id": ROOT}},
        {"id": back.id, "deleted": {}},
        {"id": gone.id, "name": "gone.md", "file": {}, "parentReference": {"id": ROOT}},
    ]
    assert audiences(ours) == {"Closed/pay.md": HR, "back.md": EVERYBODY}


def test_a_name_leads_nowhere(ours: Site) -> None:
    for name in ("etc/../passwd.md", "..", "", "a.md\0"):
        ours.file(name)
    ours.file("x.md", above=ours.folder(".."))
    paths = set(planned(ours.source().listing()).files)
    assert "etc-..-passwd.md" in paths
    assert all(".." not in path.split("/") for path in paths)


def test_a_folder_that_stands_in_itself_is_listed_once(ours: Site) -> None:
    one = ours.folder("One")
    ours.files[ROOT].above = one.id
    ours.file("a.md", above=one)
    assert listed(ours.source()).keys() == {"One/a.md"}


def test_what_changed_or_moved_has_another_mark_or_path(ours: Site) -> None:
    one = ours.file("a.md", "One.")
    before = listed(ours.source())["a.md"].mark
    one.grants = HR_ALONE
    assert listed(ours.source())["a.md"].mark == before
    one.more = (("cTag", '"c:{1},1"'),)
    tagged = listed(ours.source())["a.md"].mark
    one.name, one.text = "b.md", "Two."
    assert listed(ours.source())["b.md"].mark == tagged, "its tag tells of its content"


def test_a_link_leads_to_the_site_or_nowhere(ours: Site) -> None:
    ours.file("a.md")
    ours.file("b.md", more=(("webUrl", f"https://{ours.place}.evil.example/b"),))
    ours.file("c.md", more=(("webUrl", f"http://{ours.place}/c"),))
    source = ours.source()
    assert source.link("a.md") == ""  # not listed yet
    listed(source)
    assert source.link("a.md").startswith(f"https://{ours.place}/sites/HR/")
    assert source.link("b.md") == source.link("c.md") == ""


# --- who may read it ------------------------------------------------------------------


def test_what_inherits_is_for_whom_that_is_which_it_stands_in(ours: Site) -> None:
    ours.file("a.md")
    ours.file("b.md", grants=(*EVERYONE, to_person("guest@elsewhere.example")))
    pay = ours.folder("Pay", grants=(OWNERS, *HR_ALONE))
    ours.file("2026.md", above=ours.folder("Years", pay))
    board = ours.folder("Board", pay, grants=(OWNERS,))
    ours.file("minutes.md", above=board)
    ours.file("open.md", above=board, grants=EVERYONE)
    site_group = ours.folder("Team", grants=(to_site_group("5", "HR"),))
    ours.file("plan.md", above=site_group)
    assert audiences(ours) == {
        "a.md": EVERYBODY,
        "b.md": EVERYBODY,
        "Pay/Years/2026.md": HR,
        "Pay/Board/minutes.md": NOBODY,
        "Pay/Board/open.md": EVERYBODY,
        "Team/plan.md": HR,
    }
    assert audiences(ours, {})["Pay/Years/2026.md"] == NOBODY


LATER = {"expirationDateTime": "2027-01-01T00:00:00Z"}
OWNING = to_group("hr@example.org", own="_o")["grantedToV2"]
AS_A_PERSON = {"user": OWNING["group"], "siteUser": OWNING["siteUser"]}
NAMELESS = {"group": {"id": "x", "email": "hr@example.org", "displayName": "HR"}}


@pytest.mark.parametrize(
    "grant",
    [
        to_group("hr@example.org.evil.example"),  # of the same displayed name
        to_group("hr@example.org", own="_o"),  # its owners alone
        {"roles": ["read"], "grantedToV2": AS_A_PERSON},
        to_site_group("6", "HR@example.org"),
        to_group("hr@example.org", role="createOnly"),
        to_group("hr@example.org", role="sp.limited"),
        to_group("hr@example.org", **LATER),
        {"roles": ["read"], "grantedTo": {"user": {"email": "hr@example.org"}}},
        {"roles": ["read"], "invitation": {"email": "hr@example.org"}},
        by_link("existingAccess", *HR_ALONE),
        by_link("anonymous"),
        by_link("organization"),
        by_link("users"),
        by_link("users", *HR_ALONE, kind="createOnly"),
    ],
)
def test_a_grant_that_is_none_or_of_others_opens_nothing(ours: Site, grant: Grant) -> None:
    ours.file("pay.md", grants=(grant, OWNERS))
    assert audiences(ours) == {"pay.md": NOBODY}


@pytest.mark.parametrize(
    "grant",
    [
        {"roles": ["read"]},
        {"roles": ["read"], "grantedToV2": NAMELESS},  # or its owners alone
        {"roles": ["read"], "grantedToV2": {"somebodyNew": {"id": "1"}}},
        {"roles": ["read"], "grantedToV2": {"user": {"displayName": "Ana"}}},
        by_link("somethingNew"),
        by_link(""),
    ],
)
def test_what_is_given_in_an_unknown_way_closes_a_file(ours: Site, grant: Grant) -> None:
    ours.file("pay.md", grants=(*EVERYONE, *HR_ALONE, grant))
    assert audiences(ours) == {"pay.md": NOBODY}
    ours.files[ROOT].grants = (*EVERYONE, grant)
    ours.file("a.md", grants=EVERYONE)
    assert audiences(ours)["a.md"] == NOBODY, "some of its readers are not known"


def test_links_are_for_whom_they_are_mapped_to(ours: Site) -> None:
    ours.file("a.md", grants=(by_link("anonymous"),))
    ours.file("b.md", grants=(by_link("organization", kind="edit"),))
    ours.file("c.md", grants=(by_link("users", *HR_ALONE, to_person("ana@example.org")),))
    ours.file("d.md", grants=(to_person("ANA@example.org"),))
    ours.file("e.md", grants=({**to_group("x"), "grantedToV2": {"application": {"id": "a"}}},))
    groups = {**GROUPS, "anyone": EVERYBODY, "organization": CS, "id-of-ana@example.org": CS}
    assert audiences(ours, groups) == {
        "a.md": EVERYBODY,
        "b.md": CS,
        "c.md": BOTH,
        "d.md": CS,
        "e.md": NOBODY,
    }


def test_what_is_not_for_all_readers_of_the_whole_is_narrower(ours: Site) -> None:
    odd = to_group("odd@example.org", role="sp.custom")
    owners = to_group("hr@example.org", own="_o")
    ours.files[ROOT].grants = (VISITORS, odd, to_group("hr@example.org"))
    ours.file("a.md")
    ours.file("b.md", grants=(VISITORS, to_group("hr@example.org")))
    ours.file("c.md", grants=(VISITORS, odd, owners))
    lesser = to_site_group("4", "Visitors", "sp.limited")
    ours.file("d.md", grants=(lesser, odd, to_group("hr@example.org")))
    wanted = {"a.md": EVERYBODY, "b.md": HR, "c.md": NOBODY, "d.md": HR}
    assert audiences(ours) == wanted


@pytest.mark.parametrize(
    ("status", "said"), [(403, b"{}"), (404, b"{}"), (423, b"{}"), (200, b"<html>")]
)
def test_a_file_whose_permissions_cannot_be_read_is_for_nobody(
    ours: Site, status: int, said: bytes
) -> None:
    one = ours.file("pay.md")
    ours.file("a.md")
    ours.instead[f"{one.id}/permissions"] = [(status, {}, said)]
    assert audiences(ours) == {"pay.md": NOBODY, "a.md": EVERYBODY}


def test_what_fails_for_a_moment_is_asked_again_and_what_goes_on_failing_is_no_listing(
    ours: Site,
) -> None:
    one = ours.file("a.md")
    ours.instead[f"{one.id}/permissions"] = [(503, {}, b"")] * 2
    assert audiences(ours) == {"a.md": EVERYBODY}
    ours.instead[f"{one.id}/permissions"] = [(500, {}, b"")] * 3
    with pytest.raises(SourceUnavailable, match="500"):
        ours.source().listing()


@pytest.mark.parametrize("grants", [(), ({**OWNERS, "grantedToV2": {"application": {"id": "a"}}},)])
def test_a_library_of_which_nobody_says_who_reads_it_is_not_read(
    ours: Site, grants: tuple[Grant, ...]
) -> None:
    ours.file("a.md", grants=())
    ours.files[ROOT].grants = grants
    with pytest.raises(SourceUnavailable, match="does not say who may read it"):
        ours.source().listing()


def test_a_document_is_served_until_it_moves_to_a_closed_folder(ours: Site, tmp_path: Path) -> None:
    one = ours.file("leave.md", "Leave is thirty days.\n")
    ours.file("metadata.yaml", "{}", grants=())
    ours.file("pay.md", "Much.", grants=(OWNERS,))
    reader = SourceReader(tmp_path, ours.url, lambda: ours.source(GROUPS))
    assert reader.served_then() == {"leave.md": EVERYBODY}
    ours.asked.clear()
    one.grants = HR_ALONE
    assert reader.served_then() == {"leave.md": HR}
    assert not any("/content" in path for path in ours.paths), "it did not change"
    one.grants, one.above = None, ours.folder("Board", grants=(OWNERS,)).id
    reader.read(may_shrink=True)
    assert reader.served == {}
    assert "Much" not in reader.copied


# --- how it is asked ------------------------------------------------------------------


def test_it_signs_in_once_and_anew_at_half_its_time(
    ours: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1_000.0]
    monkeypatch.setattr("retrieval.remote.api.time.monotonic", lambda: now[0])
    ours.file("a.md")
    source, token = ours.source(), f"/{APP['tenant_id']}/oauth2/v2.0/token"
    for seconds, times in ((0, 1), (1_700, 1), (100, 2)):
        now[0] += seconds
        assert read(source, "a.md")
        assert ours.paths.count(token) == times


@pytest.mark.parametrize("wrong", [{"client_secret": "pa55-of-before"}, {"tenant_id": "other"}])
def test_a_wrong_secret_is_said_with_what_to_do_and_without_it(
    ours: Site, wrong: dict[str, str]
) -> None:
    with pytest.raises(BadSource, match="Make a new secret of the app") as refused:
        ours.source(login={**APP, **wrong}).listing()
    assert "pa55" not in repr(refused.value)
    for lacking in ({**APP, "client_secret": ""}, {**APP, "tenant_id": "a/../b"}):
        with pytest.raises(BadSource, match="tenant_id, client_id, client_secret"):
            ours.source(login=lacking)


@pytest.mark.parametrize(
    "said",
    [
        b'{"value": []}',
        b'{"value": [{"id": "../x", "name": "a.md"}], "@odata.deltaLink": "x"}',
        b"<html>Sign in</html>",
        b'{"value": [], "@odata.nextLink": "https://graph.microsoft.com.evil.example/v1.0/x"}',
    ],
)
def test_half_a_listing_or_what_is_not_understood_changes_nothing(ours: Site, said: bytes) -> None:
    ours.instead[DELTA] = [(200, {}, said)]
    with pytest.raises(SourceUnavailable):
        ours.source().listing()


def test_a_listing_that_goes_on_elsewhere_is_not_followed(ours: Site) -> None:
    with another_server(b'{"value": [], "@odata.deltaLink": "x"}') as (place, told):
        elsewhere = f"http://{place}/v1.0/x", f"{ours.here}@{place}/v1.0/x", f"//{place}/v1.0/x"
        for url in (*elsewhere, f"{ours.here}/v1.0"):
            said = f'{{"value": [], "@odata.nextLink": "{url}"}}'
            ours.instead[DELTA] = [(200, {}, said)]
            with pytest.raises(SourceUnavailable, match="not known"):
                ours.source().listing()
        ours.instead[DELTA] = [(302, {"Location": f"http://{place}/v1.0/x"}, "")]
        with pytest.raises(BadSource, match="neither its own"):
            ours.source().listing()
    assert told == []


def test_a_listing_without_end_is_given_up(ours: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "MOST_ANSWERS", 3)
    again = f'{{"value": [], "@odata.nextLink": "{ours.here}/v1.0/drives/{DRIVE}/{DELTA}"}}'
    ours.instead[DELTA] = [(200, {}, again)] * 4
    with pytest.raises(BadSource, match="more than 3 answers"):
        ours.source().listing()


def test_a_file_comes_from_the_sites_own_host_which_is_told_no_token(ours: Site) -> None:
    ours.file("a.md")
    with another_server(b"Of the site.") as (place, told):
        ours.download = f"http://{place}/x?id="
        with pytest.raises(UnreadableDocument, match="neither its own"):
            read(ours.source(), "a.md")
        assert told == []
        http = GuardedHttp((ours.place, place), ("127.0.0.1",))
        asked = api.Api(http, f"{ours.here}/v1.0", lambda: {"authorization": f"Bearer {TOKEN}"})
        url = source_url(f"sharepoint://{ours.place}/sites/HR")
        source = SharePointSource(asked, url, ("sites/HR", "", ""), {}, 100)
        assert read(source, "a.md") == "Of the site."
        assert told == [None]


def test_a_server_with_too_much_to_do_is_waited_for(
    ours: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[int] = []
    monkeypatch.setattr("retrieval.remote.api.time.sleep", waited.append)
    one = ours.file("a.md", "x" * 1_048_577)
    busy: Any = (429, {"Retry-After": "600"}, b"")
    ours.instead[f"{one.id}/permissions"], ours.instead[DELTA] = [busy], [busy]
    assert audiences(ours) == {"a.md": EVERYBODY}
    assert waited == [600, 600]
    ours.instead[DELTA] = [(429, {"Retry-After": "601"}, b"")]
    with pytest.raises(SourceUnavailable, match="429"):
        ours.source().listing()
    ours.instead[f"{one.id}/permissions"] = [busy] * 3
    with pytest.raises(SourceUnavailable, match="429"):
        ours.source().listing()
    with pytest.raises(UnreadableDocument, match="more than"):
        read(ours.source(), "a.md")
