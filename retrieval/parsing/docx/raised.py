"""Digits of a Word document that are set above or below the line are written as such."""

from collections.abc import Mapping

from docx.document import Document
from docx.oxml.ns import qn
from docx.oxml.xmlchemy import BaseOxmlElement

from retrieval.parsing.docx.formatting import StyleSheet
from retrieval.parsing.docx.text import TEXT, runs, words
from retrieval.parsing.raised import LONGEST_TAIL, as_set, is_exponent

_HOW: Mapping[str | None, str] = {"superscript": "super", "subscript": "sub"}


def write_raised(document: Document, sheet: StyleSheet) -> None:
    """Change those texts of runs in the document."""
    for paragraph in document.element.body.iter(qn("w:p")):
        style = sheet.paragraph_style(paragraph)
        tail = ""
        for run in runs(paragraph):
            text = words(run)
            if is_exponent(text):
                looks = sheet.of_run(run.find(qn("w:rPr")), style)
                how = _HOW.get(looks.set_as, "")
                _write(run, as_set(how, text, tail, in_cell=_is_in_cell(paragraph)))
            tail = f"{tail}{text}"[-LONGEST_TAIL:]


def _is_in_cell(paragraph: BaseOxmlElement) -> bool:
    return next(paragraph.iterancestors(qn("w:tc")), None) is not None


def _write(run: BaseOxmlElement, text: str) -> None:
    """Where it holds nothing but text."""
    held = list(run.iterchildren(TEXT))
    if len("".join(each.text or "" for each in held)) == len(text):
        for each in held:
            each.text, text = text, ""
