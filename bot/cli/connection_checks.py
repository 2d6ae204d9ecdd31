"""`vouch check` on the connection to Slack and the pages in a browser; nothing is posted."""

import re
from collections.abc import Callable, Mapping
from http.client import HTTPException
from typing import TYPE_CHECKING, Any

from bot.errors import BadConfiguration
from bot.settings import Settings
from bot.wiring import Container
from bot.wording.redaction import without
from bot.wording.web import SIGN_IN

if TYPE_CHECKING:
    from slack_sdk import WebClient
    from slack_sdk.web import SlackResponse

Check = Callable[[Container], str]
"""Says what is there, or raises an error that says what to do."""
_TIMEOUT_S = 10
_COPY_BOT = (
    "Copy the Bot User OAuth Token anew (your app at api.slack.com/apps, OAuth & Permissions) "
    "into VOUCH_SLACK_BOT_TOKEN."
)
_COPY_APP = (
    "Generate an app-level token with the scope connections:write (your app at "
    "api.slack.com/apps, Basic Information, App-Level Tokens) and copy it into "
    "VOUCH_SLACK_APP_TOKEN."
)
_REINSTALL = "Install the app anew (your app at api.slack.com/apps, Install App)."
_REASONS: Mapping[str, str] = {
    "invalid_auth": "Slack does not know this token, or does not accept it from this address.",
    "not_authed": "Slack received no token.",
    "account_inactive": "The app was removed from its workspace, or the workspace is gone. "
    + _REINSTALL,
    "token_revoked": f"This token was revoked. {_REINSTALL}",
    "token_expired": "This token has expired: the app rotates its tokens. "
    "Use an app made from deploy/slack-manifest.yaml, which does not.",
    "not_allowed_token_type": "This is a token of another kind; perhaps the two were swapped.",
    "missing_scope": "This token lacks a scope.",
}


def demand_settings(settings: Settings) -> bool:
    """Whether Slack is to be connected; raise `BadConfiguration` where only some of it is set."""
    bot, app, secret = _secrets(settings)
    over_http = settings.slack_transport == "http"
    if not (bot or app or secret or over_http):
        return False
    if bot or not settings.has_several_teams:
        _demand(bot, "xoxb-", "VOUCH_SLACK_BOT_TOKEN", _COPY_BOT)
    if over_http:
        _demand_secret(secret)
    else:
        _demand(app, "xapp-", "VOUCH_SLACK_APP_TOKEN", _COPY_APP)
    return True


def slack_checks(container: Container) -> list[tuple[str, Check]]:
    settings = container.settings
    if not any(_secrets(settings)) and settings.slack_transport == "socket":
        return [("Slack", lambda _: "not connected: `vouch up` opens the local workspace")]
    over_http = settings.slack_transport == "http"
    several = [("Slack workspaces", _workspaces)] if settings.has_several_teams else []
    by_token = [] if several and not settings.slack_bot_token.get_secret_value() else [_BY_TOKEN]
    return [
        *by_token,
        *several,
        ("Slack signing secret", _signing_secret) if over_http else ("Slack app token", _app_token),
    ]


def _workspaces(container: Container) -> str:
    settings = container.settings
    found = [each.workspace for each in container.stores.installations.all()]
    here = settings.slack_team
    if not settings.slack_bot_token.get_secret_value() and here not in found:
        raise BadConfiguration(
            f"Not installed in your own workspace, {here}: start `vouch up`, and open "
            f"{settings.slack_url}/slack/install"
        )
    further = ", ".join(each for each in found if each != here) or "no other yet"
    return f"{here}, and {further}; {settings.slack_url}/slack/install installs it in one more"


def _secrets(settings: Settings) -> tuple[str, str, str]:
    return (
        settings.slack_bot_token.get_secret_value(),
        settings.slack_app_token.get_secret_value(),
        settings.slack_signing_secret.get_secret_value(),
    )


