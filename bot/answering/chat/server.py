"""A chat server speaks OpenAI's chat protocol."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from time import monotonic
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from bot.errors import BadConfiguration, WriterUnavailable
from bot.wording.redaction import host_of, secrets_in, without
from retrieval.models.openai_client import OPENAI, OpenAIClient

if TYPE_CHECKING:
    from openai import OpenAI

import hashlib
from collections.abc import Iterable, Sequence
from typing import Generic, TypeVar

from pydantic import ConfigDict, Field, ValidationError

from bot.answering.anchors import defused, for_people, heading_for_people
from bot.wording import untrusted_text
from retrieval.types import Passage

LONGEST_LABEL = 300
"""Characters; a longer heading is no heading."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt is the messages of one exchange."""

    system: str
    user: str

    @property
    def hash(self) -> str:
        """Of the messages as compact JSON in UTF-8, role before content."""
        messages = [
            {"role": "system", "content": self.system},
            {"role": "user", "content": self.user},
        ]
        return _hash(json.dumps(messages, ensure_ascii=False, separators=(",", ":")))

    @property
    def template_hash(self) -> str:
        """Of the system's message, which every such prompt begins with."""
        return _hash(self.system)


def _hash(text: str) -> str:
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def section(name: str, *lines: str) -> str:
    return "\n".join([f"<{name}>", *lines, f"</{name}>"])


def in_one_line(text: str) -> str:
    """What can be seen of it, on one line and without angle brackets."""
    return defused(untrusted_text.in_one_line(text))


def label(text: str, most: int = LONGEST_LABEL) -> str:
    """What a document calls something: quoted, so that it cannot pass for more than a name."""
    line = in_one_line(text)
    return json.dumps(line if len(line) <= most else f"{line[:most]}…", ensure_ascii=False)


def numbered(passages: Sequence[Passage]) -> str:
    """Their section: each on a line, from 1 on, behind its heading."""
    lines = (
        f"{n}. {label(heading_for_people(passage))}: {in_one_line(' '.join(for_people(passage)))}"
        for n, passage in enumerate(passages, start=1)
    )
    return section("passages", *lines)


TRUNCATED = (
    "The language model's answer was cut off at its length limit. Ask a narrower question; "
    "the operator can lower VOUCH_MOST_PASSAGES or choose a model that writes more."
)
FILTERED = (
    "The language model's provider held the answer back with its content filter. Ask in "
    "other words, or look at the documents themselves."
)
NONSENSE = (
    "The language model's server answered in a form that it was not asked for ({what}). Ask "
    "again; if that happens often, the operator should choose a model in {named_by} "
    "that supports structured outputs, and check VOUCH_OPENAI_BASE_URL."
)

Form = TypeVar("Form", bound=BaseModel)


class Strict(BaseModel):
    """As OpenAI's strict mode asks, every field is required; one that may lack has a factory."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, json_schema_serialization_defaults_required=True
    )


class _Message(BaseModel):
    content: str | None = None
    refusal: str | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _Piece(BaseModel):
    delta: _Message = _Message()
    finish_reason: str | None = None


class _Usage(BaseModel):
    prompt_tokens: int = 0
    completion_tokens: int = 0


class _Body(BaseModel):
    choices: tuple[_Choice, ...] = Field(min_length=1)
    usage: _Usage | None = None


class _Chunk(BaseModel):
    choices: tuple[_Piece, ...] = ()
    usage: _Usage | None = None


@dataclass(frozen=True, slots=True)
class Completion(Generic[Form]):
    """A completion is what a model wrote, and what it cost."""

    written: Form | None
    """None where it refused."""
    raw: str
    """As it came, or why it refused."""
    tokens: dict[str, int] = field(default_factory=dict)


def read_completion(body: bytes, form: type[Form], named_by: str) -> Completion[Form]:
    """Read a response's body; `named_by` is the setting that names the model.

    Raise `WriterUnavailable` for one that is cut off, filtered or not in the form asked for.
    """
    received = _parsed(_Body, body, named_by)
    choice = received.choices[0]
    if choice.finish_reason == "length":
        raise WriterUnavailable(TRUNCATED)
    if choice.finish_reason == "content_filter":
        raise WriterUnavailable(FILTERED)
    tokens = _tokens(received.usage)
    if choice.message.refusal:
        return Completion(None, choice.message.refusal, tokens)
    raw = choice.message.content or ""
    return Completion(_parsed(form, raw, named_by), raw, tokens)


def joined(chunks: Iterable[bytes], named_by: str) -> bytes:
    """The body that would have come at once; raise `WriterUnavailable` for other chunks."""
    content, refusal, finish_reason, usage = "", "", None, None
    for chunk in chunks:
        received = _parsed(_Chunk, chunk, named_by)
        usage = received.usage or usage
        for piece in received.choices[:1]:
            content += piece.delta.content or ""
            refusal += piece.delta.refusal or ""
            finish_reason = piece.finish_reason or finish_reason
    message = _Message(content=content, refusal=refusal or None)
    choice = _Choice(message=message, finish_reason=finish_reason)
    return _Body(choices=(choice,), usage=usage).model_dump_json().encode()


def _tokens(usage: _Usage | None) -> dict[str, int]:
    if usage is None:
        return {}
    return {"prompt": usage.prompt_tokens, "completion": usage.completion_tokens}


def _parsed(model: type[Form], json: bytes | str, named_by: str) -> Form:
    try:
        return model.model_validate_json(json)
    except ValidationError as error:
        raise WriterUnavailable(
            NONSENSE.format(what=_first_fault(error), named_by=named_by)
        ) from error


def _first_fault(error: ValidationError) -> str:
    """Where and what, briefly, without quoting the answer."""
    fault = error.errors(include_input=False, include_url=False)[0]
    place = ".".join(str(step) for step in fault["loc"])[:60]
    return f"{place}: {fault['type']}" if place else fault["type"]


MOST_TIMEOUTS = 10
"""That a whole streamed answer may take."""


def _as_json(chunk: object) -> bytes:
    if isinstance(chunk, BaseModel):
        return chunk.model_dump_json(warnings=False).encode()
    return json.dumps(chunk).encode()


@dataclass(frozen=True)
class ChatServer:
    """A chat server knows where to ask, with which key, which model, and how patiently."""

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
