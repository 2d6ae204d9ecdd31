"""Which calibration fits the models and the writer in use.

A probability that was fitted on the scores of one model says nothing of another's. So what
of a calibration was fitted with others is left out. A writer is like a model here: for copied
sentences the gate's entailment is the probability that they answer, for written ones how well
their sources bear them out. Embedder and index only choose the candidates, and may be others. Only
what ships for language models is for any of them, and says of which one's drafts it was made.
"""

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from bot.answering.gate import (
    COPYING,
    FOR_LANGUAGE_MODELS,
    NONE,
    SHIPPED,
    UNCALIBRATED,
    UNMEASURED_DRAFTS,
    Calibration,
    load_calibration,
)
from retrieval.ports import CrossEncoder
from retrieval.search.reranking import RelevanceCalibration, fitted_on_labelled

GATE_NEEDS = ("reranker", "listwise", "entailment")
"""And the writer; the relevance needs the reranker alone."""
OwnRelevance = Callable[[], RelevanceCalibration | None]
"""Of a reranker that no calibration names, by questions that ship; None where it does not tell."""


@dataclass(frozen=True, slots=True)
class Fitted:
    calibration: Calibration
    misfit: str = ""
    """What does not fit, and what to do; empty where all fits."""
    note: str = ""
    """What is to be known of one that fits; empty where nothing is."""


def fitted_calibration(
    named: Path | None,
    models: Mapping[str, str],
    writer: str,
    shipped: Path = SHIPPED,
    own: OwnRelevance = lambda: None,
) -> Fitted:
    """The named calibration or the shipped one; without a name, `own` fits a foreign reranker."""
    if named:
        return _fitting(load_calibration(named), models, writer)
    for_any = shipped.with_name(FOR_LANGUAGE_MODELS)
    if writer != COPYING and for_any.exists():
        calibration = _with_own(load_calibration(for_any), models, own)
        return _of_any_language_model(calibration, models, writer)
    return _fitting(_with_own(load_calibration(shipped), models, own), models, writer)


def _with_own(
    calibration: Calibration, models: Mapping[str, str], own: OwnRelevance
) -> Calibration:
    """With the relevance of the reranker in use: the gate reads relevance, whosever it is."""
    reranker = models.get("reranker")
    if reranker == calibration.models.get("reranker"):
        return calibration
    relevance = own()
    if relevance is None:
        return calibration
    return replace(
        calibration,
        name=f"{calibration.name}, relevance of {reranker}",
        relevance=relevance,
        models={**calibration.models, "reranker": str(reranker)},
    )


def _of_any_language_model(
    calibration: Calibration, models: Mapping[str, str], writer: str
) -> Fitted:
    """What ships for language models, whichever of them writes."""
    fitted = _fitting(replace(calibration, writer=writer), models, writer)
    if fitted.misfit or calibration.writer == writer:
        return fitted
    made_of = calibration.provenance or f"the drafts of {calibration.writer}"
    gate = (
        f"its gate was fitted on {made_of}; with {writer} it may be too sure or too careful, "
        "which `vouch calibrate --gate-alone` mends"
    )
    return replace(fitted, note=gate)


def _fitting(calibration: Calibration, models: Mapping[str, str], writer: str) -> Fitted:
    others = {
        which: models.get(which, "none")
        for which in GATE_NEEDS
        if models.get(which) != calibration.models.get(which)
    }
    if writer != calibration.writer:
        others["writer"] = writer
    return _without(calibration, others, writer) if others else Fitted(calibration)


def gate_of_copies(
    named: Path | None, models: Mapping[str, str], relevance: RelevanceCalibration
) -> Calibration:
    """A calibration for copied sentences found by `relevance`; without a gate of other models."""
    own = named if named and load_calibration(named).writer == COPYING else SHIPPED
    fitted = fitted_calibration(own, models, COPYING)
    if not fitted.misfit and fitted.calibration.relevance == relevance:
        return fitted.calibration
    return Calibration(_without_gate(load_calibration(own)), relevance)


def _without_gate(calibration: Calibration) -> str:
    return f"{calibration.name}, gate uncalibrated"


def _without(calibration: Calibration, others: Mapping[str, str], writer: str) -> Fitted:
    """`others` are in use, by what they do; the relevance stays where they leave its models."""
    relevance_fits = "reranker" not in others
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


log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Stored:
    reranker: str
    threshold: float
    relevance: RelevanceCalibration | None


_FORM = TypeAdapter(_Stored)


def kept_or_fitted(
    model: CrossEncoder, threshold: float, file: Path
) -> RelevanceCalibration | None:
    """Read from `file`, or fitted and kept there; None, kept as well, if nothing can be told."""
    try:
        kept = _FORM.validate_json(file.read_bytes())
        if (kept.reranker, kept.threshold) == (model.name, threshold):
            return kept.relevance
    except (OSError, ValidationError):
        pass  # of nobody yet, or of another model
    log.warning("Finding out what the scores of %s mean; this takes minutes, once.", model.name)
    relevance = fitted_on_labelled(model, threshold)
    if relevance is None:
        log.warning(
            "The scores of %s do not tell what answers a question from what does not. Name another "
            "model in VOUCH_RERANKER, or fit it to your own questions: vouch calibrate.",
            model.name,
        )
    with suppress(OSError):  # then it is found out again next time
        file.parent.mkdir(parents=True, exist_ok=True)
        kept = _Stored(model.name, threshold, relevance)
        file.write_bytes(_FORM.dump_json(kept, indent=2) + b"\n")
    return relevance
