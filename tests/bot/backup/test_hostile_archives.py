"""An archive that somebody made to do harm, or that was damaged, writes nothing anywhere."""

import hashlib
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile, ZipInfo

import pytest
from backups import Change, forged, special
from hypothesis import given
from hypothesis import strategies as st

from bot.backup.archive import opened
from bot.errors import BadArchive

PARTS = {"people.yaml": b"people: []\n", "audit.sqlite": b"\x00\x01" * 5_000}
SOFTWARE = "1.2.3"


def quiet(*_: object) -> None: ...


def unpack(archive: Path, folder: Path) -> None:
    """As a restore does."""
    with opened(archive, SOFTWARE) as found:
        found.demand_room(folder)
        found.check(quiet)
        found.unpack(folder, quiet)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "one" / "home"
    folder.mkdir(parents=True)
    return folder


def everything_in(path: Path) -> list[str]:
    return sorted(str(each.relative_to(path)) for each in path.rglob("*"))


def test_an_archive_that_is_as_it_says_is_unpacked(tmp_path: Path, folder: Path) -> None:
    unpack(forged(tmp_path / "a.zip", PARTS), folder)
    assert {each.name: each.read_bytes() for each in folder.iterdir()} == PARTS
    assert all(stat.S_IMODE(each.stat().st_mode) == 0o600 for each in folder.iterdir())


def plain(name: str) -> Callable[[ZipFile], None]:
    return special(name, stat.S_IFREG | 0o644)


def encrypted(file: ZipFile) -> None:
    file.writestr("channels.yaml", b"/etc/passwd")
    file.filelist[-1].flag_bits |= 1


def packed_otherwise(file: ZipFile) -> None:
    member = ZipInfo("channels.yaml")
    member.compress_type = 14
    file.writestr(member, b"/etc/passwd")


UNKNOWN, ODD = "which is no part", "is no plain file"
MEMBERS: dict[str, tuple[str, Callable[[ZipFile], None]]] = {
    "a path upwards": (UNKNOWN, plain("../people.yaml")),
    "an absolute path": (UNKNOWN, plain("/etc/people.yaml")),
    "a path with other slashes": (UNKNOWN, plain("..\\people.yaml")),
    "a folder": (UNKNOWN, plain("people.yaml/")),
    "a path in a folder": (UNKNOWN, plain("index/people.yaml")),
    "a file of another name": (UNKNOWN, plain(".env")),
    "a name with its end cut off": ("twice", plain("people.yaml\0.txt")),
    "a part twice": ("twice", plain("people.yaml")),
    "a link": (ODD, special("channels.yaml", stat.S_IFLNK | 0o777)),
    "a device": (ODD, special("channels.yaml", stat.S_IFCHR | 0o666)),
    "a pipe": (ODD, special("channels.yaml", stat.S_IFIFO | 0o666)),
    "an encrypted part": ("in another way", encrypted),
    "a part packed in another way": ("in another way", packed_otherwise),
}


