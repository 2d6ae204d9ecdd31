"""One `.env` counts: the home's, or that beside it, where nobody else can write them.

Never simply the working directory's. A folder that somebody unpacked or cloned is their own,
and a `.env` in it could send passages and keys to whoever made it. So the home alone, which
the environment names (or which is `.vouch` here), says where settings are looked for; and an
address counts only from where the key comes from that is sent to it.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path

from dotenv import dotenv_values

from bot.errors import BadConfiguration
from bot.settings import PREFIX, Settings
from bot.settings.setting_files import demand_no_folder, distrusted, others_may_write
from bot.wording import names as wording
from bot.wording.names import closest_names
from bot.wording.redaction import shown

NAME = ".env"
ENVIRONMENT = "the environment"
SENT_TO = {
    "VOUCH_OPENAI_API_KEY": "VOUCH_OPENAI_BASE_URL",
    "VOUCH_SLACK_BOT_TOKEN": "VOUCH_SLACK_API_URL",
    "VOUCH_SLACK_APP_TOKEN": "VOUCH_SLACK_API_URL",
}
WRITER, STAYS_HERE = "VOUCH_WRITER", "extractive"
SENDING = (
    WRITER,
    *dict.fromkeys(SENT_TO.values()),
    *("VOUCH_AUDIT_URL", "VOUCH_INBOX_URL", "VOUCH_LIBRARY_URL", "VOUCH_TRACES_URL"),
)
"""Settings that say where questions and passages go."""


@dataclass(frozen=True)
class EnvFiles:
    """Of files of settings a later one wins over an earlier, the environment over all."""

    read: Mapping[Path, Mapping[str, str]]
    """What stands in each that counts, by variable."""
    passed_over: Mapping[Path, str] = field(default_factory=dict)
    """Why each of the others does not."""

    def placed(self, environment: Mapping[str, str]) -> dict[str, Path | None]:
        """The file that each variable comes from that is not empty; None for the environment."""
        sources: list[tuple[Path | None, Mapping[str, str]]] = [*self.read.items()]
        last = {
            name.upper(): (place, value)
            for place, values in (*sources, (None, environment))
            for name, value in values.items()
        }
        return {name: place for name, (place, value) in last.items() if value}


def env_files(home: Path) -> EnvFiles:
    """Those of this home. Raise `BadConfiguration` for one that cannot be read, or moves it."""
    read: dict[Path, Mapping[str, str]] = {}
    passed_over: dict[Path, str] = {}
    ours = (home.absolute().parent / NAME, home.absolute() / NAME)
    _demand_unwritten(ours[-1])
    for file in filter(os.path.lexists, ours):
        if why := distrusted(file):
            passed_over[file] = why
        else:
            read[file] = _values(file)
            _demand_same_home(file, read[file], home)
            demand_no_folder(file, read[file])
    here = Path.cwd() / NAME
    if here not in ours and here.is_file() and _names_settings(here):
        passed_over[here] = f"it is neither in the home {home.absolute()} nor beside it"
    return EnvFiles(read, passed_over)


def demand_one_place(files: EnvFiles, environment: Mapping[str, str]) -> None:
    """A key goes only where the place that holds it says. Raise `BadConfiguration`."""
    places, trusted = files.placed(environment), [*files.read, None]
    for key, address in SENT_TO.items():
        if key not in places or address not in places:
            continue
        if trusted.index(places[address]) < trusted.index(places[key]):
            raise BadConfiguration(
                f"{address} stands in {places[address]}, and {key} in "
                f"{places[key] or ENVIRONMENT}. A key is sent only to an address from the same "
                "place: write both in one of them."
            )


def sent_elsewhere(files: EnvFiles, environment: Mapping[str, str]) -> dict[Path, list[str]]:
    """Which files say where questions and passages go, each with what it sets, to be shown."""
    found: dict[Path, list[str]] = {}
    for name, file in files.placed(environment).items():
        if file is not None and name in SENDING:
            value = files.read[file][name]
            told = value if name == WRITER else shown(value)
            if value != STAYS_HERE:
                found.setdefault(file, []).append(f"{name}={told}")
    return found


def _demand_unwritten(file: Path) -> None:
    """The home is closed to others when it is opened, which would hide that this was open."""
    if file.is_file() and others_may_write(file.stat()):
        raise BadConfiguration(
            f"Others may have written {file}. Look at what stands in it, then keep it to you: "
            f"chmod 600 {file}"
        )


def _values(file: Path) -> dict[str, str]:
    try:
        return {name.upper(): value or "" for name, value in _assigned(file)}
    except (OSError, UnicodeDecodeError) as error:
        raise BadConfiguration(
            f"{file} cannot be read ({error}). Make it a text file in UTF-8 that you may read."
        ) from error


def _assigned(file: Path) -> Iterator[tuple[str, str | None]]:
    yield from dotenv_values(file, interpolate=False, encoding="utf-8").items()


def _names_settings(file: Path) -> bool:
    """Other programs have a `.env` as well."""
    try:
        return any(name.upper().startswith(PREFIX) for name, _ in _assigned(file))
    except (OSError, UnicodeDecodeError):
        return False


def _demand_same_home(file: Path, values: Mapping[str, str], home: Path) -> None:
    moved = values.get("VOUCH_HOME")
    if moved and Path(moved).absolute() != home.absolute():
        raise BadConfiguration(
            f"{file} sets VOUCH_HOME, but the home says which .env counts. Set VOUCH_HOME in the "
            "environment, and take it out of that file."
        )


MISSPELT = 0.85
"""difflib's ratio, 0 to 1, from which one name is taken for another's misspelling. Not measured:
`RELEVANCE_TRESHOLD` is one, and `SERVICE_PORT`, which Kubernetes sets, is not `WORKSPACE_PORT`."""


def unknown_settings(files: EnvFiles, environment: Mapping[str, str]) -> list[str]:
    """What to say of unknown variables; raise `BadConfiguration` for a misspelt setting."""
    known = {f"{PREFIX}{name.upper()}": (name,) for name in Settings.model_fields}
    placed = dict.fromkeys(environment, ENVIRONMENT)
    placed |= {name: str(file) for file, values in files.read.items() for name in values}
    told = []
    for name, place in placed.items():
        if not name.upper().startswith(PREFIX) or name.upper() in known:
            continue
        meant = closest_names(name.upper().removeprefix(PREFIX), known)
        if meant and _likeness(name.upper(), meant[0]) >= MISSPELT:
            raise BadConfiguration(wording.misspelt_setting(name, place, meant[0]))
        told.append(wording.unknown_setting(name, place, meant))
    return told


def _likeness(name: str, other: str) -> float:
    return SequenceMatcher(None, name.removeprefix(PREFIX), other.removeprefix(PREFIX)).ratio()
