"""Workbooks are opened with openpyxl, and what it stumbles over is put right for it."""

import re
import warnings
from io import BytesIO
from zipfile import ZipFile, ZipInfo

from openpyxl import Workbook
from openpyxl.reader.excel import ExcelReader
from openpyxl.xml.constants import ARC_STYLE

_EMPTY_FILL = re.compile(rb"<((?:\w+:)?)fill\s*(?:/>|></\1fill>)")
"""As xlsx-populate writes them, in which openpyxl finds no kind of fill."""


def opened(content: bytes, *, whole: bool = False) -> Workbook:
    """With what formulas came to; `whole`: all at once, with plain text, for places at random.

    Raise what openpyxl does for a damaged one.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of parts that openpyxl does not know
        reader = ExcelReader(
            BytesIO(content),
            read_only=not whole,
            data_only=True,
            keep_links=False,
            rich_text=not whole,
        )
        reader.archive = _Archive(BytesIO(content))
        reader.read()
    return reader.wb


class _Archive(ZipFile):
    def read(self, name: str | ZipInfo, pwd: bytes | None = None) -> bytes:
        part = super().read(name, pwd)
        return (
            _EMPTY_FILL.sub(rb"<\1fill><\1patternFill/></\1fill>", part)
            if name == ARC_STYLE
            else part
        )
