"""The form in which a language model writes claims."""

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from audit.record import ClaimKind
from bot.answering.chat.completion import Strict
from bot.answering.values import DraftClaim

_ANCHOR_TAG = re.compile(r"\s*<c>[\d.,;\s]*</c>")
_STRAY_TAG = re.compile(r"</?c>")


def without_tags(text: str) -> str:
    """The prose alone; raise `ValueError` where nothing is left of it."""
    prose = " ".join(_STRAY_TAG.sub("", _ANCHOR_TAG.sub("", text)).split())
    if not prose:
        raise ValueError("a claim without words")
    return prose


class WrittenClaim(Strict):
    """One sentence that answers."""

    text: Annotated[str, AfterValidator(without_tags)] = Field(
        description="One sentence, without anchors or tags."
    )
    anchors: tuple[str, ...] = Field(description='Ids of the sentences it rests on, such as "2.3".')
    kind: Literal["cited", "inference"]
    reasoning: str = Field(description="How an inference follows; empty for a cited claim.")
    parts: tuple[int, ...] = Field(
        default_factory=tuple, description="Numbers of the parts that it answers, such as 2."
    )

    def as_draft(self, asked: int) -> DraftClaim:
        """`asked`: how many parts the question has; a number beyond them is passed over."""
        kind = ClaimKind(self.kind)
        reasoning = self.reasoning if kind is ClaimKind.INFERENCE else ""
        parts = tuple(n for n in range(asked) if n + 1 in self.parts)
        return DraftClaim(self.text, self.anchors, kind, reasoning, parts)


class WrittenAnswer(Strict):
    """The claims that answer the question; none where the passages do not answer it."""

    claims: tuple[WrittenClaim, ...]
