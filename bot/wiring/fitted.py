"""Which calibration fits the models and the writer in use.

A probability that was fitted on the scores of one model says nothing of another's. So what
of a calibration was fitted with others is left out. A writer is like a model here: for copied
sentences the gate's entailment is the probability that they answer, for written ones how well
their sources bear them out. So is the engine of the index, where raw BM25 is weighed, which is its
own; where only ranks are, another engine's are much the same, and that is noted. Only what ships
for language models is for any of them, and says of which one's drafts it was made.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from bot.answering.calibration import (
    COPYING,
    FOR_LANGUAGE_MODELS,
    NONE,
    SHIPPED,
    Calibration,
    load_calibration,
)
from bot.answering.gate import UNCALIBRATED, UNMEASURED_DRAFTS
from retrieval.calibration import RelevanceCalibration
from retrieval.scores import BM25

RANK_CONSTANT = "rank constant"
"""Of reciprocal rank fusion, whose scores are weighed; named where it is not the usual one."""
RELEVANCE_NEEDS = ("embedder", "reranker", "index", RANK_CONSTANT)
"""The gate needs these, the entailment model and the writer; of further embedders, too, which move
the fusion's scores."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A calibration of which nothing is left that does not fit."""

    calibration: Calibration
    misfit: str = ""
    """What does not fit, and what to do; empty where all fits."""
    note: str = ""
    """What is to be known of one that fits; empty where nothing is."""


def fitted_calibration(
    named: Path | None,
    models: Mapping[str, str],
    writer: str,
    index: str,
    shipped: Path = SHIPPED,
) -> Fitted:
    """The named calibration or the shipped one; `models`: names, by what they do.

    Raise `BadConfiguration` for a bad file.
    """
    for_any = shipped.with_name(FOR_LANGUAGE_MODELS)
    if named is None and writer != COPYING and for_any.exists():
        return _of_any_language_model(load_calibration(for_any), models, writer, index)
    return _fitting(load_calibration(named or shipped), models, writer, index)


def _of_any_language_model(
    calibration: Calibration, models: Mapping[str, str], writer: str, index: str
) -> Fitted:
    """What ships for language models, whichever of them writes."""
    fitted = _fitting(replace(calibration, writer=writer), models, writer, index)
    if fitted.misfit or calibration.writer == writer:
        return fitted
    made_of = calibration.provenance or f"the drafts of {calibration.writer}"
    gate = (
        f"its gate was fitted on {made_of}; with {writer} it may be too sure or too careful, "
        "which `vouch calibrate --gate-alone` mends"
    )
    return replace(fitted, note=f"{fitted.note}; {gate}" if fitted.note else gate)


def _fitting(
    calibration: Calibration, models: Mapping[str, str], writer: str, index: str
) -> Fitted:
    fitted_with = {
        **calibration.models,
        "writer": calibration.writer,
        "index": calibration.index,
    }
    in_use = dict.fromkeys(fitted_with, "none") | {**models, "writer": writer, "index": index}
    others = {which: name for which, name in in_use.items() if fitted_with.get(which) != name}
    note = ""
    if "index" in others and not calibration.relevance.weighs(BM25):
        note = _other_engine(calibration.index, others.pop("index"))
    return _without(calibration, others, writer) if others else Fitted(calibration, note=note)


def _other_engine(fitted_with: str, index: str) -> str:
    return (
        f"fitted with these models and this writer, and with the index {fitted_with}; {index} "
        "ranks by words much the same, and scores by words are not weighed"
    )


def gate_of_copies(
    named: Path | None, models: Mapping[str, str], index: str, relevance: RelevanceCalibration
) -> Calibration:
    """A calibration whose gate is for copied sentences that were found by `relevance`.

    The named one where it was made of copies, else the shipped one; without its gate where that
    belongs to other models or to another relevance. Raise `BadConfiguration` for a bad file.
    """
    own = named if named and load_calibration(named).writer == COPYING else SHIPPED
    fitted = fitted_calibration(own, models, COPYING, index)
    if not fitted.misfit and fitted.calibration.relevance == relevance:
        return fitted.calibration
    return Calibration(_without_gate(load_calibration(own)), relevance)


def _without_gate(calibration: Calibration) -> str:
    return f"{calibration.name}, gate uncalibrated"


def _without(calibration: Calibration, others: Mapping[str, str], writer: str) -> Fitted:
    """`others` are in use, by what they do; the relevance stays where they leave its models."""
    relevance_fits = not any(which.startswith(RELEVANCE_NEEDS) for which in others)
    gate = UNCALIBRATED if writer == COPYING else UNMEASURED_DRAFTS
    left = Calibration(_without_gate(calibration), calibration.relevance, gate)
    unknown = ", ".join(f"{which} {name}" for which, name in others.items())
    return Fitted(
        left if relevance_fits else replace(NONE, gate=gate),
        f"The calibration {calibration.name} was not fitted with the {unknown} in use, so "
        f"{'the confidence of answers is' if relevance_fits else 'scores and thresholds are'} "
        "uncalibrated. Run `vouch calibrate` with labelled questions and set "
        "VOUCH_CALIBRATION to its file.",
    )
