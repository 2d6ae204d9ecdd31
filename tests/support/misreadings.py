"""How often a word is misread, by confidence: `python tests/support/misreadings.py FILE.md...`."""

import sys
from collections import Counter
from difflib import SequenceMatcher
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import numpy as np
import pypdfium2 as pdfium
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import Paragraph, SimpleDocTemplate
from scanned import scanned

from retrieval.parsing.recognition import lines_in

WAYS = ((75, 6.0), (75, 14.0), (90, 10.0), (90, 20.0), (110, 20.0), (150, 12.0), (200, 12.0))
"""Points an inch, and grain."""
WORDS = 500
STEPS = (0.0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 1.01)


def page_of(text: str) -> bytes:
    buffer = BytesIO()
    style = getSampleStyleSheet()["BodyText"]
    SimpleDocTemplate(buffer).build([Paragraph(text, style)])
    return buffer.getvalue()


def compared(words: list[str]) -> tuple[Counter[float], Counter[float]]:
    """By the lower end of a step of confidence: words that were read, and those misread."""
    read: Counter[float] = Counter()
    wrong: Counter[float] = Counter()
    page = page_of(" ".join(words))
    for dpi, grain in WAYS:
        with pdfium.PdfDocument(scanned(page, dpi=dpi, grain=grain)) as document:
            drawn = document[0].render(scale=300 / 72, grayscale=True).to_numpy().squeeze()
        lines = lines_in(np.ascontiguousarray(drawn), "eng", 120)
        found = [word for line in lines for word in line.words]
        matcher = SequenceMatcher(None, words, [word.text for word in found], autojunk=False)
        right = {
            place
            for match in matcher.get_matching_blocks()
            for place in range(match.b, match.b + match.size)
        }
        for number, word in enumerate(found):
            step = max(step for step in STEPS if step <= word.confidence)
            read[step] += 1
            wrong[step] += number not in right
    return read, wrong


def main(files: list[str]) -> None:
    read: Counter[float] = Counter()
    wrong: Counter[float] = Counter()
    for file in files:
        said = Path(file).read_text(encoding="utf-8").split()
        words = [word for word in said if word.isascii() and not {"<", "&"} & set(word)]
        some, misread = compared(words[:WORDS])
        read += some
        wrong += misread
    for step, upper in pairwise(STEPS):
        if read[step]:
            share = f"{wrong[step]} of {read[step]} misread ({wrong[step] / read[step]:.1%})"
            sys.stdout.write(f"{step:.2f}-{min(upper, 1):.2f}: {share}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
