"""All settings, a module for each topic; the only reader of the environment."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import SecretStr, ValidationInfo, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from bot.settings.answering import (
    ModelSettings,
    ReplySettings,
    SearchSettings,
    WritingSettings,
    is_served,
)
from bot.settings.documents import (
    HOME,
    DocumentSettings,
    IndexSettings,
    ReadingSettings,
    SourceSettings,
    StoreSettings,
)
from bot.settings.operation import (
    WEB_PORT,
    JobSettings,
    OperationSettings,
    SlackSettings,
    WatchingSettings,
    WebSettings,
    unread_on_the_way,
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
    """What the environment and its folder of secrets say; raise `BadConfiguration`."""
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
    """What an audit record shows of the settings, and what its hash is made of: no secrets."""
    values = settings.model_dump(mode="json", include=set(RECORDED))
    shown = {
        name: str(value) for name in values if isinstance(value := getattr(settings, name), Address)
    }
    return values | shown


SHORTEST_KEY = 32
"""Characters of the library's key: as many bytes as SHA-256 gives (RFC 2104, section 3)."""


def check(settings: "Settings") -> None:
    """Raise `ValueError` for the first of what does not fit."""
    for each in (
        _language_model,
        _check_of_claims,
        _embedder,
        _recognition,
        _context,
        _several_teams,
        _pages,
        _index,
        _backups,
        _retention,
        _keys,
        _ports,
        _watching,
    ):
        each(settings)


LEAST_KEPT = 184
"""Days: six months, as the EU's AI Act has it for logs (Articles 19 and 26)."""


def _retention(settings: "Settings") -> None:
    if 0 < settings.audit_keep_days < LEAST_KEPT:
        raise ValueError(
            f"VOUCH_AUDIT_KEEP_DAYS is {settings.audit_keep_days}, and records are kept for six "
            f"months at the least: set {LEAST_KEPT} or more, or 0 to keep them for ever"
        )


def _language_model(settings: "Settings") -> None:
    if settings.writer != "openai" and settings.openai_stream:
        raise ValueError(
            "VOUCH_OPENAI_STREAM needs a language model: set VOUCH_WRITER=openai, or leave it out"
        )


def _check_of_claims(settings: "Settings") -> None:
    if settings.checks_by_language_model and not settings.entailment_model:
        raise ValueError(
            "VOUCH_ENTAILMENT=openai needs VOUCH_ENTAILMENT_MODEL, the model that checks claims"
        )
    if settings.entailment_model and not settings.checks_by_language_model:
        raise ValueError(
            "VOUCH_ENTAILMENT_MODEL is for VOUCH_ENTAILMENT=openai: set that too, or leave it out"
        )
    if settings.writer == "openai" and settings.entailment_model == settings.openai_model:
        raise ValueError(
            f"VOUCH_ENTAILMENT_MODEL names {settings.openai_model}, which writes: no model can "
            "check its own claims. Choose another one for the check"
        )


def _embedder(settings: "Settings") -> None:
    server = settings.embeddings_base_url or settings.embeddings_api_key
    if server and not is_served(settings.embedder):
        raise ValueError(
            "VOUCH_EMBEDDINGS_BASE_URL and VOUCH_EMBEDDINGS_API_KEY are for an embedder on a "
            "server: set VOUCH_EMBEDDER=openai:NAME, or leave them out"
        )


def _recognition(settings: "Settings") -> None:
    """Raise `ValueError` for what says how pictures are read, where none is."""
    for name in ("ocr_languages", "ocr_seconds"):
        if (
            settings.ocr == "off"
            and getattr(settings, name) != type(settings).model_fields[name].default
        ):
            raise ValueError(f"VOUCH_{name.upper()} does nothing with VOUCH_OCR=off")


def _context(settings: "Settings") -> None:
    if settings.context != "neighbours" and settings.writer != "openai":
        raise ValueError(
            "VOUCH_CONTEXT is for a language model: set VOUCH_WRITER=openai, or leave it out"
        )


