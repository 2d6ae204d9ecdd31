"""How a caption begins where nothing but its words says that it is one."""

import re

_NUMBERED = (
    r" ?(?:\d{1,3}|[A-Z])(?:[.-]\d{1,3}){0,2}"
    r"(?:[.:]| [\u2013\u2014-])(?=\s|$)"
)
_PICTURES = r"figure|fig\.|chart|exhibit|plate"
CAPTION = re.compile(rf"(?:{_PICTURES}|table|listing){_NUMBERED}", re.IGNORECASE)
"""Such as "Figure 3:" or "Table 2.1."; "Table 2 shows" begins a sentence."""
_OF_TABLE = re.compile(rf"table{_NUMBERED}", re.IGNORECASE)
_OF_PICTURE = re.compile(rf"(?:{_PICTURES}){_NUMBERED}", re.IGNORECASE)


def names_picture(text: str) -> bool:
    """Whether a text begins as the caption of a picture does, not as that of a table."""
    return _OF_PICTURE.match(text) is not None


def names_table(text: str) -> bool:
    return _OF_TABLE.match(text) is not None
