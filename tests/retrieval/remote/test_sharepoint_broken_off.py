"""A reading of SharePoint that was broken off goes on where it stood, and opens nothing by that."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from ingests import SourceReader
from remote_places import listed
from sharepoint_site import APP, EVERYONE, OWNERS, ROOT, VISITORS, File, Site, site, to_group

from retrieval.errors import SourceUnavailable
from retrieval.metadata.access import EVERYBODY, NOBODY, Audience

NEW_TAG = (("eTag", '"{x},2"'),)


class Library:
    """A folder of three files, of one of which a listing that is broken off is not told."""

    def __init__(self, ours: Site) -> None:
        self.site = ours
        self.folder = ours.folder("Pay")
        names = "z.md", "b.md", "a.md"  # which the site tells from the last on
        self.last, self.second, self.first = (ours.file(n, above=self.folder) for n in names)

    def break_off(self, url: str = "") -> None:
        """Once all but the last were asked about."""
        self.site.instead[f"{self.last.id}/permissions"] = [(500, {}, b"")]
        with pytest.raises(SourceUnavailable, match="500"):
            self.site.source(url=url).listing()
        self.site.asked.clear()

    def audiences(self) -> dict[str, Audience]:
        return {path: file.audience for path, file in listed(self.site.source()).items()}

    @property
    def asked_about(self) -> list[File]:
        """Of what stands below the library itself, in the order of their names."""
        all_files = (self.first, self.second, self.last)
        return [f for f in all_files for path in self.site.paths if f"{f.id}/permissions" in path]


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with site(tmp_path / "kept") as ours:
        yield Library(ours)


def test_the_next_try_asks_only_about_what_was_not_told_yet(library: Library) -> None:
    library.first.grants = (OWNERS,)
    library.break_off()
    told = {"Pay/a.md": NOBODY, "Pay/b.md": EVERYBODY, "Pay/z.md": EVERYBODY}
    assert library.audiences() == told
    assert library.asked_about == [library.last]


def test_a_listing_that_was_whole_is_not_believed_again(library: Library) -> None:
    library.break_off()
    library.audiences()
    library.first.grants = (OWNERS,)
    assert library.audiences()["Pay/a.md"] == NOBODY
    assert [*library.site.kept_in.iterdir()] == []


def _file_narrowed(it: Library) -> None:
    it.first.grants, it.first.more = (OWNERS,), NEW_TAG


def _content_changed(it: Library) -> None:
    it.first.grants, it.first.more = (OWNERS,), (("cTag", '"c:{x},2"'),)


def _folder_narrowed(it: Library) -> None:
    it.folder.grants, it.folder.more = (OWNERS,), NEW_TAG


def _moved(it: Library) -> None:
    it.folder.name, it.first.name = "Old", "z2.md"
    it.first.above = it.site.folder("Pay", grants=(OWNERS,)).id
    it.first.name = "a.md"


def _folder_moved(it: Library) -> None:
    it.folder.above = it.site.folder("Board", grants=(OWNERS,)).id


def _another_of_its_name(it: Library) -> None:
    it.first.trashed = True
    it.site.file("a.md", above=it.folder, grants=(OWNERS,))


@pytest.mark.parametrize(
    "narrowed",
    [
        _file_narrowed,
        _content_changed,
        _folder_narrowed,
        _moved,
        _folder_moved,
        _another_of_its_name,
    ],
)
def test_access_that_was_narrowed_meanwhile_is_seen_by_what_changed(
    library: Library, narrowed: Callable[[Library], None]
) -> None:
    library.break_off()
    narrowed(library)
    found = {path.rpartition("/")[2]: whom for path, whom in library.audiences().items()}
    assert found["a.md"] == NOBODY


def test_what_has_no_tag_is_always_asked_about(library: Library) -> None:
    library.first.more = (("eTag", None), ("cTag", '"c:{x},1"'))
    library.break_off()
    library.first.grants = (OWNERS,)
    assert library.audiences()["Pay/a.md"] == NOBODY
    library.folder.more = (("eTag", ""),)
    library.break_off()
    library.audiences()
    assert library.asked_about == [library.first, library.second, library.last]


def test_what_has_the_tag_of_another_is_not_taken_for_it(library: Library) -> None:
    library.first.more = library.second.more = NEW_TAG
    library.first.grants = (OWNERS,)
    library.break_off()
    assert library.audiences()["Pay/a.md"] == NOBODY


def test_other_readers_of_the_whole_have_all_asked_about_again(library: Library) -> None:
    library.break_off()
    hr = to_group("hr@example.org")
    library.site.files[ROOT].grants = (*EVERYONE, hr)
    library.first.grants = (OWNERS, VISITORS)
    assert library.audiences()["Pay/a.md"] == NOBODY
    assert library.asked_about == [library.first, library.second, library.last]


@pytest.mark.parametrize("seconds", [3_600, 7_200, -1])
def test_nothing_is_believed_for_longer_than_an_hour_nor_from_a_day_ahead(
    library: Library, seconds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1_800_000_000.0]
    monkeypatch.setattr("time.time", lambda: now[0])
    library.break_off()
    library.first.grants = (OWNERS,)
    now[0] += 3_599
    assert library.audiences()["Pay/a.md"] == EVERYBODY, "told within the hour"
    library.first.grants = None
    library.break_off()
    library.first.grants = (OWNERS,)
    now[0] += seconds
    assert library.audiences()["Pay/a.md"] == NOBODY


@pytest.mark.parametrize(("seconds", "believed"), [(599, EVERYBODY), (600, NOBODY)])
def test_an_hour_begins_when_it_was_asked_and_ends_also_amid_a_try(
    library: Library, seconds: int, believed: Audience, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, pause = [1_800_000_000.0], [600]
    monkeypatch.setattr("time.time", lambda: now[0])

    def slowly(path: str) -> None:
        if f"{library.first.id}/permissions" in path:
            now[0] += pause[0]

    library.site.before_answering = slowly
    library.break_off()
    library.first.grants = library.second.grants = (OWNERS,)
    now[0] += 3_000
    pause[0] = seconds
    found = library.audiences()
    assert (found["Pay/a.md"], found["Pay/b.md"]) == (NOBODY, believed)


@pytest.mark.parametrize("other", ["tenant_id", "client_id"])
def test_what_another_app_was_told_is_not_believed(
    library: Library, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.break_off()
    library.first.grants = (OWNERS,)
    monkeypatch.setitem(APP, other, f"{APP[other]}-2")
    assert library.audiences()["Pay/a.md"] == NOBODY


def test_what_another_address_was_told_is_not_believed(library: Library) -> None:
    library.break_off(url=f"{library.site.url}/Pay")
    library.first.grants = (OWNERS,)
    assert library.audiences()["Pay/a.md"] == NOBODY


@pytest.mark.parametrize("damage", [b"", b"\xff\0", b"[]\n{}\nnull\n", b'{"of":"x","told":[{'])
def test_what_was_kept_and_is_damaged_is_asked_again(library: Library, damage: bytes) -> None:
    library.break_off()
    kept = library.site.kept_in / "told.jsonl"
    kept.write_bytes(damage + kept.read_bytes().splitlines(keepends=True)[1])
    library.first.grants = (OWNERS,)
    assert library.audiences()["Pay/a.md"] == NOBODY


def test_where_nothing_can_be_kept_all_is_asked_and_read(library: Library) -> None:
    library.site.kept_in.write_text("A file stands there.")
    library.break_off()
    assert library.audiences()["Pay/a.md"] == EVERYBODY
    assert library.asked_about == [library.first, library.second, library.last]


def test_a_library_that_is_refused_again_and_again_is_read_in_the_end(
    library: Library, tmp_path: Path
) -> None:
    ours = library.site
    for number in range(20):
        ours.file(f"{number}.md")
    asked = [0]

    def answered(path: str) -> None:
        if path.endswith("/permissions"):
            asked[0] += 1
            if asked[0] % 10 == 0:
                ours.instead["/permissions"] = [(429, {}, b"")]

    ours.before_answering = answered
    reader = SourceReader(tmp_path, ours.url, ours.source)
    for _ in range(3):
        try:
            served = reader.served_then()
            break
        except SourceUnavailable:
            continue
    assert len(served) == 23
