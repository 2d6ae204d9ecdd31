"""A claim is compared with its sources word by word, beside the model that reads them."""

import re
from collections.abc import Sequence

from bot.answering.copying import SentenceAt, left_out
from bot.answering.exact.comparison import doubts, objections, said_of_another
from bot.answering.exact.connections import put_together
from bot.answering.exact.near_copies import cut_short, says_something
from bot.answering.premises import Premise


class ExactComparison:
    """It compares numbers, names, addresses, negations, conditions and connections.

    Every method but `put_together` returns reasons in plain words, for the audit, in no promised
    order, and none where nothing speaks against the claim. Whatever it is given may be empty, and
    nothing is raised.
    """

    def left_out(self, claim: str, places: Sequence[SentenceAt], before: str, /) -> tuple[str, ...]:
        """What makes another thing of the places, beside them or by what was said `before`."""
        return left_out(claim, places, before)

    def against(self, claim: str, source: Premise, left: Sequence[str], /) -> tuple[str, ...]:
        """What no source of all that are cited bears out; `left` is what the claim leaves out."""
        unknown = missing_addresses(claim, source.text)
        return (
            *(f"it leaves out “{each}”" for each in left),
            *(f"the source does not say “{each}”" for each in unknown),
            *cut_short(claim, source.sentences),
            *said_of_another(claim, source.sentences),
            *([] if says_something(claim) else ["it is too little to say anything"]),
        )

    def objections(self, claim: str, sentences: Sequence[str], /) -> tuple[str, ...]:
        """What in the claim the sentences of one premise do not bear out: it is not entailed."""
        return objections(claim, sentences)

    def doubts(self, claim: str, sentences: Sequence[str], /) -> tuple[str, ...]:
        """What may be implied by the sentences: the model must be surer."""
        return doubts(claim, sentences)

    def put_together(self, claim: str, sentences: Sequence[str], /) -> tuple[str, ...]:
        """The two facts that a claim merely puts together; empty where it does more."""
        return put_together(claim, sentences) or ()


_ADDRESS = re.compile(
    r"\w[\w+.-]*://[^\s<>\"“”]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|www\.[^\s<>\"“”]+"
    r"|\b(?:[a-z0-9-]+\.)+[a-z]{2,}(?::\d+)?/[^\s<>\"“”]*",
    re.IGNORECASE,
)


def missing_addresses(claim: str, source: str) -> list[str]:
    """Those of the claim that the source does not have."""
    named = source.casefold()
    found = (each.rstrip(".,;:!?)]}’”") for each in _ADDRESS.findall(claim))
    return [address for address in dict.fromkeys(found) if address.casefold() not in named]
