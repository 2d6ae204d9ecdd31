"""A file is fetched from Slack alone, and taken for nothing that it is not."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from bot.slack import attachments
from bot.slack.attachments import Download, NotHandedOver, TooLarge

PAGE = b"<!DOCTYPE html><title>Sign in</title>"
_heard: list[tuple[str, str]] = []


class _Server(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        _heard.append((self.path, self.headers.get("Authorization", "")))
        if self.path == "/away":
            self.send_response(302)
            self.send_header("Location", "/elsewhere")
            self.end_headers()
            return
        kind = "text/html" if self.path in ("/page", "/own.html") else "application/pdf"
        self.send_response({"/gone": 404, "/ill": 503}.get(self.path, 200))
        self.send_header("Content-Type", kind)
        self.end_headers()
        if self.path == "/endless":
            for _ in range(100):
                self.wfile.write(b"x" * 1000)
        else:
            self.wfile.write(PAGE if kind == "text/html" else b"12345")

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def served() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Server) as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    with served() as base:
        yield base


@pytest.fixture
def fetch(base: str) -> Download:
    _heard.clear()
    return Download("xoxb-1", f"{base}/api/")


def test_the_token_brings_the_file(fetch: Download, base: str) -> None:
    assert fetch(f"{base}/plan.pdf", 5, html=False) == b"12345"
    assert fetch(f"{base}/own.html", len(PAGE), html=True) == PAGE
    assert _heard == [("/plan.pdf", "Bearer xoxb-1"), ("/own.html", "Bearer xoxb-1")]


@pytest.mark.parametrize(
    "url",
    [
        "https://files.example.org/files-pri/T1-F1/download/plan.pdf",
        "https://slack.com.example.org/plan.pdf",
        "https://notslack.com/plan.pdf",
        "https://files.slack.com@example.org/plan.pdf",
        "https://user@files.slack.com/plan.pdf",
        "https://files.slack.com:8443/plan.pdf",
        "http://files.slack.com/plan.pdf",
        "file:///etc/passwd",
        "",
    ],
)
def test_the_token_goes_to_no_other_host(fetch: Download, url: str) -> None:
    with pytest.raises(NotHandedOver, match="host"):
        fetch(url, 5, html=False)


def test_no_redirect_is_followed(fetch: Download, base: str) -> None:
    with pytest.raises(NotHandedOver):
        fetch(f"{base}/away", 5, html=False)
    assert [path for path, _ in _heard] == ["/away"]


@pytest.mark.parametrize(("path", "html"), [("/page", False), ("/page", True), ("/gone", False)])
def test_a_page_to_sign_in_on_is_no_file(fetch: Download, base: str, path: str, html: bool) -> None:
    with pytest.raises(NotHandedOver):
        fetch(f"{base}{path}", 5 if html else len(PAGE), html=html)


def test_where_slack_is_ill_it_may_work_another_time(fetch: Download, base: str) -> None:
    with pytest.raises(OSError, match="503"):
        fetch(f"{base}/ill", 5, html=False)


def test_200_megabytes_are_not_asked_for_and_what_never_ends_is_given_up(
    fetch: Download, base: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(TooLarge):
        fetch(f"{base}/huge.pdf", 200_000_000, html=False)
    assert _heard == []
    monkeypatch.setattr(attachments, "MOST_BYTES", 10_000)
    with pytest.raises(TooLarge):
        fetch(f"{base}/endless", 5, html=False)
