"""Comparison, and never a model, tells what in a claim its sources do not bear out."""

from collections.abc import Sequence

from bot.answering.exact.amounts import missing_amounts
from bot.answering.exact.connections import invented_connections
from bot.answering.exact.names import missing_names, swapped_name
from bot.answering.exact.near_copies import (
    NEAR_COPY,
    Alignment,
    align,
    differences,
    omitted_condition,
)
from bot.answering.exact.roles import exchanged_roles
from bot.answering.exact.table_rows import of_another_column, of_another_row


def objections(claim: str, sentences: Sequence[str]) -> tuple[str, ...]:
    """In plain words, for the audit; empty where nothing speaks against the claim.

    `sentences` are those of the cited passages, the first one's heading before all others.
    """
    source = "\n".join(sentences)
    unknown = [*missing_amounts(claim, source), *missing_names(claim, source)]
    nearest = _nearly_copied(claim, sentences)
    swapped = _swapped_name(claim, nearest, sentences) if nearest else None
    return (
        *(f"the source does not say “{each}”" for each in unknown),
        *([f"it says “{swapped[1]}” where its source says “{swapped[0]}”"] if swapped else []),
        *said_of_another(claim, sentences[1:] or sentences),
        *differences(claim, sentences),
        *of_another_column(claim, sentences),
    )


def said_of_another(claim: str, sentences: Sequence[str]) -> tuple[str, ...]:
    """What it says of one that its sources say of another; in plain words, for the audit."""
    exchanged = exchanged_roles(claim, sentences)
    return (
        *(f"“{one}” and “{other}” stand in each other's place" for one, other in exchanged),
        *of_another_row(claim, sentences),
    )


def _nearly_copied(claim: str, sentences: Sequence[str]) -> Alignment | None:
    nearest = align(claim, sentences)
    return nearest if nearest and nearest.alike >= NEAR_COPY else None


def _swapped_name(
    claim: str, nearest: Alignment, sentences: Sequence[str]
) -> tuple[str, str] | None:
    """None where the sentence before has both names, as in "The Registrar is Anna Silva."."""
    swapped = swapped_name(claim, nearest.sentence)
    before = _before(nearest, sentences).casefold()
    return None if swapped and all(name.casefold() in before for name in swapped) else swapped


def _before(nearest: Alignment, sentences: Sequence[str]) -> str:
    at = sentences.index(nearest.sentence)
    return sentences[at - 1] if at else ""


def doubts(claim: str, sentences: Sequence[str]) -> tuple[str, ...]:
    """What may be implied, or told in other words: a model must be sure of it.

    Connections that no source words, and conditions of what the claim nearly copies.
    """
    connected = invented_connections(claim, sentences)
    return (
        *(f"the source does not connect with “{each}”" for each in connected),
        *omitted_condition(claim, sentences),
    )
