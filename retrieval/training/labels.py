"""Labels were read and written beside the training data's own."""

import json
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from retrieval.training.data import TrainingPassage, heading_of

_ANSWERED_ELSEWHERE = Path(__file__).parent / "answered_elsewhere.json"
"""Near misses that another passage of their handbook answers: item -> passages, by id. Of the
415 of the handbooks' held-out passages each was read beside the six passages that retrieval
puts nearest, in random order and without scores; these 19 are plainly answered. Where that was
in doubt (65), they stay unanswerable."""
_ASKED_UNREAD = Path(__file__).parent / "asked_unread.jsonl"
"""Questions of who knew the names of a handbook's pages, but had not read them. Beside each
some eight passages were read, the best by the reranker, the cosine and BM25, in random order
and without scores. Where it was in doubt whether one answers, the question was left out."""
_CONTRAST_PAIRS = Path(__file__).parent / "contrast_pairs.jsonl"
"""Claims written for passages that had none: true ones in other words, each with a twin in
which one thing was changed, so that the two can be told apart by that thing alone."""
_FOLLOWUPS = Path(__file__).parent / "followups.jsonl"
"""Questions that go on in a conversation, each read beside some neighbouring passages of a page
of which one answers the question before it."""
_ORGANISATIONS = Path(__file__).parent / "organisations.jsonl"
"""Small handbooks of invented organisations, each with questions of who had not read it: half of
them nothing in it answers, though it is on their very subject. A handbook a line; every twelfth
is held out."""
LABEL_FILES = (_ANSWERED_ELSEWHERE, _ASKED_UNREAD, _CONTRAST_PAIRS, _FOLLOWUPS, _ORGANISATIONS)
ORGANISATIONS = "organisations"
"""The source of all their passages; their file is the handbook."""


@dataclass(frozen=True, slots=True)
class ContrastPairs:
    passage_id: str
    twins: tuple[tuple[str, str], ...]
    """A claim that the passage supports, and the same with one thing changed."""
    maybe: str
    """A claim that it leaves open."""


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """A question has the passages that were read beside it, by id."""

    source: str
    question: str
    dev: bool
    """Held out: whole handbooks' are, for one who asks about a page may ask what another did.
    Of their passages only Clef's are held out as well."""
    answers: tuple[str, ...]
    """Each answers the whole question, alone."""
    partial: tuple[str, ...]
    """What answers a part of it, or from which an answer may be inferred."""
    wrong: tuple[str, ...]
    """What was found for it and says nothing of the kind."""
    sentences: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Of some of the answers: which of their sentences answer, from 0."""
    previous: tuple[str, ...] = ()
    """What was asked before, oldest first."""
    nearest: tuple[str, ...] | None = None
    """Of the wrong ones, where nothing answers: what the question was written beside; where it
    was written beside nothing, all of them, which were found for it."""

    @property
    def alone(self) -> str:
        """With what it refers to in front, in the form in which the bot searches a follow-up."""
        return (
            f"{self.previous[0].rstrip(' ?.!')}: {self.question}"
            if self.previous
            else self.question
        )


@dataclass(frozen=True, slots=True)
class Labels:
    elsewhere: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Passages that answer an item's near miss after all, by id."""
    unread: Sequence[JudgedQuestion] = ()
    """Of who had read nothing."""
    contrast_pairs: Sequence[ContrastPairs] = ()
    followups: Sequence[JudgedQuestion] = ()
    organisations: Sequence[JudgedQuestion] = ()
    """About passages that ship with the program, unlike those of the other labels."""
    passages: Mapping[str, TrainingPassage] = field(default_factory=dict)
    """Of `organisations`, by id."""

    @classmethod
    def shipped(cls) -> "Labels":
        return cls(
            json.loads(_ANSWERED_ELSEWHERE.read_bytes()),
            _judged(_ASKED_UNREAD),
            [
                ContrastPairs(
                    row["id"], tuple((c["yes"], c["no"]) for c in row["couples"]), row["maybe"]
                )
                for row in _rows(_CONTRAST_PAIRS)
            ],
            _judged(_FOLLOWUPS),
            *_organisations(_rows(_ORGANISATIONS)),
        )

    def about(self, passages: Container[str]) -> "Labels":
        """Those about passages that the data have: labels ship with the program, data do not."""
        return Labels(
            {
                item: names
                for item, names in self.elsewhere.items()
                if all(name in passages for name in (item, *names))
            },
            _about(self.unread, passages),
            [each for each in self.contrast_pairs if each.passage_id in passages],
            _about(self.followups, passages),
            self.organisations,
            self.passages,
        )


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(x) for x in path.read_text(encoding="utf-8").rstrip("\n").split("\n")]


def _judged(path: Path) -> list[JudgedQuestion]:
    return [_question(row) for row in _rows(path)]


