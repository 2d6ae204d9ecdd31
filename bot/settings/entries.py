"""Settings of entries."""

from typing import Literal

from pydantic import BaseModel, Field, field_validator

from bot.settings.listed import listed

ENTRIES = ("question", "summary", "entity", "sentence")


class EntrySettings(BaseModel):
    """What else leads to a passage in the index."""

    entries: str = Field(
        default="",
        description="What else leads to a passage in the index, with commas between them: "
        "`question`, `summary`, `entity`, `sentence`; made at the next `vouch ingest`, which makes "
        "the index anew. Empty for passages alone.",
    )
    entries_by: Literal["rules", "openai"] = Field(
        default="rules",
        description="Who makes questions, summaries and entities: `rules`, or `openai`, which "
        "sends every passage to a language model once. Sentences are the passage's own.",
    )
    entries_model: str = Field(
        default="",
        description="Language model that writes them with `VOUCH_ENTRIES_BY=openai`, at the server "
        "of `VOUCH_OPENAI_BASE_URL`; it may be a small one.",
    )
    learn_questions: bool = Field(
        default=False,
        description="Whether questions that people said were answered become `question` entries of "
        "the passages that answered them, at the next `vouch ingest`.",
    )
    entry_scores: Literal["ranks", "blend"] = Field(
        default="ranks",
        description="How questions among `VOUCH_ENTRIES` lead to passages: each kind by its own "
        "`ranks`, or as a `blend` of 0.6 of a passage's similarity and 0.4 of that of its "
        "document's nearest question, which needs `question` there.",
    )

    @field_validator("entries")
    @classmethod
    def _are_kinds_of_entries(cls, value: str) -> str:
        named = listed(value)
        if unknown := set(named) - set(ENTRIES):
            raise ValueError(f"there are no entries {min(unknown)!r}: take {', '.join(ENTRIES)}")
        if len(set(named)) < len(named):
            raise ValueError("each kind of entries is named once")
        return value

    @property
    def entry_kinds(self) -> tuple[str, ...]:
        """Each by itself, in the order of `ENTRIES`."""
        return tuple(kind for kind in ENTRIES if kind in listed(self.entries))

    @property
    def written_entries(self) -> tuple[str, ...]:
        """Those of `entry_kinds` that a language model can write: sentences stand as they are."""
        return tuple(kind for kind in self.entry_kinds if kind != "sentence")