def named(manifest: dict[str, Any]) -> None:
    """The manifest names the member, so that nothing else is wrong with it."""
    content = b"/etc/passwd"
    part = {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    manifest["parts"].append({"name": "channels.yaml", **part})


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("what", MEMBERS)
def test_a_member_that_has_no_place_in_an_archive_is_refused(
    tmp_path: Path, folder: Path, what: str
) -> None:
    why, add = MEMBERS[what]
    forged(tmp_path / "a.zip", PARTS, named, add)
    with pytest.raises(BadArchive, match=why):
        unpack(tmp_path / "a.zip", folder)
    assert everything_in(tmp_path) == ["a.zip", "one", "one/home"]


def test_a_member_that_the_manifest_does_not_name_is_refused(tmp_path: Path, folder: Path) -> None:
    forged(tmp_path / "a.zip", PARTS, members=plain("channels.yaml"))
    with pytest.raises(BadArchive, match="does not hold what its manifest names"):
        unpack(tmp_path / "a.zip", folder)


def first(manifest: dict[str, Any]) -> dict[str, Any]:
    part: dict[str, Any] = manifest["parts"][0]
    return part


CHANGES: dict[str, Change] = {
    "a part is larger than it says": lambda m: first(m).update(size=3),
    "a part is smaller than it says": lambda m: first(m).update(size=30_000),
    "another hash": lambda m: first(m).update(sha256=64 * "0"),
    "no hash": lambda m: first(m).pop("sha256"),
    "a size below nothing": lambda m: first(m).update(size=-1),
    "a part that is not there": lambda m: m["parts"].append(
        {"name": "channels.yaml", "size": 0, "sha256": 64 * "0"}
    ),
    "a part twice": lambda m: m["parts"].append(dict(first(m))),
    "a part left out": lambda m: m["parts"].pop(),
    "a path": lambda m: first(m).update(name="../../people.yaml"),
    "no head of its audit store": lambda m: m.update(audit=None),
    "no parts": lambda m: m.pop("parts"),
    "a time that is none": lambda m: m.update(made_at="yesterday"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_manifest_that_does_not_fit_is_refused(tmp_path: Path, folder: Path, what: str) -> None:
    forged(tmp_path / "a.zip", PARTS, CHANGES[what])
    with pytest.raises(BadArchive, match="no archive that can be restored"):
        unpack(tmp_path / "a.zip", folder)
    assert everything_in(folder) == []


@pytest.mark.parametrize(
    "newer", [{"format": 2}, {"software": "1.3.0"}, {"software": "10.0.0"}], ids=str
)
def test_an_archive_of_a_newer_version_is_refused_in_words(
    tmp_path: Path, folder: Path, newer: dict[str, object]
) -> None:
    forged(tmp_path / "a.zip", PARTS, lambda manifest: manifest.update(newer))
    with pytest.raises(BadArchive, match=r"made by Vouch .* and this is 1\.2\.3"):
        unpack(tmp_path / "a.zip", folder)


@pytest.mark.parametrize("older", ["1.2.3", "1.2.2", "0.9.9"])
def test_an_archive_of_this_or_an_older_version_is_not(
    tmp_path: Path, folder: Path, older: str
) -> None:
    unpack(forged(tmp_path / "a.zip", PARTS, lambda m: m.update(software=older)), folder)


def test_a_member_that_lies_of_its_size_is_not_read_beyond_it(tmp_path: Path, folder: Path) -> None:
    """The directory of the archive and its manifest agree; what is packed is much more."""
    archive = forged(tmp_path / "a.zip", {"people.yaml": bytes(50_000_000)})
    said = archive.read_bytes().replace(
        (50_000_000).to_bytes(4, "little"), (5).to_bytes(4, "little")
    )
    archive.write_bytes(said)
    with ZipFile(archive) as file:
        assert file.getinfo("people.yaml").file_size == 5
    with pytest.raises(BadArchive):
        unpack(archive, folder)
    assert everything_in(folder) == []


def test_an_archive_that_says_truly_that_it_is_huge_is_refused_before_it_is_read(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = forged(tmp_path / "a.zip", {"people.yaml": bytes(1_000_000)})
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 999_999}))
    with pytest.raises(BadArchive, match=r"1\.0 MB are needed"):
        unpack(archive, folder)


def test_a_manifest_that_unpacks_to_gigabytes_is_not_read(tmp_path: Path, folder: Path) -> None:
    with ZipFile(tmp_path / "a.zip", "w", compression=8) as file:
        file.writestr("manifest.json", bytes(5_000_000))
    with pytest.raises(BadArchive, match="too large"):
        unpack(tmp_path / "a.zip", folder)


@pytest.mark.parametrize("content", [b"", b"PK", b"not a zip", b"[" * 100_000, b'"text"', b"[]"])
def test_what_is_no_manifest_or_no_archive_is_refused(
    tmp_path: Path, folder: Path, content: bytes
) -> None:
    (tmp_path / "a.zip").write_bytes(content)
    with pytest.raises(BadArchive):
        unpack(tmp_path / "a.zip", folder)
    with ZipFile(tmp_path / "b.zip", "w") as file:
        file.writestr("manifest.json", content)
    with pytest.raises(BadArchive):
        unpack(tmp_path / "b.zip", folder)


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return forged(tmp_path_factory.mktemp("good") / "a.zip", PARTS).read_bytes()


@given(data=st.data())
def test_an_archive_that_was_cut_off_is_refused(
    good: bytes, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("cut")
    (folder / "a.zip").write_bytes(good[: data.draw(st.integers(0, len(good) - 1))])
    (folder / "home").mkdir()
    with pytest.raises(BadArchive):
        unpack(folder / "a.zip", folder / "home")
    assert everything_in(folder / "home") == []


@given(data=st.data())
def test_of_an_archive_with_a_changed_byte_every_part_is_right_or_none_is_written(
    good: bytes, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(good) - 1))
    changed = bytearray(good)
    changed[place] ^= data.draw(st.integers(1, 255))
    folder = tmp_path_factory.mktemp("changed")
    (folder / "a.zip").write_bytes(changed)
    (folder / "home").mkdir()
    try:
        unpack(folder / "a.zip", folder / "home")
    except BadArchive:
        assert everything_in(folder / "home") == []
    else:
        found = {each.name: each.read_bytes() for each in (folder / "home").iterdir()}
        assert found.items() <= PARTS.items()
