r"""JSON of one form (JCS, RFC 8785), which anybody who reads the same values writes alike.

One thing is not in the RFC, which refuses lone surrogates: they are written as `\udXXX`, for
a file's name may hold them.
"""

import json
import math

_string = json.JSONEncoder(ensure_ascii=False).encode
_WORDS = {None: "null", True: "true", False: "false"}
_FIXED_FROM, _FIXED_TO = -7, 21
"""Exponents between which ECMAScript writes a number without one."""


def canonical_json(value: object) -> bytes:
    """Write what `json.loads` returns; raise `ValueError` for NaN and infinities."""
    return _written(value).encode("utf-8", "backslashreplace")


def _written(value: object) -> str:
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, dict):
        names = sorted(value, key=_utf_16)
        return "{" + ",".join([f"{_string(name)}:{_written(value[name])}" for name in names]) + "}"
    if isinstance(value, list):
        return "[" + ",".join([_written(each) for each in value]) + "]"
    if value is None or isinstance(value, bool):
        return _WORDS[value]
    if isinstance(value, int | float):
        return _number(float(value))
    raise TypeError(f"{type(value).__name__} is not of JSON")


def _utf_16(name: str) -> bytes:
    """Its code units, by which names are sorted."""
    return name.encode("utf-16-be", "surrogatepass")


def _number(value: float) -> str:
    """As ECMAScript does: the shortest digits that read back as the same double."""
    if not math.isfinite(value):
        raise ValueError("JSON has no NaN and no infinities")
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    digits, exponent = _shortest(abs(value))
    point = exponent + 1
    if len(digits) <= point <= _FIXED_TO:
        return sign + digits.ljust(point, "0")
    if 0 < point <= _FIXED_TO:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if _FIXED_FROM < exponent < 0:
        return f"{sign}0.{'0' * -point}{digits}"
    fraction = f".{digits[1:]}" if digits[1:] else ""
    return f"{sign}{digits[0]}{fraction}e{exponent:+d}"


def _shortest(value: float) -> tuple[str, int]:
    """Its digits without zeros at either end, and the exponent of the first one."""
    mantissa, _, exponent = repr(value).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    zeros = len(whole + fraction) - len(digits)
    return digits.rstrip("0"), int(exponent or 0) + len(whole) - 1 - zeros
