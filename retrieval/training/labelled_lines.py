"""Weights by which a line's label is told are fitted to lines that people labelled.

Kernel ridge regression, one score for each label; as little of a line as is needed is kept.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrieval.language import meanings
from retrieval.language.meanings import ORDINARY, WORDS, Meaning, Wanted, framed, likeness, terms
from retrieval.language.words import stems, words_of
from retrieval.ports import Embedder

SMOOTHING = 0.2
"""Of the regression; as `NEARNESS` and `WORDS`, chosen by cross-validation on the lines."""
LINES_WITH_IT = 2
"""At least, for a term to count."""
OF_THE_FRAME = 3
"""Lines that have a word outside what they are about, at least, for it to say nothing of that."""
MEANINGS, LIBRARY_QUESTIONS = (
    Path(__file__).parent / f"{name}.jsonl" for name in ("meanings", "library_questions")
)


def fit_all(embedder: Embedder) -> None:
    """Write what a line means, and what a question wants of the library, into the package."""
    lines = list(_read(MEANINGS))
    said = [(str(each["said"]), str(each["meaning"])) for each in lines]
    fit(embedder, said, list(Meaning), meanings.MEANINGS)
    asked = list(_read(LIBRARY_QUESTIONS))
    wanted = [(str(each["said"]), str(each["wants"])) for each in asked]
    ordinary = [(line, ORDINARY) for line, meaning in said if meaning == Meaning.QUESTION]
    around = Counter(
        framed(stem, Wanted(str(each["wants"])))
        for each in asked
        if "topic" in each
        for stem in _around(each)
    )
    frame = [stem for stem, count in around.items() if count >= OF_THE_FRAME]
    fit(embedder, [*wanted, *ordinary], [ORDINARY, *Wanted], meanings.LIBRARY_QUESTIONS, frame)


def _read(lines: Path) -> Iterator[Mapping[str, object]]:
    return map(json.loads, lines.read_text("utf-8").splitlines())


def _around(line: Mapping[str, object]) -> frozenset[str]:
    """Stems of the words of a line outside what it is about."""
    about = stems(words_of(str(line["topic"])))
    return stems(words_of(str(line["said"]))) - about


def fit(
    embedder: Embedder,
    lines: Sequence[tuple[str, str]],
    labels: Sequence[str],
    out: Path,
    frame: Collection[str] = (),
) -> None:
    """Write the weights; `lines`: each with its label, `frame`: as in `Fitted`."""
    said = [line for line, _ in lines]
    wanted = np.array([[2.0 * (label == one) - 1 for one in labels] for _, label in lines])
    exact = embedder.embed(said)
    kept = np.clip(np.round(exact * 127), -127, 127).astype(np.int8)
    vectors = np.asarray(kept / 127, np.float32)
    known, having = _having(said)
    alike = likeness(vectors, vectors) + WORDS * having @ having.T
    by_line = np.linalg.solve(alike + SMOOTHING * np.eye(len(said)), wanted)
    np.savez_compressed(
        out,
        meanings=np.array(labels),
        vectors=kept,
        by_line=by_line.astype(np.float16),
        terms=np.array(known),
        by_term=(having.T @ by_line).astype(np.float16),
        frame=np.array(sorted(frame), np.str_),
    )


def _having(said: Sequence[str]) -> tuple[list[str], NDArray[np.float32]]:
    """The terms of several lines, and which line has which: rows of length 1."""
    each = [terms(line) for line in said]
    counted = Counter(term for own in each for term in own)
    known = sorted(term for term, count in counted.items() if count >= LINES_WITH_IT)
    rows = np.array([[term in own for term in known] for own in each], np.float32)
    return known, rows / np.sqrt(np.maximum(rows.sum(1, keepdims=True), 1))
