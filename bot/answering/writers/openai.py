"""The writer that asks a language model over OpenAI's protocol, on any compatible server.

It is chosen by a setting only: a key in the environment sends no document anywhere.
"""

from bot.answering.values import Brief, Draft
from bot.answering.writers.chat_server import ChatServer
from bot.answering.writers.completion import WrittenAnswer, read_completion
from bot.answering.writers.prompt import prompt_for, shown_passages


class OpenAIWriter:
    """Implements `bot.answering.writers.port.Writer`."""

    def __init__(
        self,
        *,
        api_key: str,
        base_url: str | None,
        model: str,
        timeout: float,
        retries: int = 2,
    ) -> None:
        """Send nothing yet; raise `BadConfiguration` for a key or address that cannot work.

        `base_url` None is OpenAI itself. `timeout` is in seconds and for each attempt;
        `retries` attempts follow a first one that met a timeout, a rate limit or a failure
        of the server.
        """
        self._server = ChatServer(api_key, base_url, timeout, retries)
        self._model = model

    @property
    def name(self) -> str:
        return f"openai {self._model}"

    def write(self, brief: Brief) -> Draft:
        """Where no passage was found there is nothing to answer from: nothing is sent."""
        passages = shown_passages(brief)
        if not passages:
            return Draft(claims=(), passages=())
        prompt = prompt_for(brief, passages)
        completion = read_completion(self._server.complete(self._model, prompt, WrittenAnswer))
        return Draft(
            claims=completion.claims,
            passages=passages,
            raw=completion.raw,
            prompt_hash=prompt.hash,
            tokens=completion.tokens,
        )
