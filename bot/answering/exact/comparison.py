"""What in a claim its sources do not bear out, by comparison and never by a model."""

from collections.abc import Sequence

from bot.answering.exact.amounts import missing_amounts
from bot.answering.exact.connections import invented_connections
from bot.answering.exact.names import missing_names, swapped_names
from bot.answering.exact.near_copies import ALIKE, Alignment, align, differences


def objections(claim: str, sentences: Sequence[str]) -> tuple[str, ...]:
    """In plain words, for the audit; empty where nothing speaks against the claim.

    `sentences` are those of the cited passages, their headings among them.
    """
    source = "\n".join(sentences)
    unknown = [*missing_amounts(claim, source), *missing_names(claim, source)]
    nearest = _nearly_copied(claim, sentences)
    misplaced = _misplaced_names(claim, nearest, sentences) if nearest else []
    elsewhere = [name for name in misplaced if name not in unknown]
    swapped = swapped_names(claim, nearest.sentence) if nearest and nearest.covered >= ALIKE else []
    return (
        *(f"the source does not say “{each}”" for each in unknown),
        *(f"the sentence it nearly copies does not say “{each}”" for each in elsewhere),
        *(f"it says “{now}” where its source says “{was}”" for was, now in swapped),
        *differences(claim, sentences),
    )


def _nearly_copied(claim: str, sentences: Sequence[str]) -> Alignment | None:
    nearest = align(claim, sentences)
    return nearest if nearest and nearest.alike >= ALIKE else None


def _misplaced_names(claim: str, nearest: Alignment, sentences: Sequence[str]) -> list[str]:
    """Names that the sentence lacks which the claim nearly copies, and the one before it, too."""
    at = sentences.index(nearest.sentence)
    return missing_names(claim, " ".join(sentences[max(0, at - 1) : at + 1]))


def doubts(claim: str, sentences: Sequence[str]) -> tuple[str, ...]:
    """Connections that no source words; a model must be sure of them, for one may be implied."""
    return tuple(
        f"the source does not connect with “{each}”"
        for each in invented_connections(claim, sentences)
    )
