"""A folder holds files that cannot be read: each is named with its reason, the rest goes in."""

import os
from io import BytesIO
from pathlib import Path

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas
from vouch_home import Finished, Home, write

GOOD = {"good.md": "The reading room closes at nine.", "sub/also good.txt": "Parking is free."}
UNKNOWN_KINDS = ("picture.png", "sheet.numbers", "README", ".hidden.md")
MEGABYTE = 1024 * 1024


def pdf(text: str, password: str | None = None) -> bytes:
    out = BytesIO()
    encryption = StandardEncryption(password) if password else None
    canvas = Canvas(out, encrypt=encryption)
    canvas.drawString(72, 720, text)
    canvas.save()
    return out.getvalue()


BROKEN: dict[str, tuple[bytes, str]] = {
    "cut short.pdf": (pdf("A page.")[:300], "is damaged"),
    "not really.pdf": (b"just words", "is damaged"),
    "locked.pdf": (pdf("Secret.", password="open sesame"), "password"),
    "picture only.pdf": (pdf(""), "text"),
    "empty.pdf": (b"", "is empty"),
    "empty.md": (b"", "is empty"),
    "empty.docx": (b"", "is empty"),
    "blank.txt": (b" \n\n ", "add text to it"),
    "binary.txt": (bytes(range(256)) * 8, "not text"),
    "not really.docx": (b"just words", "damaged"),
    "not really.xlsx": (b"just words", "damaged"),
    "locked.xlsx": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512), "without a password"),
    "with macros.xlsm": (b"PK", "may hold macros (.xlsm), which is not read; save it as .xlsx"),
    "never ends.csv": (b'a,b,c\n1,"2,3\n', "at line 2"),
    "open to whom.md": (b"---\naudience: {departmnets: [cs]}\n---\n\nText.", "departmnets"),
    "open when.md": (b"---\nvalid_from: tomorrow\n---\n\nText.", "`valid_from`"),
    "no yaml.md": (b"---\ntitle: [\n---\n\nText.", "front matter"),
}


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write(tmp_path_factory.mktemp("broken"), GOOD)
    for name, (content, _) in BROKEN.items():
        (folder / name).write_bytes(content)
    for name in UNKNOWN_KINDS:
        (folder / name).write_bytes(b"\x89PNG")
    (folder / "huge.md").touch()
    os.truncate(folder / "huge.md", 200 * MEGABYTE)
    (folder / "leads out.md").symlink_to("/etc/hostname")
    (folder / "leads nowhere.md").symlink_to(folder / "nowhere")
    os.mkfifo(folder / "waits for ever.md")
    (folder / os.fsdecode(b"caf\xe9.md")).write_text("Coffee is served until three.")
    return folder


@pytest.fixture(scope="module")
def ingested(docs: Path, shared_home: Home) -> tuple[Home, Finished]:
    return shared_home, shared_home.vouch("ingest", "--for=everyone", docs)


def line_about(file: str, finished: Finished) -> str:
    return next(line for line in finished.err.splitlines() if f"Left out: {file} " in line)


@pytest.mark.parametrize("file", BROKEN)
def test_a_file_that_cannot_be_read_is_named_with_its_reason(
    ingested: tuple[Home, Finished], file: str
) -> None:
    assert BROKEN[file][1] in line_about(file, ingested[1])


def test_a_huge_file_is_left_out_unread(ingested: tuple[Home, Finished]) -> None:
    line = line_about("huge.md", ingested[1])
    assert "200 MB" in line
    assert "VOUCH_LARGEST_MEGABYTES" in line


def test_a_link_out_of_the_folder_is_not_followed(ingested: tuple[Home, Finished]) -> None:
    assert "is a link to a place that is not read" in line_about("leads out.md", ingested[1])


def test_a_name_that_is_no_utf_8_is_said_and_ends_nothing(
    ingested: tuple[Home, Finished],
) -> None:
    assert "has a name that is not UTF-8; rename it" in ingested[1].err


def test_the_rest_is_ingested_and_the_exit_status_says_that_something_is_missing(
    ingested: tuple[Home, Finished],
) -> None:
    home, finished = ingested
    assert finished.status == 1
    assert set(home.texts()) == set(GOOD)
    assert home.is_whole()


def test_files_of_other_kinds_are_left_alone(ingested: tuple[Home, Finished], docs: Path) -> None:
    home, finished = ingested
    assert "Not read, of other kinds: 1 without an ending, 1 .png, 1 .numbers" in finished.said
    assert home.vouch("ingest", "--for=everyone", docs / "picture.png").status == 1, (
        "it was asked for by name"
    )
    home.does("ingest", "--for=everyone", docs / "sub")


def test_a_document_that_breaks_leaves_the_library(home: Home, tmp_path: Path) -> None:
    docs = write(tmp_path / "docs", {**GOOD, "rule.md": "Fees are due in May."})
    home.ingest(docs)
    write(docs, {"rule.md": "---\naudience: staff\n---\n\nFees are due in May."})
    finished = home.vouch("ingest", "--for=everyone", docs)
    assert finished.status == 1
    assert "rule.md" in line_about("rule.md", finished)
    assert set(home.texts()) == set(GOOD), "nobody knows any more who may read it"


def test_everything_under_a_metadata_yaml_that_cannot_be_read_is_left_out(
    home: Home, tmp_path: Path
) -> None:
    docs = write(tmp_path / "docs", {**GOOD, "sub/metadata.yaml": "'*': {audience: ["})
    finished = home.vouch("ingest", "--for=everyone", docs)
    assert finished.status == 1
    assert "sub/metadata.yaml" in line_about("sub/also good.txt", finished)
    assert set(home.texts()) == {"good.md"}