def _question(row: Mapping[str, Any]) -> JudgedQuestion:
    answers, partial, wrong = (tuple(row[name]) for name in ("answers", "partial", "wrong"))
    sentences = {name: tuple(each) for name, each in row.get("sentences", {}).items()}
    previous = tuple(row.get("previous", ()))
    return JudgedQuestion(
        row["source"], row["question"], row["dev"], answers, partial, wrong, sentences, previous
    )


def _organisations(
    rows: Sequence[Mapping[str, Any]],
) -> tuple[list[JudgedQuestion], dict[str, TrainingPassage]]:
    """Every passage is read beside each question; sentences are numbered from 0."""
    asked: list[JudgedQuestion] = []
    passages: dict[str, TrainingPassage] = {}
    for row in rows:
        own = [_passage_of(row, i) for i in range(len(row["passages"]))]
        passages |= {passage.passage_id: passage for passage in own}
        asked += [_question_of(row, each, own) for each in row["questions"]]
    return asked, passages


def _passage_of(row: Mapping[str, Any], position: int) -> TrainingPassage:
    passage = row["passages"][position]
    return TrainingPassage(
        f"{row['id']}-{position}",
        ORGANISATIONS,
        row["id"],
        position,
        heading_of(f"{row['title']} > {passage['section']}"),
        " ".join(passage["sentences"]),
        tuple(passage["sentences"]),
        row["dev"],
    )


def _question_of(
    row: Mapping[str, Any], asked: Mapping[str, Any], own: Sequence[TrainingPassage]
) -> JudgedQuestion:
    sentences = {own[int(i)].passage_id: tuple(which) for i, which in asked["answers"].items()}
    partial, nearest = (
        tuple(own[i].passage_id for i in asked.get(name, ())) for name in ("partial", "nearest")
    )
    wrong = tuple(p.passage_id for p in own if p.passage_id not in (*sentences, *partial))
    return JudgedQuestion(
        row["id"],
        asked["q"],
        row["dev"],
        tuple(sentences),
        partial,
        wrong,
        sentences,
        nearest=nearest,
    )


def _about(some: Sequence[JudgedQuestion], passages: Container[str]) -> list[JudgedQuestion]:
    return [
        each
        for each in some
        if all(name in passages for name in (*each.answers, *each.partial, *each.wrong))
    ]


JUDGED_TURNS = 2
"""How often one of them is asked while each question that was written is asked once: they are
what people will ask."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A question is judged as the bot searches it, beside what was read for it."""

    question: str
    answers: tuple[TrainingPassage, ...]
    wrong: tuple[TrainingPassage, ...]
    sentences: Mapping[str, tuple[int, ...]]
    """Those that answer, of some of the answers, by their passages' ids."""
    right_or_partly: frozenset[str]
    """Passages that answer, or in part, by id."""
    near_misses: tuple[TrainingPassage, ...] = ()
    """Of the wrong ones those on its very subject, where nothing answers it."""
    unanswered: tuple["Judged", ...] = ()
    """Questions about the same handbook which nothing answers."""


def judged_for_training(
    labels: Labels, passages: Mapping[str, TrainingPassage]
) -> tuple[Judged, ...]:
    """Those that are answered, with the unanswered ones of their handbook; none held out."""
    known = labels.about(passages)
    passages = {**passages, **known.passages}
    by_source: dict[str, list[Judged]] = {}
    for each in (*known.unread, *known.followups, *known.organisations):
        answers, wrong = (
            tuple(passages[name] for name in names if not passages[name].dev)
            for names in (each.answers, each.wrong)
        )
        # answered by what is held out, or in part: neither an answer nor a miss
        lost = bool(each.answers or each.partial) and not answers
        if not each.dev and wrong and not lost:
            right = frozenset((*each.answers, *each.partial))
            near = () if answers else tuple(p for p in wrong if _is_near(p, each))
            judged = Judged(each.alone, answers, wrong, _inside(each, passages), right, near)
            by_source.setdefault(each.source, []).append(judged)
    return tuple(
        replace(judged, unanswered=unanswered)
        for some in by_source.values()
        for unanswered in [tuple(judged for judged in some if not judged.answers)]
        for judged in some
        if judged.answers
    )


def _inside(
    asked: JudgedQuestion, passages: Mapping[str, TrainingPassage]
) -> dict[str, tuple[int, ...]]:
    """Its sentences that are there: some passages are cut at load, by what may change."""
    return {
        name: tuple(i for i in numbers if i < len(passages[name].sentences))
        for name, numbers in asked.sentences.items()
    }


def _is_near(passage: TrainingPassage, asked: JudgedQuestion) -> bool:
    return asked.nearest is None or passage.passage_id in asked.nearest
