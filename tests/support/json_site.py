"""A service on this machine that answers as a test has written it, and keeps what it was asked."""

import json
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Said = tuple[int, Mapping[str, str], str | bytes]
"""Status, headers and content."""


def in_json(content: object, status: int = 200) -> Said:
    return status, {"Content-Type": "application/json"}, json.dumps(content)


class JsonSite(ThreadingHTTPServer):
    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[tuple[str, str]] = []
        """Paths, and what authorizes."""
        self.instead: dict[str, list[Said]] = {}
        """Answers in place of the next ones, by what paths hold."""
        self.before_answering: Callable[[str], None] = lambda _: None

    @property
    def place(self) -> str:
        return f"127.0.0.1:{self.server_port}"

    @property
    def paths(self) -> list[str]:
        return [path for path, _ in self.asked]

    def answered(self, path: str, headers: Mapping[str, str], posted: bytes | None) -> Said:
        """`posted` is None where nothing was."""
        raise NotImplementedError  # each service has its own


class _Handler(BaseHTTPRequestHandler):
    server: JsonSite

    def do_GET(self) -> None:
        self._answer(None)

    def do_POST(self) -> None:
        self._answer(self.rfile.read(int(self.headers["Content-Length"])))

    def _answer(self, posted: bytes | None) -> None:
        site = self.server
        site.before_answering(self.path)
        site.asked.append((self.path, self.headers.get("Authorization", "")))
        instead = next((some for b, some in site.instead.items() if some and b in self.path), None)
        headers = {name.lower(): value for name, value in self.headers.items()}
        said = instead.pop(0) if instead else site.answered(self.path, headers, posted)
        status, stated, content = said
        self.send_response(status)
        for name, value in stated.items():
            self.send_header(name, value)
        content = content.encode() if isinstance(content, str) else content
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        pass
