"""EPUB books for tests, put together as archives by hand."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

CONTAINER = (
    '<?xml version="1.0"?><container version="1.0" '
    'xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile '
    'full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles>'
    "</container>"
)
_XHTML = "application/xhtml+xml"


@dataclass(frozen=True)
class Item:
    href: str
    content: str | bytes
    linear: str = ""
    properties: str = ""
    kind: str = _XHTML


def xhtml(body: str, head: str = "<title>x</title>") -> str:
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html>\n'
        f'<html xmlns="http://www.w3.org/1999/xhtml">\n<head>{head}</head>\n'
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def chapter(number: int, body: str, head: str = "<title>x</title>") -> Item:
    return Item(f"text/c{number}.xhtml", xhtml(body, head))


def parts(
    spine: Sequence[Item],
    *,
    title: str = "Staff handbook",
    version: str = "3.0",
    metadata: str = "",
) -> dict[str, str | bytes]:
    items = "".join(
        f'<item id="i{n}" href="{escape(each.href)}" media-type="{each.kind}"'
        + (f' properties="{each.properties}"' if each.properties else "")
        + "/>"
        for n, each in enumerate(spine)
    )
    references = "".join(
        f'<itemref idref="i{n}"' + (f' linear="{each.linear}"' if each.linear else "") + "/>"
        for n, each in enumerate(spine)
    )
    package = (
        f'<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="{version}">'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<dc:title>{escape(title)}</dc:title>{metadata}</metadata>"
        f"<manifest>{items}</manifest><spine>{references}</spine></package>"
    )
    held = {f"OEBPS/{each.href}": each.content for each in spine}
    return {"META-INF/container.xml": CONTAINER, "OEBPS/book.opf": package, **held}


def zipped(held: Mapping[str, str | bytes]) -> bytes:
    buffer = io.BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/epub+zip", ZIP_STORED)
        for name, content in held.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def book(
    *bodies: str,
    title: str = "Staff handbook",
    further: Mapping[str, str | bytes] | None = None,
    head: str = "<title>x</title>",
) -> bytes:
    spine = [chapter(number, body, head) for number, body in enumerate(bodies, start=1)]
    return zipped({**parts(spine, title=title), **(further or {})})
