"""Whether what a sentence of a workbook says stands in the cells that it names.

The workbook is opened whole, where the parser reads it as it streams, and values are compared as
numbers and days, not by their formats.
"""

import re
from collections.abc import Callable, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal, InvalidOperation

from retrieval.types import HiddenText, Sentence

_NO_DIGIT = re.compile(r"[^\d.\-]")
_UNSEEN = re.compile("[\u00ad\u200b\u2060\ufeff]")
_BRACKETED = re.compile(r"\(.*\d.*\)")
_PERCENT, _SHARE = Decimal(100), Decimal("0.01")


def cells_checker(
    content: bytes, hidden: Sequence[HiddenText] = ()
) -> Callable[[Sentence, str], bool]:
    """Whether a sentence's cells hold what it says of them, in the sheet that it names.

    Where words are hidden on a sheet, the text of a cell may go on behind them.
    """
    from retrieval.parsing.xlsx.sheets import opened

    workbook = opened(content, whole=True)

    def stands(sentence: Sentence, quote: str) -> bool:
        name = sentence.page_label.removeprefix("sheet ")
        if sentence.page is None or not sentence.cells or not quote.strip():
            return False
        sheet = workbook[workbook.sheetnames[sentence.page - 1]]
        goes_on = any(each.left_out and each.where.startswith(f"sheet {name},") for each in hidden)
        return " ".join(sheet.title.split()) == name and all(
            _says(sheet[cell.reference].value, sentence.text[cell.start : cell.end], goes_on)
            for cell in sentence.cells
        )

    return stands


def _says(value: object, text: str, goes_on: bool) -> bool:
    match value:
        case None:
            return False
        case bool():
            return text.casefold() == str(value).casefold()
        case int() | float():
            return _is_number(Decimal(repr(value)), text)
        case datetime() | date():
            return text.startswith(value.isoformat()[:10])
        case time():
            return text == value.isoformat()[: len(text)]
        case timedelta():
            return text.replace("-", "")[:1].isdecimal()
        case _:
            held = " ".join(_UNSEEN.sub("", str(value)).split())
            rest = iter(held)
            return text in held or (goes_on and all(each in rest for each in text))


def _is_number(value: Decimal, text: str) -> bool:
    """Whether a text is a number, rounded as far as it is written."""
    is_negative = bool(_BRACKETED.search(text)) and "-" not in text
    try:
        said = Decimal(_NO_DIGIT.sub("", text) or "nothing")
    except InvalidOperation:
        return False
    said = -said if is_negative else said
    step = Decimal(1).scaleb(int(said.as_tuple().exponent))
    scales = (Decimal(1), _PERCENT, _SHARE / 10, _SHARE**3)
    return any(abs(value * scale - said) <= step * Decimal("0.51") for scale in scales)
