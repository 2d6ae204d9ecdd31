"""How good the answers are as shipped: a floor on the sample, and what each stage is worth."""

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest
from broken_stages import BROKEN, UNCHECKED, altered, invented, lying

from audit.record import Decision
from bot.lab.recipe import Compose
from bot.quality import metrics
from bot.quality.questions import QuestionKind, load_questions
from bot.quality.run import Evaluation, LabelledOutcome
from bot.settings import Settings
from bot.wiring import Container
from retrieval.metadata.access import EVERYBODY

SAMPLE = Path(__file__).resolve().parents[1] / "deploy" / "sample"

AT_LEAST = {
    "answered rightly": 0.86,
    "citations that are right": 0.8,
    "MRR": 0.9,
    "follow-ups answered rightly": 0.83,
}
AT_MOST = {
    "false answers": 0.0,
    "forbidden documents shown": 0.0,
    "half an answer taken for a whole one": 0.0,
}
LIES: Mapping[str, tuple[Callable[[str], str], float]] = {
    "altered": (altered, 0.03),
    "invented": (invented, 0.0),
}
"""How a writer lies, and the share of its lies that may be borne out."""
MAKES_WORSE = {
    "a dull reranker": "false answers",
    "no windows": "answered rightly",
    "no threshold": "citations that are right",
    "no levels": "citations that are right",
    "no days": "forbidden documents shown",
    "no memory": "follow-ups answered rightly",
}
"""What a stage that breaks makes worse."""
LETS_THROUGH = {
    "no verification": "altered",
    "no exact comparison": "altered",
    "a credulous model": "invented",
}

pytestmark = pytest.mark.timeout(900)

Figures = Mapping[str, float]


@dataclass(frozen=True)
class Shipped:
    """The bot on its own settings, with the sample ingested; its models read every text once."""

    container: Container
    evaluation: Evaluation

    def asked(self, composed: Compose) -> list[LabelledOutcome]:
        return self.evaluation.answers(composed(self.container.answering), lambda *_: None)


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Shipped:
    home = tmp_path_factory.mktemp("shipped")
    shutil.copy(SAMPLE / "people.yaml", home)
    container = Container(Settings(home=home)).caching()
    container.ingest.run(SAMPLE / "documents", EVERYBODY, lambda *_: None)
    asked = load_questions(SAMPLE / "questions.jsonl", None)
    return Shipped(container, container.evaluation(asked, date(2026, 11, 21)))


@pytest.fixture(scope="module")
def as_shipped(shipped: Shipped) -> Figures:
    return figures(shipped.asked(lambda answering: answering))


def figures(outcomes: Sequence[LabelledOutcome]) -> Figures:
    """Shares from 0 to 1, and a count of documents."""
    found = {**metrics.retrieval(outcomes), **metrics.gate(outcomes), **metrics.citations(outcomes)}
    partial = of_kind(QuestionKind.PARTIAL, outcomes)
    return {
        "answered rightly": found["coverage"] or 0.0,
        "citations that are right": found["citation precision"] or 0.0,
        "MRR": found["MRR"] or 0.0,
        "follow-ups answered rightly": share(
            [o.answered and o.cites_gold for o in of_kind(QuestionKind.FOLLOWUP, outcomes)]
        ),
        "false answers": found["false answers"] or 0.0,
        "forbidden documents shown": found["forbidden"] or 0.0,
        "half an answer taken for a whole one": share(
            [o.decision is Decision.ANSWER for o in partial]
        ),
    }


def of_kind(kind: QuestionKind, outcomes: Sequence[LabelledOutcome]) -> list[LabelledOutcome]:
    return [outcome for outcome in outcomes if outcome.question.kind is kind]


def share(held: Sequence[bool]) -> float:
    return sum(held) / len(held)


def out_of_bounds(measured: Figures) -> set[str]:
    under = {name for name, least in AT_LEAST.items() if measured[name] < least}
    return under | {name for name, most in AT_MOST.items() if measured[name] > most}


def borne_out(outcomes: Sequence[LabelledOutcome]) -> float:
    """The share of what was drafted that passed for supported, whatever the gate decided."""
    written = (each for outcome in outcomes for each in (*outcome.claims, *outcome.dropped))
    drafted = [claim for claim in written if not claim["copied"]]  # else in the source's own words
    return share([claim["status"] == "VERIFIED" for claim in drafted])


def test_as_shipped_it_stands_over_the_floor(as_shipped: Figures) -> None:
    assert not out_of_bounds(as_shipped), as_shipped


@pytest.mark.parametrize("lie", LIES)
def test_hardly_a_lie_is_borne_out(shipped: Shipped, lie: str) -> None:
    instead, most = LIES[lie]
    assert borne_out(shipped.asked(lying(instead))) <= most


@pytest.mark.parametrize("stage", BROKEN)
def test_a_stage_that_breaks_makes_answers_worse(
    shipped: Shipped, as_shipped: Figures, stage: str
) -> None:
    name = MAKES_WORSE[stage]
    broken = figures(shipped.asked(BROKEN[stage]))[name]
    assert broken > as_shipped[name] if name in AT_MOST else broken < as_shipped[name]


@pytest.mark.parametrize("stage", UNCHECKED)
def test_a_check_that_breaks_lets_more_lies_through(shipped: Shipped, stage: str) -> None:
    instead, _ = LIES[LETS_THROUGH[stage]]
    unchecked = shipped.asked(lambda answering: UNCHECKED[stage](lying(instead)(answering)))
    assert borne_out(unchecked) > borne_out(shipped.asked(lying(instead)))
