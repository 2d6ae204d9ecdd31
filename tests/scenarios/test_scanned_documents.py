"""A scanned handbook is put into the folder, on a machine with Tesseract and on one without."""

import os
import shutil
import signal
import threading
import time
from io import BytesIO
from pathlib import Path

import pypdfium2
import pytest
from processes import children, is_running
from reportlab.pdfgen.canvas import Canvas
from scanned import scanned, with_tesseract
from vouch_home import Home, write

from retrieval.errors import UnreadableDocument
from retrieval.ingest.parser_pool import ParserWorker, ParsingLimits
from retrieval.parsing.recognition import Recognition

pytestmark = with_tesseract
LEAVE = "Annual leave of 25 days is granted to all staff of Larkfield."


def pages(*said: str) -> bytes:
    buffer = BytesIO()
    canvas = Canvas(buffer)
    for each in said:
        canvas.drawString(72, 700, each)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def folder(tmp_path: Path, content: bytes) -> Path:
    docs = write(tmp_path / "docs", {"other.md": "Parking is free for visitors."})
    (docs / "scan.pdf").write_bytes(content)
    return docs


@pytest.fixture
def bare_path(tmp_path: Path) -> str:
    """A PATH with what the program needs but Tesseract."""
    place = tmp_path / "bin"
    place.mkdir()
    for name in ("sh", "env"):
        found = shutil.which(name)
        assert found
        (place / name).symlink_to(found)
    return str(place)


def test_a_scan_is_left_out_with_what_to_do_until_tesseract_is_installed(
    home: Home, tmp_path: Path, bare_path: str
) -> None:
    docs = folder(tmp_path, scanned(pages(LEAVE)))
    without = home.refuses(
        "Left out: scan.pdf has no text", "ingest", "--for=everyone", docs, PATH=bare_path
    )
    assert "Tesseract is not installed; install Debian's tesseract-ocr" in without.said
    assert set(home.texts()) == {"other.md"}
    home.does("ingest", "--for=everyone", docs)
    assert home.texts()["scan.pdf"] == LEAVE


@pytest.mark.exhaustive
def test_pages_that_nobody_could_read_are_named_and_read_once_they_can_be(
    home: Home, tmp_path: Path, bare_path: str
) -> None:
    typed = pypdfium2.PdfDocument(pages("Sick leave needs no doctor for three days."))
    typed.import_pages(pypdfium2.PdfDocument(scanned(pages(LEAVE, LEAVE))))
    buffer = BytesIO()
    typed.save(buffer)
    docs = folder(tmp_path, buffer.getvalue())
    without = home.does("ingest", "--for=everyone", docs, PATH=bare_path)
    assert "Read in part: of scan.pdf pages 2-3 were not read: Tesseract is not" in without.said
    checked = home.vouch("check-documents", docs, PATH=bare_path)
    assert "Read in part: of scan.pdf pages 2-3 were not read" in checked.said
    again = home.vouch("ingest", "--for=everyone", docs)
    assert "1 changed" in again.said
    assert "1 unchanged" in again.said
    assert home.texts()["scan.pdf"].count(LEAVE) == 2
    assert "2 unchanged" in home.vouch("ingest", "--for=everyone", docs).said
    assert "stands verbatim" in home.vouch("check-documents", docs).said


def test_whoever_asks_is_told_that_a_worn_page_may_be_misread(home: Home, tmp_path: Path) -> None:
    docs = folder(tmp_path, scanned(pages(LEAVE), dpi=80, grain=10))
    home.does("ingest", "--for=everyone", docs)
    question = "How many days of annual leave do staff of Larkfield get?"
    asked = home.vouch("ask", question, "--json").json
    (citation,) = asked["claims"][0]["citations"]
    assert 0 < citation["recognised"] < 0.9
    assert citation["misread"]
    assert (
        "page 1, line 1, read by text recognition and may be misread"
        in home.vouch("ask", question).said
    )
    record = home.vouch("audit", "show", asked["audit_id"])
    assert "scan.pdf, page 1, line 1, read by text recognition and may be misread" in record.said
    assert (
        f'"recognised": {citation["recognised"]}'
        in home.vouch("audit", "show", asked["audit_id"], "--json").said
    )


