"""What comes back from a language model is read and checked here.

A client library builds its values from whatever a server sends, unchecked; and servers
that only resemble OpenAI's differ. So the answer is validated here, from its bytes on.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bot.errors import WriterUnavailable

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
    """OpenAI's strict mode asks of a schema that every field is required, and that none is added.

    A field that other servers may leave out has a default factory; a plain default would stand
    in the schema, which strict mode refuses.
    """

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
    """A chunk of a streamed response adds this to a message."""

    delta: _Message = _Message()
    finish_reason: str | None = None


class _Usage(BaseModel):
    prompt_tokens: int = 0
    completion_tokens: int = 0


class _Body(BaseModel):
    """A response of /chat/completions has this, as far as it is needed."""

    choices: tuple[_Choice, ...] = Field(min_length=1)
    usage: _Usage | None = None


class _Chunk(BaseModel):
    """A streamed response has chunks of which this is needed; the last one has the usage alone."""

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
