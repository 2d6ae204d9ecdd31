"""What the gate decided, and by which confidences."""

from enum import StrEnum

from audit.record.base import Value


class Decision(StrEnum):
    """What the gate decided."""

    ANSWER = "ANSWER"
    PARTIAL = "PARTIAL"
    ABSTAIN = "ABSTAIN"


class ConfidenceRecord(Value):
    """The gate's confidences lie between 0 and 1; None stands for one not measured.

    In records of 0.3 and before coverage is the share of the parts that have evidence, and the
    entailment of copied sentences the relevance of their passages.
    """

    retrieval: float | None = None
    coverage: float | None = None
    entailment: float | None = None
    consistency: float | None = None
    overall: float | None = None
