"""What a named reranker's logits mean is fitted when it is first used, and kept."""

import logging
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from retrieval.ports import CrossEncoder
from retrieval.search.calibration import RelevanceCalibration
from retrieval.search.reranking import fitted_on_labelled

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Kept:
    reranker: str
    threshold: float
    relevance: RelevanceCalibration | None


_FORM = TypeAdapter(_Kept)


def kept_or_fitted(
    model: CrossEncoder, threshold: float, file: Path
) -> RelevanceCalibration | None:
    """Read from `file` where that is of this model and threshold, else fitted and written there.

    None where the model does not tell what answers from what does not: that is kept as well.
    """
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
        kept = _Kept(model.name, threshold, relevance)
        file.write_bytes(_FORM.dump_json(kept, indent=2) + b"\n")
    return relevance
