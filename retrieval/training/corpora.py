"""Held-out passages and questions become corpora that `vouch evaluate` reads.

The split "dev" asks of passages that were held out, too; of those that answer the split "unread"
only Clef's were. A handbook's trained and unlabelled passages are there as well.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby
from pathlib import Path

from retrieval.training.alterations import INVENTED, Alterations, Label
from retrieval.training.changes.falsifying import CHANGES
from retrieval.training.changes.rewording import UNSEEN_FORMS
from retrieval.training.data import (
    CLAIMS_WRITTEN,
    FAMILIES,
    TABLES,
    ClaimPair,
    Item,
    TrainingData,
    TrainingPassage,
    grouped,
)
from retrieval.training.entailment import pairs_of
from retrieval.training.labels import JudgedQuestion, Labels
from retrieval.training.run import seeded

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
    by_source = grouped(
        (passage.source, item)
        for item in data.items
        if (passage := data.passages[item.passage_id]).dev
    )
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
        for number, near in enumerate(item.near_misses)
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


OF_A_CLASS = 150
"""Altered claims of a class, at most."""
SEED = 5

Claim = tuple[str, ClaimPair]
"""Its kind, by which it is counted, and what it is."""


def write_claims(data: TrainingData, file: Path) -> int:
    """How many were written."""
    lines = [
        json.dumps(
            {
                "kind": kind,
                "premise": pair.premise,
                "claim": pair.claim,
                "supported": pair.label == Label.ENTAILED,
            },
            ensure_ascii=False,
        )
        for kind, pair in chain(_written(data), _siblings(data), _altered(data), _by_models(data))
    ]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return len(lines)


def _written(data: TrainingData) -> list[Claim]:
    """Three claims for each passage; passages in a random order, by kind of source."""
    items = [i for i in data.items if i.yes and data.passages[i.passage_id].dev]
    seeded(SEED).shuffle(items)
    found: dict[str, list[Claim]] = {}
    for item in items:
        passage = data.passages[item.passage_id]
        kind = FAMILIES if passage.source == FAMILIES else "handbook"
        claims = (
            (item.yes, Label.ENTAILED),
            (item.no, Label.CONTRADICTED),
            (item.maybe, Label.NEUTRAL),
        )
        found.setdefault(kind, []).extend(
            (kind, ClaimPair(kind, passage.whole, claim, label)) for claim, label in claims
        )
    return [*chain(*found.values())]


def _siblings(data: TrainingData) -> Iterator[Claim]:
    """What is true of one passage of a family, read with each of the others."""
    passages = [p for p in data.passages.values() if p.source == FAMILIES and p.dev]
    yes = {item.passage_id: item.yes for item in data.items if item.yes}
    for passage in passages:
        for other in passages:
            if other.file == passage.file and other is not passage:
                claim = yes[passage.passage_id]
                yield "sibling", ClaimPair(FAMILIES, other.whole, claim, Label.NOT_ENTAILED)


def _altered(data: TrainingData) -> Iterator[Claim]:
    """By class the altered claims, then as many true ones about the same premises."""
    others = {claimed.source for claimed in data.model_claims}
    passages = [p for p in data.passages.values() if p.dev and p.source not in others]
    alterations = Alterations(data, passages, disguised=0.0)
    for kind in (*CHANGES, INVENTED):
        yield from _of_a_class(alterations, kind, f"changed: {kind}")
    unseen = replace(alterations, forms=UNSEEN_FORMS)
    yield from _of_a_class(unseen, INVENTED, "changed: unseen connection")


def _of_a_class(alterations: Alterations, change: str, kind: str) -> Iterator[Claim]:
    """One contrast pair of a passage, then a second, until there are enough."""
    dice = seeded(SEED)
    passages = list(alterations.passages)
    dice.shuffle(passages)
    wrong: dict[str, ClaimPair] = {}
    true: dict[str, ClaimPair] = {}
    for passage in [*passages, *passages, *passages]:
        contrast_pair = alterations.contrast_pair(passage, change, dice)
        if contrast_pair is not None and len(wrong) < OF_A_CLASS:
            wrong.setdefault(contrast_pair.altered.claim, contrast_pair.altered)
            true.setdefault(contrast_pair.true.claim, contrast_pair.true)
    for pair in chain(wrong.values(), true.values()):
        yield kind, pair


def _by_models(data: TrainingData) -> list[Claim]:
    found: dict[str, list[Claim]] = {}
    for claimed in data.model_claims:
        if claimed.dev:
            own = claimed.source in (CLAIMS_WRITTEN, TABLES)
            about = claimed.source if own else "further handbooks"
            kind = f"as models write: {about}"
            found.setdefault(about, []).extend((kind, pair) for pair in pairs_of(claimed))
    return [*chain(*found.values())]
