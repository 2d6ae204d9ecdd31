"""Briefs to write from, and `ScriptedServer` for the faults that stubllm cannot produce."""

import json
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from stubllm.fixtures.models import Fixture, MockResponse
from stubllm.pytest_plugin import MockLLMServerFixture

from bot.access.people import Person
from bot.answering.chat.server import ChatServer
from bot.answering.values import Brief, Writer
from bot.answering.writers.openai import OpenAIWriter
from retrieval.types import (
    Document,
    Evidence,
    Hit,
    Metadata,
    Passage,
    QuestionPart,
    Scope,
    Sentence,
    Stream,
)

KEY = "sk-a-key-that-must-stay-secret"
SCOPE = Scope(facets={"departments": frozenset({"cs"})}, on=date(2026, 3, 2))
ANA = Person(
    id="ana",
    name="Ana Silva",
    email="ana@example.org",
    facets={"departments": frozenset({"cs"})},
    profile={"semester": "5"},
)


def a_passage(
    passage_id: str, *sentences: str, metadata: Metadata | None = None, title: str = "Exam rules"
) -> Passage:
    document = Document(
        document_id=f"document-{passage_id}",
        file=f"{passage_id}.md",
        version="1",
        ingested_at=datetime(2026, 1, 1, tzinfo=UTC),
        title=title,
        metadata=metadata or Metadata(),
    )
    placed, start = [], 0
    for text in sentences:
        end = start + len(text)
        placed.append(Sentence(text, char_start=start, char_end=end, line_start=1, line_end=1))
        start = end + 1
    return Passage(passage_id, document, 0, ("Re-evaluation",), tuple(placed), " ".join(sentences))


FEE = a_passage(
    "fee",
    "A re-evaluation costs 20 euros.",
    "The fee is paid back where the grade changes.",
    metadata=Metadata(owner="exams@example.org", level="department", effective=date(2025, 8, 1)),
)
DEADLINE = a_passage("deadline", "Apply within 14 days after the results.")
LECTURE = a_passage(
    "lecture", "A B-tree is a balanced tree.", metadata=Metadata(stream=Stream.ACADEMIC)
)


def a_hit(passage: Passage, overridden_by: str | None = None) -> Hit:
    return Hit(passage, {"relevance": 0.9}, overridden_by)


def a_brief(
    hits: Sequence[Hit] = (Hit(FEE, {"relevance": 0.9}), Hit(DEADLINE, {"relevance": 0.9})),
    *,
    question: str = "What does it cost?",
    parts: Sequence[str] = (),
    context: Sequence[Passage] = (),
    person: Person | None = ANA,
) -> Brief:
    asked = tuple(QuestionPart(text, 0.9, covered=True) for text in parts or [question])
    evidence = Evidence(question, SCOPE, tuple(hits), tuple(hits), asked, tuple(context))
    return Brief(question, evidence, person)


def a_claim(
    text: str, *anchors: str, kind: str = "cited", reasoning: str = "", parts: Sequence[int] = ()
) -> dict[str, object]:
    return {"text": text, "anchors": anchors, "kind": kind, "reasoning": reasoning, "parts": parts}


def an_answer(*claims: dict[str, object]) -> str:
    """What a model writes."""
    return json.dumps({"claims": claims})


def a_completion(
    content: str | None, *, refusal: str | None = None, finish_reason: str = "stop"
) -> str:
    """The body in which a server sends what a model wrote."""
    message = {"role": "assistant", "content": content, "refusal": refusal}
    choice = {"index": 0, "message": message, "finish_reason": finish_reason}
    usage = {"prompt_tokens": 321, "completion_tokens": 45, "total_tokens": 366}
    return json.dumps({"id": "1", "object": "chat.completion", "choices": [choice], "usage": usage})


def an_error(message: str, code: str | None = None) -> str:
    return json.dumps({"error": {"message": message, "type": "error", "code": code}})


@dataclass(frozen=True)
class Scripted:
    """One response."""

    body: str
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    silent: bool = False
    drip: float = 0.0
    """Seconds before each line."""


ANSWER = an_answer(a_claim("A re-evaluation costs 20 euros.", "1.1"))
GOOD = Scripted(a_completion(ANSWER))


def a_writer(url: str | None, **options: Any) -> Writer:
    return OpenAIWriter(a_server(url, **options))


def a_server(
    url: str | None, *, retries: int = 0, timeout: float = 10, key: str = KEY, stream: bool = False
) -> ChatServer:
    return ChatServer(key, url, "a-model", timeout, retries, stream)


def the_stub_sends(stub: MockLLMServerFixture, *responses: MockResponse) -> str:
    """Its address, once it has forgotten all earlier calls."""
    stub.reset()
    stub.replace_fixtures([Fixture(name="scripted", sequence=list(responses))])
    return str(stub.openai_url)


@dataclass(frozen=True)
class Received:
    """One request."""

    headers: dict[str, str]
    messages: list[dict[str, str]]
    body: dict[str, Any]


class ScriptedServer:
    """Answers with what it is given, in order, the last one again and again."""

    def __init__(self) -> None:
        self.script: list[Scripted] = []
        self.received: list[Received] = []
        self.stopped = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    @contextmanager
    def running(self) -> Iterator["ScriptedServer"]:
        thread = threading.Thread(target=self._http.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield self
        finally:
            self.stopped.set()
            self._http.shutdown()
            self._http.server_close()
            thread.join()

    def answer(self, request: Received) -> Scripted:
        self.received.append(request)
        response = self.script[min(len(self.received), len(self.script)) - 1]
        if response.silent:
            self.stopped.wait()
        return response

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                headers = {name.lower(): value for name, value in self.headers.items()}
                response = server.answer(Received(headers, body["messages"], body))
                content = response.body.encode()
                self.send_response(response.status)
                self.send_header("Content-Length", str(len(content)))
                for name, value in {"Content-Type": "application/json", **response.headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                for line in content.splitlines(keepends=True):
                    server.stopped.wait(response.drip)
                    self.wfile.write(line)

            def handle(self) -> None:
                # a client that stopped waiting has closed the connection
                try:
                    super().handle()
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True

            def log_message(self, *args: object) -> None:
                pass

        return Handler


def a_port_where_nobody_listens() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])
