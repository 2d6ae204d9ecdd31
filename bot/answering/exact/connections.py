"""A claim may join facts by a cause or comparison that no source states.

"Sales grew while the market fell, which shows ..." cites true facts and is the most
dangerous mistake of a writer. A connecting word in a claim is borne out only by one of
its kind between the same two things in a source.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from bot.answering.exact.near_copies import NEAR_COPY, align, content
from retrieval.language.questions import begins_with_pronoun

_CAUSE = re.compile(
    r"\b(?:because|since|as a (?:result|consequence)|therefore|thus|hence|consequently|thereby|"
    r"accordingly|so that|in order (?:that|to)|due to|owing to|thanks to|given that|"
    r"the reason|that is why|that['’]s why|which is why|which explains|"
    r"(?:which|this|that|and) (?:\w+ )?(?:shows?|means?|proves?|implies|explains?|leads? to|led to|"
    r"causes?|caused|results? in|resulted in|ensures?|makes? sure)|meaning that|"
    r"(?:shows?|proves?|implies|explains?) (?:that|why)|"
    r"leads? to|it follows that|so)\b|(?:, |^)as (?!well|an?\b|if|though|of|for|to\b)",
    re.I,
)
_COMPARISON = re.compile(
    r"\b(?:more|less|fewer|better|worse|(?!other|rather)\w+er) (?:\w+ ){0,3}than\b"
    r"(?! (?:\W?\d|an?\b|one|two|three|four|five|six|seven|eight|nine|ten))|"
    r"\bcompared (?:to|with)\b|"
    r"\bunlike\b|\bin contrast\b|\bwhereas\b|\boutweighs?\b|\bas soon as\b|\bwhenever\b",
    re.I,
)
_AND = re.compile(r"(?:;|,? and) ")
AT_THE_BEGINNING = 12
"""Characters before it: "This is because ...", "And therefore ..."."""
SPEAKS_OF = 0.5
"""Share, 0 to 1, of a side's content words that sentences of the source must have to speak of it.
Not measured; chosen so that a side may be told in other words, by half of it."""


def invented_connections(claim: str, sentences: Sequence[str]) -> list[str]:
    """Connecting words of the claim that neither a sentence nor two neighbours bear out."""
    return [
        match.group().strip(", ")
        for pattern in (_CAUSE, _COMPARISON)
        for match in pattern.finditer(claim)
        if not any(
            _speaks_of(text, _sides(claim, match)) for text in _connected(pattern, sentences)
        )
    ]


def put_together(claim: str, sentences: Sequence[str]) -> tuple[str, str] | None:
    """The two facts of a claim that only has "and" between what two sentences say.

    Each must begin as its sentence does: of "Invoices are paid and void at once" the second
    half may be said of something else.
    """
    for match in _AND.finditer(claim):
        parts = claim[: match.start()], claim[match.end() :]
        found = [_restated(part, sentences) for part in parts]
        if None not in found and found[0] != found[1]:
            return parts
    return None


def _restated(part: str, sentences: Sequence[str]) -> str | None:
    """The sentence that the part nearly copies from its first word on."""
    nearest = align(part, sentences)
    if nearest is None or nearest.alike < NEAR_COPY:
        return None
    if begins_with_pronoun(part[:1].upper() + part[1:]):
        return None
    return nearest.sentence if _subject(part) == _subject(nearest.sentence) else None


def _subject(text: str) -> frozenset[str]:
    """The first word that carries anything."""
    return next((words for word in text.split() if (words := content(word))), frozenset())


def _connected(pattern: re.Pattern[str], sentences: Sequence[str]) -> list[str]:
    """Sentences that hold a connecting word, and pairs whose second begins with one."""
    alone = [sentence for sentence in sentences if pattern.search(sentence)]
    joined = [
        f"{first} {second}"
        for first, second in pairwise(sentences)
        if (found := pattern.search(second)) and found.start() <= AT_THE_BEGINNING
    ]
    return [*alone, *joined]


def _sides(claim: str, match: re.Match[str]) -> tuple[frozenset[str], frozenset[str]]:
    """What is connected with what."""
    before, after = claim[: match.start()], claim[match.end() :]
    if not content(before):  # "Because A, B."
        before, _, after = after.partition(",")
    return content(before), content(after)


def _speaks_of(text: str, sides: Sequence[frozenset[str]]) -> bool:
    words = content(text)
    return all(len(side & words) >= SPEAKS_OF * len(side) for side in sides)
