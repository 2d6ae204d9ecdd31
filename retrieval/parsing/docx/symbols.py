"""Signs that Word keeps as a place in a font: boxes to tick, and what has no key on a keyboard."""

from collections.abc import Mapping

from docx.oxml.ns import qn
from docx.oxml.xmlchemy import BaseOxmlElement

SYMBOL = qn("w:sym")
_PRIVATE = range(0xF000, 0xF100)
"""Where a font's own places stand."""
_SIGNS: Mapping[str, Mapping[int, str]] = {
    "symbol": {
        **dict(zip(range(0x41, 0x5B), "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ", strict=True)),
        **dict(zip(range(0x61, 0x7B), "αβχδεφγηιϕκλμνοπθρστυϖωξψζ", strict=True)),
        **dict(
            zip(b"\xa3\xa5\xac\xae\xb0\xb1\xb3\xb4\xb7\xb8\xb9\xbb", "≤∞←→°±≥×•÷≠≈", strict=True)
        ),
    },
    "wingdings": dict(zip(b"\x6f\xa8\xe0\xfb\xfc\xfd\xfe", "☐☐→✗✓☒☑", strict=True)),
}
"""By font, and by the place in it."""


def sign(symbol: BaseOxmlElement) -> str:
    """As people see it; nothing where it only adorns, or where it is not known."""
    code = symbol.get(qn("w:char"), "")
    try:
        place = int(code, 16)
    except ValueError:
        return ""
    if place in _PRIVATE:
        known = _SIGNS.get(symbol.get(qn("w:font"), "").casefold(), {})
        return known.get(place - _PRIVATE.start, "")
    return chr(place) if 0x20 <= place < 0xD800 else ""
