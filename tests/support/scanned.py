"""Documents as a scanner leaves them: pictures of pages, grainy and without text."""

import os
from io import BytesIO

import numpy as np
import pypdfium2 as pdfium
import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

with_tesseract = pytest.mark.skipif(
    bool(os.environ.get("VOUCH_TEST_WITHOUT_TESSERACT")),
    reason="VOUCH_TEST_WITHOUT_TESSERACT is set",
)


def scanned(
    pdf: bytes, *, dpi: int = 200, grain: float = 12.0, quarters: int = 0, stamp: str = ""
) -> bytes:
    """Pages as pictures, with `grain` (noise of 255), clockwise `quarters`, and a `stamp`."""
    chance = np.random.default_rng(7)
    buffer = BytesIO()
    canvas = Canvas(buffer)
    with pdfium.PdfDocument(pdf) as document:
        for page in document:
            grey = page.render(scale=dpi / 72, grayscale=True).to_numpy().squeeze().astype(float)
            noisy = np.clip(grey * 0.9 + 12 + chance.normal(0, grain, grey.shape), 0, 255)
            picture = Image.fromarray(np.rot90(noisy, -quarters).astype(np.uint8))
            width, height = (side * 72 / dpi for side in picture.size)
            canvas.setPageSize((width, height))
            canvas.drawImage(ImageReader(picture), 0, 0, width, height)
            if stamp:
                canvas.setFont("Helvetica", 8)
                canvas.drawString(20, 8, stamp)
            canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def without_tesseract(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
