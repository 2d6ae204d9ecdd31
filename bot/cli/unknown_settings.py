"""A setting that nobody reads does quietly nothing, so it is named, with what may be meant."""

from collections.abc import Mapping
from difflib import SequenceMatcher

from bot.env_files import ENVIRONMENT, PREFIX, EnvFiles
from bot.errors import BadConfiguration
from bot.near import near
from bot.settings import Settings
from bot.wording import names as wording

MISSPELT = 0.85
"""difflib's ratio, 0 to 1, from which one name is taken for another's misspelling. Not measured:
`RELEVANCE_TRESHOLD` is one, and `SERVICE_PORT`, which Kubernetes sets, is not `WORKSPACE_PORT`."""


def unknown_settings(files: EnvFiles, environment: Mapping[str, str]) -> list[str]:
    """What to say of each variable with our prefix that is no setting.

    Raise `BadConfiguration` for one that is a misspelling of a setting: whoever wrote it believes
    that it holds.
    """
    known = {f"{PREFIX}{name.upper()}": (name,) for name in Settings.model_fields}
    placed = dict.fromkeys(environment, ENVIRONMENT)
    placed |= {name: str(file) for file, values in files.read.items() for name in values}
    told = []
    for name, place in placed.items():
        if not name.upper().startswith(PREFIX) or name.upper() in known:
            continue
        meant = near(name.upper().removeprefix(PREFIX), known)
        if meant and _likeness(name.upper(), meant[0]) >= MISSPELT:
            raise BadConfiguration(wording.misspelt_setting(name, place, meant[0]))
        told.append(wording.unknown_setting(name, place, meant))
    return told


def _likeness(name: str, other: str) -> float:
    return SequenceMatcher(None, name.removeprefix(PREFIX), other.removeprefix(PREFIX)).ratio()
