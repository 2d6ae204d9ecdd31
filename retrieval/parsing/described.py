"""What was read of a file: the form of `vouch parse FILE --json`, lengths in points."""

from collections.abc import Iterator, Sequence
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from retrieval.parsing.draft import in_reading_order
from retrieval.types import (
    Box,
    Fragment,
    FragmentKind,
    HiddenText,
    PageSize,
    ParsedDocument,
    Sentence,
    UnreadPage,
)

FORM: Final = 1
PageKind = Literal["cover", "contents", "index", "form", "body", ""]
FULL_WORDS = 6
"""So many words and a full stop are a sentence."""
NAME_WORDS = 4
"""So many and a full stop are no name, such as of a company, so they stand on no cover."""
COVER_WORDS = 60
PAGES_AFTER_A_COVER = 2


class _Form(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ReadCell(_Form):
    column: str = Field(description="The column's head; empty where it has none.")
    text: str
    reference: str = Field("", description="Such as B7 in a spreadsheet; else empty.")
    box: Box | None = None


class ReadSentence(_Form):
    """A sentence, list item, table row or line of program text: what a reply can cite."""

    text: str
    page: int | None = None
    page_label: str = Field("", description='What people call the page: "slide 3", "sheet Fees".')
    line_start: int | None = None
    line_end: int | None = None
    paragraph: int | None = None
    boxes: tuple[Box, ...] = ()
    cells: tuple[ReadCell, ...] = ()
    recognised: float | None = Field(
        None, description="Of text recognition: how sure it is of the word it is least sure of."
    )


class ReadFragment(_Form):
    """A block of the document, never across a page end."""

    kind: FragmentKind
    section_path: tuple[str, ...] = Field(description="The headings above it, outermost first.")
    level: int | None = Field(
        None,
        description="Of a heading, 1 the outermost; null where it has none, as a title in Word.",
    )
    sentences: tuple[ReadSentence, ...]


class ReadPage(_Form):
    """A page of a format that has pages, with what kind of page it surely is; empty if unsure."""

    number: int
    width: float
    height: float
    label: str = ""
    kind: PageKind = ""


class ReadDocument(_Form):
    """A file as it was read; `fragments` are in reading order."""

    form: Literal[1] = FORM
    file: str
    sha256: str
    title: str
    pages: tuple[ReadPage, ...]
    fragments: tuple[ReadFragment, ...]
    hidden: tuple[HiddenText, ...]
    unread: tuple[UnreadPage, ...]


def described(file: str, sha256: str, parsed: ParsedDocument) -> ReadDocument:
    """Return all that was read of a file whose content has that hash, in hexadecimal digits."""
    ordered = in_reading_order(parsed.fragments, parsed.headings, parsed.left_out)
    levels = {heading.sentence.char_start: heading.level for heading in parsed.headings}
    return ReadDocument(
        file=file,
        sha256=sha256,
        title=parsed.title,
        pages=tuple(_page(page, ordered, len(parsed.pages)) for page in parsed.pages),
        fragments=tuple(_fragment(each, levels) for each in ordered),
        hidden=parsed.hidden,
        unread=parsed.unread,
    )


def _fragment(fragment: Fragment, levels: dict[int, int]) -> ReadFragment:
    is_heading = fragment.kind is FragmentKind.HEADING
    return ReadFragment(
        kind=fragment.kind,
        section_path=fragment.section_path,
        level=levels.get(fragment.sentences[0].char_start) if is_heading else None,
        sentences=tuple(_sentence(each) for each in fragment.sentences),
    )


def _sentence(sentence: Sentence) -> ReadSentence:
    return ReadSentence(
        text=sentence.text,
        page=sentence.page,
        page_label=sentence.page_label,
        line_start=sentence.line_start,
        line_end=sentence.line_end,
        paragraph=sentence.paragraph,
        boxes=tuple(map(_rounded, sentence.boxes)),
        cells=tuple(
            ReadCell(
                column=cell.name,
                text=sentence.text[cell.start : cell.end],
                reference=cell.reference,
                box=cell.box and _rounded(cell.box),
            )
            for cell in sentence.cells
        ),
        recognised=sentence.recognised,
    )


def _rounded(box: Box) -> Box:
    return Box(box.page, *(round(each, 2) for each in (box.x0, box.y0, box.x1, box.y1)))


def _page(page: PageSize, ordered: Sequence[Fragment], pages: int) -> ReadPage:
    shown = [each for each in ordered if each.sentences[0].page == page.number]
    kind = "form" if page.is_form else _kind(shown, page.number == 1, pages - page.number)
    return ReadPage(
        number=page.number, width=page.width, height=page.height, label=page.label, kind=kind
    )


def _kind(shown: Sequence[Fragment], is_first: bool, pages_after: int) -> PageKind:
    """What a page surely is, by what stands on it beside running heads."""
    own = [each for each in shown if each.kind is not FragmentKind.RUNNING]
    lines = [sentence.text for each in own for sentence in each.sentences]
    if not lines:
        return ""
    listed = sum(len(e.sentences) for e in own if e.kind is FragmentKind.CONTENTS)
    if listed * 2 > len(lines):
        return "contents"
    if _is_index(own):
        return "index"
    said = sum(len(line.split()) for line in _full_lines(own, FULL_WORDS))
    words = sum(len(line.split()) for line in lines)
    if said * 2 > words:
        return "body"
    is_short = {each.kind for each in own} <= _ON_COVERS and words <= COVER_WORDS
    only_names = is_short and not any(_full_lines(own, NAME_WORDS))
    return "cover" if is_first and pages_after >= PAGES_AFTER_A_COVER and only_names else ""


_ON_COVERS = {FragmentKind.HEADING, FragmentKind.PARAGRAPH, FragmentKind.FIGURE}


def _is_index(own: Sequence[Fragment]) -> bool:
    """Under a heading that says so, most lines end with the number of a page."""
    below = {each.section_path[-1].casefold() for each in own if each.section_path}
    entries = [s.text for e in own if e.kind is not FragmentKind.HEADING for s in e.sentences]
    return below == {"index"} and sum(each[-1].isdigit() for each in entries) * 2 > len(entries)


def _full_lines(own: Sequence[Fragment], least: int) -> Iterator[str]:
    """Rows of tables, and what is a sentence by its end and so many words."""
    for each in own:
        for sentence in each.sentences:
            text = sentence.text
            full = text.endswith((".", "!", "?")) and len(text.split()) >= least
            if full or each.kind is FragmentKind.TABLE_ROW:
                yield text