def _several_teams(settings: "Settings") -> None:
    needed = {
        "VOUCH_SLACK_TEAM": settings.slack_team,
        "VOUCH_SLACK_URL": settings.slack_url.get_secret_value(),
    }
    if not settings.has_several_teams:
        if needed["VOUCH_SLACK_URL"]:
            raise ValueError(
                "VOUCH_SLACK_URL is for several workspaces: set VOUCH_SLACK_TOKENS_KEY too, under "
                "which their tokens are kept, or leave it out"
            )
        return
    if settings.slack_transport != "http":
        raise ValueError(
            "VOUCH_SLACK_TOKENS_KEY is for installing the bot in several workspaces, which needs "
            "an address: set VOUCH_SLACK_TRANSPORT=http, or leave the key out"
        )
    needed["VOUCH_SLACK_CLIENT_ID"] = settings.slack_client_id
    if lacking := [name for name, value in needed.items() if not value]:
        raise ValueError(
            f"VOUCH_SLACK_TOKENS_KEY needs {' and '.join(lacking)}: docs/slack.md says where "
            "they stand"
        )


def _pages(settings: "Settings") -> None:
    signs_in = bool(settings.slack_client_id)
    if signs_in != bool(settings.slack_client_secret.get_secret_value()):
        raise ValueError(
            "VOUCH_SLACK_CLIENT_ID and VOUCH_SLACK_CLIENT_SECRET belong together: set both, or "
            "neither"
        )
    pages_alone = signs_in and not settings.has_several_teams
    if (settings.web_url or pages_alone) and not settings.web:
        raise ValueError(
            "VOUCH_WEB_URL and VOUCH_SLACK_CLIENT_ID are for pages that VOUCH_WEB=false turns "
            "off: leave them out, or VOUCH_WEB"
        )
    if signs_in and not settings.web_url and not settings.has_several_teams:
        raise ValueError(
            "VOUCH_SLACK_CLIENT_ID is for signing in to pages: set VOUCH_WEB_URL too, or leave "
            "it out"
        )
    if settings.web_url and settings.is_for_slack and not signs_in:
        raise ValueError(
            "VOUCH_WEB_URL needs VOUCH_SLACK_CLIENT_ID and VOUCH_SLACK_CLIENT_SECRET, with "
            "which people sign in: your app at api.slack.com/apps, Basic Information, App "
            "Credentials"
        )
    moved = (settings.web_host, settings.web_port) != ("127.0.0.1", WEB_PORT)
    if moved and (not settings.web or (settings.is_for_slack and not settings.web_url)):
        raise ValueError(
            "VOUCH_WEB_HOST and VOUCH_WEB_PORT are for pages that are not served: set "
            "VOUCH_WEB_URL, or leave them out"
        )


def _index(settings: "Settings") -> None:
    if (settings.index == "weaviate") != bool(settings.weaviate_url):
        raise ValueError(
            "VOUCH_INDEX=weaviate and VOUCH_WEAVIATE_URL belong together: set both, or neither"
        )


def _backups(settings: "Settings") -> None:
    if settings.jobs_backup not in ("", "off") and settings.backup_folder is None:
        raise ValueError("VOUCH_JOBS_BACKUP needs VOUCH_BACKUP_FOLDER, where archives go")


def _keys(settings: "Settings") -> None:
    for name, key, use in (
        ("VOUCH_LIBRARY_KEY", settings.library_key, "seal"),
        ("VOUCH_AUDIT_KEY", settings.audit_key, "sign"),
    ):
        if 0 < len(key.get_secret_value()) < SHORTEST_KEY:
            raise ValueError(
                f"{name} is too short to {use} with; make one of {SHORTEST_KEY} "
                "characters or more, such as with `openssl rand -hex 32`"
            )


def _ports(settings: "Settings") -> None:
    if settings.port and settings.slack_transport == "socket":
        raise ValueError(
            "VOUCH_PORT is the port of HTTP mode. For health checks set VOUCH_HEALTH_PORT in "
            "its place, or VOUCH_SLACK_TRANSPORT=http"
        )
    if settings.slack_transport == "http" and settings.health_port == settings.http_port:
        raise ValueError("VOUCH_PORT and VOUCH_HEALTH_PORT are the same; give each its own")


def _watching(settings: "Settings") -> None:
    if settings.metrics and not settings.health_port:
        raise ValueError(
            "VOUCH_METRICS=true is served at the port of the health checks: set "
            "VOUCH_HEALTH_PORT, or leave it out"
        )
    if settings.traces_content and not settings.traces_url:
        raise ValueError(
            "VOUCH_TRACES_CONTENT is for traces: set VOUCH_TRACES_URL, or leave it out"
        )
    traces = settings.traces_url.get_secret_value()
    if settings.traces_content and not unread_on_the_way(traces):
        raise ValueError(
            "VOUCH_TRACES_CONTENT sends what was asked and replied: give VOUCH_TRACES_URL with "
            "https, or a collector on this machine (http://127.0.0.1:4318/v1/traces)"
        )
