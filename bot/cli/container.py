"""The container is opened for one command."""

import sys

from pydantic import ValidationError

from bot.backup.half_restored import is_half_restored
from bot.cli.home import demand_home, home_to_read, own_home
from bot.cli.logs import log_to_stderr
from bot.cli.unknown_settings import unknown_settings
from bot.env_files import EnvFiles, demand_one_place, env_files, sent_elsewhere
from bot.errors import BadConfiguration
from bot.settings import Settings, environment, home_of_environment
from bot.visible import unbroken
from bot.wiring import Container
from bot.wording.backups import half_restored


def open_container() -> Container:
    """The container that the environment and its `.env` describe; its home is made if need be.

    For its owner alone: documents and questions are not everybody's on a machine.

    Raise `BadConfiguration` naming every setting that is wrong.
    """
    container = _described_whole()
    own_home(container.home)
    return container


def open_container_to_ask() -> Container:
    """The same, for its owner alone, of a home that is there already.

    A misspelt VOUCH_HOME must not leave an empty home behind. Raise `BadConfiguration` where
    there is none, too.
    """
    container = _described_whole()
    if not container.settings.library_url.get_secret_value():
        demand_home(
            container.home
        )  # else a second machine's home may be made at its first question
    own_home(container.home)
    return container


def open_container_to_read() -> Container:
    """The same of a home that is there already, and may be one that cannot be written to.

    Raise `BadConfiguration` where there is none, too.
    """
    container = _described_whole()
    home_to_read(container.home)
    return container


def settings_to_restore() -> Settings:
    """Of a home that is not there yet, or is half restored; makes nothing."""
    return _described().settings


def _described_whole() -> Container:
    """Raise `BadConfiguration` too where a restore of the home was interrupted."""
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
