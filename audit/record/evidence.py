"""What was found for the audience, by which scores, and what the writer saw of it."""

from collections.abc import Mapping
from datetime import date

from pydantic import ConfigDict, Field

from audit.record.base import Value
from audit.record.places import SourcePlace


class SearchFilter(Value):
    """The filter in force says what the audience could read on that day."""

    facets: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    on: date


class CandidateScores(Value):
    """Every number led to a candidate's place; None where a stage did not see it.

    A score of another name is kept under that name, so that a new retriever needs no field here.
    """

    model_config = ConfigDict(frozen=True, extra="allow", allow_inf_nan=False)
    __pydantic_extra__: dict[str, float] = Field(init=False)
    cosine: float | None = None
    dense_rank: int | None = None
    bm25: float | None = None
    """Of older records alone: it moves with words of documents that the reader may not see."""
    bm25_rank: int | None = None
    fusion: float | None = None
    logit: float | None = None
    """The cross-encoder's raw score."""
    sentence_logit: float | None = None
    """The best of its sentences read alone; given by sentence reranking, as the next three."""
    sentence_cosine: float | None = None
    bare_logit: float | None = None
    """Of the text without its heading."""
    bare_cosine: float | None = None
    relevance: float | None = None
    hierarchy: float | None = None
    recency: float | None = None


class Candidate(Value):
    """A candidate was considered, whether or not the answer rests on it."""

    passage_id: str
    document_id: str
    file: str
    version: str
    place: SourcePlace = SourcePlace()
    scores: CandidateScores = CandidateScores()
    eligibility: str = ""
    """Whether it may be evidence, and why not, in words; empty in older records."""
    used: bool
    """The draft was written from it."""
    overridden_by: str | None = None
    """Passage id of the rule that prevailed for this person."""


class ShownRecord(Value):
    """A passage that the writer was shown; what it says is kept elsewhere, to be erased there."""

    passage_id: str
    document_id: str
    version: str
    sha256: str
    """Of its heading and its text, as they were shown."""
