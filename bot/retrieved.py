"""How many passages each retriever finds, as the settings say it."""

import re
from collections.abc import Mapping, Sequence

MOST = 500
_OF_ONE = re.compile(r"([a-z0-9-]+)\s*=\s*(\d+)")


def retrievers_of(embedders: int) -> tuple[str, ...]:
    """The names of the retrievers that there are with so many embedders."""
    return ("dense", *(f"dense-{number}" for number in range(2, embedders + 1)), "bm25")


def retrieved(stated: str, names: Sequence[str], otherwise: int) -> Mapping[str, int]:
    """By retriever: one number is for all, `dense=50, bm25=20` for those that it names.

    Raise `ValueError` for anything else, and for a retriever that there is not.
    """
    if stated.strip().isdecimal():
        return dict.fromkeys(names, _in_bounds(int(stated)))
    found = dict.fromkeys(names, otherwise)
    for each in filter(None, map(str.strip, stated.split(","))):
        match = _OF_ONE.fullmatch(each)
        if match is None or match[1] not in found:
            raise ValueError(
                f"VOUCH_RETRIEVED is a number, or numbers by retriever such as `dense=50, "
                f"bm25=20`; the retrievers are {', '.join(names)}, and not {each!r}"
            )
        found[match[1]] = _in_bounds(int(match[2]))
    return found


def _in_bounds(number: int) -> int:
    if not 1 <= number <= MOST:
        raise ValueError(f"VOUCH_RETRIEVED is from 1 to {MOST} for each retriever")
    return number
