"""The other transport posts signed HTTP requests to the app's own server.

https://docs.slack.dev/authentication/verifying-requests-from-slack
"""

import asyncio
import json
import secrets
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from slack_sdk.signature import SignatureVerifier
from tenacity import AsyncRetrying, retry_if_exception_type, wait_fixed

from bot.workspace.delivery.deliveries import Attempt, Kind, NotAcknowledged, Payload

JSON = "application/json"
FORM = "application/x-www-form-urlencoded"
CHALLENGE_EVERY = 0.5
"""Seconds between attempts to verify the URL while the app is not up yet."""


class HttpTransport:
    """It posts to one URL, as Slack does when events, commands and clicks share it."""

    def __init__(
        self, url: str, signing_secret: str, clock: Callable[[], float], acknowledge_within: float
    ) -> None:
        self._url = url
        self._signer = SignatureVerifier(signing_secret)
        self._clock = clock
        self._within = acknowledge_within
        self._verified = False

    @property
    def connected(self) -> bool:
        return self._verified

    async def verify(self) -> None:
        """Shake hands by `url_verification`; ask until the app answers with the challenge."""
        challenge = secrets.token_hex(16)
        body = {"type": "url_verification", "token": "local", "challenge": challenge}
        async for attempt in AsyncRetrying(
            retry=retry_if_exception_type(NotAcknowledged), wait=wait_fixed(CHALLENGE_EVERY)
        ):
            with attempt:
                if challenge not in await self._post(json.dumps(body), JSON, {}):
                    raise NotAcknowledged("http_error")
        self._verified = True

    async def send(self, kind: Kind, payload: Payload, attempt: Attempt) -> Payload:
        """Return what the app answered, an object or `{}`."""
        headers: dict[str, str] = {}
        if attempt.number:
            headers["X-Slack-Retry-Num"] = str(attempt.number)
            headers["X-Slack-Retry-Reason"] = attempt.reason
        said = await self._post(*_body(kind, payload), headers)
        if not said.startswith("{"):
            return {"text": said} if said else {}
        answered: dict[str, Any] = json.loads(said)
        return answered

    async def _post(self, body: str, content_type: str, headers: dict[str, str]) -> str:
        stamp = str(int(self._clock()))
        signature = self._signer.generate_signature(timestamp=stamp, body=body)
        request = urllib.request.Request(  # noqa: S310 - the URL is the operator's own setting
            self._url,
            data=body.encode(),
            headers={
                "Content-Type": content_type,
                "X-Slack-Request-Timestamp": stamp,
                "X-Slack-Signature": str(signature),
                **headers,
            },
        )
        return await asyncio.to_thread(self._open, request)

    def _open(self, request: urllib.request.Request) -> str:
        try:
            with urllib.request.urlopen(request, timeout=self._within) as response:  # noqa: S310
                return str(response.read().decode())
        except TimeoutError:
            raise NotAcknowledged("http_timeout") from None
        except urllib.error.HTTPError as refused:
            refused.close()
            raise NotAcknowledged("http_error") from None
        except OSError:
            raise NotAcknowledged("connection_failed") from None


def _body(kind: Kind, payload: Payload) -> tuple[str, str]:
    if kind is Kind.EVENT:
        return json.dumps(payload), JSON
    if kind is Kind.COMMAND:
        return urlencode(payload), FORM
    return urlencode({"payload": json.dumps(payload)}), FORM
