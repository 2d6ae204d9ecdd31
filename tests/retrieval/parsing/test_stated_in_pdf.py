"""What a PDF says of itself is read however it is written, and what is damaged is left alone."""

import pytest
from stating import pdf, whose

from retrieval.errors import BadMetadata
from retrieval.parsing import parser_for
from retrieval.parsing.pdf.parser import stated_in_pdf

TEXT = "The pool is cleaned on Thursdays."


@pytest.mark.parametrize(
    ("key", "written"), [("Confidential", b"true"), ("Audience", b"/hr"), ("Classified", b"1")]
)
def test_a_value_need_be_no_text(key: str, written: bytes) -> None:
    content = pdf(TEXT, **{key: "xxxxx"}).replace(b"(xxxxx)", written.ljust(7))
    with pytest.raises(BadMetadata, match=key):
        whose(parser_for("a.pdf")(content))


def test_a_namespace_may_be_declared_nowhere() -> None:
    content = pdf(TEXT, xmp="<zz:Classification zz:a='b'>Secret</zz:Classification>")
    with pytest.raises(BadMetadata, match="Classification"):
        whose(parser_for("a.pdf")(content))
    assert whose(parser_for("a.pdf")(pdf(TEXT, xmp="<zz:Producer zz:a='b'>x</zz:Producer>"))) == {}


def test_a_packet_that_is_no_xml_says_nothing() -> None:
    content = pdf(TEXT)
    start, end = content.index(b"<x:xmpmeta"), content.index(b"</x:xmpmeta>") + len("</x:xmpmeta>")
    damaged = content[:start] + b"\x01" * (end - start) + content[end:]
    assert list(stated_in_pdf(damaged)) == []
    assert whose(parser_for("a.pdf")(damaged)) == {}
