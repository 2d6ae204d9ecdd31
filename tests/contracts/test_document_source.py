"""Every place where documents live lists and fetches them alike."""

import asyncio
import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from buckets import azure, google
from confluence_site import confluence
from drive_site import drive
from ingests import SourceReader
from notion_site import notion
from remote_places import PLACES, Place
from sharepoint_site import sharepoint
from slack_site import slack

from retrieval.errors import BadSource, SourceUnavailable, UnreadableDocument
from retrieval.ports import DocumentSource, SourceFile
from retrieval.remote import git

pytestmark = pytest.mark.server
ALWAYS = "always.html"
FILES = {"a.html": "<p>One.</p>", "hr/pay.html": "<p>Two.</p>"}


ALL = {
    **PLACES,
    "azure": azure,
    "google": google,
    "confluence": confluence,
    "drive": drive,
    "notion": notion,
    "sharepoint": sharepoint,
    "slack": slack,
}


@pytest.fixture(scope="module", params=ALL)
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Place]:
    with ALL[request.param](tmp_path_factory.mktemp(request.param)) as place:
        place.put({ALWAYS: "<p>There.</p>"})
        yield place


@pytest.fixture
def place(server: Place) -> Iterator[Place]:
    server.put(FILES)
    yield server
    for name in listed(server).keys() - {ALWAYS}:
        server.drop(name)


def listed(place: Place) -> dict[str, SourceFile]:
    files = place.source.listing().files
    return {place.called(each.path.removeprefix(place.below)): each for each in files}


def read(source: DocumentSource, file: SourceFile) -> bytes:
    fetched = source.fetch(file)
    assert fetched
    return b"".join(fetched.chunks)


def seen(place: Place, name: str, held: str = "") -> tuple[str, str | None]:
    """What a file says now, None where it is as it was, and its mark."""
    source = place.source
    file = next(
        each for each in source.listing().files if place.called(each.path) == place.below + name
    )
    fetched = source.fetch(file, held)
    if fetched is None:
        return held, None
    said = place.own_words(b"".join(fetched.chunks).decode())
    return file.mark or fetched.mark, said


def test_all_files_are_listed_by_their_paths_and_come_as_they_are(place: Place) -> None:
    assert listed(place).keys() == {ALWAYS, *FILES}
    assert {name: seen(place, name)[1] for name in FILES} == FILES


def test_what_changed_has_another_mark_and_nothing_else(place: Place) -> None:
    before = {name: seen(place, name)[0] for name in FILES}
    place.put({"a.html": "<p>Another one, and longer.</p>"})
    after = {name: seen(place, name)[0] for name in FILES}
    assert all(before.values())
    changed = [name for name in FILES if before[name] != after[name]]
    of_the_same_second = place.below and not changed  # Last-Modified tells no more
    assert changed == ["a.html"] or of_the_same_second
    assert seen(place, "a.html")[1] == "<p>Another one, and longer.</p>"


def test_what_left_is_not_listed_and_cannot_be_fetched(place: Place) -> None:
    source = place.source
    file = next(each for each in source.listing().files if each.path.endswith("a.html"))
    place.drop("a.html")
    assert "a.html" not in listed(place)
    if file.etag and "git" in place.url:
        return  # the commit that was listed stays whole
    with pytest.raises(UnreadableDocument, match="is not there any more"):
        read(source, file)


def test_a_password_that_is_wrong_is_said_without_it(place: Place) -> None:
    if not place.keys or place.url.startswith("s3"):
        pytest.skip("it takes none, or any")
    keys, wrong = place.keys, place.wrong
    place.keys = {begins: {**options, place.secret: wrong} for begins, options in keys.items()}
    try:
        with pytest.raises(SourceUnavailable, match=r"VOUCH_SOURCE_KEYS|vouch check") as raised:
            place.source.listing()
    finally:
        place.keys = keys
    assert str(wrong) not in repr(raised.value)
    assert raised.value.__cause__ is None


def test_a_store_that_is_away_for_a_moment_loses_nothing(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not place.url.startswith(("s3", "gs", "az")):
        pytest.skip("that is tried of faults, in tests/retrieval/ingest/test_mirrored.py")
    away = re.sub(r"(127[0-9.]+):\d+", r"\1:9", json.dumps([*place.keys.values()]))
    soon = partial(asyncio.sleep, 0)
    monkeypatch.setattr(asyncio, "sleep", lambda *_: soon())  # drivers wait for a minute
    reader = SourceReader(tmp_path, place.url, lambda: place.source)
    served = reader.served_then()
    keys, place.keys = place.keys, dict(zip(place.keys, json.loads(away), strict=True))
    try:
        with pytest.raises(SourceUnavailable, match="cannot be reached"):
            reader.read()
    finally:
        place.keys = keys
    assert reader.served == served == dict.fromkeys([ALWAYS, *FILES], ())
    place.drop("a.html")
    assert reader.read().removed == ("a.html",)


def test_a_server_whose_key_is_unknown_is_told_no_password(place: Place, tmp_path: Path) -> None:
    if not place.url.startswith("sftp"):
        pytest.skip("it has no key of its own")
    (tmp_path / "known_hosts").write_text("")
    keys = place.keys
    known = {"known_hosts": str(tmp_path / "known_hosts")}
    place.keys = {begins: {**options, **known} for begins, options in keys.items()}
    try:
        with pytest.raises(SourceUnavailable, match="known hosts"):
            place.source.listing()
    finally:
        place.keys = keys


def test_a_repository_without_end_is_not_fetched_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git, "LARGEST_PACK", 100)
    with PLACES["git"](tmp_path) as place:
        place.put(FILES)
        with pytest.raises(BadSource, match="more than 100 bytes"):
            place.source.listing()
