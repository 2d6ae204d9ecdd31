"""A folder of Google Drive is read as far as its own grants let its readers, and no farther."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from drive_site import (
    ACCOUNT,
    EVERYONE,
    GOOGLE,
    ROOT,
    TOKEN,
    File,
    Site,
    granted,
    refused,
    site,
)
from ingests import SourceReader
from remote_places import HR, listed, read

from retrieval.errors import BadSource, SourceUnavailable, UnreadableDocument
from retrieval.metadata.access import EVERYBODY, NOBODY, Audience
from retrieval.remote import api
from retrieval.remote.drive import FOLDER, SHORTCUT
from retrieval.remote.names import planned

GROUPS: Mapping[str, Audience] = {"HR@example.org": HR, "example.org": EVERYBODY}
HR_ALONE = granted("Hr@example.org"), granted(ACCOUNT, "user")
SHARED = "0A_shared-drive"


@pytest.fixture
def mine() -> Iterator[Site]:
    with site() as made:
        yield made


@pytest.fixture
def shared() -> Iterator[Site]:
    with site(SHARED) as made:
        yield made


@pytest.fixture(params=["mine", "shared"])
def either(request: pytest.FixtureRequest) -> Site:
    made: Site = request.getfixturevalue(request.param)
    return made


def audiences(made: Site, groups: Mapping[str, Audience] = GROUPS) -> dict[str, Audience]:
    return {path: each.audience for path, each in listed(made.source(groups)).items()}


# --- what is listed -------------------------------------------------------------------


def test_files_stand_in_their_folders_and_documents_come_as_office_has_them(either: Site) -> None:
    leave = either.folder("Leave", either.folder("HR"))
    either.file("policy.md", "Ask first.", leave)
    either.file("Parental leave", "of Word", leave, mime_type=f"{GOOGLE}.document")
    either.file("Days", "of Excel", mime_type=f"{GOOGLE}.spreadsheet")
    either.file("Tour", "of PowerPoint", mime_type=f"{GOOGLE}.presentation")
    either.file("Questions", mime_type=f"{GOOGLE}.form")
    either.file("Scan of 2024", "%PDF", mime_type="application/pdf")
    either.file("Policy 1.2", "Be kind.", mime_type="text/plain")
    either.file("metadata.yaml", "{}", mime_type="text/plain")
    either.file("Party", "x", mime_type="video/mp4")
    either.file("old.md", "Gone.", trashed=True)
    source = either.source()
    assert listed(source).keys() == {
        "HR/Leave/policy.md",
        "HR/Leave/Parental leave.docx",
        "Days.xlsx",
        "Tour.pptx",
        "Scan of 2024.pdf",
        "Policy 1.2.txt",
        "metadata.yaml",
        "Party",
    }
    assert read(source, "HR/Leave/policy.md") == "Ask first."
    assert read(source, "HR/Leave/Parental leave.docx") == "of Word"
    assert read(source, "Days.xlsx") == "of Excel"


def test_a_listing_in_many_answers_and_of_many_folders_is_read_to_its_end(either: Site) -> None:
    either.at_once = 2
    for number in range(5):
        either.file("rules.md", "Be kind.", either.folder(f"Room {number}"))
    assert len(listed(either.source())) == 5


def test_a_file_that_changed_has_another_mark_and_a_grant_changes_none(mine: Site) -> None:
    text, own = mine.file("a.md", "One."), mine.file("b", "x", mime_type=f"{GOOGLE}.document")
    before = listed(mine.source())
    text.text, own.version = "Two.", 2
    after = listed(mine.source())
    assert all(before[path].mark != after[path].mark for path in before)
    text.grants = HR_ALONE
    assert listed(mine.source())["a.md"].mark == after["a.md"].mark


def test_of_two_of_one_name_neither_is_taken_for_the_other(mine: Site) -> None:
    mine.file("rules.md", "One.")
    mine.file("rules.md", "Two.")
    mine.file("notes", "of Word", mime_type=f"{GOOGLE}.document")
    mine.file("notes.docx", "x")
    mine.folder("HR")
    mine.file("HR", mime_type=f"{GOOGLE}.form")
    mine.file("pay.md", "x", mine.files["id-5"])
    plan = planned(mine.source().listing())
    assert plan.closed.keys() == {"rules.md", "notes.docx"}
    assert plan.files.keys() == {"HR/pay.md"}


def test_a_name_leads_nowhere(mine: Site) -> None:
    mine.file("etc/../passwd.md", "x")
    mine.file("..", "x", mime_type="application/pdf")
    mine.file("", "x")
    source = mine.source()
    paths = set(planned(source.listing()).files)
    assert "etc-..-passwd.md" in paths
    assert all(".." not in path.split("/") for path in paths)


def test_two_that_may_say_who_reads_their_folder_close_it(mine: Site) -> None:
    folder = mine.folder("HR")
    mine.file("pay.md", "Much.", folder)
    for audience in ("[hr]", "[cs]"):
        mine.file("metadata.yaml", f"pay.md: {{audience: {{departments: {audience}}}}}", folder)
    plan = planned(mine.source().listing())
    assert plan.hides("HR/pay.md")


def test_a_shortcut_is_not_followed(mine: Site) -> None:
    mine.file("Pay.md", mime_type=SHORTCUT)
    assert planned(mine.source().listing()).closed.keys() == {"Pay.md"}


def test_a_folder_that_stands_in_itself_is_listed_once(mine: Site) -> None:
    one = mine.folder("One")
    mine.files["again"] = File("again", "Again", above=one.id, mime_type=FOLDER)
    mine.files[ROOT].above = "again"
    mine.file("a.md", "x", mine.files["again"])
    assert listed(mine.source()).keys() == {"One/Again/a.md"}


def test_a_link_leads_to_google_or_nowhere(mine: Site) -> None:
    mine.file("a.md", "x")
    mine.file("b.md", "x", link="https://drive.google.com.evil.example/{}")
    mine.file("c.md", "x", link="javascript:alert('{}')")
    source = mine.source()
    assert source.link("a.md") == ""  # not listed yet
    listed(source)
    assert source.link("a.md").startswith("https://drive.google.com/file/d/")
    assert source.link("b.md") == source.link("c.md") == ""


# --- who may read it ------------------------------------------------------------------


def test_what_is_as_open_as_the_whole_folder_is_for_its_readers(mine: Site) -> None:
    mine.file("a.md", "x")
    mine.file("b.md", "x", grants=(*EVERYONE, granted("guest@elsewhere.example", "user")))
    assert audiences(mine) == {"a.md": EVERYBODY, "b.md": EVERYBODY}


def test_what_is_narrower_is_for_whom_its_grants_are_mapped_to(mine: Site) -> None:
    mine.file("pay.md", "x", grants=HR_ALONE)
    mine.file("board.md", "x", grants=(granted("board@example.org"),))
    mine.file("open.md", "x", grants=(granted("example.org", "domain"),))
    wanted = {"pay.md": HR, "board.md": NOBODY, "open.md": EVERYBODY}
    assert audiences(mine) == wanted
    assert set(audiences(mine, {}).values()) == {NOBODY}


@pytest.mark.parametrize(
    "grant",
    [
        granted("hr@example.org", deleted=True),
        granted("hr@example.org", view="published"),
        granted("hr@example.org", expirationTime="2027-01-01T00:00:00Z"),
        granted("hr@example.org.evil.example"),
        granted("hr@example.org", "somebodyNew", emailAddress="hr@example.org"),
        granted("hr@example.org", role="somethingNew"),
        granted("of the domain", "user", emailAddress="", domain="example.org"),
        granted("of nobody", "group", emailAddress=None),
    ],
)
def test_a_grant_that_is_none_or_ends_opens_nothing(mine: Site, grant: dict[str, object]) -> None:
    mine.file("pay.md", "x", grants=(grant,))
    assert audiences(mine) == {"pay.md": NOBODY}


@pytest.mark.parametrize(
    "more", [{"deleted": True}, {"view": "published"}, {"expirationTime": "2027-01-01T00:00:00Z"}]
)
def test_a_grant_that_does_not_count_does_not_make_a_file_as_open(
    mine: Site, more: dict[str, Any]
) -> None:
    gone = granted("all-staff@example.org", **more), granted(ACCOUNT, "user")
    mine.file("pay.md", "x", grants=gone)
    assert audiences(mine) == {"pay.md": NOBODY}


def test_a_file_whose_grants_are_not_told_is_for_nobody(mine: Site) -> None:
    mine.file("pay.md", "x", may_be_shared=False)
    assert audiences(mine) == {"pay.md": NOBODY}


def test_a_folder_of_limited_access_in_a_shared_drive_narrows_all_below_it(shared: Site) -> None:
    limited = shared.folder("HR", is_limited=True, grants=HR_ALONE)
    below = shared.folder("Pay", limited)
    shared.file("2026.md", "x", below)
    board = shared.folder("Board", limited, is_limited=True, grants=())
    shared.file("minutes.md", "x", board)
    untold = shared.folder("Untold", is_limited=True, may_be_shared=False)
    shared.file("plan.md", "x", untold)
    inherited = [{"inherited": True}]
    handed_down = tuple({**each, "permissionDetails": inherited} for each in EVERYONE)
    closed = shared.folder("Closed", is_limited=True, grants=handed_down)
    shared.file("list.md", "x", closed)
    manager = {**granted("hr@example.org"), "role": "organizer", "permissionDetails": inherited}
    managed = shared.folder("Managed", is_limited=True, grants=(manager,))
    shared.file("rules.md", "x", managed)
    shared.file("a.md", "x")
    assert audiences(shared) == {
        "a.md": EVERYBODY,
        "Untold/plan.md": NOBODY,
        "Closed/list.md": NOBODY,
        "Managed/rules.md": HR,
        "HR/Pay/2026.md": HR,
        "HR/Board/minutes.md": NOBODY,
    }
    shared.instead[f"{limited.id}/permissions"] = [(500, {}, b"")]
    with pytest.raises(SourceUnavailable, match="500"):
        shared.source().listing()


@pytest.mark.parametrize("grants", [(), EVERYONE])
def test_what_a_metadata_file_says_counts_whoever_may_read_it(
    mine: Site, tmp_path: Path, grants: tuple[dict[str, object], ...]
) -> None:
    mine.file("pay.md", "Much is paid.")
    stated = "pay.md: {audience: {departments: [hr]}}"
    mine.file("metadata.yaml", stated, grants=grants, may_be_shared=bool(grants))
    reader = SourceReader(tmp_path, mine.url, lambda: mine.source(GROUPS))
    assert reader.served_then() == {"pay.md": HR}


@pytest.mark.parametrize("grants", [(), (granted("gone@example.org", deleted=True),)])
def test_a_folder_of_which_nobody_says_who_reads_it_is_not_read(
    either: Site, grants: tuple[dict[str, object], ...]
) -> None:
    either.file("a.md", "x", grants=())
    either.files[ROOT].grants = grants
    with pytest.raises(SourceUnavailable, match="does not say who may read it"):
        either.source().listing()


def test_an_account_that_may_not_share_the_folder_reads_nothing(either: Site) -> None:
    either.file("a.md", "x")
    either.files[ROOT].may_be_shared = False
    with pytest.raises(SourceUnavailable, match="credentials that are set"):
        either.source().listing()


@pytest.mark.parametrize("more", [{}, {"expirationTime": "2027-01-01T00:00:00Z"}])
def test_what_is_not_for_all_readers_of_the_whole_is_narrower(
    mine: Site, more: dict[str, Any]
) -> None:
    mine.files[ROOT].grants = (*EVERYONE, granted("students@example.org", **more))
    mine.file("pay.md", "x", grants=EVERYONE)
    assert audiences(mine) == {"pay.md": NOBODY}


def test_a_document_is_served_until_it_is_restricted_and_what_is_for_nobody_is_not_copied(
    mine: Site, tmp_path: Path
) -> None:
    one = mine.file("leave.md", "Leave is thirty days.\n")
    reader = SourceReader(tmp_path, mine.url, lambda: mine.source(GROUPS))

    def served() -> dict[str, Audience]:
        reader.read()
        return reader.served

    assert served() == {"leave.md": EVERYBODY}
    mine.asked.clear()
    one.grants = HR_ALONE
    assert served() == {"leave.md": HR}
    assert not any("alt=media" in path for path in mine.paths), "it did not change"
    one.grants = (granted("board@example.org"),)
    mine.file("pay.md", "Much.", grants=one.grants)
    assert served() == {}
    assert not any("alt=media" in path for path in mine.paths), "it is for nobody"


# --- how it is asked ------------------------------------------------------------------


def test_it_signs_in_once_with_its_key_and_reads_alone(mine: Site) -> None:
    for number in range(3):
        mine.file(f"{number}.md", "x")
    source = mine.source(login={**mine.login, "subject": "ana@example.org"})
    for path in listed(source):
        read(source, path)
    (claims,) = mine.claims
    scope = "https://www.googleapis.com/auth/drive.readonly"
    assert (claims["sub"], claims["scope"]) == ("ana@example.org", scope)
    assert {who for path, who in mine.asked if path != "/token"} == {f"Bearer {TOKEN}"}


def test_a_key_that_is_none_is_said_without_it(mine: Site) -> None:
    for login in ({}, {"client_email": ACCOUNT, "private_key": "pa55-that-is-none"}):
        with pytest.raises(BadSource, match="private_key") as unsigned:
            mine.source(login=login).listing()
        assert "pa55" not in repr(unsigned.value)


def test_a_limit_for_a_while_removes_nothing(mine: Site) -> None:
    mine.file("a.md", "x")
    source = mine.source()
    listed(source)
    limits = "userRateLimit", "rateLimit", "dailyLimit", "quota", "downloadQuota"
    for reason in (f"{each}Exceeded" for each in limits):
        mine.instead["alt=media"] = [refused(reason)]
        with pytest.raises(SourceUnavailable, match="has too much to do"):
            read(source, "a.md")
    mine.instead["alt=media"] = [refused("cannotDownloadFile")]
    with pytest.raises(UnreadableDocument, match="may not be read"):
        read(source, "a.md")
    mine.instead["alt=media"] = [refused("exportSizeLimitExceeded")]
    with pytest.raises(UnreadableDocument, match="10 MB"):
        read(source, "a.md")
    mine.instead["files?"] = [refused("userRateLimitExceeded")]
    with pytest.raises(SourceUnavailable, match="has too much to do"):
        source.listing()


@pytest.mark.parametrize(
    "said",
    [
        b'{"files": [], "incompleteSearch": true}',
        b'{"files": [{"id": "../x", "name": "a.md", "mimeType": "text/html"}]}',
        b'{"kind": "drive#fileList"}',
        b"<html>Sign in</html>",
    ],
)
def test_half_a_listing_or_what_is_not_understood_changes_nothing(mine: Site, said: bytes) -> None:
    mine.instead["files?"] = [(200, {}, said)]
    with pytest.raises(SourceUnavailable):
        mine.source().listing()


def test_a_listing_without_end_is_given_up(mine: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "MOST_ANSWERS", 3)
    mine.instead["files?"] = [(200, {}, b'{"files": [], "nextPageToken": "again"}')] * 4
    with pytest.raises(BadSource, match="more than 3 answers"):
        mine.source().listing()


def test_what_is_posted_is_not_posted_again_elsewhere(mine: Site) -> None:
    with site() as other:
        mine.instead["/token"] = [(307, {"Location": f"{other.here}/token"}, b"")]
        with pytest.raises(BadSource, match="redirects what was posted"):
            mine.source().listing()
        assert not other.asked


def test_a_file_in_place_of_a_folder_is_said(mine: Site) -> None:
    mine.files[ROOT].mime_type = "application/pdf"
    with pytest.raises(BadSource, match="Name a folder"):
        mine.source().listing()
