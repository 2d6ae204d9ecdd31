"""Clients of Slack's API: which token they bear, and who the bot and people are there."""

from collections.abc import Callable

from slack_bolt.oauth import OAuthFlow
from slack_sdk import WebClient
from slack_sdk.http_retry import RetryHandler

from audit.values import team_of
from bot.slack.attachments import Download
from bot.slack.directory import CACHED_SECONDS, BotIdentity, SlackPeople
from bot.slack.permissions import SCOPES
from bot.slack.workspaces import TeamClient, Workspaces, installing, token_of
from bot.wiring.container import Container


def slack_client(container: Container, *retries: RetryHandler) -> WebClient:
    """Without `retries` it sends all once: a message that is sent again by itself stands twice."""
    settings = container.settings
    base_url, token = settings.slack_api_url.get_secret_value(), settings.slack_bot_token
    if not settings.has_several_teams:
        return WebClient(
            token=token.get_secret_value(), base_url=base_url, retry_handlers=list(retries)
        )
    return _client_of_teams(container, *retries)


def _tokens(container: Container) -> Callable[[str], str]:
    """What tells the token of a workspace; where there is one alone, the settings'."""
    settings = container.settings
    own = settings.slack_bot_token.get_secret_value()
    if not settings.has_several_teams:
        return lambda _: own
    return token_of(settings.slack_team, own, container.stores.installations)


def token_in(container: Container, team: str) -> str:
    """The bot's token in a workspace; empty where it has none. `team`: empty for the home's own."""
    return _tokens(container)(team)


def _client_of_teams(container: Container, *retries: RetryHandler) -> TeamClient:
    base_url = container.settings.slack_api_url.get_secret_value()
    return TeamClient(_tokens(container), base_url=base_url, retry_handlers=list(retries))


def who_acts(
    container: Container, leave: Callable[[str], object] = lambda _: None
) -> BotIdentity | Workspaces:
    """Who the bot is in Slack, in each workspace; `leave`: as `Workspaces` takes it."""
    settings = container.settings
    by_token = BotIdentity(slack_client(container))
    if not settings.has_several_teams:
        return by_token
    return Workspaces(
        settings.slack_team,
        by_token if settings.slack_bot_token.get_secret_value() else None,
        container.stores.installations,
        _client_of_teams(container),
        leave,
    )


def slack_people(
    container: Container, identity: BotIdentity | Workspaces, cached_seconds: float = CACHED_SECONDS
) -> SlackPeople:
    stores = container.stores
    return SlackPeople(
        slack_client(container),
        lambda: stores.access.people,
        cached_seconds=cached_seconds,
        group_facets=stores.access.group_facets,
        in_team=stores.ontology.in_team,
        own=identity.own if isinstance(identity, Workspaces) else None,
    )


def downloads(container: Container) -> Callable[[str], Download]:
    token, api_url = _tokens(container), container.settings.slack_api_url.get_secret_value()
    return lambda channel: Download(token(team_of(channel)), api_url)


def installing_in_workspaces(container: Container) -> OAuthFlow:
    settings = container.settings
    api_url = settings.slack_api_url.get_secret_value()
    return installing(
        settings.slack_client_id,
        settings.slack_client_secret.get_secret_value(),
        settings.slack_url.get_secret_value(),
        f"{api_url.removesuffix('api/')}oauth/v2/authorize",
        WebClient(base_url=api_url),
        list(SCOPES),
        container.stores.installations,
    )
