"""A home is its owner's alone, whatever it was before."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.cli.container import own_home
from bot.errors import BadConfiguration

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")


@pytest.fixture(autouse=True)
def careless() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def open_to_others(folder: Path) -> list[str]:
    everything = (folder, *folder.rglob("*"))
    return [str(each) for each in everything if each.lstat().st_mode & 0o077]


def test_a_new_home_is_made_for_its_owner(tmp_path: Path) -> None:
    own_home(tmp_path / "home")
    assert open_to_others(tmp_path / "home") == []


def test_an_old_home_is_closed_with_all_that_is_in_it(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "index" / "deep").mkdir(parents=True, mode=0o777)
    for name in ("people.yaml", "index/deep/rows", "export.jsonl", ".env"):
        (home / name).touch(mode=0o666)
    own_home(home)
    assert open_to_others(home) == []


def test_where_a_link_leads_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "documents").mkdir(mode=0o755)
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    (home / "documents").symlink_to(tmp_path / "documents")
    (home / "gone").symlink_to(tmp_path / "nowhere")
    own_home(home)
    assert (tmp_path / "documents").stat().st_mode & 0o777 == 0o755


def test_a_folder_that_is_not_vouchs_is_not_taken_from_others(tmp_path: Path) -> None:
    (tmp_path / "www").mkdir(mode=0o755)
    tmp_path.chmod(0o755)
    with pytest.raises(BadConfiguration, match="chmod 700"):
        own_home(tmp_path)
    assert (tmp_path / "www").stat().st_mode & 0o777 == 0o755
    tmp_path.chmod(0o700)
    own_home(tmp_path)


@needs_root
def test_a_home_of_another_user_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.chown(tmp_path, 12345, 12345)
    monkeypatch.setattr(os, "geteuid", lambda: 54321)
    with pytest.raises(BadConfiguration, match="belongs to another user"):
        own_home(tmp_path)
