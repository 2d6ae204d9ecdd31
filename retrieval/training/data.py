"""Passages of handbooks, and what was asked and claimed about them; see the README beside."""

import json
import lzma
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar
from zlib import crc32

from retrieval.language.sentences import sentence_spans

FAMILIES = "families"
"""The source of all look-alike passages; their file is the family."""
TABLES = "tables"
"""The source of all passages that are a table; each is a file of its own."""
CLAIMS_WRITTEN = "written claims"
"""The source of all claims that have premises of their own."""
ASKER = "asker"
"""The kind of a claim that repeats what the asker said."""
TABLES_HELD_OUT, CLAIMS_HELD_OUT = 12, 10
"""Of so many tables, and premises of written claims, the first is kept from training."""
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

    def cut_to(self, numbers: Iterable[int]) -> str:
        """Its heading and these of its sentences; rows stand on lines of their own."""
        between = "\n" if self.source == TABLES else " "
        return f"{self.heading}\n{between.join(self.sentences[i] for i in numbers)}"


@dataclass(frozen=True, slots=True)
class Item:
    passage_id: str
    questions: tuple[str, ...]
    answers: tuple[tuple[int, ...], ...]
    """For each question the sentences that answer it, from 0; empty where nobody said."""
    near_misses: tuple[str, ...]
    """Questions on the same topic which this passage does not answer."""
    yes: str = ""
    no: str = ""
    maybe: str = ""
    """A claim that the passage supports, one that it contradicts, one that it leaves open; of some
    items none."""

    def near_miss_of(self, number: int) -> str:
        """Each question has one beside it, in turn."""
        return self.near_misses[number % len(self.near_misses)]


@dataclass(frozen=True, slots=True)
class GeneralQuestion:
    """A public data set has this question, with the passage that answers it."""

    source: str
    question: str
    passage_id: str
    dev: bool


@dataclass(frozen=True, slots=True)
class ClaimPair:
    source: str
    premise: str
    claim: str
    label: int
    """0 entailed, 1 neutral, 2 contradicted, 3 not entailed, unknown which."""


@dataclass(frozen=True, slots=True)
class ModelClaims:
    """Claims about one premise are worded as a language model does, a false one for each true."""

    source: str
    premise: str
    question: str
    """In answer to which they were written; empty where to none."""
    claims: tuple[tuple[str, bool, str], ...]
    """Each with whether it is true, and its kind."""
    dev: bool


@dataclass(frozen=True)
class TrainingData:
    """Everything in one folder is read when it is first asked for."""

    folder: Path

    @cached_property
    def passages(self) -> dict[str, TrainingPassage]:
        """Of handbooks, families and tables, by id."""
        handbooks, more = (
            [_handbook_passage(row) for row in self._lines(f"{name}_passages.jsonl.xz")]
            for name in ("handbook", "more")
        )
        families = [
            _family_passage(family, number)
            for family in self._families
            for number in range(len(family["passages"]))
        ]
        tables = [_table_passage(number, row) for number, row in enumerate(self._tables)]
        return {each.passage_id: each for each in [*handbooks, *families, *more, *tables]}

    @cached_property
    def items(self) -> list[Item]:
        """Of handbooks, families and tables; some passages have two."""
        handbooks, short, more = (
            [_item(row["id"], row) for row in self._lines(f"{name}.jsonl.xz")]
            for name in ("handbook_items", "short_questions", "more_items")
        )
        families = [
            _item(f"{family['id']}-{number}", row)
            for family in self._families
            for number, row in enumerate(family["passages"])
        ]
        tables = [_table_item(number, row) for number, row in enumerate(self._tables)]
        return [*handbooks, *families, *short, *more, *tables]

    @cached_property
    def model_claims(self) -> list[ModelClaims]:
        """Of premises of their own, of tables and of further handbooks."""
        written = [
            ModelClaims(
                CLAIMS_WRITTEN,
                f"{row['heading']}\n{row['source']}",
                row["question"],
                tuple((claim, bool(true), kind) for claim, true, kind in row["claims"]),
                number % CLAIMS_HELD_OUT == 0,
            )
            for number, row in enumerate(self._lines("written_claims.jsonl.xz"))
        ]
        tables = [
            self._claims_about(_table_id(number), "", [(*each, TABLES) for each in row["claims"]])
            for number, row in enumerate(self._tables)
        ]
        more = [
            self._claims_about(row["id"], row["q"][0], row["claims"])
            for row in self._lines("more_items.jsonl.xz")
        ]
        return [*written, *tables, *more]

    def _claims_about(
        self, passage_id: str, question: str, rows: Sequence[Sequence[Any]]
    ) -> ModelClaims:
        passage = self.passages[passage_id]
        claims = tuple((claim, bool(true), kind) for claim, true, kind in rows)
        return ModelClaims(passage.source, passage.whole, question, claims, passage.dev)

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
        rows = json.loads(self._read("r_questions.json.xz"))
        by_source = grouped((row["src"], row) for row in rows if row["src"] not in LEFT_OUT)
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

    @cached_property
    def _tables(self) -> list[dict[str, Any]]:
        return list(self._lines("tables.jsonl.xz"))

    def _lines(self, name: str) -> Iterator[dict[str, Any]]:
        for line in self._read(name).rstrip("\n").split("\n"):
            yield json.loads(line)

    def _read(self, name: str) -> str:
        return lzma.decompress((self.folder / name).read_bytes()).decode()


