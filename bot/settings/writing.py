"""Settings of writing."""

from typing import Literal

from pydantic import BaseModel, Field, SecretStr

from bot.address import Address
from bot.settings.listed import listed


class WritingSettings(BaseModel):
    """Who drafts, and what becomes of drafts."""

    writer: Literal["extractive", "openai"] = Field(
        default="extractive",
        description="Who drafts: `extractive` copies sentences, `openai` asks a language model.",
    )
    openai_api_key: SecretStr = Field(
        default=SecretStr(""),
        description="Key for `openai` wherever it is chosen, and for the judge that `vouch "
        "evaluate --judge` names; used for nothing else.",
    )
    openai_base_url: Address = Field(
        default=Address(""),
        description="Another server that speaks OpenAI's protocol; empty for OpenAI.",
    )
    openai_model: str = Field(default="gpt-4.1-mini", description="Model of the `openai` writer.")
    openai_timeout_seconds: float = Field(
        default=30.0, gt=0, description="How long the `openai` writer is waited for."
    )
    openai_stream: bool = Field(
        default=False,
        description="Whether the `openai` writer's model answers piece by piece, so that the "
        "timeout counts for each: for slow models. Nothing is shown before it is checked.",
    )
    on_writer_failure: Literal["error", "extractive"] = Field(
        default="error",
        description="When the `openai` writer fails: `error` says so, `extractive` copies "
        "sentences and says so in the reply.",
    )
    consistency_runs: int = Field(
        default=1,
        ge=1,
        le=10,
        description="How often a language model understands the question, searches and writes, "
        "to see whether it says the same each time; 3 as published, at three times the tokens.",
    )
    hyde: bool = Field(
        default=False,
        description="Whether the `openai` writer's model writes a hypothetical passage to search "
        "with; one more request a question.",
    )
    organisation: str = Field(
        default="",
        description='The organisation\'s names, with commas between them: who says "we" in its '
        "documents. A document's own `organisation` comes first.",
    )
    contact: str = Field(
        default="",
        description="Whom to ask where nothing is answered and the asker's unit has no contact in "
        "the ontology: an e-mail address, a Slack user or channel, or a short name.",
    )
    unsupported_claims: Literal["drop", "mark", "mark-inferences"] = Field(
        default="drop",
        description="What the check of claims does not bear out: `drop` leaves it out, `mark` "
        "shows it as unsupported, beside what is borne out, `mark-inferences` does so with what "
        "the writer concluded, and leaves the rest out.",
    )

    @property
    def writer_in_use(self) -> str:
        """Who drafts; a language model with its name, for another one writes otherwise."""
        return self.writer if self.writer == "extractive" else f"{self.writer} {self.openai_model}"

    @property
    def organisation_names(self) -> tuple[str, ...]:
        """Each by itself, in the order in which they stand."""
        return listed(self.organisation)
