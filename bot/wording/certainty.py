"""Why a reply is sure or not, in one plain sentence."""

ANOTHER_DAY = "another rule holds on the day that was asked about"
"""The gate's reason, as it is recorded."""
COPIED = "each sentence is copied from its source"
CHECKED = "each sentence was checked against its source"
WEAKEST = {
    "retrieval": "the passages may be about something else than what was asked",
    "entailment": "the sources do not say it in so many words",
    "consistency": "when I tried again, I did not say the same",
}
"""What speaks most against an answer, by the confidence that is lowest."""


def sure(borne_out: str) -> str:
    """`borne_out`: `COPIED` or `CHECKED`, as in the others."""
    return f"I'm sure of it: the passages fit the question well, and {borne_out}."


def not_sure(weakest: str, borne_out: str) -> str:
    return f"I'm not sure of it, for {weakest}; still, {borne_out}."


def another_day(borne_out: str) -> str:
    return f"Another rule holds on the day that you asked about; of today's, {borne_out}."


def in_part(borne_out: str) -> str:
    return (
        "A part of the question has no answer in the documents that I could use; "
        f"of what I do say, {borne_out}."
    )
