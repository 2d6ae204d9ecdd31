"""The weights by which a question about the library is told are fitted to labelled lines.

    python -m retrieval.training.library_questions

Questions of `meanings.jsonl` are ordinary ones.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from retrieval.language.meanings import LIBRARY_QUESTIONS, ORDINARY, Meaning, Wanted, framed
from retrieval.language.words import stems, words_of
from retrieval.models.embedders import BundledEmbedder
from retrieval.ports import Embedder
from retrieval.training.labelled_lines import fit

LINES = Path(__file__).parent / "library_questions.jsonl"
FURTHER = LINES.with_name("meanings.jsonl")
OF_THE_FRAME = 3
"""Lines that have a word outside what they are about, at least, for it to say nothing of that."""


def main(
    embedder: Embedder | None = None,
    lines: Path = LINES,
    further: Path = FURTHER,
    out: Path = LIBRARY_QUESTIONS,
) -> None:
    """Write the weights."""
    labelled = list(_read(lines))
    said = [(str(each["said"]), str(each["wants"])) for each in labelled]
    said += [
        (str(each["said"]), ORDINARY)
        for each in _read(further)
        if each["meaning"] == Meaning.QUESTION
    ]
    around = Counter(
        framed(stem, Wanted(str(each["wants"])))
        for each in labelled
        if "topic" in each
        for stem in _around(each)
    )
    frame = [stem for stem, count in around.items() if count >= OF_THE_FRAME]
    fit(embedder or BundledEmbedder(), said, [ORDINARY, *Wanted], out, frame)


def _read(lines: Path) -> Iterator[Mapping[str, object]]:
    return map(json.loads, lines.read_text("utf-8").splitlines())


def _around(line: Mapping[str, object]) -> frozenset[str]:
    """Stems of the words of a line outside what it is about."""
    about = stems(words_of(str(line["topic"])))
    return stems(words_of(str(line["said"]))) - about


if __name__ == "__main__":
    main()
