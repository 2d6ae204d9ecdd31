"""A chat server speaks OpenAI's chat protocol.

The `openai` package takes 0.3 s to import, so it is imported when a request is made.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from time import monotonic
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pydantic import BaseModel

from bot.address import HIDDEN, secrets_in, shown
from bot.answering.chat.completion import NONSENSE, Completion, Form, joined, read_completion
from bot.answering.chat.prompt import Prompt
from bot.errors import BadConfiguration, WriterUnavailable

if TYPE_CHECKING:
    from openai import OpenAI
    from pybreaker import CircuitBreaker

OPENAI = "https://api.openai.com/v1"
MOST_FAILURES = 3
"""In a row, after which the server is left alone for a while."""
REST = 30
"""Seconds; then one request tries whether it is back."""
MOST_TIMEOUTS = 10
"""That a whole streamed answer may take."""
NO_KEY = "no-key"
"""For a server that needs none: the client insists on one."""


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
        if shown(self.base_url or OPENAI) == HIDDEN:
            return ""
        parts = urlsplit(self.base_url or OPENAI)
        port = f":{parts.port}" if parts.port else ""
        return f"{parts.hostname or ''}{port}" if parts.scheme in ("http", "https") else ""

    def complete(
        self, prompt: Prompt, form: type[Form], temperature: float = 0.0
    ) -> Completion[Form]:
        """What the model writes, in the form asked for.

        Timeouts, rate limits (for as long as the server asks, up to two minutes) and
        failures of the server are tried again. Raise `WriterUnavailable` where no answer
        comes, or another form.
        """
        pieces = self._pieces(prompt, form, temperature)
        return read_completion(joined(pieces) if self.stream else b"".join(pieces), form)

    def _pieces(self, prompt: Prompt, form: type[Form], temperature: float) -> list[bytes]:
        """Of the response as it came."""
        from openai import OpenAIError
        from pybreaker import CircuitBreakerError

        from bot.answering.chat.faults import RESTING, explanation

        try:
            return self._breaker.call(self._sent, prompt, form, temperature)
        except CircuitBreakerError:
            resting = RESTING.format(host=self.host, times=MOST_FAILURES, seconds=REST)
            raise WriterUnavailable(resting) from None
        except json.JSONDecodeError as error:
            raise WriterUnavailable(NONSENSE.format(what="a piece of it")) from error
        except OpenAIError as error:
            # Without its cause: that holds the request, and may repeat the key.
            secrets = (self.api_key, *secrets_in(self.base_url or ""))
            reason = explanation(error, self.host, secrets=secrets)
            raise WriterUnavailable(reason) from None

    def _sent(self, prompt: Prompt, form: type[Form], temperature: float) -> list[bytes]:
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
            return list(self._chunks(request))
        response = self._client.chat.completions.with_raw_response.create(**request)
        return [response.http_response.content]

    def _chunks(self, request: Mapping[str, Any]) -> Iterator[bytes]:
        """Each as JSON; raise `APITimeoutError` where all of them together take far too long."""
        from openai import APITimeoutError

        last = monotonic() + MOST_TIMEOUTS * self.timeout
        with self._client.chat.completions.create(
            **request, stream=True, stream_options={"include_usage": True}
        ) as stream:
            for chunk in stream:
                if monotonic() > last:
                    raise APITimeoutError(stream.response.request)
                yield _as_json(chunk)

    @cached_property
    def _breaker(self) -> "CircuitBreaker":
        """So that nobody waits for the timeouts of a server that is down for everybody."""
        from pybreaker import CircuitBreaker

        from bot.answering.chat.faults import is_the_requests_fault

        return CircuitBreaker(
            fail_max=MOST_FAILURES,
            reset_timeout=REST,
            exclude=[is_the_requests_fault],
            throw_new_error_on_trip=False,
        )

    @cached_property
    def _client(self) -> "OpenAI":
        """One for all requests, so that connections are kept.

        Redirects are not followed: they would take the documents to another server. Of the
        environment only the proxies of the machine count.
        """
        from openai import DefaultHttpx2Client, OpenAI

        client = OpenAI(
            api_key=self.api_key or NO_KEY,
            base_url=self.base_url or OPENAI,
            timeout=self.timeout,
            max_retries=self.retries,
            http_client=DefaultHttpx2Client(follow_redirects=False),
        )
        # The client has taken OPENAI_ORG_ID, OPENAI_PROJECT_ID and OPENAI_CUSTOM_HEADERS
        # from the environment, and has no public way to give the last of them up.
        client.organization = client.project = None
        client._custom_headers = {}  # noqa: SLF001
        return client
