"""The OpenAI writer asks a language model over OpenAI's protocol, on any compatible server.

It is chosen by a setting only: a key in the environment sends no document anywhere.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from audit.values import ClaimKind
from bot.answering.anchors import resolve
from bot.answering.chat.completion import Strict
from bot.answering.chat.prompt import Prompt
from bot.answering.chat.server import ChatServer
from bot.answering.values import Brief, Draft, DraftClaim
from bot.answering.writers.prompt import prompt_for, shown_passages
from retrieval.types import Passage


@dataclass(frozen=True, slots=True)
class OpenAIWriter:
    """It implements `bot.answering.writers.port.Writer`."""

    server: ChatServer
    temperature: float = 0.0
    """0 writes the same each time, as far as the server can."""
    prompt: Callable[[Brief, Sequence[Passage]], Prompt] = prompt_for
    """What the model is told and shown, of a brief and the passages that anchors number."""

    @property
    def name(self) -> str:
        return f"openai {self.server.model}"

    def write(self, brief: Brief) -> Draft:
        """Where no passage was found there is nothing to answer from: nothing is sent."""
        passages = shown_passages(brief)
        if not passages:
            return Draft(claims=(), passages=())
        prompt = self.prompt(brief, passages)
        completion = self.server.complete(prompt, WrittenAnswer, self.temperature)
        written = completion.written.claims if completion.written else ()
        asked = len(brief.evidence.parts)
        return Draft(
            claims=tuple(dict.fromkeys(claim.as_draft(passages, asked) for claim in written)),
            passages=passages,
            raw=completion.raw,
            prompt_hash=prompt.hash,
            tokens=completion.tokens,
        )


_ANCHOR_TAG = re.compile(r"\s*<c>[\d.,;\s]*</c>")
_STRAY_TAG = re.compile(r"</?c>")
_BRACKETED = re.compile(r"\s*\[(\d+\.\d+(?:\s*[,;]\s*\d+\.\d+)*)\]")


def without_tags(text: str) -> str:
    """The prose alone; raise `ValueError` where nothing is left of it."""
    prose = " ".join(_STRAY_TAG.sub("", _ANCHOR_TAG.sub("", text)).split())
    if not prose:
        raise ValueError("a claim without words")
    return prose


def without_anchors(text: str, passages: Sequence[Passage]) -> str:
    """Without "[2.3]" where that is an anchor of these: else a document may number so.

    As it came where nothing would be left of it.
    """

    def kept(match: re.Match[str]) -> str:
        anchors = re.split(r"\s*[,;]\s*", match[1])
        return "" if all(resolve(each, passages) for each in anchors) else match[0]

    return _BRACKETED.sub(kept, text).strip() or text


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

    def as_draft(self, passages: Sequence[Passage], asked: int) -> DraftClaim:
        """`passages`: those that the model was shown, and so whose anchors it was given.

        `asked`: how many parts the question has; a number beyond them is passed over.
        """
        kind = ClaimKind(self.kind)
        reasoning = self.reasoning if kind is ClaimKind.INFERENCE else ""
        text, why = (without_anchors(each, passages) for each in (self.text, reasoning))
        parts = tuple(n for n in range(asked) if n + 1 in self.parts)
        return DraftClaim(text, self.anchors, kind, why, parts)


class WrittenAnswer(Strict):
    """The claims that answer the question; none where the passages do not answer it."""

    claims: tuple[WrittenClaim, ...]
