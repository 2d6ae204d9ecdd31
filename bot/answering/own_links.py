"""What is cited can be opened where its document says that people read it."""

from bot.answering.quoting import Quotation
from bot.answering.values import Citation
from bot.links import document_link


def own_link(found: Citation | Quotation) -> str:
    """The document's own address, at the page; empty for none that people may safely follow."""
    stated = found.passage.document.metadata.link
    return document_link(stated, found.location.page, found.location.page_label)
