"""The training data are passages of handbooks, and what was asked and claimed about them.

The files and their fields are described by the README that lies beside them.
"""

import json
import lzma
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from zlib import crc32

from retrieval.language.sentences import sentence_spans

FAMILIES = "families"
"""The source of all look-alike passages; their file is the family."""
GENERAL_HELD_OUT = ("ares-nq", "squad")
"""Sources of which a fifth of the documents is kept from training, to see what is forgotten."""
GENERAL_LIMIT = 3000
"""Questions of one general source."""
TEMPLATED = {"medquad": 500}
"""Fewer of those of which more teach nothing new."""
LEFT_OUT = ("sourcegraph", "sick")
"""Public sets not read: one overlaps a handbook's held-out passages, the other's licence
(CC BY-NC-SA 3.0) does not allow what ours does."""


@dataclass(frozen=True, slots=True)
class TrainingPassage:
    """A passage is as the product would read it: heading, line feed, text."""

    passage_id: str
    source: str
    file: str
    position: int
    """In its file."""
    heading: str
    text: str
    sentences: tuple[str, ...]
    dev: bool

    @property
    def whole(self) -> str:
        return f"{self.heading}\n{self.text}" if self.heading else self.text


@dataclass(frozen=True, slots=True)
class Item:
    """An item was written for one passage."""

    passage_id: str
    questions: tuple[str, ...]
    answers: tuple[tuple[int, ...], ...]
    """For each question the sentences that answer it, from 0; empty where nobody said."""
    near: str
    """A question on the same topic which this passage does not answer."""
    yes: str
    no: str
    maybe: str
    """A claim that the passage supports, one that it contradicts, one that it leaves open."""


@dataclass(frozen=True, slots=True)
class GeneralQuestion:
    """A public data set has this question, with the passage that answers it."""

    source: str
    question: str
    passage_id: str
    dev: bool


@dataclass(frozen=True, slots=True)
class ClaimPair:
    """A public data set has this premise and claim."""

    source: str
    premise: str
    claim: str
    label: int
    """0 entailed, 1 neutral, 2 contradicted, 3 not entailed, unknown which."""


@dataclass(frozen=True)
class TrainingData:
    """Everything in one folder is read when it is first asked for."""

    folder: Path

    @cached_property
    def passages(self) -> dict[str, TrainingPassage]:
        """Of handbooks and families, by id."""
        handbooks = [_handbook_passage(row) for row in self._lines("handbook_passages.jsonl.xz")]
        families = [
            _family_passage(family, number)
            for family in self._families
            for number in range(len(family["passages"]))
        ]
        return {passage.passage_id: passage for passage in [*handbooks, *families]}

    @cached_property
    def items(self) -> list[Item]:
        """Of handbooks and families."""
        handbooks = [_item(row["id"], row) for row in self._lines("handbook_items.jsonl.xz")]
        families = [
            _item(f"{family['id']}-{number}", row)
            for family in self._families
            for number, row in enumerate(family["passages"])
        ]
        return [*handbooks, *families]

    @cached_property
    def general_passages(self) -> dict[str, TrainingPassage]:
        held_out = {question.passage_id for question in self.general_questions if question.dev}
        by_source = json.loads(self._read("r_passages.json.xz"))
        return {
            row["pid"]: TrainingPassage(
                row["pid"], source, row["doc"], 0, "", row["text"], (), row["pid"] in held_out
            )
            for source, rows in by_source.items()
            for row in rows
        }

    @cached_property
    def general_questions(self) -> list[GeneralQuestion]:
        """Of each source as many as its limit allows, evenly over the file."""
        by_source: dict[str, list[dict[str, str]]] = {}
        for row in json.loads(self._read("r_questions.json.xz")):
            if row["src"] not in LEFT_OUT:
                by_source.setdefault(row["src"], []).append(row)
        return [
            GeneralQuestion(source, row["q"], row["pid"], _held_out(source, row["doc"]))
            for source, rows in by_source.items()
            for row in rows[:: -(-len(rows) // TEMPLATED.get(source, GENERAL_LIMIT))]
        ]

    @cached_property
    def claims(self) -> list[ClaimPair]:
        return [
            ClaimPair(row["s"], row["p"], row["h"], row["y"])
            for row in self._lines("e_train.jsonl.xz")
            if row["s"] not in LEFT_OUT
        ]

    @cached_property
    def _families(self) -> list[dict[str, Any]]:
        return list(self._lines("families.jsonl.xz"))

    def _lines(self, name: str) -> Iterator[dict[str, Any]]:
        for line in self._read(name).rstrip("\n").split("\n"):
            yield json.loads(line)

    def _read(self, name: str) -> str:
        return lzma.decompress((self.folder / name).read_bytes()).decode()


def _held_out(source: str, document: str) -> bool:
    return source in GENERAL_HELD_OUT and crc32(document.encode()) % 5 == 0


def heading_of(section: str) -> str:
    """A heading path in the form in which the product puts it before a passage."""
    title, *rest = section.split(" > ")
    return f"{title}: {' - '.join(rest)}" if rest else title


def sentences_of(text: str) -> tuple[str, ...]:
    """Line by line, as list items and table rows seldom end in a full stop."""
    return tuple(
        line[start:end] for line in text.split("\n") for start, end in sentence_spans(line)
    )


def _handbook_passage(row: dict[str, Any]) -> TrainingPassage:
    return TrainingPassage(
        row["id"],
        row["source"],
        row["file"],
        row["n"],
        heading_of(row["section"]),
        row["text"],
        tuple(row.get("sents") or sentences_of(row["text"])),
        row.get("split") == "dev",
    )


def _family_passage(family: dict[str, Any], number: int) -> TrainingPassage:
    row = family["passages"][number]
    return TrainingPassage(
        f"{family['id']}-{number}",
        FAMILIES,
        family["id"],
        number,
        heading_of(row["section"]),
        row["text"],
        sentences_of(row["text"]),
        family["split"] == "dev",
    )


def _item(passage_id: str, row: dict[str, Any]) -> Item:
    return Item(
        passage_id,
        tuple(row["q"]),
        tuple(tuple(number - 1 for number in numbers) for numbers in row.get("a", ())),
        row["near"],
        row["yes"],
        row["no"],
        row["maybe"],
    )
