"""A PDF of several pages, as an organisation's handbook is set."""

import io

from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas


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
