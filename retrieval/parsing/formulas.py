"""Formulas in MathML, and as KaTeX sets them, are read in one line: 10^3, 1/2."""

from collections.abc import Mapping

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


def as_spoken(attributes: Mapping[str, str | None]) -> bool:
    """Whether KaTeX has a formula there as MathML, out of sight beside what is drawn of it."""
    return "katex-mathml" in (attributes.get("class") or "").split()


def as_drawn(attributes: Mapping[str, str | None], number: int) -> bool:
    """Whether it is drawn there, digit by digit; alone, or as part `number` of what holds both."""
    return number > 1 and "katex-html" in (attributes.get("class") or "").split()