def _bot_token(container: Container) -> str:
    token, _, _ = _secrets(container.settings)
    _demand(token, "xoxb-", "VOUCH_SLACK_BOT_TOKEN", _COPY_BOT)
    client = _client(container.settings, token)
    answer = _ask(client.auth_test, container.settings, _COPY_BOT)
    team = container.settings.slack_team
    if team and answer["team_id"] != team:
        raise BadConfiguration(
            f"VOUCH_SLACK_BOT_TOKEN is of workspace {answer['team_id']}, and VOUCH_SLACK_TEAM "
            f"names {team}. Put the token's own there, or install the bot in {team}"
        )
    return f"{answer['user']} in {answer['team']}, {_scopes(answer.headers, container.settings)}"


_BY_TOKEN = ("Slack bot token", _bot_token)


def _app_token(container: Container) -> str:
    _, token, _ = _secrets(container.settings)
    _demand(token, "xapp-", "VOUCH_SLACK_APP_TOKEN", _COPY_APP)
    client = _client(container.settings)
    _ask(lambda: client.apps_connections_open(app_token=token), container.settings, _COPY_APP)
    return "Socket Mode may be opened"


def _signing_secret(container: Container) -> str:
    _, _, secret = _secrets(container.settings)
    _demand_secret(secret)
    return "is set; whether it is the right one shows when Slack calls"


def _demand_secret(secret: str) -> None:
    """Without it anybody could write in Slack's name. Raise `BadConfiguration`."""
    if not secret:
        raise BadConfiguration(
            "VOUCH_SLACK_SIGNING_SECRET is not set, and HTTP mode needs it to tell Slack from "
            "strangers. Copy it from your app at api.slack.com/apps, Basic Information, App "
            "Credentials; or set VOUCH_SLACK_TRANSPORT=socket."
        )


def _demand(token: str, prefix: str, variable: str, copy: str) -> None:
    """Before the token is sent anywhere, or quoted in an error; raise `BadConfiguration`."""
    if not token:
        raise BadConfiguration(f"{variable} is not set. {copy}")
    if not token.startswith(prefix):
        raise BadConfiguration(
            f"{variable} must begin with {prefix}; perhaps the two tokens were swapped. {copy}"
        )
    if not re.fullmatch(r"[A-Za-z0-9-]+", token):
        raise BadConfiguration(f"{variable} holds a blank or another odd character. {copy}")


def _client(settings: Settings, token: str | None = None) -> "WebClient":
    from slack_sdk import WebClient

    return WebClient(token, settings.slack_api_url.get_secret_value(), timeout=_TIMEOUT_S)


def _ask(call: Callable[[], "SlackResponse"], settings: Settings, copy: str) -> "SlackResponse":
    """Slack's answer. Raise `BadConfiguration` saying what to do where it refuses."""
    from slack_sdk.errors import SlackApiError, SlackClientError

    try:
        return call()
    except SlackApiError as refused:
        raise BadConfiguration(_refusal(refused.response, copy)) from refused
    except (SlackClientError, HTTPException, OSError, ValueError) as error:
        raise BadConfiguration(
            f"Slack cannot be reached at {settings.slack_api_url} "
            f"({without(settings.secrets, str(error))}). Check the network, "
            "the proxy (HTTPS_PROXY) and VOUCH_SLACK_API_URL."
        ) from error


def _refusal(answer: Any, copy: str) -> str:
    error = str(answer.get("error") or "no reason")
    if error == "ratelimited":
        return "Slack asks to slow down. Wait a minute and run `vouch check` again."
    if error in _REASONS:
        return f"{_REASONS[error]} {copy} (Slack says: {error})"
    return (
        f"Slack refuses: {error}. "
        "See https://docs.slack.dev/reference/methods/auth.test for what it means."
    )


