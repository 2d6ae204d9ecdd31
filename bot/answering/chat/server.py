"""A chat server speaks OpenAI's chat protocol."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from time import monotonic
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from bot.answering.chat.completion import (
    FILTERED,
    NONSENSE,
    Completion,
    Form,
    joined,
    read_completion,
)
from bot.answering.chat.prompt import Prompt
from bot.errors import BadConfiguration, WriterUnavailable
from bot.wording.redaction import host_of, secrets_in, without
from retrieval.models.openai_client import OPENAI, OpenAIClient

if TYPE_CHECKING:
    from openai import OpenAI

MOST_TIMEOUTS = 10
"""That a whole streamed answer may take."""


def _as_json(chunk: object) -> bytes:
    """The client lets anything pass for a chunk."""
    if isinstance(chunk, BaseModel):
        return chunk.model_dump_json(warnings=False).encode()
    return json.dumps(chunk).encode()


@dataclass(frozen=True)
class ChatServer:
    """A chat server knows where to ask, with which key, which model, and how patiently.

    `timeout` is in seconds and for each attempt; `retries` attempts follow a first one that
    met a timeout, a rate limit or a failure of the server. Nothing is sent before it is asked.
    """

    api_key: str = field(repr=False)
    base_url: str | None = field(repr=False)
    """None is OpenAI itself. It may hold a password, as a proxy's address does."""
    model: str
    timeout: float
    retries: int
    stream: bool = False
    """Whether the answer comes piece by piece, and the timeout counts for each: for slow models.
    Nothing is shown before all of it was checked."""
    named_by: str = "VOUCH_OPENAI_MODEL"
    """The setting that names the model, for messages."""

    def __post_init__(self) -> None:
        """Raise `BadConfiguration` for what can be seen to be wrong without a request."""
        if not self.api_key and self.base_url is None:
            raise BadConfiguration(
                "The `openai` writer has no key. Set VOUCH_OPENAI_API_KEY, or "
                "VOUCH_OPENAI_BASE_URL for a server that needs none."
            )
        if not all("!" <= character <= "~" for character in self.api_key):
            raise BadConfiguration(
                "VOUCH_OPENAI_API_KEY holds a space, a line end or another character that no "
                "key has. Copy the key again."
            )
        if not self.host:
            raise BadConfiguration(
                "VOUCH_OPENAI_BASE_URL is not the address of a server. Write it in full, such "
                "as http://localhost:8000/v1."
            )

    @property
    def host(self) -> str:
        """Name and port, to be named in messages; empty where there is none for certain."""
        return host_of(self.base_url or OPENAI)

    def complete(
        self, prompt: Prompt, form: type[Form], temperature: float = 0.0
    ) -> Completion[Form]:
        """What the model writes, in the form asked for.

        Timeouts, rate limits (for as long as the server asks, up to two minutes) and
        failures of the server are tried again. Raise `WriterUnavailable` where no answer
        comes, or another form.
        """
        pieces = self._pieces(prompt, form, temperature)
        body = joined(pieces, self.named_by) if self.stream else b"".join(pieces)
        return read_completion(body, form, self.named_by)

    def _pieces(self, prompt: Prompt, form: type[Form], temperature: float) -> list[bytes]:
        """Of the response as it came."""
        from openai import APIStatusError, OpenAIError
        from pybreaker import CircuitBreakerError

        from retrieval.models.openai_client import ModelRequest, explanation, resting

        asked = ModelRequest(self.host, model=self.named_by)
        try:
            return self._server.ask(lambda client: self._sent(client, prompt, form, temperature))
        except CircuitBreakerError:
            raise WriterUnavailable(resting(asked)) from None
        except json.JSONDecodeError as error:
            raise WriterUnavailable(
                NONSENSE.format(what="a piece of it", named_by=self.named_by)
            ) from error
        except OpenAIError as error:
            # Without its cause: that holds the request, and may repeat the key.
            if isinstance(error, APIStatusError) and error.code == "content_filter":
                raise WriterUnavailable(FILTERED) from None
            secrets = (self.api_key, *secrets_in(self.base_url or ""))
            reason = explanation(error, asked, lambda said: without(secrets, said))
            raise WriterUnavailable(reason) from None

    def _sent(
        self, client: "OpenAI", prompt: Prompt, form: type[Form], temperature: float
    ) -> list[bytes]:
        request: dict[str, Any] = {
            "model": self.model,
            "messages": [
                {"role": "system", "content": prompt.system},
                {"role": "user", "content": prompt.user},
            ],
            "temperature": temperature,
            "response_format": {
                "type": "json_schema",
                "json_schema": {
                    "name": "answer",
                    "schema": form.model_json_schema(mode="serialization"),
                    "strict": True,
                },
            },
        }
        if self.stream:
            return list(self._chunks(client, request))
        response = client.chat.completions.with_raw_response.create(**request)
        return [response.http_response.content]

    def _chunks(self, client: "OpenAI", request: Mapping[str, Any]) -> Iterator[bytes]:
        """Each as JSON; raise `APITimeoutError` where all of them together take far too long."""
        from openai import APITimeoutError

        last = monotonic() + MOST_TIMEOUTS * self.timeout
        with client.chat.completions.create(
            **request, stream=True, stream_options={"include_usage": True}
        ) as stream:
            for chunk in stream:
                if monotonic() > last:
                    raise APITimeoutError(stream.response.request)
                yield _as_json(chunk)

    @cached_property
    def _server(self) -> OpenAIClient:
        return OpenAIClient(self.api_key, self.base_url, self.timeout, self.retries)
