"""Formulas in MathML, and as KaTeX sets them, are read in one line: 10^3, 1/2."""

from collections.abc import Mapping

_Attributes = Mapping[str, str | None]
_SIGNS: Mapping[str, tuple[str, ...]] = {
    "msup": ("", "^"),
    "msub": ("", "_"),
    "msubsup": ("", "_", "^"),
    "mfrac": ("", "/"),
    "msqrt": ("√",),
    "munder": ("", "_"),
    "mover": ("", "^"),
}


def sign_before(parent: str, number: int) -> str:
    """What stands before a part of an element, counted from 1."""
    signs = _SIGNS.get(parent, ())
    return signs[number - 1] if number <= len(signs) else ""


def brackets(parent: str, name: str) -> tuple[str, str]:
    """What stands around a part that may hold several, where it is set apart otherwise."""
    return ("(", ")") if parent in _SIGNS and name == "mrow" else ("", "")


def as_drawn(attributes: _Attributes, above: _Attributes) -> bool:
    """Whether KaTeX has drawn a formula there, digit by digit, beside the same as MathML."""
    return "katex-html" in _classes(attributes) and "katex" in _classes(above)


def _classes(attributes: _Attributes) -> list[str]:
    return (attributes.get("class") or "").split()
