"""Settings of replies."""

from typing import Literal

from pydantic import BaseModel, Field


class ReplySettings(BaseModel):
    """How surely a reply is one, and how it says what it cites."""

    citation_style: Literal["numbers", "src"] = Field(
        default="numbers",
        description="How a sentence says what it cites: by `numbers` of pages, or `src`: by the "
        "beginning of each passage's id, `[src:3f9a1c2b]`, with `[inference]` behind what was "
        "concluded.",
    )
    answer_at: float = Field(
        default=0.85, ge=0, le=1, description="Confidence from which a reply is an ANSWER."
    )
    partial_at: float = Field(
        default=0.60, ge=0, le=1, description="Confidence from which a reply is PARTIAL."
    )
