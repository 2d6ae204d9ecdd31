"""All settings, from the fields of `Settings`, each text with a word to be looked for elsewhere."""

from pathlib import Path
from typing import Any

from pydantic import SecretStr

from bot.settings import Settings
from bot.wording.redaction import Address

PREFIXES = {
    "slack_bot_token": "xoxb-",
    "slack_app_token": "xapp-",
    "library_key": "k" * 32,
    "audit_key": "k" * 32,
}
NOWHERE = "127.0.0.1:9"
SEVERAL_TEAMS = {"slack_team": "T0OWN", "slack_transport": "http"}


def mark(name: str, part: str = "") -> str:
    return f"M4RK{name}{part}".replace("_", "")


def secret_settings() -> dict[str, type[SecretStr]]:
    fields = Settings.model_fields.items()
    return {
        name: field.annotation
        for name, field in fields
        if isinstance(field.annotation, type) and issubclass(field.annotation, SecretStr)
    }


def marked_secret(name: str, place: str = NOWHERE, scheme: str = "https") -> str:
    """The value of a secret setting, with a mark in all of it that nothing may show."""
    if name in ("web_url", "slack_url"):
        return "https://vouch.example.org"  # with more than a host in it, it is refused
    if name == "slack_tokens_key":
        return f"{mark(name):k<43}="  # 32 bytes
    if secret_settings()[name] is not Address:
        return PREFIXES.get(name, "") + mark(name)
    user, password, option = (mark(name, part) for part in ("user", "password", "option"))
    return f"{scheme}://{user}:{password}@{place}/path?token={option}"


def marked_settings() -> Settings:
    values: dict[str, Any] = {"writer": "openai", "index": "weaviate"}
    for name, field in Settings.model_fields.items():
        if name in secret_settings():
            values[name] = marked_secret(name)
        elif field.annotation is str or Path in getattr(field.annotation, "__args__", ()):
            values[name] = mark(name)
        elif field.annotation is Path:
            values[name] = Path("/nowhere") / mark(name)
    values["embedder"] = "openai:" + mark("embedder")  # as its server's settings need
    values["entailment"] = "openai"  # as its model's setting needs
    values |= SEVERAL_TEAMS
    return Settings(_env_file=None, **values)  # type: ignore[call-arg]  # pydantic-settings' own
