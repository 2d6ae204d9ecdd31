"""All settings, a module for each topic; the only reader of the environment."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import SecretStr, ValidationInfo, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from bot.settings.answering import ModelSettings, ReplySettings, SearchSettings, WritingSettings
from bot.settings.checks import check
from bot.settings.documents import (
    HOME,
    DocumentSettings,
    IndexSettings,
    ReadingSettings,
    SourceSettings,
    StoreSettings,
)
from bot.settings.operation import (
    JobSettings,
    OperationSettings,
    SlackSettings,
    WatchingSettings,
    WebSettings,
)
from bot.settings.setting_files import PREFIX as PREFIX
from bot.settings.setting_files import secrets_of_keys, settings_in
from bot.wording.redaction import Address, secrets_in

if TYPE_CHECKING:
    from pydantic import JsonValue


class Settings(
    # Fields stand in the order from the last to the first, as docs/settings.md lists them.
    JobSettings,
    OperationSettings,
    WebSettings,
    WatchingSettings,
    SlackSettings,
    SourceSettings,
    ReadingSettings,
    ReplySettings,
    SearchSettings,
    WritingSettings,
    ModelSettings,
    DocumentSettings,
    IndexSettings,
    StoreSettings,
    BaseSettings,
):
    """Each field is a variable VOUCH_<NAME>; its description stands in docs/settings.md."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_file_encoding="utf-8", extra="ignore", frozen=True
    )

    @field_validator(
        *("embedder", "reranker", "entailment", "calibration", "ontology", "index", "glossary"),
        *("quality_questions", "backup_folder", "secrets_folder"),
        mode="before",
    )
    @classmethod
    def _empty_is_the_default(cls, value: object, field: ValidationInfo) -> object:
        """As left empty in a copied `.env`; else a path would become the working directory."""
        return cls.model_fields[str(field.field_name)].default if value == "" else value

    @model_validator(mode="after")
    def _fits_together(self) -> "Settings":
        check(self)
        return self

    @classmethod
    def of(cls, files: Iterable[Path]) -> "Settings":
        """From the environment, and from files of which a later one wins over an earlier."""
        stated: dict[str, Any] = {
            name.removeprefix(PREFIX).lower(): value for name, value in _secret_files().items()
        }
        return cls(_env_file=tuple(files), **stated)  # type: ignore[call-arg]  # pydantic-settings' own

    @property
    def embeddings_server(self) -> tuple[str, str]:
        """Address, empty for OpenAI's own, and key; the writer's key stays with its own server."""
        writers = self.openai_base_url.get_secret_value()
        address = self.embeddings_base_url.get_secret_value() or writers
        own = self.embeddings_api_key.get_secret_value()
        same = address == writers
        return address, own or (self.openai_api_key.get_secret_value() if same else "")

    @property
    def serves_pages(self) -> bool:
        return self.web and (bool(self.web_url) or not self.is_for_slack)

    @property
    def inbox_database(self) -> str:
        return self.database(self.inbox_url, "inbox.sqlite")

    @property
    def secrets(self) -> tuple[str, ...]:
        """All that no message may repeat: keys, tokens, and what addresses hold of them."""
        return tuple(each for name in type(self).model_fields for each in self._secrets_of(name))

    def _secrets_of(self, name: str) -> tuple[str, ...]:
        value = getattr(self, name)
        if isinstance(value, Address):
            return secrets_in(value.get_secret_value())
        if not isinstance(value, SecretStr) or not value:
            return ()
        stated = value.get_secret_value()
        return (stated, *(secrets_of_keys(stated) if name == "source_keys" else ()))


class _Home(BaseSettings):
    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="ignore")

    home: Path = HOME
    secrets_folder: Path | None = None


def home_of_environment() -> Path:
    """The home, of which no `.env` decides: it says where those lie that count."""
    return _Home().home


def environment() -> Mapping[str, str]:
    """What the environment says, and the files of the folder that it names for secrets.

    Raise `BadConfiguration` where that cannot be read.
    """
    return {**os.environ, **_secret_files()}


def _secret_files() -> Mapping[str, str]:
    """Those that the environment does not state itself."""
    folder = _Home().secrets_folder
    found = settings_in(folder) if folder else {}
    return {name: value for name, value in found.items() if not os.environ.get(name)}


RECORDED = (
    "embedder",
    "embeddings_base_url",
    "reranker",
    "entailment",
    "entailment_model",
    "calibration",
    "ontology",
    "glossary",
    "writer",
    "openai_base_url",
    "openai_model",
    "openai_timeout_seconds",
    "openai_stream",
    "on_writer_failure",
    "organisation",
    "unsupported_claims",
    "candidates",
    "relevance_threshold",
    "reading_floor",
    "most_passages",
    "context",
    "answer_at",
    "partial_at",
)
"""Settings that an audit record shows, since answers depend on them; no other one, so that a
new one cannot be shown by mistake."""


def recorded(settings: Settings) -> "dict[str, JsonValue]":
    """What an audit record shows of the settings, and what its hash is made of.

    No hash of a secret is kept: a short one could be guessed from it.
    """
    values = settings.model_dump(mode="json", include=set(RECORDED))
    shown = {
        name: str(value) for name in values if isinstance(value := getattr(settings, name), Address)
    }
    return values | shown
