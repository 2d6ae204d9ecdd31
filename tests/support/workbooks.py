"""Workbooks for tests, written with openpyxl."""

import io
import zipfile
from collections.abc import Callable, Mapping, Sequence

import openpyxl
from openpyxl import Workbook

Rows = Sequence[Sequence[object]]


def workbook(sheets: Mapping[str, Rows]) -> Workbook:
    made = openpyxl.Workbook()
    made.remove(made.active)
    for name, rows in sheets.items():
        sheet = made.create_sheet(name)
        for row in rows:
            sheet.append(row)
    return made


def saved(made: Workbook) -> bytes:
    buffer = io.BytesIO()
    made.save(buffer)
    return buffer.getvalue()


def with_parts(content: bytes, changed: Mapping[str, Callable[[bytes], bytes]]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(buffer, "w", 8) as new:
        parts = {name: old.read(name) for name in old.namelist()}
        for name in [*parts, *(changed.keys() - parts.keys())]:
            part = parts.get(name, b"")
            new.writestr(name, changed[name](part) if name in changed else part)
    return buffer.getvalue()
