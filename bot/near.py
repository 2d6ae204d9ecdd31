"""What somebody most likely meant by a name that nothing goes by."""

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches

LIKENESS = 0.6
"""difflib's ratio, 0 to 1, from which a name is shown as meant: its own default, not measured."""
MOST = 3
"""Names that are shown as meant."""
_NO_WORD = re.compile(r"[\W_]+")


def near(typed: str, known: Mapping[str, Iterable[str]]) -> list[str]:
    """Those of `known` that were most likely meant, the likeliest first, three at most.

    Each is given with the names that it goes by. One in whose names all typed words stand
    (`Ana` in `Ana Silva`) comes before what is only spelt alike.
    """
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
