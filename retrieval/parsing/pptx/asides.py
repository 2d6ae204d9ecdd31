"""What stands beside a slide and not on it: notes of the speaker, and comments."""

from collections.abc import Iterator

from pptx.oxml import parse_xml
from pptx.slide import NotesSlide, Slide

from retrieval.parsing.hiding import Way
from retrieval.parsing.pptx.text import RUNNING
from retrieval.types import HiddenText


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
