"""What is said where an answer is made again, or decided again by other thresholds."""

from collections.abc import Mapping, Sequence

NO_ANSWER = (
    "That record is of a search alone: no answer was sought, so there is none to make again."
)
FROM_LIBRARY = (
    "That record is of a question about the library itself, and was answered from what stood in "
    "it then. Ask again to see what stands in it now."
)
SAME = "The same reply comes out, word for word."
ANOTHER = "Another reply comes out."
WHAT_DIFFERS = "What comes out otherwise"
MADE_WITH = "What it is made with otherwise"
LACKING = "What cannot be had again as it was"
ATTACHED = "files that came with the question: their words are not kept with the record"
SEVERAL_PARTS = (
    "which candidates were read for which part of the question: all are read for each of them"
)
BY_LANGUAGE_MODEL = "what a language model writes or judges: asked again, it may say it otherwise"
NO_REASON = (
    "Nothing that the record names is different. It does not name which courses were current, nor "
    "what the ontology and the contacts said."
)
NO_THRESHOLD = "Say what would be otherwise: --answer-at, --partial-at, or both."
ABSTENTIONS = (
    "An abstention does not keep what its sources said against each other, so some that would be "
    "answered may still be held back."
)
JUDGED = {"better": "for the better", "worse": "for the worse", "unknown": "nobody said"}


def gone(file: str, version: str) -> str:
    return f"{file}, version {version}: its text is not kept any more"


def degraded(said: Sequence[str]) -> str:
    return f"what was out of order then: {'; '.join(said)}"


def then_and_now(then: str, now: str) -> str:
    """On two lines."""
    return f"then: {then or 'nothing'}\nnow:  {now or 'nothing'}"


def decided_again(records: int, was: Mapping[str, int], would_be: Mapping[str, int]) -> str:
    counts = ", ".join(f"{name} {was[name]} → {would_be[name]}" for name in was)
    return f"{records} answers decided again: {counts}."


def changes(judged: Mapping[str, int]) -> str:
    """By feedback and labels."""
    if not any(judged.values()):
        return "No decision would change."
    counts = ", ".join(f"{judged[name]} {said}" for name, said in JUDGED.items())
    return f"{sum(judged.values())} would change: {counts}."
