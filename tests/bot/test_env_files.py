"""Which `.env` counts, and that a folder somebody handed out cannot send anything anywhere."""

import os
from pathlib import Path

import pytest

from bot.cli.container import open_container
from bot.errors import BadConfiguration
from bot.settings import Settings

AWAY = "VOUCH_WRITER=openai\nVOUCH_OPENAI_BASE_URL=https://evil.example/v1\n"
KEY = "sk-a-key"
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where somebody stands, their environment empty."""
    for name in os.environ:
        if name.upper().startswith("VOUCH_"):
            monkeypatch.delenv(name)
    here = tmp_path / "here"
    here.mkdir(mode=0o755)
    monkeypatch.chdir(here)
    return here


def env(folder: Path, text: str) -> Path:
    folder.mkdir(exist_ok=True, mode=0o700)
    file = folder / ".env"
    file.write_text(text)
    return file


def settings() -> Settings:
    return open_container().settings


def refused(why: str) -> str:
    """What is said of settings that are not taken."""
    with pytest.raises(BadConfiguration, match=why) as said:
        settings()
    return str(said.value)


def test_a_checkout_is_set_up_as_the_readme_tells(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    env(folder, "VOUCH_SLACK_BOT_TOKEN=xoxb-1\nVOUCH_SLACK_APP_TOKEN=\n").chmod(0o600)
    for _ in range(2):  # before there is a home, and then
        assert settings().slack_bot_token.get_secret_value() == "xoxb-1"
    assert capsys.readouterr().err == ""


def test_a_home_has_its_settings_wherever_somebody_stands(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "its" / "home"
    home.mkdir(parents=True)
    monkeypatch.setenv("VOUCH_HOME", str(home))
    env(home.parent, "VOUCH_CANDIDATES=7\nVOUCH_THREADS=7\nVOUCH_WORKERS=7")
    env(home, "VOUCH_THREADS=8\nVOUCH_WORKERS=8")
    monkeypatch.setenv("VOUCH_WORKERS", "9")
    found = settings()
    assert (found.candidates, found.threads, found.workers) == (7, 8, 9)


@pytest.mark.parametrize(("text", "is_told"), [(AWAY, True), ("DJANGO_SECRET=1", False)])
def test_a_folder_that_somebody_only_stands_in_sets_nothing(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    text: str,
    is_told: bool,
) -> None:
    """Of another program's file nobody speaks."""
    monkeypatch.setenv("VOUCH_HOME", str(folder.parent / "home"))
    monkeypatch.setenv("VOUCH_OPENAI_API_KEY", KEY)
    file = env(folder, text)
    found = settings()
    assert (found.writer, str(found.openai_base_url)) == ("extractive", "")
    said = capsys.readouterr().err
    assert said.count(f"{file} is not read") == is_told
    assert ("home's .env" in said) is is_told


