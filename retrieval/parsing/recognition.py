"""Text recognition (OCR): Tesseract reads a picture of a page, in a process of its own.

The picture goes in by a pipe and the words come out by one, so nothing lies in a temporary file.
The process inherits the limits of the one that parses, and ends with it.

Tesseract says what it read in hOCR: HTML whose titles hold places and confidence. Places count in
points of the picture from its top left corner. See https://kba.github.io/hocr-spec/1.2/ for `bbox`,
`baseline` and `x_wconf`; `x_size` is Tesseract's own, the height of a line from its ascenders to
its descenders.
"""

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING

from retrieval.parsing.outside import run_apart
from retrieval.parsing.rectangles import Rectangle
from retrieval.types import UnreadPage

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Picture = npt.NDArray[np.uint8]
    """Rows, columns: grey from 0, black, to 255."""

_NUMBERS = re.compile(r"(\w+)((?: -?[\d.]+)+)")
_LINES = frozenset({"ocr_line", "ocr_header", "ocr_caption", "ocr_textfloat"})
_WORD = "ocrx_word"
_FEW_LETTERS = 4
"""A line of fewer may be higher than wide."""


@dataclass(frozen=True, slots=True)
class RecognisedWord:
    text: str
    box: Rectangle
    confidence: float
    """From 0 to 1."""


@dataclass(slots=True)
class RecognisedLine:
    box: Rectangle
    size: float
    """From ascenders to descenders."""
    slope: float
    """Of the baseline: points down for each point to the right."""
    offset: float
    """Of the baseline at the left edge, from the bottom of the box; seldom above 0."""
    words: list[RecognisedWord] = field(default_factory=list)

    def baseline_at(self, x: float) -> float:
        return self.box[3] + self.offset + self.slope * (x - self.box[0])

    @property
    def is_level(self) -> bool:
        """Whether its words stand beside each other; Tesseract reads some that climb, too."""
        left, top, right, bottom = self.box
        return self.length < _FEW_LETTERS or right - left >= bottom - top

    @property
    def length(self) -> int:
        return sum(len(word.text) for word in self.words)

    @property
    def confidence(self) -> float:
        """The mean of its words', each as often as it has characters."""
        return sum(len(word.text) * word.confidence for word in self.words) / self.length


def hocr_lines(hocr: str) -> list[RecognisedLine]:
    from lxml import etree  # whoever recognises nothing needs none

    parser = etree.HTMLParser(encoding="utf-8", no_network=True)
    lines: list[RecognisedLine] = []
    for span in etree.fromstring(hocr.encode(), parser).iter("span") if hocr.strip() else ():
        kind, said = span.get("class", ""), _stated(span.get("title", ""))
        if kind in _LINES:
            box = _box(said)
            slope, offset = (*said.get("baseline", ()), 0.0, 0.0)[:2]
            size = said.get("x_size", [box[3] - box[1]])[0]
            lines.append(RecognisedLine(box, size, slope, offset))
        text = "".join("".join(map(str, span.itertext())).split())
        if kind == _WORD and text and lines:
            sure = min(max(said.get("x_wconf", [0.0])[0] / 100, 0.0), 1.0)
            lines[-1].words.append(RecognisedWord(text, _box(said), sure))
    return [line for line in lines if line.words]


def _stated(title: str) -> dict[str, list[float]]:
    """Such as `bbox 10 20 30 40; x_wconf 96`."""
    return {
        name: [float(number) for number in numbers.split()]
        for name, numbers in _NUMBERS.findall(title)
    }


def _box(said: dict[str, list[float]]) -> Rectangle:
    left, top, right, bottom = (*said.get("bbox", ()), 0.0, 0.0, 0.0, 0.0)[:4]
    return left, top, right, bottom


PROGRAM = "tesseract"
ORIENTATION = "osd"
"""The data by which it tells how a page is turned; of Debian's package tesseract-ocr-osd."""
DPI = 300
"""What Tesseract's documents advise. It is told so of larger pages, too, which have fewer points an
inch: their letters are larger, and "surroundings" are as large as letters."""
LARGEST_SIDE = 30_000
"""Points; Tesseract takes 32,767 (`INT16_MAX` in its `baseapi.cpp`)."""
_LEAST_ORIENTATION = 1.0
"""Tesseract's confidence in an orientation; below it a guess."""
_SAUVOLA = 2
"""Ink is what is darker than its surroundings (Sauvola and Pietikäinen 2000). With one threshold
for all of a page, which is Tesseract's default, a grainy page with few words reads as none, and a
shadow as ink."""
_ASKING_SECONDS = 20


