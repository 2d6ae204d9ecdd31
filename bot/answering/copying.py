"""A claim is a copy if it is whole sentences that it cites, one after another, and nothing else.

A piece of a sentence may say the opposite of it: "employees may carry over leave" stands in "It
is not true that employees may carry over leave."
"""

from collections.abc import Iterable, Sequence

from bot.answering.anchors import defused
from bot.answering.exact.near_copies import content, marks
from bot.answering.surroundings import IN_PASSAGE_BEFORE, excepts, restricting_lead
from retrieval.types import Passage

Place = tuple[Passage, int]
"""A sentence by its index."""
TOLD = 0.5
"""Share, 0 to 1, of an exception's content words over which a claim tells it in other words. Not
measured; chosen so that most of them must be there."""


def copied(claim: str, cited: Sequence[Place]) -> tuple[Place, ...]:
    """The cited sentences that the claim puts together, in its order; empty where it is no copy.

    Only a full stop at its end may be missing.
    """
    whole = _folded(claim)
    sentences = [(place, _folded(place[0].sentences[place[1]].text)) for place in cited]
    reached: dict[int, tuple[Place, ...]] = {0: ()}
    for at in range(len(whole)):
        for place, text in sentences if at in reached else ():
            if not text or place in reached[at]:
                continue
            if whole[at:].removesuffix(".") == text.removesuffix("."):
                return (*reached[at], place)
            if whole.startswith(f"{text} ", at):
                reached.setdefault(at + len(text) + 1, (*reached[at], place))
    return ()


def left_out(claim: str, places: Sequence[Place]) -> tuple[str, ...]:
    """What stands beside the places and makes another thing of them, which the claim leaves out."""
    known = set(places)
    beside = [each for place in places for each in _decisive(*place) if each not in known]
    texts = (
        passage.sentences[0].list_lead
        if index == IN_PASSAGE_BEFORE
        else passage.sentences[index].text
        for passage, index in beside
    )
    return tuple(dict.fromkeys(text for text in texts if not _said(text, claim)))


def _decisive(passage: Passage, index: int) -> Iterable[Place]:
    if (lead := restricting_lead(passage, index)) is not None:
        yield passage, lead
    if excepts(passage, index + 1) and not excepts(passage, index):
        yield passage, index + 1


def _said(text: str, claim: str) -> bool:
    """Whether the claim has most of its words: an exception that is told in other words.

    Half are enough where it binds, denies and restricts alike, as "Calls are not paid for" does
    under "The fund does not pay for:".
    """
    words = content(text)
    shared = len(words & content(claim))
    alike = marks(text) == marks(claim) and bool(marks(text))
    return shared >= TOLD * len(words) if alike else shared > TOLD * len(words)


def _folded(text: str) -> str:
    """As a writer was shown it, in one line."""
    return defused(" ".join(text.split()))
