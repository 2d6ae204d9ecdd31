"""Documents that would call a server, run something or open another file are only read."""

import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from luring import FORMATS, PLAIN, SECRET, Lures
from scanned import with_tesseract
from vouch_home import Home

from retrieval.errors import UnreadableDocument
from retrieval.ingest.parser_pool import ParserPool, ParsingLimits
from retrieval.parsing import is_read
from retrieval.parsing.recognition import Recognition

READ = {name: made for name, made in FORMATS.items() if is_read(made[0])}
PATIENCE = 30
"""Seconds after which a process waits for the pipe."""
ADDRESS = "127.73.19.5"
"""A loopback address of its own: at 127.0.0.1 the clients of other tests still try old ports."""


class Server:
    """It answers nobody, and counts who calls."""

    def __init__(self) -> None:
        self._listening = socket.create_server((ADDRESS, 0))
        self.calls = 0
        self.url = f"http://{ADDRESS}:{self._listening.getsockname()[1]}/"
        threading.Thread(target=self._count, daemon=True).start()

    def _count(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            self.calls += 1
            connection.close()

    def close(self) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.close()


@pytest.fixture
def lures(tmp_path: Path, server: Server) -> Lures:
    secret = tmp_path / "elsewhere" / "secret.txt"
    secret.parent.mkdir()
    secret.write_text(SECRET)
    pipe = secret.with_name("pipe")
    os.mkfifo(pipe)
    return Lures(server.url, secret, pipe, secret.with_name("marker"))


def test_whoever_calls_the_server_is_counted(server: Server) -> None:
    with socket.create_connection((ADDRESS, int(server.url.split(":")[-1][:-1]))) as caller:
        assert caller.recv(1) == b""
    assert server.calls == 1


@pytest.mark.parametrize("name", READ)
@with_tesseract
def test_a_document_is_read_and_nothing_in_it_is_followed_or_run(
    name: str, lures: Lures, server: Server
) -> None:
    file, make = READ[name]
    limits = ParsingLimits(seconds=PATIENCE)
    with ParserPool(1, limits, Recognition()) as pool:
        try:
            said = repr(pool.parse(file, make(lures)))
        except UnreadableDocument as error:
            said = str(error)
            assert "seconds" not in said, "it waits for the pipe"
            assert name == "front matter" or " with " in name
        else:
            assert PLAIN in said
    assert SECRET not in said
    assert server.calls == 0
    assert not lures.marker.exists()


def test_a_folder_of_such_documents_is_ingested_without_a_call(
    home: Home, tmp_path: Path, lures: Lures, server: Server
) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    for file, make in READ.values():
        (docs / file).write_bytes(make(lures))
    finished = home.vouch("ingest", "--for=everyone", docs)
    assert "Left out: b.md" in finished.said
    texts = home.texts()
    assert {"a.html", "a.md", "a.txt", "a.pdf", "a.docx"} <= texts.keys()
    assert SECRET not in str(texts)
    assert server.calls == 0
    assert not lures.marker.exists()
