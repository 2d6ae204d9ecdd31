"""The OpenAI writer asks a language model over OpenAI's protocol, on any compatible server.

It is chosen by a setting only: a key in the environment sends no document anywhere.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.answering.chat.prompt import Prompt
from bot.answering.chat.server import ChatServer
from bot.answering.values import Brief, Draft
from bot.answering.writers.prompt import prompt_for, shown_passages
from bot.answering.writers.written import WrittenAnswer
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
