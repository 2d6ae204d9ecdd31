"""Pictures of cited places, put together."""

from collections.abc import Callable

from audit.record.claims import CitationRecord
from bot.wiring.container import Container
from retrieval.types import Box


def drawing(container: Container) -> Callable[[CitationRecord], bytes]:
    """What draws a citation's place as a PNG, in a process that starts with the first of them.

    It raises `NoPicture`, or what the library raises.
    """
    from retrieval.rendering.cited import Cited, CitedPictures
    from retrieval.rendering.renderer import PageRenderer

    pictures = CitedPictures(container.library, PageRenderer())

    def draw(citation: CitationRecord) -> bytes:
        boxes = tuple(Box(**box.model_dump()) for box in citation.boxes)
        return pictures.picture(
            Cited(
                citation.document_id,
                citation.version,
                citation.passage_id,
                citation.file,
                citation.quote,
                boxes,
            )
        ).png

    return draw
