"""`vouch lab standard-answers` tells how often a reviewed answer leads where it should not."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.cli.arguments import path_to_read
from bot.cli.console import Terminal, progress_bar
from bot.cli.container import open_container

if TYPE_CHECKING:
    from retrieval.ports import CrossEncoder

THRESHOLDS = (0.8, 0.86, 0.9, 0.92, 0.94, 0.96)
ITSELF, NEAR, BESIDE = "itself", "nothing answers it", "the passage answers it, too"
Pair = tuple[str, str, str, Sequence[str]]
"""What somebody asks; and how that is to the question that an answer was reviewed for, with that
question and the answer's sentences."""


def standard_answers(
    handbooks: Annotated[
        Path,
        typer.Argument(
            help="Handbooks with questions, as retrieval/training/organisations.jsonl has them.",
            callback=path_to_read,
        ),
    ],
    every: Annotated[
        bool, typer.Option("--all", help="Those as well that taught the models.")
    ] = False,
) -> None:
    """Print by threshold the share of questions that a reviewed answer to a near one would lead.

    Each question with an answer was reviewed, with the sentences that answer it. Near it are those
    that seem to be answered by the same passage and are not, and those that it answers as well.
    """
    from bot.answering.standard import SAME_QUESTION

    rows = map(json.loads, handbooks.read_text(encoding="utf-8").splitlines())
    pairs = [pair for row in rows if every or row["dev"] for pair in pairs_of(row)]
    read: dict[str, list[float]] = {ITSELF: [], NEAR: [], BESIDE: []}
    console = Terminal(stderr=True)
    with open_container().aside() as container, progress_bar(console, "Questions") as report:
        model = container.models.named.cross_encoder
        calibrated = container.models.calibration.relevance.relevance
        for number, (asked, how, question, said) in enumerate(pairs, start=1):
            read[how].append(calibrated(logit(model, asked, question, said)))
            report(number, len(pairs), how)
    lines = [
        f"| threshold | {' | '.join(f'{how}, of {len(found)}' for how, found in read.items())} |",
        f"|{'---|' * (len(read) + 1)}",
    ]
    for threshold in sorted({*THRESHOLDS, SAME_QUESTION}):
        shares = (reached(found, threshold) for found in read.values())
        lines.append(f"| {threshold} | {' | '.join(shares)} |")
    print("\n".join(lines))  # noqa: T201  # the command line's own voice


def pairs_of(handbook: Mapping[str, Any]) -> Iterator[Pair]:
    """Pair each question that has an answer with itself and with those near it."""
    asked = handbook["questions"]
    for reviewed, other in product((each for each in asked if each["answers"]), asked):
        places = {int(place): which for place, which in reviewed["answers"].items()}
        passages = {place: handbook["passages"][place]["sentences"] for place in places}
        said = [passages[place][at] for place, which in places.items() for at in which]
        answers = {int(place) for place in other["answers"]}
        if other is reviewed:
            yield other["q"], ITSELF, reviewed["q"], said
        elif answers & places.keys():
            yield other["q"], BESIDE, reviewed["q"], said
        elif not answers and places.keys() & set(other.get("nearest", ())):
            yield other["q"], NEAR, reviewed["q"], said


def logit(model: "CrossEncoder", asked: str, question: str, said: Sequence[str]) -> float:
    """Return what a search makes of a reviewed answer: the mean of the whole and its best part."""
    from retrieval.search.reranking import windows

    texts = [f"{question}\n{' '.join(said)}", *windows(question, said)]
    whole, *parts = model.logits([(asked, text) for text in texts])[:, 0].tolist()
    return float((whole + max(parts)) / 2)


def reached(found: Sequence[float], threshold: float) -> str:
    share = sum(each >= threshold for each in found) / len(found) if found else 0.0
    return f"{100 * share:.1f} %"
