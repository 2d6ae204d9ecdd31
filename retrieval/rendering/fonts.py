"""The fonts that PDFium brings for documents without any, as Pillow's; only in a limited process.

Pillow's own default font knows no dash, no accent and no pound sign. PDFium's stands for
Helvetica and knows Windows-1252: what is written in Western Europe.
"""

import ctypes
import io
from functools import cache

import pypdfium2 as pdfium
import pypdfium2.raw as raw
from PIL import ImageFont

from retrieval.errors import NoPicture

_NOWHERE = "\U0010ffff"
"""A character that no font has: what is drawn of it stands for each that is missing."""


@cache
def sans(size: int) -> ImageFont.FreeTypeFont:
    """A font without serifs, of a size in pixels. Raise `NoPicture` where PDFium brings none."""
    return ImageFont.truetype(io.BytesIO(_program()), size, layout_engine=ImageFont.Layout.BASIC)


@cache
def is_drawn(character: str) -> bool:
    """Whether the font has a shape for a character; white space needs none."""
    font = sans(32)
    return character.isspace() or bytes(font.getmask(character)) != bytes(font.getmask(_NOWHERE))


@cache
def _program() -> bytes:
    document = pdfium.PdfDocument.new()
    try:
        font, size = raw.FPDFText_LoadStandardFont(document, b"Helvetica"), ctypes.c_size_t()
        raw.FPDFFont_GetFontData(font, None, 0, size)
        content = (ctypes.c_uint8 * size.value)()
        if not size.value or not raw.FPDFFont_GetFontData(font, content, size.value, size):
            raise NoPicture("This PDFium brings no font.")
        return bytes(content)
    finally:
        document.close()
