"""The card of a run says what its model was made from, and how well it does.

All that a run knows is taken from the run; under which licences its data were published stands
here. What the models are for, and what they cannot do, stands beside those that ship.
"""

import os
import platform
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass

import torch

from retrieval.training.data import CLAIMS_WRITTEN, TABLES, TrainingData
from retrieval.training.figures import judged_for_training
from retrieval.training.labels import ORGANISATIONS, Labels
from retrieval.training.loop import Plan

WIKIPEDIA = "texts of Wikipedia, CC BY-SA"
UNSTATED = "none stated with the data"
CONTRAST_PAIRS, UNREAD, FOLLOWUPS = "contrast pairs", "asked unread", "follow-ups"
"""What ships in this folder and counts as a source of its own."""
LICENCES = {
    # The README beside the data.
    "18f-guides": "US public domain, CC0 elsewhere",
    "login-handbook": "work of the US government",
    "cloud-gov": "US public domain, CC0 elsewhere",
    "clef": "CC0 1.0",
    "meltano": "MIT, copyright 2021 Meltano",
    "sourcegraph": "Apache 2.0, copyright Sourcegraph, Inc.",
    "families": "written for this project",
    TABLES: "tables of invented organisations, of this project",
    CLAIMS_WRITTEN: "claims as language models write them, of this project",
    "reg-handbook": "CC BY 4.0, Research Engineering Group of the Alan Turing Institute",
    "carpentries": "CC BY 4.0, The Carpentries",
    "artsy": "CC BY 4.0, Artsy",
    "github-site-policy": "CC0 1.0",
    "govuk-docs": "MIT, Crown copyright 2016 (Government Digital Service)",
    "gds-way": "MIT, Crown copyright 2018 (Government Digital Service)",
    "kubernetes-community": "Apache 2.0, the Kubernetes Authors",
    "rust-forge": "MIT or Apache 2.0, the Rust project",
    "caktus": "MIT, copyright 2015-2023 Caktus Consulting Group",
    "squad": "CC BY-SA 4.0",
    "medquad": "CC BY 4.0",
    "syn": "claims altered by rule, of this project",
    CONTRAST_PAIRS: "claims in contrast pairs, of this project",
    UNREAD: "questions of who had not read, of this project",
    FOLLOWUPS: "conversations, of this project",
    ORGANISATIONS: "handbooks of invented organisations, of this project",
    # Their publishers' own pages.
    "ares-nq": f"questions by ARES; {WIKIPEDIA}",
    "ares-hotpotqa": f"questions by ARES; {WIKIPEDIA}",
    "ares-wow": f"questions by ARES; {WIKIPEDIA}",
    "ares-record": f"questions by ARES; of the news texts {UNSTATED}",
    "ares-multirc": f"questions by ARES; of the texts {UNSTATED}",
    "covidqa": "Apache 2.0",
    "stackfaq": "CC BY-SA, Stack Exchange and its writers",
    "deb-policy": "GPL 2 or later, Debian",
    "deb-handbook": "CC BY-SA 3.0 or GPL 2 or later, Debian",
    "deb-devref": "GPL 2 or later, Debian",
    "deb-faq": "GPL 2 or later, Debian",
    "python": "PSF License 2",
    "snli": "CC BY-SA 4.0",
    "mnli": "licence of the Open American National Corpus, CC BY, CC BY-SA 3.0, MIT",
    "vitaminc": WIKIPEDIA,
    "fm2": WIKIPEDIA,
    "wice": WIKIPEDIA,
    "conjnli": WIKIPEDIA,
    "policyqa": UNSTATED,
    "rte": UNSTATED,
    "scitail": UNSTATED,
}
"""By source; a source that is missing here stops a run before it begins."""


@dataclass(frozen=True, slots=True)
class Examples:
    """Examples are questions or claims of one source."""

    trained: int
    held_out: int


@dataclass(frozen=True, slots=True)
class Result:
    """A run knows this about itself."""

    model: str
    start: str
    """What training started from, with its licence or hash."""
    plan: Plan
    examples: Mapping[str, Examples]
    """By source."""
    machine: str
    before: Mapping[str, float]
    after: Mapping[str, float]
    shipped: Mapping[str, float]
    """After, in the eight bits that ship."""


