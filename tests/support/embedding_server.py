"""A server that embeds, in the place of OpenAI's, which no test can have.

It speaks of the protocol what a client reads: vectors with an index each, in any order, and errors.
"""

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from fakes import WordsEmbedder

Answer = tuple[int, str]
"""Status and body."""


def vectors(texts: Sequence[str]) -> Answer:
    """As long as they happen to be, the last first: a client sorts and shortens them."""
    rows = WordsEmbedder().embed(texts) * 3
    data = [{"index": at, "embedding": row.tolist()} for at, row in enumerate(rows)]
    return 200, json.dumps({"object": "list", "data": data[::-1]})


def failing(status: int, said: str = "not now") -> Callable[[Sequence[str]], Answer]:
    return lambda _: (status, json.dumps({"error": {"message": said, "type": "error"}}))


@dataclass
class EmbeddingServer:
    """`script` is followed in order, its last answer again and again."""

    url: str = ""
    script: list[Callable[[Sequence[str]], Answer]] = field(default_factory=lambda: [vectors])
    received: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)

    @property
    def texts(self) -> list[str]:
        return [text for each in self.received for text in each["input"]]

    def answer(self, path: str, body: dict[str, Any], key: str) -> Answer:
        self.received.append(body)
        self.keys.append(key.removeprefix("Bearer "))
        if path != "/v1/embeddings":
            return failing(404)([])
        return self.script[min(len(self.received), len(self.script)) - 1](body["input"])


@contextmanager
def embedding_server() -> Iterator[EmbeddingServer]:
    server = EmbeddingServer()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, said = server.answer(self.path, body, self.headers["Authorization"])
            content = said.encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.send_header("Retry-After", "0.01")
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *args: object) -> None:
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.url = f"http://127.0.0.1:{http.server_port}/v1"
    thread = threading.Thread(target=http.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server
    finally:
        http.shutdown()
        http.server_close()
        thread.join()