def _scopes(headers: Mapping[str, str], settings: Settings) -> str:
    """Compare with what Slack granted, in a header that a proxy may take away."""
    from bot.slack.permissions import (
        FOR_CHANNELS,
        FOR_LINKS,
        FOR_PICTURES,
        FOR_SEARCH,
        SCOPES,
        missing_scopes,
    )

    by_name = {name.lower(): value for name, value in headers.items()}
    if "x-oauth-scopes" not in by_name:
        return "whose scopes could not be seen: the answer does not name them (x-oauth-scopes)"
    granted = {scope.strip() for scope in by_name["x-oauth-scopes"].split(",")}
    pictures = () if settings.slack_pictures else FOR_PICTURES
    links = () if settings.web_base else FOR_LINKS
    search = () if settings.slack_search else FOR_SEARCH
    missing = missing_scopes([*granted, *pictures, *links, *search, *FOR_CHANNELS])
    if missing:
        named = "; ".join(f"{scope} ({SCOPES[scope]})" for scope in missing)
        raise BadConfiguration(
            f"Scopes are missing: {named}. Add them to your app at api.slack.com/apps, OAuth & "
            "Permissions, Bot Token Scopes, and install the app anew."
        )
    return "with all scopes"


_CREDENTIALS = {
    "invalid_client_id": "VOUCH_SLACK_CLIENT_ID",
    "bad_client_secret": "VOUCH_SLACK_CLIENT_SECRET",
}


def web_checks(container: "Container") -> list[tuple[str, Check]]:
    settings = container.settings
    if not settings.serves_pages:
        off = "VOUCH_WEB_URL names no place for them" if settings.web else "VOUCH_WEB=false"
        return [("sources in the browser", lambda _: f"not served: {off}")]
    sign_in = [("signing in to them", _sign_in)] if settings.slack_client_id else []
    return [("sources in the browser", _reached), *sign_in]


def _reached(container: "Container") -> str:
    from bot.web.addresses import address_in

    settings = container.settings
    here = address_in(container.home)
    if here:
        base = settings.web_base or here
        _demand_ours(base, here)
        return f"open at {base}"
    _demand_free(settings.web_host, settings.web_port)
    place = settings.web_base or "on this machine"
    return f"open {place} while `vouch up` runs; port {settings.web_port} is free"


def _demand_ours(base: str, here: str) -> None:
    """Raise `BadConfiguration` where an address leads to something else than to our pages."""
    import httpx

    try:
        found = httpx.get(f"{base}/sign-in", timeout=_TIMEOUT_S)
        why = "" if SIGN_IN.title in found.text else f"answers {found.status_code}, and not Vouch"
    except httpx.HTTPError as error:
        why = f"is not reached from here ({type(error).__name__})"
    if why:
        raise BadConfiguration(
            f"{base} {why}. The pages are served at {here}: let the reverse proxy hand on to "
            "there, with the Host that the browser sent, or mend VOUCH_WEB_URL."
        )


def _demand_free(host: str, port: int) -> None:
    from bot.slack.http import listen

    listen(host, port, "VOUCH_WEB_PORT", "VOUCH_WEB_HOST").close()


def _sign_in(container: "Container") -> str:
    """Ask for a code's token that there is not: Slack judges the app before the code."""
    from slack_sdk.errors import SlackApiError, SlackClientError

    from bot.wiring.container import callback

    settings = container.settings
    error = ""
    try:
        _client(settings).openid_connect_token(
            client_id=settings.slack_client_id,
            client_secret=settings.slack_client_secret.get_secret_value(),
            code="vouch-check",
            redirect_uri=callback(container.settings),
        )
    except SlackApiError as refused:
        error = str(refused.response.get("error"))
    except (SlackClientError, HTTPException, OSError, ValueError) as failure:
        raise BadConfiguration(
            f"Slack cannot be reached at {settings.slack_api_url} ({type(failure).__name__})."
        ) from failure
    if error in _CREDENTIALS:
        raise BadConfiguration(
            f"Slack does not know {_CREDENTIALS[error]}. Copy it from your app at "
            "api.slack.com/apps, Basic Information, App Credentials."
        )
    return f"Slack knows the app; its redirect URL must be {callback(container.settings)}"
