"""Which captions of a Word document are of a picture."""

from docx.oxml.ns import qn
from docx.oxml.xmlchemy import BaseOxmlElement

from retrieval.language.sentences import names_picture, names_table
from retrieval.parsing.docx.text import NOT_SHOWN, words
from retrieval.parsing.office import DRAWN, GRAPHIC

_OLD_IMAGE = "{urn:schemas-microsoft-com:vml}imagedata"


def is_of_picture(caption: BaseOxmlElement) -> bool:
    """Whether a paragraph that is a caption has a picture in it or right beside it."""
    text = words(caption).strip()
    if names_table(text):
        return False
    if _holds_picture(caption):
        return True
    before, after = caption.getprevious(), caption.getnext()
    if after is not None and after.tag == qn("w:tbl") and not names_picture(text):
        return False
    return any(each is not None and _is_picture(each) for each in (before, after))


def _is_picture(element: BaseOxmlElement) -> bool:
    is_paragraph = element.tag == qn("w:p")
    return is_paragraph and not words(element).strip() and _holds_picture(element)


def _holds_picture(paragraph: BaseOxmlElement) -> bool:
    """Text that was deleted, and what old programs read in place of something, are passed over."""
    for child in paragraph.iterchildren():
        if child.tag in NOT_SHOWN:
            continue
        if child.tag == _OLD_IMAGE or (child.tag == GRAPHIC and child.get("uri") in DRAWN):
            return True
        if _holds_picture(child):
            return True
    return False