def examples(model: str, data: TrainingData) -> dict[str, Examples]:
    """How many questions or claims each source gives to this model."""
    trained: Counter[str] = Counter()
    held_out: Counter[str] = Counter()
    labels = Labels.shipped().about(data.passages)
    for item in data.items:
        passage = data.passages[item.passage_id]
        claims = (item.yes, item.no, item.maybe) if item.yes else ()
        written = claims if model == "entailment" else item.questions
        (held_out if passage.dev else trained)[passage.source] += len(written)
    if model == "entailment":
        from retrieval.training.entailment_pairs import held_out as apart

        for pair in data.claims:
            (held_out if apart(pair) else trained)[pair.source] += 1
        for claimed in data.model_claims:
            (held_out if claimed.dev else trained)[claimed.source] += len(claimed.claims)
        for pairs in labels.contrast_pairs:
            passage = data.passages[pairs.passage_id]
            (held_out if passage.dev else trained)[CONTRAST_PAIRS] += 2 * len(pairs.twins) + 1
    else:
        for question in data.general_questions:
            (held_out if question.dev else trained)[question.source] += 1
        invented = Labels(organisations=labels.organisations, passages=labels.passages)
        for name, some, asked in (
            (UNREAD, Labels(unread=labels.unread), labels.unread),
            (FOLLOWUPS, Labels(followups=labels.followups), labels.followups),
            (ORGANISATIONS, invented, labels.organisations),
        ):
            answered = judged_for_training(some, data.passages)
            # of what nothing answers the embedder takes one question for a passage at most
            beside = {other.question for each in answered for other in each.unanswered}
            trained[name] = len(answered) + (len(beside) if model == "reranker" else 0)
            held_out[name] = sum(each.dev for each in asked)
    told = {source for source in (*trained, *held_out) if trained[source] or held_out[source]}
    sources = sorted(told, key=lambda source: (-trained[source], source))
    return {source: Examples(trained[source], held_out[source]) for source in sources}


def machine(device: torch.device) -> str:
    """What kind of machine this is, without its name."""
    cores = len(os.sched_getaffinity(0))
    place = f"{cores} {'core' if cores == 1 else 'cores'}, {platform.machine()}"
    if device.type == "cuda":
        place = f"{torch.cuda.get_device_name(device)}, {place}"
    return f"{place}; PyTorch {torch.__version__}, Python {platform.python_version()}"


def card(result: Result) -> str:
    """The card as Markdown."""
    most = result.plan.steps * result.plan.batch
    parts = [
        f"# Vouch's {result.model}",
        "## How it was made",
        _table(
            ("", ""),
            [
                ("Started from", result.start),
                ("Machine", result.machine),
                ("Steps", f"{result.plan.steps:,}, of at most {result.plan.batch} examples each"),
                ("Examples seen", f"at most {most:,}"),
                *(
                    (name.replace("_", " ").capitalize(), f"{value:g}")
                    for name, value in asdict(result.plan).items()
                    if name not in ("steps", "batch")
                ),
            ],
        ),
        "## Data",
        _table(
            ("source", "trained on", "held out", "licence"),
            [
                (name, f"{each.trained:,}", f"{each.held_out:,}", LICENCES[name])
                for name, each in result.examples.items()
            ],
        ),
        "Counted are questions or claims. Other passages of these sources serve as wrong "
        "answers, or as matter for claims altered by rule. What is held out was chosen by "
        "file, document or premise, and nothing of those is trained on.",
        "## Figures on held-out data",
        "Before is the model that training started from, read by the same program. As it ships "
        "is the trained one in eight bits; what those cost is its distance from after.",
        _figures(result.before, result.after, result.shipped),
    ]
    return "\n\n".join(parts) + "\n"


def _figures(
    before: Mapping[str, float], after: Mapping[str, float], shipped: Mapping[str, float]
) -> str:
    return _table(
        ("figure", "before", "after", "change", "as it ships"),
        [
            (
                name,
                f"{before[name]:.3f}",
                f"{value:.3f}",
                f"{value - before[name]:+.3f}",
                f"{shipped[name]:.3f}",
            )
            for name, value in after.items()
        ],
    )


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
