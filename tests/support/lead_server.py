"""A server whose language model writes what leads to passages, in the place of a real one.

It answers by what stands in the passage, since several are asked about at once.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from openai_fixtures import Received, Scripted, ScriptedServer, a_completion

NOTHING: Mapping[str, Any] = {
    "simple": [],
    "intermediate": [],
    "advanced": [],
    "summary": "",
    "entities": [],
}


def written(**fields: object) -> Scripted:
    return Scripted(a_completion(json.dumps({**NOTHING, **fields})))


class LeadServer(ScriptedServer):
    """`says`: what it answers for a passage with these words; nothing leads to any other."""

    def __init__(self) -> None:
        super().__init__()
        self.says: dict[str, Scripted] = {}

    @property
    def passages(self) -> list[str]:
        """What it was asked about, in any order."""
        return [each.messages[-1]["content"] for each in self.received]

    def answer(self, request: Received) -> Scripted:
        self.received.append(request)
        told = request.messages[-1]["content"]
        said = next((said for words, said in self.says.items() if words in told), written())
        if said.silent:
            self.stopped.wait()
        return said


@contextmanager
def lead_server() -> Iterator[LeadServer]:
    with (server := LeadServer()).running():
        yield server
