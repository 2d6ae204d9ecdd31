"""`vouch check` says this of the pages in a browser: whether they are reached and signed in to."""

from typing import TYPE_CHECKING

from bot.cli.slack_check import Check
from bot.errors import BadConfiguration

if TYPE_CHECKING:
    from bot.wiring import Container

_TIMEOUT_S = 10.0
_CREDENTIALS = {
    "invalid_client_id": "VOUCH_SLACK_CLIENT_ID",
    "bad_client_secret": "VOUCH_SLACK_CLIENT_SECRET",
}
"""What Slack does not know, by its error."""


def web_checks(container: "Container") -> list[tuple[str, Check]]:
    """What is to be checked, each by its name."""
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

    from bot.wording.web import SIGN_IN

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
    """Raise `BadConfiguration` where another program has the port."""
    from bot.slack.http import listen

    listen(host, port, "VOUCH_WEB_PORT", "VOUCH_WEB_HOST").close()


def _sign_in(container: "Container") -> str:
    """Ask for a code's token that there is not: Slack judges the app before the code."""
    from http.client import HTTPException

    from slack_sdk import WebClient
    from slack_sdk.errors import SlackApiError, SlackClientError

    from bot.wiring.pages import callback

    settings = container.settings
    error = ""
    client = WebClient(base_url=settings.slack_api_url.get_secret_value(), timeout=int(_TIMEOUT_S))
    try:
        client.openid_connect_token(
            client_id=settings.slack_client_id,
            client_secret=settings.slack_client_secret.get_secret_value(),
            code="vouch-check",
            redirect_uri=callback(container),
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
    return f"Slack knows the app; its redirect URL must be {callback(container)}"
