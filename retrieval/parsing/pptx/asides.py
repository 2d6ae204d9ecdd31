"""What stands beside a slide and not on it: notes of the speaker, and comments."""

from collections.abc import Iterator

from pptx.oxml import parse_xml
from pptx.slide import Slide

from retrieval.parsing.hiding import Way
from retrieval.types import HiddenText


def asides_of(slide: Slide, where: str) -> Iterator[HiddenText]:
    """They are listed and not read: who sees the slides need not see them."""
    notes = slide.notes_slide.notes_text_frame if slide.has_notes_slide else None
    if notes is not None and (said := " ".join(notes.text.split())):
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
