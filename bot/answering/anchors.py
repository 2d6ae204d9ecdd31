"""A writer names the sentences that it rests on by anchors.

Passage 2's third sentence is "2.3". Places stay on this side; a writer sees only the
numbers, in tags that do not occur in prose (after Tensorlake, "RAG citations").
"""

from collections.abc import Sequence

from bot.answering.kept_out import kept_out
from bot.wording.untrusted_text import printable
from retrieval.types import Passage


def anchor(passage_number: int, sentence_number: int) -> str:
    """Both count from 1."""
    return f"{passage_number}.{sentence_number}"


def anchored_text(passage_number: int, passage: Passage) -> str:
    """The passage as a writer sees it, every sentence led by its anchor.

    Tags that a document itself contains are defused, so that none can be mistaken for
    an anchor; sentences that are kept out are left out.
    """
    left_out = kept_out(passage)
    return " ".join(
        f"<c>{anchor(passage_number, number)}</c> {defused(sentence.text)}"
        for number, sentence in enumerate(passage.sentences, start=1)
        if number - 1 not in left_out
    )


def defused(text: str) -> str:
    """What can be seen of it without angle brackets, so that nothing can pass for a tag."""
    return printable(text).replace("<", "‹").replace(">", "›")


def resolve(text: str, passages: Sequence[Passage]) -> tuple[Passage, int] | None:
    """The passage and the sentence's index from 0; None where no such anchor was given."""
    passage_number, _, sentence_number = text.partition(".")
    if not (_is_number(passage_number) and _is_number(sentence_number)):
        return None
    place, index = int(passage_number) - 1, int(sentence_number) - 1
    if not 0 <= place < len(passages):
        return None
    passage = passages[place]
    if not 0 <= index < len(passage.sentences):
        return None
    return None if index in kept_out(passage) else (passage, index)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 6
