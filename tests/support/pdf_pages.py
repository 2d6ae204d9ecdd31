"""PDFs, as an organisation's handbook is set, and of whatever is drawn."""

import io
from collections.abc import Callable, Sequence

from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Paragraph, SimpleDocTemplate

STYLES = getSampleStyleSheet()


def handbook_pdf(pages: int = 3) -> bytes:
    """Return pages of a heading and some lines; "Rule N of page P" stands once on each."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=A4)
    for page in range(1, pages + 1):
        canvas.setFont("Helvetica-Bold", 18)
        canvas.drawString(72, 760, f"Chapter {page}")
        canvas.setFont("Helvetica", 11)
        for line in range(1, 21):
            words = f"Rule {line} of page {page} says that a form is signed in {line} days."
            canvas.drawString(72, 740 - 22 * line, words)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def drawn_pages(*drawn: Callable[[Canvas], object]) -> bytes:
    """Return a page for each of them, of A4 if it says nothing else."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=A4)
    for draw in drawn:
        draw(canvas)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def drawn(
    draw: Callable[[Canvas], object], size: tuple[float, float] = A4, **options: object
) -> bytes:
    """Return what is drawn, on as many pages as that ends."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=size, **options)
    draw(canvas)
    canvas.save()
    return file.getvalue()


def write(
    canvas: Canvas, lines: Sequence[str], top: float, font: str = "Helvetica", left: float = 72
) -> None:
    """Write lines of 10 points, 12 points apart, the first `top` points below the page's edge."""
    canvas.setFont(font, 10)
    for number, line in enumerate(lines):
        canvas.drawString(left, A4[1] - top - 12 * number, line)


def styled(text: str, style: str = "BodyText") -> Paragraph:
    """Return a paragraph in one of ReportLab's own styles."""
    return Paragraph(text, STYLES[style])


def built(*story: Flowable, running: bool = False, **stated: object) -> bytes:
    """Return pages set of a story; `running`: each has a head, and a foot with its number."""

    def decorate(canvas: Canvas, document: SimpleDocTemplate) -> None:
        if running:
            canvas.drawString(72, 815, "Example University")
            canvas.drawString(280, 20, f"Page {document.page}")

    file = io.BytesIO()
    template = SimpleDocTemplate(file, pagesize=A4, **stated)
    template.build(list(story), onFirstPage=decorate, onLaterPages=decorate)
    return file.getvalue()
