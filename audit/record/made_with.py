"""With what an answer was made: writer, models, versions and settings of the day."""

from collections.abc import Mapping

from pydantic import Field, JsonValue

from audit.record.base import Value


class WriterRecord(Value):
    """A writer wrote the draft from a prompt; its output is kept word for word."""

    name: str
    model: str = ""
    prompt_hash: str = ""
    output: str = ""


class TokenUsage(Value):
    """A language model counted so many tokens; 0 for a writer that counts none."""

    prompt: int = 0
    completion: int = 0


class SettingsRecord(Value):
    """The settings in force are a hash over all, and the values that are no secret."""

    hash: str = ""
    values: Mapping[str, JsonValue] = Field(default_factory=dict)


class Versions(Value):
    """The answer was made with these."""

    software: str
    index: str = ""
    models: Mapping[str, str] = Field(default_factory=dict)
    """Role, such as reranker, to the model's name and version."""
    settings: SettingsRecord = SettingsRecord()