def _held_out(source: str, document: str) -> bool:
    return source in GENERAL_HELD_OUT and crc32(document.encode()) % 5 == 0


V = TypeVar("V")


def grouped(pairs: Iterable[tuple[str, V]]) -> dict[str, list[V]]:
    """The values of each key, in their order."""
    found: dict[str, list[V]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


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


def _table_id(number: int) -> str:
    return f"table-{number}"


def _table_passage(number: int, table: dict[str, Any]) -> TrainingPassage:
    """A row is read as the product reads it."""
    rows = tuple(
        "; ".join(f"{head}: {cell}" for head, cell in zip(table["head"], row, strict=True))
        for row in table["rows"]
    )
    return TrainingPassage(
        _table_id(number),
        TABLES,
        _table_id(number),
        0,
        heading_of(f"{table['title']} > {table['section']}"),
        "\n".join(rows),
        rows,
        number % TABLES_HELD_OUT == 0,
    )


def _table_item(number: int, table: dict[str, Any]) -> Item:
    questions, answers = zip(*table["q"], strict=True)
    return _item(_table_id(number), {"q": questions, "a": answers, "near": table["near"]})


def _item(passage_id: str, row: dict[str, Any]) -> Item:
    near = row["near"]
    return Item(
        passage_id,
        tuple(row["q"]),
        tuple(tuple(number - 1 for number in numbers) for numbers in row.get("a", ())),
        (near,) if isinstance(near, str) else tuple(near),
        *(row.get(claim, "") for claim in ("yes", "no", "maybe")),
    )


def as_typed(question: str, dice: random.Random) -> str:
    """The question, half of the time less carefully typed."""
    if dice.random() < 0.5:
        return question
    if dice.random() < 0.7:
        question = question.lower()
    if dice.random() < 0.7:
        question = question.rstrip("?")
    if dice.random() < 0.25:
        question = _with_typo(question, dice)
    return question


def _with_typo(question: str, dice: random.Random) -> str:
    """Two neighbouring letters swapped, or one left out, in a word of five letters or more."""
    words = question.split(" ")
    long = [i for i, word in enumerate(words) if len(word) > 4 and word.isalpha()]
    if not long:
        return question
    at = dice.choice(long)
    word = words[at]
    i = dice.randrange(1, len(word) - 1)
    swapped = word[: i - 1] + word[i] + word[i - 1] + word[i + 1 :]
    words[at] = dice.choice([swapped, word[:i] + word[i + 1 :]])
    return " ".join(words)
