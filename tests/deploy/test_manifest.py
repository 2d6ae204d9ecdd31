"""The app manifest asks Slack for what the code uses, in a form that Slack accepts."""

import re
from pathlib import Path
from typing import Annotated, Literal

import pytest
import yaml
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from bot.slack.http import EVENTS_PATH
from bot.slack.permissions import COMMANDS, EVENTS, SCOPES, SHORTCUTS
from bot.slack.workspaces import REDIRECT_PATH
from bot.web.addresses import CALLBACK

MANIFEST = Path(__file__).resolve().parents[2] / "deploy" / "slack-manifest.yaml"
TEXT = MANIFEST.read_text(encoding="utf-8")
ADDRESS = "https://vouch.example.org"

Url = Annotated[str, StringConstraints(pattern=r"^https://\S+$")]


class Part(BaseModel):
    """What Slack's reference of manifests (docs.slack.dev/reference/app-manifest) allows."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Metadata(Part):
    major_version: Literal[1, 2]
    minor_version: int


class Display(Part):
    name: str = Field(max_length=35)
    description: str = Field(max_length=140)
    long_description: str = Field(min_length=174, max_length=4000)
    background_color: str = Field(pattern=r"^#[0-9a-f]{6}$")


class AppHome(Part):
    home_tab_enabled: bool
    messages_tab_enabled: bool
    messages_tab_read_only_enabled: bool


class BotUser(Part):
    display_name: str = Field(max_length=80, pattern=r"^[a-z0-9._-]+$")
    always_online: bool


class SlashCommand(Part):
    command: str = Field(max_length=32, pattern=r"^/[a-z-]+$")
    description: str = Field(max_length=2000)
    usage_hint: str = Field(max_length=1000)
    should_escape: bool
    url: Url | None = None


class Shortcut(Part):
    name: str = Field(max_length=24)
    type: Literal["message", "global"]
    callback_id: str = Field(max_length=255)
    description: str = Field(max_length=150)


class AgentView(Part):
    agent_description: str = Field(max_length=300)


class Features(Part):
    app_home: AppHome
    agent_view: AgentView
    bot_user: BotUser
    shortcuts: list[Shortcut] = Field(max_length=10)
    slash_commands: list[SlashCommand] = Field(max_length=50)
    unfurl_domains: list[str] = Field(default=[], max_length=5)


class Scopes(Part):
    bot: list[str] = Field(max_length=255)


class OAuth(Part):
    redirect_urls: list[Url] = []
    scopes: Scopes


class EventSubscriptions(Part):
    bot_events: list[str] = Field(max_length=100)
    request_url: Url | None = None


class Interactivity(Part):
    is_enabled: bool
    request_url: Url | None = None


class AppSettings(Part):
    event_subscriptions: EventSubscriptions
    interactivity: Interactivity
    org_deploy_enabled: bool
    socket_mode_enabled: bool
    token_rotation_enabled: bool


class Manifest(Part):
    metadata: Metadata = Field(alias="_metadata")
    display_information: Display
    features: Features
    oauth_config: OAuth
    settings: AppSettings


def read(text: str) -> Manifest:
    return Manifest.model_validate(yaml.safe_load(text))


def urls(manifest: Manifest) -> list[str | None]:
    """Everything that Slack would call."""
    return [
        manifest.settings.event_subscriptions.request_url,
        manifest.settings.interactivity.request_url,
        *(command.url for command in manifest.features.slash_commands),
    ]


def edited_for_http() -> str:
    """The edit that the manifest's first lines tell."""
    uncommented = re.sub(rf"# (\w+: {re.escape(ADDRESS)})", r"\1", TEXT)
    return uncommented.replace("socket_mode_enabled: true", "socket_mode_enabled: false")


def test_the_manifest_asks_for_the_scopes_that_the_code_lists() -> None:
    assert read(TEXT).oauth_config.scopes.bot == list(SCOPES)


def test_the_manifest_subscribes_to_the_events_that_the_code_lists() -> None:
    assert read(TEXT).settings.event_subscriptions.bot_events == list(EVENTS)


def test_the_manifest_makes_the_commands_that_the_code_lists() -> None:
    stated = [
        (each.command, each.description, each.usage_hint)
        for each in read(TEXT).features.slash_commands
    ]
    assert stated == [(each.name, each.description, each.usage) for each in COMMANDS]


def test_the_manifest_makes_the_shortcuts_that_the_code_lists() -> None:
    stated = [
        (each.name, each.callback_id, each.type == "message", each.description)
        for each in read(TEXT).features.shortcuts
    ]
    assert stated == [
        (each.name, each.callback_id, each.about_message, each.description) for each in SHORTCUTS
    ]


def test_people_can_write_to_the_bot_and_press_its_buttons() -> None:
    manifest = read(TEXT)
    assert manifest.features.app_home.messages_tab_enabled
    assert not manifest.features.app_home.messages_tab_read_only_enabled
    assert manifest.features.app_home.home_tab_enabled
    assert manifest.features.bot_user.always_online
    assert manifest.settings.interactivity.is_enabled


def test_commands_arrive_with_the_ids_of_people_and_channels() -> None:
    assert all(each.should_escape for each in read(TEXT).features.slash_commands)


def test_tokens_that_are_copied_once_stay_valid() -> None:
    settings = read(TEXT).settings
    assert not settings.token_rotation_enabled
    assert not settings.org_deploy_enabled


def test_as_it_is_it_is_for_socket_mode() -> None:
    manifest = read(TEXT)
    assert manifest.settings.socket_mode_enabled
    assert urls(manifest) == [None] * (2 + len(COMMANDS))


def test_edited_as_it_tells_it_is_for_http_mode() -> None:
    manifest = read(edited_for_http())
    assert not manifest.settings.socket_mode_enabled
    assert urls(manifest) == [ADDRESS + EVENTS_PATH] * (2 + len(COMMANDS))


def test_uncommented_people_can_sign_in_to_the_pages_and_install_it_in_further_workspaces() -> None:
    text = TEXT.replace("# redirect_urls", "redirect_urls")
    assert read(text).oauth_config.redirect_urls == [ADDRESS + CALLBACK, ADDRESS + REDIRECT_PATH]
    assert read(TEXT).oauth_config.redirect_urls == []


def test_uncommented_it_previews_addresses_of_the_pages() -> None:
    text = TEXT.replace("# unfurl_domains", "unfurl_domains")
    assert read(text).features.unfurl_domains == [ADDRESS.removeprefix("https://")]
    assert read(TEXT).features.unfurl_domains == []


def test_a_key_that_slack_does_not_know_would_be_noticed() -> None:
    with pytest.raises(ValidationError):
        read(TEXT.replace("always_online", "always_on"))
