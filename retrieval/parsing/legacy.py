"""Files of Office before 2007, which LibreOffice saves in the format of today, where installed.

It gets a profile of its own in which no macro runs and no link is followed.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from retrieval.errors import UnreadableDocument
from retrieval.parsing import parser_for
from retrieval.parsing.decoding import require_content
from retrieval.parsing.office import OLE
from retrieval.parsing.outside import Tool, run
from retrieval.types import ParsedDocument

LIBRE_OFFICE = Tool(
    "soffice", "LibreOffice", "libreoffice-nogui", ".docx", beside="soffice.bin", restarts=81
)
_OPTIONS = ("--headless", "--norestore", "--nodefault", "--nolockcheck", "--nologo")
_SECONDS = 120.0
_LOCKED = (
    "is damaged or protected by a password; open it in its program and save it in the format of "
    "today without a password"
)
_PROFILE = "profile"
_SETTINGS = "user/registrymodifications.xcu"
_OPENOFFICE = "http://openoffice.org/2001/registry"
_SETTING = (
    '<item oor:path="/org.openoffice.Office.{}"><prop oor:name="{}" oor:op="fuse">'
    "<value>{}</value></prop></item>"
)
_SAFE = "".join(
    _SETTING.format(path, name, value)
    for path, name, value in (
        ("Common/Security/Scripting", "MacroSecurityLevel", "3"),
        ("Common/Security/Scripting", "DisableMacrosExecution", "true"),
        ("Common/Security/Scripting", "BlockUntrustedRefererLinks", "true"),
        ("Common/Security/Scripting", "DisableActiveContent", "true"),
        ("Writer/Content/Update", "Link", "0"),
        ("Calc/Content/Update", "Link", "1"),
    )
)
_NO_LINKS = f'<?xml version="1.0"?><oor:items xmlns:oor="{_OPENOFFICE}">{_SAFE}</oor:items>'
_KINDS: Mapping[bytes, tuple[str, str]] = {
    "WordDocument".encode("utf-16-le"): ("doc", "docx"),
    "PowerPoint Document".encode("utf-16-le"): ("ppt", "pptx"),
    "Workbook".encode("utf-16-le"): ("xls", "xlsx"),
    "Book".encode("utf-16-le"): ("xls", "xlsx"),
}
"""By the name of the stream that holds the text: the suffix, and the one of today."""
_RENAMED = ((b"{\\rtf", ".rtf"), (b"<html", ".html"), (b"<!doctype html", ".html"))
"""What programs save under these suffixes without being asked."""


def parse(content: bytes) -> ParsedDocument:
    """Read a `.doc`, `.xls` or `.ppt`; raise `UnreadableDocument`, also without LibreOffice."""
    require_content(content)
    begins = content.lstrip()[:20].lower()
    for mark, suffix in _RENAMED:
        if begins.startswith(mark):
            return parser_for(f"file{suffix}")(content)
    if not content.startswith(OLE):
        raise UnreadableDocument(
            "is damaged, or not made by Office before 2007; open it in its program and save it as "
            ".docx, .xlsx or .pptx"
        )
    for stream, (suffix, new) in _KINDS.items():
        if stream in content:
            return parser_for(f"file.{new}")(_as_today(content, suffix, new))
    raise UnreadableDocument(_LOCKED)


def _as_today(content: bytes, suffix: str, new: str) -> bytes:
    tool = replace(LIBRE_OFFICE, instead=f".{new}")
    with TemporaryDirectory(prefix="vouch-") as name:
        folder = Path(name)
        settings = folder / _PROFILE / _SETTINGS
        settings.parent.mkdir(parents=True)
        settings.write_text(_NO_LINKS, encoding="utf-8")
        file = folder / f"file.{suffix}"
        file.write_bytes(content)
        profile = f"-env:UserInstallation={(folder / _PROFILE).as_uri()}"
        written = ("--convert-to", new, "--outdir", str(folder), str(file))
        run(tool, (profile, *_OPTIONS, *written), b"", _SECONDS, folder)
        made = folder / f"file.{new}"
        if not made.is_file():
            raise UnreadableDocument(_LOCKED)
        return made.read_bytes()