class NotRecognised(Exception):
    """A picture was not read; the message is the reason, as it follows on "was not read: "."""


@dataclass(frozen=True, slots=True)
class Recognition:
    languages: str = "eng"
    """By Tesseract's names, joined by a plus; empty where text recognition is off."""
    seconds: int = 600
    """By the clock, for all pages of one document."""
    is_required: bool = False
    """Whether nothing is to be read where no picture can be."""

    @property
    def is_on(self) -> bool:
        return bool(self.languages)


OFF = Recognition(languages="")


def missing(recognition: Recognition) -> str:
    """Why no picture can be read, with what to do, or nothing where one can be."""
    if not recognition.is_on:
        return "text recognition is off (VOUCH_OCR)"
    if shutil.which(PROGRAM) is None:
        return "Tesseract is not installed; install Debian's tesseract-ocr"
    known = _languages()
    if lacking := [name for name in recognition.languages.split("+") if name not in known]:
        packages = " ".join(f"tesseract-ocr-{name.replace('_', '-').lower()}" for name in lacking)
        return f"Tesseract has no data for {', '.join(lacking)}; install Debian's {packages}"
    return ""


def state(recognition: Recognition) -> str:
    """What decides how a picture is read, for the fingerprint of what was read with it."""
    if not recognition.is_on:
        return "off"
    return "absent" if missing(recognition) else f"{recognition.languages} {recognition.seconds}"


def can_detect_orientation() -> bool:
    return ORIENTATION in _languages()


def lines_in(picture: "Picture", languages: str, seconds: float) -> list[RecognisedLine]:
    """The lines in the order in which Tesseract reads them. Raise `NotRecognised`."""
    options = ["-l", languages, "--dpi", str(DPI), "-c", f"thresholding_method={_SAUVOLA}"]
    said = _run([*options, "hocr"], seconds, picture)
    return hocr_lines(said)


def turn_of(picture: "Picture", seconds: float) -> int:
    """How many quarters clockwise bring it upright: 0 to 3; 0 where that cannot be told."""
    try:
        said = _run(["--psm", "0", "--dpi", str(DPI)], seconds, picture)
    except NotRecognised:  # so it ends where it finds too few characters
        return 0
    found = dict(line.split(": ", 1) for line in said.splitlines() if ": " in line)
    if float(found.get("Orientation confidence", 0)) < _LEAST_ORIENTATION:
        return 0
    return int(found.get("Rotate", 0)) // 90 % 4


def _languages() -> frozenset[str]:
    """Those whose data is installed; none where Tesseract cannot say."""
    try:
        said = _run(["--list-langs"], _ASKING_SECONDS)
    except NotRecognised:
        return frozenset()
    return frozenset(said.splitlines()[1:])


def _run(options: Sequence[str], seconds: float, picture: "Picture | None" = None) -> str:
    names = [] if picture is None else ["stdin", "stdout"]
    content = b"" if picture is None else _portable(picture)
    try:
        environment = os.environ | {"OMP_THREAD_LIMIT": "1", "LC_ALL": "C"}
        command = [PROGRAM, *names, *options]
        reads = picture is not None  # in a process that parses; any may ask for its languages
        done = run_apart(command, content, max(seconds, 0.1), environment, bound=reads)
    except subprocess.TimeoutExpired as error:
        raise NotRecognised(f"it took more than {round(seconds)} seconds") from error
    except OSError as error:
        raise NotRecognised(f"Tesseract does not start ({error.strerror})") from error
    if done.returncode:
        status = done.returncode
        named = signal.Signals(-status).name if status < 0 else f"exit status {status}"
        raise NotRecognised(f"Tesseract ended with {named}")
    return done.stdout.decode("utf-8", "replace")


def _portable(picture: "Picture") -> bytes:
    """As a portable grey map (PGM), which needs no compression."""
    height, width = picture.shape
    return b"P5 %d %d 255\n" % (width, height) + picture.tobytes()


def unread_in_words(unread: Sequence[UnreadPage]) -> str:
    """Such as `pages 2, 4-6 were not read: Tesseract is not installed; ...`, a reason each."""
    by_reason: dict[str, list[int]] = {}
    for each in unread:
        by_reason.setdefault(each.why, []).append(each.page)
    return "; ".join(f"{_pages(pages)} not read: {why}" for why, pages in by_reason.items())


def _pages(numbers: Sequence[int]) -> str:
    if len(numbers) == 1:
        return f"page {numbers[0]} was"
    return f"pages {', '.join(_runs(sorted(numbers)))} were"


def _runs(numbers: Sequence[int]) -> Iterator[str]:
    for _, group in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0]):
        run = [number for _, number in group]
        yield str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}"
