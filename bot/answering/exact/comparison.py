"""What in a claim its sources do not bear out, by comparison and never by a model."""

from collections.abc import Sequence

from bot.answering.exact.amounts import missing_amounts
from bot.answering.exact.connections import invented_connections
from bot.answering.exact.names import missing_names
from bot.answering.exact.near_copies import ALIKE, align, differences


def objections(claim: str, sentences: Sequence[str]) -> tuple[str, ...]:
    """In plain words, for the audit; empty where nothing speaks against the claim.

    `sentences` are those of the cited passages, their headings among them.
    """
    source = "\n".join(sentences)
    unknown = [*missing_amounts(claim, source), *missing_names(claim, source)]
    elsewhere = [name for name in _misplaced_names(claim, sentences) if name not in unknown]
    return (
        *(f"the source does not say “{each}”" for each in unknown),
        *(f"the sentence it nearly copies does not say “{each}”" for each in elsewhere),
        *differences(claim, sentences),
    )


def _misplaced_names(claim: str, sentences: Sequence[str]) -> list[str]:
    """Names that the sentence lacks which the claim nearly copies, and the one before it, too."""
    nearest = align(claim, sentences)
    if nearest is None or nearest.alike < ALIKE:
        return []
    at = sentences.index(nearest.sentence)
    return missing_names(claim, " ".join(sentences[max(0, at - 1) : at + 1]))


def doubts(claim: str, sentences: Sequence[str]) -> tuple[str, ...]:
    """Connections that no source words; a model must be sure of them, for one may be implied."""
    return tuple(
        f"the source does not connect with “{each}”"
        for each in invented_connections(claim, sentences)
    )
