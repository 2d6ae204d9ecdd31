import subprocess
import sys

import pytest

from retrieval.errors import UnreadableDocument
from retrieval.parsing import parser_for, suffixes


def test_every_kind_of_file_that_is_named_has_a_parser() -> None:
    assert ".md" in suffixes()
    for suffix in suffixes():
        assert callable(parser_for(f"folder/File{suffix.upper()}"))


def test_an_unknown_kind_is_named_with_what_to_do() -> None:
    with pytest.raises(UnreadableDocument, match=r"\.pages.*convert it to one of \.md"):
        parser_for("letter.pages")


@pytest.mark.slow
def test_importing_the_package_loads_no_format_library() -> None:
    code = (
        "import sys, retrieval.parsing\n"
        "names = 'pypdfium2 pdfplumber docx openpyxl pptx lxml pyromark yaml odfdo docutils "
        "striprtf'.split()\n"
        "print([name for name in names if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


@pytest.mark.parametrize("suffix", suffixes())
@pytest.mark.parametrize("content", [b"", b" \n\t\n ", b"\x00\x01\x02\xff\xfe\x00 binary \x00"])
def test_a_file_without_text_is_refused_with_a_reason(suffix: str, content: bytes) -> None:
    with pytest.raises(UnreadableDocument, match=r"; .+"):
        parser_for(f"file{suffix}")(content)


@pytest.mark.parametrize("suffix", [".md", ".txt", ".html"])
def test_a_file_in_another_encoding_is_refused(suffix: str) -> None:
    with pytest.raises(UnreadableDocument, match="save it as UTF-8"):
        parser_for(f"file{suffix}")("Prüfungsordnung".encode("latin-1"))
