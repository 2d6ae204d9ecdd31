"""What people filled in on a form stands beside its pages in a PDF, and on them for its readers.

Whether a box is ticked is drawn, and not read.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from retrieval.parsing.pdf.text import Character, Piece, pieces_of

_FILLED_IN = (
    raw.FPDF_FORMFIELD_TEXTFIELD,
    raw.FPDF_FORMFIELD_CHECKBOX,
    raw.FPDF_FORMFIELD_RADIOBUTTON,
    raw.FPDF_FORMFIELD_COMBOBOX,
    raw.FPDF_FORMFIELD_LISTBOX,
)
"""A button and a signature are on pages of any kind."""
_SAME_LINE = 0.8
"""Of the font size: a value's foot is no farther from that of its label."""
_BELOW = 3.0
"""In font sizes: a value stands no farther below its label."""


def page_with_values(document: pdfium.PdfDocument, number: int) -> pdfium.PdfPage:
    """A page, counted from 0, with the values of its fields drawn on it, as they are shown.

    Raise `PdfiumError` for a damaged one.
    """
    if document.get_formtype() == raw.FORMTYPE_NONE:
        return document[number]
    if document.formenv is None:
        document.init_forms()
    page = document[number]
    page.flatten()
    page.close()
    return document[number]


def is_form(document: pdfium.PdfDocument, number: int) -> bool:
    """Whether people fill a page in; asked before it is opened."""
    if document.get_formtype() == raw.FORMTYPE_NONE:
        return False
    if document.formenv is None:
        document.init_forms()
    page = document[number]
    fields = map(partial(_kind_of_field, document, page), range(raw.FPDFPage_GetAnnotCount(page)))
    found = any(kind in _FILLED_IN for kind in fields)
    page.close()
    return found


def _kind_of_field(document: pdfium.PdfDocument, page: pdfium.PdfPage, at: int) -> int:
    annotation = raw.FPDFPage_GetAnnot(page, at)
    kind: int = raw.FPDFAnnot_GetFormFieldType(document.formenv, annotation)
    raw.FPDFPage_CloseAnnot(annotation)
    return kind


def count_without_values(document: pdfium.PdfDocument, number: int) -> int:
    """How many characters the page itself has, which come first; asked before it is opened."""
    if document.get_formtype() == raw.FORMTYPE_NONE:
        return 0
    page = document[number]
    text_page = page.get_textpage()
    count: int = text_page.count_chars()
    text_page.close()
    page.close()
    return count


def beside_labels(characters: list[Character], first: int) -> list[Character]:
    """With the values, which are drawn from the index `first` on, behind what they belong to.

    That is what stands before them on their line, else what stands right above. They are as large
    as it: in a larger font, which programs choose for them, they name no section.
    """
    own = [each for each in characters if each.index < first]
    values = [each for each in characters if each.index >= first]
    labels = list(pieces_of(own))
    placed: dict[int, list[Character]] = defaultdict(list)
    for number, piece in enumerate(pieces_of(values), start=1):
        value = values[piece.first : piece.last]
        before = [each for each in labels if _stands_before(each, piece)]
        above = [each for each in labels if _stands_above(each, piece)]
        if before:
            label = max(before, key=lambda each: each.right)
            space = Character(0, " ", None, value[0].style, label.line)
            placed[label.last] += [space, *_sized(value, own[: label.last], label.line), space]
        else:
            at = max(above, key=lambda each: each.bottom).last if above else len(own)
            placed[at] += _sized(value, own[:at], -number)
    ordered = [
        character for at in range(len(own) + 1) for character in (*placed[at], *own[at : at + 1])
    ]
    return [replace(each, index=index) for index, each in enumerate(ordered)]


def _sized(
    value: Sequence[Character], before: Sequence[Character], line: int
) -> Iterator[Character]:
    size = before[-1].style.size if before else value[0].style.size
    return (replace(each, line=line, style=replace(each.style, size=size)) for each in value)


def _stands_before(label: Piece, value: Piece) -> bool:
    is_level = abs(label.bottom - value.bottom) < _SAME_LINE * value.size
    return is_level and label.right <= value.left + 1


def _stands_above(label: Piece, value: Piece) -> bool:
    is_over = label.left < value.right and value.left < label.right
    return is_over and -1 <= value.top - label.bottom < _BELOW * value.size