def test_a_page_that_was_read_surely_is_cited_as_any_other(home: Home, tmp_path: Path) -> None:
    home.does("ingest", "--for=everyone", folder(tmp_path, scanned(pages(LEAVE))))
    asked = home.vouch("ask", "How many days of annual leave do staff get?", "--json").json
    (citation,) = asked["claims"][0]["citations"]
    assert citation["recognised"] >= 0.9
    assert not citation["misread"]


def test_where_text_recognition_is_required_nothing_is_read_without_it(
    home: Home, tmp_path: Path, bare_path: str
) -> None:
    docs = folder(tmp_path, scanned(pages(LEAVE)))
    refused = home.vouch("ingest", "--for=everyone", docs, PATH=bare_path, VOUCH_OCR="required")
    assert refused.status != 0
    assert "Tesseract is not installed" in refused.said
    assert "VOUCH_OCR=required" in refused.said
    home.does("ingest", "--for=everyone", docs, VOUCH_OCR="required")


def test_how_pictures_are_read_says_nothing_where_none_are(home: Home, tmp_path: Path) -> None:
    docs = folder(tmp_path, scanned(pages(LEAVE)))
    off = home.vouch("ingest", "--for=everyone", docs, VOUCH_OCR="off")
    assert "text recognition is off (VOUCH_OCR)" in off.said
    refused = home.vouch(
        "ingest", "--for=everyone", docs, VOUCH_OCR="off", VOUCH_OCR_LANGUAGES="deu"
    )
    assert "VOUCH_OCR_LANGUAGES does nothing with VOUCH_OCR=off" in refused.said


def test_a_process_that_is_killed_in_the_midst_of_a_page_leaves_no_tesseract(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_slow_tesseract(tmp_path, monkeypatch)
    began = time.monotonic()
    with ParserWorker(ParsingLimits(seconds=60), Recognition(seconds=1)) as worker:
        with pytest.raises(UnreadableDocument, match="page 1 was not read: it took more than 1"):
            worker.parse("scan.pdf", scanned(pages(LEAVE)))
        pid = worker.pid
        assert pid is not None
        assert not children(pid)
    with ParserWorker(ParsingLimits(seconds=60), Recognition(seconds=60)) as worker:
        worker.parse("a.md", b"Words.")
        pid = worker.pid
        assert pid is not None
        thread = threading.Thread(target=lambda: _swallow(worker))
        thread.start()
        while not (found := children(pid)) and time.monotonic() < began + 60:
            time.sleep(0.05)
        assert found
        os.kill(pid, signal.SIGKILL)
        thread.join()
        while any(map(is_running, found)) and time.monotonic() < began + 60:
            time.sleep(0.05)
        assert not any(map(is_running, found))


def _swallow(worker: ParserWorker) -> None:
    with pytest.raises(UnreadableDocument, match="SIGKILL"):
        worker.parse("scan.pdf", scanned(pages(LEAVE)))


def test_tesseract_runs_within_the_limits_of_the_process_that_parses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = tmp_path / "limits"
    with_slow_tesseract(tmp_path, monkeypatch, f"cat /proc/self/limits > {limits}; env >> {limits}")
    monkeypatch.setenv("VOUCH_OPENAI_API_KEY", "sk-secret")
    with (
        ParserWorker(ParsingLimits(megabytes=512), Recognition(seconds=1)) as worker,
        pytest.raises(UnreadableDocument),
    ):
        worker.parse("scan.pdf", scanned(pages(LEAVE)))
    said = limits.read_text()
    assert any("Max data size" in line and str(512 * 1024**2) in line for line in said.split("\n"))
    assert "sk-secret" not in said


def with_slow_tesseract(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: str = "true"
) -> None:
    """A stand-in that says which languages it has, and then takes for ever over a picture."""
    place = tmp_path / "slow"
    place.mkdir()
    program = place / "tesseract"
    program.write_text(
        f'#!/bin/sh\n[ "$1" = --list-langs ] && printf "List\\neng\\nosd\\n" && exit\n'
        f"{before}\nexec sleep 300\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(place), prepend=os.pathsep)
