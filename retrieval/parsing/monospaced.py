"""Fonts of equally wide letters are known by their names."""

import re

_NAMES = re.compile(
    r"\b(?:mono|code|consol\w*|courier\w*|typewriter|fixedsys|menlo|monaco|inconsolata|terminal)\b"
    r"|mono(?:space\w*)?$",
    re.IGNORECASE,
)


def is_monospaced(font: str | None) -> bool:
    """Whether a font is one that program text is set in; None: of no name."""
    return font is not None and bool(_NAMES.search(font))
