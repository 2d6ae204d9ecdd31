"""Equations are read on one line, as people type them: a fraction as a/b, a power as x^2.

After ECMA-376, part 1, section 22.1; what has no case here reads as what is in it, in order.
"""

from collections.abc import Iterator

from docx.oxml.xmlchemy import BaseOxmlElement

_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
EQUATION, RUN, TEXT = (f"{_MATH}{name}" for name in ("oMath", "r", "t"))


def linear(equation: BaseOxmlElement) -> str:
    """An equation, or a part of one, on one line."""
    match _name(equation):
        case "t":
            return equation.text or ""
        case "f":
            return f"{_grouped(equation, 'num')}/{_grouped(equation, 'den')}"
        case "sSup" | "sSub" | "sSubSup":
            return _part(equation, "e") + _scripts(equation)
        case "rad":
            degree = _part(equation, "deg")
            return f"{f'[{degree}]' if degree else ''}√{_grouped(equation, 'e')}"
        case "nary":
            sign = _property(equation, "chr", "∫")
            return f"{sign}{_scripts(equation)} {_part(equation, 'e')}"
        case "d":
            first, last = (_property(equation, f"{end}Chr", sign) for end, sign in _BRACKETS)
            between = _property(equation, "sepChr", "|")
            return first + between.join(map(linear, equation.findall(f"{_MATH}e"))) + last
        case name if name.endswith("Pr"):
            return ""
        case _:
            return "".join(_parts(equation))


_BRACKETS = (("beg", "("), ("end", ")"))


def _name(element: BaseOxmlElement) -> str:
    return str(element.tag).rpartition("}")[2]


def _parts(element: BaseOxmlElement) -> Iterator[str]:
    for child in element.iterchildren(f"{_MATH}*"):
        yield linear(child)


def _part(element: BaseOxmlElement, name: str) -> str:
    found = element.find(_MATH + name)
    return "" if found is None else linear(found)


def _grouped(element: BaseOxmlElement, name: str) -> str:
    """In brackets, unless it is one number or word."""
    text = _part(element, name)
    return text if text.replace(".", "").isalnum() else f"({text})"


def _scripts(element: BaseOxmlElement) -> str:
    written = {"sub": "_", "sup": "^"}
    return "".join(
        sign + _grouped(element, name) for name, sign in written.items() if _part(element, name)
    )


def _property(element: BaseOxmlElement, name: str, usual: str) -> str:
    found = element.find(f"{_MATH}{_name(element)}Pr/{_MATH}{name}")
    return usual if found is None else str(found.get(f"{_MATH}val", ""))
