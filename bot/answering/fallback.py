"""Sentences are copied where a language model fails: chosen by a setting, never hidden.

A copy is held to what copies always are: the threshold of its evidence, a check that needs no
language model, and a gate that was fitted on copies.
"""

import logging
from dataclasses import dataclass, replace

from bot import wording
from bot.answering.gate import Decide
from bot.answering.recording import Circumstances
from bot.answering.values import Brief, Claim, Draft
from bot.answering.verification import ClaimVerifier
from bot.answering.writers.port import Writer
from bot.errors import WriterUnavailable
from retrieval.search.selection import without_floor
from retrieval.types import Evidence

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Drafted:
    """A draft, what it was made from, its checked claims, and what it is held to."""

    evidence: Evidence
    draft: Draft
    claims: tuple[Claim, ...]
    gate: Decide
    circumstances: Circumstances


@dataclass(frozen=True, slots=True)
class Fallback:
    """It drafts in place of a writer that cannot, and says so in the draft."""

    writer: Writer
    threshold: float
    """Relevance, 0 to 1, from which a passage is evidence for this writer."""
    verification: ClaimVerifier
    gate: Decide
    circumstances: Circumstances

    def __call__(self, brief: Brief, error: WriterUnavailable) -> Drafted:
        """Raise `WriterUnavailable` where this writer fails as well."""
        log.warning("The writer failed, so %s writes: %s", self.writer.name, error)
        evidence = without_floor(brief.evidence, self.threshold)
        draft = self.writer.write(replace(brief, evidence=evidence))
        return Drafted(
            evidence,
            replace(draft, degraded=f"{wording.FALLBACK_WRITER} ({error})"),
            self.verification(draft),
            self.gate,
            self.circumstances,
        )
