"""Settings of the index."""

from typing import Literal

from pydantic import BaseModel, Field, SecretStr

from bot.address import Address


class IndexSettings(BaseModel):
    """The engine of the index."""

    index: Literal["lancedb", "weaviate"] = Field(
        default="lancedb",
        description="Engine of the index: `lancedb` keeps it in the home, `weaviate` on a server "
        "that several bots share.",
    )
    weaviate_url: Address = Field(
        default=Address(""),
        description="HTTP address of the Weaviate server, such as http://127.0.0.1:8080.",
    )
    weaviate_grpc_port: int = Field(
        default=50051, ge=1, le=65535, description="Weaviate's gRPC port, at the same host."
    )
    weaviate_key: SecretStr = Field(
        default=SecretStr(""), description="API key of the Weaviate server; empty for none."
    )
    weaviate_consistency: Literal["ONE", "QUORUM", "ALL"] = Field(
        default="QUORUM",
        description="How many of a passage's replicas must have answered, in a cluster.",
    )
    weaviate_replicas: int = Field(
        default=1,
        ge=1,
        le=9,
        description="On how many nodes of a cluster a passage is kept; counts when the index is "
        "made anew.",
    )
    weaviate_timeout_seconds: float = Field(
        default=30.0, gt=0, description="How long the Weaviate server is waited for."
    )
