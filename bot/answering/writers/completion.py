"""What comes back from a language model: its form, and reading it.

A client library builds its values from whatever a server sends, unchecked; and servers
that only resemble OpenAI's differ. So the answer is validated here, from its bytes on.
"""

import re
from dataclasses import dataclass, field
from typing import Annotated, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from audit.record import ClaimKind
from bot.answering.values import DraftClaim
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
    "again; if that happens often, the operator should choose a model in VOUCH_OPENAI_MODEL "
    "that supports structured outputs, and check VOUCH_OPENAI_BASE_URL."
)

Model = TypeVar("Model", bound=BaseModel)

_ANCHOR_TAG = re.compile(r"\s*<c>[\d.,;\s]*</c>")
_STRAY_TAG = re.compile(r"</?c>")


def without_tags(text: str) -> str:
    """The prose alone; raise `ValueError` where nothing is left of it."""
    prose = " ".join(_STRAY_TAG.sub("", _ANCHOR_TAG.sub("", text)).split())
    if not prose:
        raise ValueError("a claim without words")
    return prose


class _Written(BaseModel):
    """Every field required and no others: what OpenAI's strict mode asks of a schema."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class WrittenClaim(_Written):
    """One sentence that answers."""

    text: Annotated[str, AfterValidator(without_tags)] = Field(
        description="One sentence, without anchors or tags."
    )
    anchors: tuple[str, ...] = Field(description='Ids of the sentences it rests on, such as "2.3".')
    kind: Literal["cited", "inference"]
    reasoning: str = Field(description="How an inference follows; empty for a cited claim.")

    def as_draft(self) -> DraftClaim:
        kind = ClaimKind(self.kind)
        reasoning = self.reasoning if kind is ClaimKind.INFERENCE else ""
        return DraftClaim(self.text, self.anchors, kind, reasoning)


class WrittenAnswer(_Written):
    """The claims that answer the question; none where the passages do not answer it."""

    claims: tuple[WrittenClaim, ...]


class _Message(BaseModel):
    content: str | None = None
    refusal: str | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _Usage(BaseModel):
    prompt_tokens: int = 0
    completion_tokens: int = 0


class _Body(BaseModel):
    """Of a response of /chat/completions, as far as it is needed."""

    choices: tuple[_Choice, ...] = Field(min_length=1)
    usage: _Usage | None = None


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model wrote."""

    claims: tuple[DraftClaim, ...]
    raw: str
    tokens: dict[str, int] = field(default_factory=dict)


def read_completion(body: bytes) -> Completion:
    """Read a response's body; a model that refuses makes no claims and says why in `raw`.

    Raise `WriterUnavailable` for one that is cut off, filtered or not in the form asked for.
    """
    received = _parsed(_Body, body)
    choice = received.choices[0]
    if choice.finish_reason == "length":
        raise WriterUnavailable(TRUNCATED)
    if choice.finish_reason == "content_filter":
        raise WriterUnavailable(FILTERED)
    tokens = _tokens(received.usage)
    if choice.message.refusal:
        return Completion((), choice.message.refusal, tokens)
    raw = choice.message.content or ""
    answer = _parsed(WrittenAnswer, raw)
    return Completion(tuple(claim.as_draft() for claim in answer.claims), raw, tokens)


def _tokens(usage: _Usage | None) -> dict[str, int]:
    if usage is None:
        return {}
    return {"prompt": usage.prompt_tokens, "completion": usage.completion_tokens}


def _parsed(model: type[Model], json: bytes | str) -> Model:
    try:
        return model.model_validate_json(json)
    except ValidationError as error:
        raise WriterUnavailable(NONSENSE.format(what=_first_fault(error))) from error


def _first_fault(error: ValidationError) -> str:
    """Where and what, briefly, without quoting the answer."""
    fault = error.errors(include_input=False, include_url=False)[0]
    place = ".".join(str(step) for step in fault["loc"])[:60]
    return f"{place}: {fault['type']}" if place else fault["type"]
