"""Held-out passages and questions become corpora that `vouch evaluate` reads.

So the whole product, its parsers and its index included, is measured on questions that nothing
was trained on, by the one command that measures it anywhere. The split "dev" asks of passages
that were held out, too; of those that answer the split "unread" only Clef's were. A handbook's
trained and unlabelled passages are there as well: its questions are asked over all of it.

    python -m retrieval.training.corpora --data ../shared/training --out FOLDER
    vouch evaluate FOLDER/clef/questions.jsonl --docs FOLDER/clef/docs --split dev --recipe vouch
    vouch evaluate-claims FOLDER/claims.jsonl
"""

import json
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from retrieval.training.data import FAMILIES, Item, TrainingData, TrainingPassage
from retrieval.training.labels import JudgedQuestion, Labels
from retrieval.training.start import require_installed

DEV, UNREAD, FOLLOWUPS = "dev", "unread", "followups"
"""Splits of the questions that are written: of who had the passage before them, or had not, or
had asked something else before."""


@dataclass(frozen=True, slots=True)
class Written:
    """A passage's lines stand here."""

    file: str
    lines: tuple[int, ...]
    """Of its text, in order; 1-based."""


def write_corpora(data: TrainingData, folder: Path, labels: Labels) -> dict[str, int]:
    """Write `folder`/SOURCE/docs and questions.jsonl; how many questions, by source."""
    labels = labels.about(data.passages)
    items = [item for item in data.items if data.passages[item.passage_id].dev]
    by_source: dict[str, list[Item]] = {}
    for item in items:
        by_source.setdefault(data.passages[item.passage_id].source, []).append(item)
    return {
        source: _write_corpus(data, source, some, folder / source, labels)
        for source, some in sorted(by_source.items())
    }


def _write_corpus(
    data: TrainingData, source: str, items: Sequence[Item], folder: Path, labels: Labels
) -> int:
    passages = [
        passage
        for passage in data.passages.values()
        if passage.source == source and (passage.dev or source != FAMILIES)
    ]
    placed = _write_documents(passages, folder / "docs")
    questions = [
        question
        for item in items
        for question in (
            *_answered(item, data.passages[item.passage_id], placed[item.passage_id]),
            *_near(item, [placed[name] for name in labels.elsewhere.get(item.passage_id, ())]),
        )
    ]
    for split, judged in ((UNREAD, labels.unread), (FOLLOWUPS, labels.followups)):
        held_out = [each for each in judged if each.source == source and each.dev]
        questions += [_judged(each, split, n, placed) for n, each in enumerate(held_out)]
    lines = [json.dumps(question, ensure_ascii=False) for question in questions]
    (folder / "questions.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return len(lines)


def _write_documents(passages: Sequence[TrainingPassage], docs: Path) -> Mapping[str, Written]:
    placed: dict[str, Written] = {}
    for file, some in groupby(
        sorted(passages, key=lambda each: (_file(each), each.position)), key=_file
    ):
        lines: list[str] = []
        heading = ""
        for passage in some:
            if passage.heading != heading:
                lines += _heading_lines(passage.heading, first=not lines)
                heading = passage.heading
            numbers = []
            for line in passage.text.split("\n"):
                lines += [line, ""]
                numbers.append(len(lines) - 1)
            placed[passage.passage_id] = Written(file, tuple(numbers))
        path = docs / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines), encoding="utf-8")
    return placed


def _file(passage: TrainingPassage) -> str:
    """Siblings of a family are documents of their own, as look-alikes usually are."""
    if passage.source == FAMILIES:
        return f"{passage.file}-{passage.position}.md"
    return str(Path(passage.file).with_suffix(".md"))


def _heading_lines(heading: str, *, first: bool) -> list[str]:
    title, _, sections = heading.partition(": ")
    lines = [f"# {title}", ""] if first else []
    return [*lines, f"## {sections}", ""] if sections else lines


def _answered(item: Item, passage: TrainingPassage, place: Written) -> list[dict[str, object]]:
    return [
        {
            "id": f"{item.passage_id}-{number}",
            "question": question,
            "kind": "answerable",
            "gold": [_gold(item, number, passage, place)],
            "split": DEV,
        }
        for number, question in enumerate(item.questions)
    ]


def _near(item: Item, elsewhere: Sequence[Written]) -> list[dict[str, object]]:
    """The questions that the item's passage misses, with the places that answer them after all."""
    return [
        {
            "id": f"{item.passage_id}-near{number or ''}",
            "question": near,
            "kind": "answerable" if elsewhere else "unanswerable",
            "gold": [_whole(place) for place in elsewhere],
            "split": DEV,
        }
        for number, near in enumerate(item.near)
    ]


def _judged(
    asked: JudgedQuestion, split: str, number: int, placed: Mapping[str, Written]
) -> dict[str, object]:
    gold = asked.answers or asked.partial
    kind = "answerable" if asked.answers else "partial" if gold else "unanswerable"
    return {
        "id": f"{split}-{number}",
        "question": asked.question,
        "previous": asked.previous,
        "kind": kind,
        "gold": [_whole(placed[passage_id]) for passage_id in gold],
        "split": split,
    }


def _whole(place: Written) -> dict[str, object]:
    return {"file": place.file, "line_start": place.lines[0], "line_end": place.lines[-1]}


def _gold(item: Item, number: int, passage: TrainingPassage, place: Written) -> dict[str, object]:
    """The lines of the answering sentences; all of the passage's where nobody said which."""
    lines = passage.text.split("\n")
    answering = item.answers[number] if number < len(item.answers) else ()
    sentences = [passage.sentences[i] for i in answering if i < len(passage.sentences)]
    found = tuple(
        place.lines[i]
        for i, line in enumerate(lines)
        if any(sentence in line or line in sentence for sentence in sentences)
    )
    return _whole(Written(place.file, found or place.lines))


def main() -> None:
    require_installed()
    from retrieval.training.held_out_claims import write_claims  # imports PyTorch

    parser = ArgumentParser(description="Write the held-out data as corpora.")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    data = TrainingData(arguments.data)
    for source, questions in write_corpora(data, arguments.out, Labels.shipped()).items():
        print(f"{source}: {questions} questions")  # noqa: T201  # what the command says
    print(f"{write_claims(data, arguments.out / 'claims.jsonl')} claims")  # noqa: T201


if __name__ == "__main__":
    main()
