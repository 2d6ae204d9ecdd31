"""Presentations are read with python-pptx: titles first, then shapes from the top left on."""

from collections.abc import Iterator
from io import BytesIO

import pptx
from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.exc import PythonPptxError
from pptx.oxml import parse_xml
from pptx.presentation import Presentation
from pptx.slide import NotesSlide, Slide

from retrieval.errors import UnreadableDocument
from retrieval.parsing.draft import Draft
from retrieval.parsing.hiding import Verdict, Way
from retrieval.parsing.limits import require_at_most
from retrieval.parsing.office import (
    BROKEN,
    OfficeFormat,
    as_transitional,
    require_sound,
    stated_in_office,
    without_text,
)
from retrieval.parsing.placed import Source
from retrieval.parsing.pptx.shapes import EMU, Placed, choose_alternatives, is_squeezed, shapes_of
from retrieval.parsing.pptx.text import RUNNING, SlideWriter, is_picture
from retrieval.parsing.pptx.visibility import Covers, Looks
from retrieval.types import HiddenText, PageSize, ParsedDocument


def asides_of(slide: Slide, where: str) -> Iterator[HiddenText]:
    """They are listed and not read: who sees the slides need not see them."""
    if slide.has_notes_slide and (said := " ".join(_notes(slide.notes_slide))):
        yield HiddenText(said, Way.NOTES.value, where)
    for relation in slide.part.rels.values():
        if relation.is_external or not relation.reltype.endswith("/comments"):
            continue
        root = parse_xml(relation.target_part.blob)
        names = (str(each.tag).rpartition("}")[2] for each in root.iter())
        texts = (
            each.text or ""
            for each, name in zip(root.iter(), names, strict=True)
            if name in ("text", "t")
        )
        if said := " ".join(" ".join(texts).split()):
            yield HiddenText(said, Way.COMMENT.value, where)


def _notes(page: NotesSlide) -> Iterator[str]:
    """All words on the page of notes, in text boxes as well, but for running lines."""
    for shape in page.shapes:
        kind = shape.placeholder_format.type if shape.is_placeholder else None
        if shape.has_text_frame and kind not in RUNNING:
            yield from shape.text_frame.text.split()


POWERPOINT = OfficeFormat("PowerPoint", "a presentation", ".pptx")
_NO_TITLES = frozenset({"powerpoint presentation", "powerpoint-präsentation", "presentation"})
_MOST_SHAPES = 5_000
"""Of a slide: each is compared with those that it may stand on."""
_SAME_HEIGHT = 18.0
"""Points: shapes whose tops are no farther apart are read from left to right."""
_COMPARISON = "twoTxTwoObj"
_TITLES = (PP_PLACEHOLDER.TITLE, PP_PLACEHOLDER.CENTER_TITLE, PP_PLACEHOLDER.VERTICAL_TITLE)


def parse(content: bytes) -> ParsedDocument:
    """Read it slide by slide; raise `UnreadableDocument`."""
    require_sound(content, POWERPOINT)
    reader = _Reader()
    try:
        presentation = pptx.Presentation(BytesIO(as_transitional(content)))
        reader.read(presentation)
        title = " ".join((presentation.core_properties.title or "").split())
    except (*BROKEN, PythonPptxError) as error:
        raise UnreadableDocument(POWERPOINT.damaged) from error
    if not reader.source.lines:
        raise without_text(hidden=bool(reader.hidden))
    reader.draft.state(stated_in_office(content))
    return reader.draft.document(
        reader.source.text,
        stated_title="" if title.casefold() in _NO_TITLES else title,
        hidden=tuple(reader.hidden),
        pages=tuple(reader.pages),
    )


class _Reader:
    def __init__(self) -> None:
        self.draft = Draft()
        self.source = Source()
        self.hidden: list[HiddenText] = []
        self.pages: list[PageSize] = []

    def read(self, presentation: Presentation) -> None:
        size = presentation.slide_width / EMU, presentation.slide_height / EMU
        for number, slide in enumerate(presentation.slides, start=1):
            label = f"slide {number}"
            self.pages.append(PageSize(number, *size, label))
            self.draft.end_sections()
            choose_alternatives(slide._element)  # noqa: SLF001
            placed = list(shapes_of(iter(slide.shapes), number))
            require_at_most(len(placed), _MOST_SHAPES, "shapes on a slide")
            if slide._element.get("show", "1") in ("0", "false"):  # noqa: SLF001
                words = " ".join(word for each in placed for word in _words(each))
                self.hidden += [HiddenText(words, Way.MARKED.value, label)] if words else []
            else:
                self._read_slide(slide, placed, self.pages[-1])
            self.hidden += asides_of(slide, label)

    def _read_slide(self, slide: Slide, placed: list[Placed], page: PageSize) -> None:
        pictures = [each for each in placed if is_picture(each) and not _stated(each, page)]
        writer = SlideWriter(self.draft, self.source, page, Looks(slide, placed), pictures)
        covers = Covers(slide, placed, page)
        before = self.draft.count
        halves = slide.slide_layout._element.get("type") == _COMPARISON  # noqa: SLF001
        middle = page.width / 2 if halves else page.width
        order = sorted(range(len(placed)), key=lambda at: _order(placed[at], middle))
        for at in order:
            each = placed[at]
            squeezed = (Way.TINY, False) if is_squeezed(each) else (None, False)
            way, left_out = _stated(each, page) or covers.way(at) or squeezed
            if way is not None and (words := " ".join(_words(each))):
                self.hidden.append(HiddenText(words, way.value, page.label, left_out))
            if not left_out:
                writer.write(each, at, is_title=_is_title(each))
        if self.draft.count == before:
            writer.say_title()
        self.hidden += writer.hidden


def _order(placed: Placed, middle: float) -> tuple[bool, bool, float, float]:
    """All that begins left of the `middle` comes before the rest."""
    if placed.box is None:
        return not _is_title(placed), False, 0.0, 0.0
    is_right = placed.box.x0 >= middle
    return not _is_title(placed), is_right, placed.box.y0 // _SAME_HEIGHT, placed.box.x0


def _is_title(placed: Placed) -> bool:
    shape = placed.shape
    return bool(shape.is_placeholder and shape.placeholder_format.type in _TITLES)


def _stated(placed: Placed, page: PageSize) -> Verdict | None:
    """How a shape is hidden by what it says of itself."""
    if placed.is_marked:
        return Verdict(Way.MARKED)
    box = placed.box
    is_away = box is not None and (
        box.x1 <= 0 or box.y1 <= 0 or box.x0 >= page.width or box.y0 >= page.height
    )
    return Verdict(Way.AWAY) if is_away else None


def _words(placed: Placed) -> Iterator[str]:
    """All that a shape holds, seen or not."""
    for element in placed.shape._element.iter():  # noqa: SLF001
        if str(element.tag).endswith("/main}t") and element.text:
            yield from element.text.split()
