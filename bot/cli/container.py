"""The container is opened for one command: its settings, its home, and a log without secrets."""

import logging
import os
import stat
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from pydantic import ValidationError

from bot.answering.observing.observer import JsonLines
from bot.backup import is_half_restored
from bot.errors import BadConfiguration
from bot.settings import Settings, environment, home_of_environment
from bot.settings.env_files import (
    EnvFiles,
    demand_one_place,
    env_files,
    sent_elsewhere,
    unknown_settings,
)
from bot.wiring import Container
from bot.wording.backups import half_restored
from bot.wording.redaction import without
from bot.wording.untrusted_text import printable, unbroken


def open_container() -> Container:
    """The container of the environment and its `.env`, its home made; raise `BadConfiguration`."""
    container = _described_whole()
    own_home(container.home)
    return container


def open_container_to_ask() -> Container:
    """The same of a home that is there, so that a misspelt VOUCH_HOME makes none."""
    container = _described_whole()
    if not container.settings.library_url.get_secret_value():
        demand_home(container.home)  # else a second machine's is made at its first question
    own_home(container.home)
    return container


def open_container_to_read() -> Container:
    """The same of a home that is there, and may be read-only."""
    container = _described_whole()
    home_to_read(container.home)
    return container


def settings_to_restore() -> Settings:
    """Of a home that is not there yet, or is half restored; makes nothing."""
    return _described().settings


def _described_whole() -> Container:
    container = _described()
    if is_half_restored(container.home):
        raise BadConfiguration(half_restored(container.home))
    return container


def _described() -> Container:
    try:
        files = env_files(home_of_environment())
        _tell(files)
        demand_one_place(files, environment())
        for words in unknown_settings(files, environment()):
            _say(words)
        container = Container(Settings.of(files.read))
    except ValidationError as error:
        problems = "; ".join(
            ": ".join([*(f"VOUCH_{place}".upper() for place in each["loc"]), each["msg"]])
            for each in error.errors()
        )
        raise BadConfiguration(
            f"{problems}. Mend it in the environment or in .env; docs/settings.md lists them all."
        ) from error
    log_to_stderr(container.settings.secrets)
    return container


def _tell(files: EnvFiles) -> None:
    """What somebody has to know before anything is sent: whose settings these are."""
    for file, why in files.passed_over.items():
        _say(f"{file} is not read: {why}. What you want from it, write into the home's .env.")
    for file, names in sent_elsewhere(files, environment()).items():
        _say(f"{file} says where questions and passages go: {', '.join(names)}.")


def _say(words: str) -> None:
    print(f"vouch: {unbroken(words)}", file=sys.stderr)  # noqa: T201  # the command line's own voice


OTHERS = stat.S_IRWXG | stat.S_IRWXO
UMASK = OTHERS
"""What is made is its owner's alone, whatever the shell's own mask is."""
OURS = (
    *("audit.sqlite", "inbox.sqlite", "library.sqlite", "library.key", "workspace", "index"),
    "ingest.lock",
    *("people.yaml", "channels.yaml", ".env", "sample", "restoring", "restored.json"),
    *("audit.key", "audit-checkpoints.txt", "audit-verified.txt", "audit-witnesses.txt"),
    *(
        "audit-heads.txt",
        "audit-erasures.txt",
        "audit-scrub-owed",
        "web.sqlite",
        "web.json",
        "mcp.sqlite",
    ),
)


def own_home(home: Path) -> None:
    """Make it where there is none, and shut everybody else out; raise `BadConfiguration`."""
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        _demand_own(home)
        _shut(home)  # first, so that nobody comes in meanwhile
        for path in _held(home):
            with suppress(FileNotFoundError, PermissionError):  # gone; of another user, but inside
                _shut(path)
    except OSError as error:
        raise BadConfiguration(
            f"The home {home} cannot be made or kept to its owner ({error.strerror}). "
            "Set VOUCH_HOME to a folder that may be written to."
        ) from error


def home_to_read(home: Path) -> None:
    """Shut everybody else out where that can be done; raise `BadConfiguration` without a home."""
    demand_home(home)
    if os.access(home, os.W_OK, effective_ids=os.access in os.supports_effective_ids):
        own_home(home)


def demand_home(home: Path) -> None:
    """Raise `BadConfiguration` where there is no home, as after a misspelt VOUCH_HOME."""
    if not home.is_dir():
        what = "is no folder" if home.exists() else "is not there"
        raise BadConfiguration(
            f"The home {home.absolute()} {what}. Set VOUCH_HOME to the folder that the bot uses, "
            "or make one by reading documents in: `vouch ingest FOLDER`."
        )


def _demand_own(home: Path) -> None:
    status = home.stat()
    if os.geteuid() not in (status.st_uid, 0):
        raise BadConfiguration(
            f"The home {home} belongs to another user, who could read what is in it. Run Vouch "
            "as that user, or set VOUCH_HOME to a folder of your own."
        )
    held = [each.name for each in home.iterdir()] if status.st_mode & OTHERS else []
    if held and not any(name.startswith(OURS) for name in held):
        raise BadConfiguration(
            f"The home {home} holds things that are not Vouch's, and others may open it. Set "
            f"VOUCH_HOME to a folder for Vouch alone, or let nobody else into it: chmod 700 {home}"
        )


def _held(home: Path) -> Iterator[Path]:
    for folder, folders, files in os.walk(home):
        paths = (Path(folder, name) for name in (*folders, *files))
        yield from (path for path in paths if not path.is_symlink())


def _shut(path: Path) -> None:
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & OTHERS:
        path.chmod(mode & ~OTHERS)


SHORT = "%(message)s"
LONG = "%(asctime)s %(levelname)s %(name)s: %(message)s"


class _Discreet(logging.Formatter):
    """It repeats no secret; an entry begins at the margin, so no name in it begins another."""

    def __init__(self, form: str, secrets: Sequence[str]) -> None:
        super().__init__(form)
        self._secrets = secrets

    def format(self, record: logging.LogRecord) -> str:
        entry = printable(without(self._secrets, super().format(record)))
        return "\n    ".join(entry.splitlines())


def log_to_stderr(secrets: Sequence[str], form: str = SHORT) -> None:
    """Warnings and worse; the long form takes the place of the short one."""
    _log(_Discreet(form, secrets), force=form == LONG)


def log_as_set(settings: Settings) -> None:
    """In place of that for the bot, in the form and from the level that its settings say."""
    if settings.log_format == "json":
        _log(JsonLines(partial(without, settings.secrets)), force=True)
    else:
        log_to_stderr(settings.secrets, LONG)
    for ours in ("audit", "bot", "retrieval"):
        logging.getLogger(ours).setLevel(settings.log_level.upper())


def _log(form: logging.Formatter, *, force: bool) -> None:
    handler = logging.StreamHandler()
    handler.setFormatter(form)
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=force)
