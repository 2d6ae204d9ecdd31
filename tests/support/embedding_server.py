"""A server that embeds, in the place of OpenAI's: vectors in any order, and errors."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from fakes import WordsEmbedder
from remote_places import JsonSite, Said, served

Answer = tuple[int, str]


def vectors(texts: Sequence[str]) -> Answer:
    """As long as they happen to be, the last first: a client sorts and shortens them."""
    rows = WordsEmbedder().embed(texts) * 3
    data = [{"index": at, "embedding": row.tolist()} for at, row in enumerate(rows)]
    return 200, json.dumps({"object": "list", "data": data[::-1]})


def failing(status: int, said: str = "not now") -> Callable[[Sequence[str]], Answer]:
    return lambda _: (status, json.dumps({"error": {"message": said, "type": "error"}}))


class EmbeddingServer(JsonSite):
    """`script` is followed in order, its last answer again and again."""

    def __init__(self) -> None:
        super().__init__()
        self.url = f"http://{self.place}/v1"
        self.script: list[Callable[[Sequence[str]], Answer]] = [vectors]
        self.received: list[dict[str, Any]] = []

    @property
    def keys(self) -> list[str]:
        return [authorized.removeprefix("Bearer ") for _, authorized in self.asked]

    @property
    def texts(self) -> list[str]:
        return [text for each in self.received for text in each["input"]]

    def answered(self, path: str, headers: Mapping[str, str], posted: bytes | None) -> Said:
        body = json.loads(posted or b"{}")
        self.received.append(body)
        answer = self.script[min(len(self.received), len(self.script)) - 1]
        status, said = (answer if path == "/v1/embeddings" else failing(404))(body["input"])
        return status, {"Content-Type": "application/json", "Retry-After": "0.01"}, said


@contextmanager
def embedding_server() -> Iterator[EmbeddingServer]:
    server = EmbeddingServer()
    with served(server):
        yield server
