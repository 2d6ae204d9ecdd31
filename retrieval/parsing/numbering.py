"""The number that stands before an item of an ordered list is kept: "step 3" is told by it.

Letters and Roman numerals are none, nor what counts down: such an item has its order alone.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

_WRITTEN = re.compile(r"\s*\(?(\d{1,3})[.)]\s")
_INTEGER = re.compile(r"\s*(\d{1,4})\s*")


def number_in(marker: str) -> int | None:
    """The number of a marker as it is written, such as "3. " or "(3) "."""
    found = _WRITTEN.match(marker)
    return _shown(int(found[1])) if found else None


@dataclass(slots=True)
class Numbering:
    """It counts the items of one list of HTML, after the HTML standard, section 4.4.5."""

    following: int | None = None
    """The next item's number; None where the list has none."""

    @classmethod
    def of(cls, name: str, attributes: Mapping[str, str | None]) -> "Numbering":
        """Of an element with its attributes."""
        in_digits = (attributes.get("type") or "1").strip() == "1"
        if name != "ol" or not in_digits or "reversed" in attributes:
            return cls()
        first = _integer(attributes, "start")
        return cls(1 if first is None else first)

    def take(self, attributes: Mapping[str, str | None]) -> int | None:
        """The number of the item that begins here, with its attributes."""
        if self.following is None:
            return None
        stated = _integer(attributes, "value")
        number = self.following if stated is None else stated
        self.following = number + 1
        return _shown(number)


def _shown(number: int) -> int | None:
    """A list that begins at zero is a programmer's: Slack has no such number."""
    return number if number > 0 else None


def _integer(attributes: Mapping[str, str | None], name: str) -> int | None:
    found = _INTEGER.fullmatch(attributes.get(name) or "")
    return int(found[1]) if found else None
