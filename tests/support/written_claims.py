"""Claims that a language model writes, with anchors in documents as ingest reads and cuts them."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from bot.answering.values import Draft, DraftClaim
from retrieval.ingest.chunking import cut
from retrieval.parsing import parser_for
from retrieval.types import Document, Metadata, Passage

SAMPLE = Path(__file__).parents[2] / "deploy" / "sample"
FILE = Path(__file__).parents[1] / "fixtures" / "written-claims.yaml"


class WrittenClaim(NamedTuple):
    draft: Draft
    wrong: str
    """What is wrong in it; empty where it is true."""

    @property
    def text(self) -> str:
        return self.draft.claims[0].text

    @property
    def about(self) -> str:
        passage, _, _ = self.draft.claims[0].anchors[0].partition(".")
        return self.draft.passages[int(passage) - 1].heading


def written_claims(file: Path = FILE) -> list[WrittenClaim]:
    return [
        written for entry in yaml.safe_load(file.read_text("utf-8")) for written in _claims(entry)
    ]


def _claims(entry: Mapping[str, Any]) -> Iterator[WrittenClaim]:
    name = entry.get("of", "claims.md")
    text = entry["document"] if "document" in entry else (SAMPLE / name).read_text("utf-8")
    passages = passages_of(name, text)
    for wrong, claims in {"": entry.get("borne out", ()), **entry.get("falsehoods", {})}.items():
        for said, beginnings in claims:
            anchors = tuple(anchor(beginning, passages) for beginning in beginnings)
            yield WrittenClaim(Draft((DraftClaim(said, anchors),), passages), wrong)


@lru_cache
def passages_of(name: str, text: str) -> tuple[Passage, ...]:
    parsed = parser_for(name)(text.encode())
    document = Document(name, name, "1", datetime(2026, 1, 1, tzinfo=UTC), parsed.title, Metadata())
    return tuple(cut(document, parsed))


def anchor(beginning: str, passages: Sequence[Passage]) -> str:
    """Of the first sentence that begins so; raise `LookupError` where none does."""
    for number, passage in enumerate(passages, start=1):
        for index, sentence in enumerate(passage.sentences, start=1):
            if sentence.text.startswith(beginning):
                return f"{number}.{index}"
    raise LookupError(f"no sentence begins with {beginning!r}")