@pytest.mark.parametrize("where", [".", ".vouch"])
def test_a_key_of_the_environment_goes_to_no_address_of_a_file_that_came_along(
    folder: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    """An unpacked folder is its user's own, and may bring a home of its own."""
    monkeypatch.setenv("VOUCH_OPENAI_API_KEY", KEY)
    file = env(folder / where, AWAY)
    said = refused("write both in one of them")
    assert str(file) in said
    assert KEY not in said


def test_a_token_of_the_home_goes_to_no_address_from_beside_it(folder: Path) -> None:
    env(folder / ".vouch", "VOUCH_SLACK_BOT_TOKEN=xoxb-1")
    env(folder, "VOUCH_SLACK_API_URL=https://evil.example/api/")
    refused("VOUCH_SLACK_API_URL stands in")


def test_a_key_and_its_address_from_one_place_count_and_that_is_said(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = env(folder, f"{AWAY}VOUCH_OPENAI_API_KEY={KEY}")
    assert settings().writer == "openai"
    said = capsys.readouterr().err
    assert f"{file} says where questions and passages go: VOUCH_WRITER=openai" in said
    assert "VOUCH_OPENAI_BASE_URL=https://evil.example/v1" in said
    assert KEY not in said


def test_an_address_of_the_environment_is_given_the_key_of_a_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    env(folder, f"VOUCH_OPENAI_API_KEY={KEY}")
    monkeypatch.setenv("VOUCH_OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    assert settings().openai_api_key.get_secret_value() == KEY


@pytest.mark.parametrize("where", [".", ".vouch"])
def test_no_file_moves_the_home(folder: Path, tmp_path: Path, where: str) -> None:
    env(folder / where, f"VOUCH_HOME={tmp_path / 'private'}")
    refused("Set VOUCH_HOME in the environment")
    env(folder / where, "VOUCH_HOME=.vouch")
    assert settings().home == Path(".vouch")


def assert_not_read(capsys: pytest.CaptureFixture[str], why: str) -> None:
    assert settings().writer == "extractive"
    said = capsys.readouterr().err
    assert "is not read" in said
    assert why in said


@pytest.mark.parametrize(("which", "mode"), [(".", 0o777), (".", 0o1777), (".env", 0o666)])
def test_what_others_may_write_sets_nothing(
    folder: Path, capsys: pytest.CaptureFixture[str], which: str, mode: int
) -> None:
    env(folder, AWAY)
    (folder / which).chmod(mode)
    assert_not_read(capsys, f"others may write {folder / which}; `chmod go-w` it")


def test_a_file_in_the_home_that_others_may_write_is_looked_at_by_a_person_first(
    folder: Path,
) -> None:
    file = env(folder / ".vouch", AWAY)
    file.chmod(0o666)
    for _ in range(2):
        refused("chmod 600")
    file.chmod(0o600)
    assert settings().writer == "openai"


@needs_root
@pytest.mark.parametrize("given_away", ["folder", "file", "target"])
def test_what_belongs_to_somebody_else_sets_nothing(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], given_away: str
) -> None:
    file = env(folder, AWAY)
    if given_away == "target":
        file.rename(tmp_path / "elsewhere")
        file.symlink_to(tmp_path / "elsewhere")
    os.chown(folder if given_away == "folder" else file, 12345, 12345)
    assert_not_read(capsys, "belongs to somebody else")


@needs_root
def test_a_group_of_others_may_not_write_it_either(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    os.chown(env(folder, AWAY), 0, 54321)
    (folder / ".env").chmod(0o660)
    assert_not_read(capsys, "others may write")


def test_what_is_no_file_is_not_waited_for(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(folder / ".env")
    assert_not_read(capsys, "it is no file")


def test_a_file_that_cannot_be_read_is_named(folder: Path) -> None:
    env(folder, "").write_bytes(b"VOUCH_WRITER=\xff\xfe")
    refused("UTF-8")


def test_secrets_are_files_of_a_folder_and_rank_as_the_environment_does(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secrets = folder / "secrets"
    secrets.mkdir()
    (secrets / "VOUCH_OPENAI_API_KEY").write_text(f"{KEY}\n")
    (secrets / "VOUCH_WORKERS").write_text("7")
    (secrets / "threads").write_bytes(b"7\xff")  # somebody else's
    monkeypatch.setenv("VOUCH_SECRETS_FOLDER", str(secrets))
    monkeypatch.setenv("VOUCH_WORKERS", "9")
    found = settings()
    assert found.openai_api_key.get_secret_value() == KEY
    assert (found.workers, found.threads) == (9, 0)
    env(folder, AWAY)
    refused("A key is sent only to an address from the same")
    (secrets / "VOUCH_OPENAI_API_KEI").write_text(KEY)
    env(folder, "")
    refused("VOUCH_OPENAI_API_KEI")
    (secrets / "VOUCH_OPENAI_API_KEI").rename(secrets / "VOUCH_HOME")
    refused("sets VOUCH_HOME, which counts in the environment")
    (secrets / "VOUCH_HOME").unlink()
    for mode, opened in ((0o666, secrets / "VOUCH_WORKERS"), (0o1777, secrets)):
        before = opened.stat().st_mode
        opened.chmod(mode)
        refused(f"others may write {opened};")
        opened.chmod(before)
    settings()
    monkeypatch.setenv("VOUCH_SECRETS_FOLDER", str(folder / "nowhere"))
    refused("VOUCH_SECRETS_FOLDER")


def test_a_file_names_no_folder_of_secrets(folder: Path) -> None:
    env(folder, f"VOUCH_SECRETS_FOLDER={folder}")
    refused("counts in the environment alone")
