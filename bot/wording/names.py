"""Names that people type: what was meant by one that nothing goes by, and days named by a word."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from difflib import get_close_matches

MOST_NAMED = 8
"""Names in one sentence."""
NOBODY = (
    "Nobody has the id, e-mail or name {wanted!r}: people.yaml in the home names nobody yet. "
    "docs/slack.md shows one. Name nobody to ask as a guest."
)
NO_CHANNEL = (
    "No channel has the id or name {wanted!r}: channels.yaml in the home lists none yet. "
    "docs/slack.md shows one. Name no channel to ask alone."
)


def unknown_person(wanted: str, closest: Sequence[str], known: Sequence[str]) -> str:
    if not known:
        return NOBODY.format(wanted=wanted)
    return (
        f"Nobody has the id, e-mail or name {wanted!r}. {did_you_mean(closest)}"
        f"people.yaml has {listed(known)}. Name nobody to ask as a guest."
    )


def several_people(wanted: str, ids: Sequence[str]) -> str:
    return f"{len(ids)} people are called {wanted}; give the id of one: {', '.join(ids)}."


def unknown_channel(wanted: str, closest: Sequence[str], known: Sequence[str]) -> str:
    if not known:
        return NO_CHANNEL.format(wanted=wanted)
    return (
        f"No channel has the id or name {wanted!r}. {did_you_mean(closest)}"
        f"channels.yaml has {listed(known)}. Name no channel to ask alone."
    )


def several_channels(wanted: str, ids: Sequence[str]) -> str:
    return f"{len(ids)} channels are called {wanted}; give the id of one: {', '.join(ids)}."


def called(own_id: str, name: str) -> str:
    return own_id if name in ("", own_id) else f"{own_id} ({name})"


def did_you_mean(closest: Sequence[str]) -> str:
    """Ends with a blank; empty where nothing is near."""
    return f"Did you mean {' or '.join(closest)}? " if closest else ""


def listed(known: Sequence[str], most: int = MOST_NAMED) -> str:
    more = f" and {len(known) - most} more" if len(known) > most else ""
    return ", ".join(known[:most]) + more


def misspelt_setting(name: str, place: str, meant: str) -> str:
    return f"{name} in {place} is no setting. Write {meant}, or take it out."


def unknown_setting(name: str, place: str, closest: Sequence[str]) -> str:
    return (
        f"{name} in {place} is no setting and does nothing. {did_you_mean(closest)}"
        "docs/settings.md lists them all."
    )


def unknown_asker(wanted: str, closest: Sequence[str]) -> str:
    return (
        f"Nobody of people.yaml, and nobody who asked, has the id, e-mail or name {wanted!r}. "
        f"{did_you_mean(closest)}The list of records names who asked."
    )


def unasked_channel(wanted: str, closest: Sequence[str]) -> str:
    return (
        "No channel of channels.yaml, and none in which somebody asked, has the id or name "
        f"{wanted!r}. {did_you_mean(closest)}"
        "Give its id, like `C0123`, or list it in channels.yaml."
    )


def several_documents(wanted: str, shown: Sequence[str]) -> str:
    return f"{wanted!r} may mean several documents. Name one by its path or id: {listed(shown)}."


LIKENESS = 0.6
"""difflib's ratio, 0 to 1, from which a name is shown as meant: its own default, not measured."""
MOST = 3
"""Names that are shown as meant."""
_NO_WORD = re.compile(r"[\W_]+")


def closest_names(typed: str, known: Mapping[str, Iterable[str]]) -> list[str]:
    """The likeliest three of `known` with their names; one with all typed words comes first."""
    by_name: dict[str, list[str]] = {}
    for each, names in known.items():
        for name in names:
            by_name.setdefault(_folded(name), []).append(each)
    wanted = _folded(typed)
    words = set(wanted.split())
    holding = [name for name in by_name if words and words <= set(name.split())]
    alike = get_close_matches(wanted, by_name, MOST, LIKENESS)
    found = (each for name in (*holding, *alike) for each in by_name[name])
    return list(dict.fromkeys(found))[:MOST]


def _folded(name: str) -> str:
    return " ".join(_NO_WORD.sub(" ", name).casefold().split())


_DAYS_AGO = {"today": 0, "yesterday": 1}


def named_day(word: str, today: date) -> date | None:
    ago = _DAYS_AGO.get(word.strip().casefold())
    return None if ago is None else today - timedelta(days=ago)
