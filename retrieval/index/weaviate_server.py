"""A Weaviate server: how it is reached, and what its errors mean for an operator."""

import json
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeVar
from urllib.parse import urlsplit

from retrieval.errors import IndexUnavailable

if TYPE_CHECKING:
    from weaviate import WeaviateClient

T = TypeVar("T")

Consistency = Literal["ONE", "QUORUM", "ALL"]
OLDEST = (1, 32)
"""The first release with aliases, by which an index made anew takes the place of another."""
LONGEST_WAIT = 5.0
"""Seconds between two tries of what the server was too busy for."""
BUSY = ("too many requests", "too many concurrent")
"""How the server says so by gRPC; by HTTP it is a status."""
NO_KEY = ("anonymous access not enabled", "unauthorized", "invalid api key")
LATE = ("deadline exceeded", "timed out", "failed to connect", "socket closed")
CHANNEL = (
    ("grpc.service_config", json.dumps({"methodConfig": [{"name": [{}], "waitForReady": True}]})),
    ("grpc.initial_reconnect_backoff_ms", 200),
    ("grpc.min_reconnect_backoff_ms", 200),
    ("grpc.max_reconnect_backoff_ms", 1000),
)
"""A server that is away is waited for as long as the timeout says, and soon found again."""


@dataclass(frozen=True, slots=True)
class Address:
    url: str
    """Of its HTTP port, such as http://127.0.0.1:8080."""
    grpc_port: int
    api_key: str = ""
    timeout_seconds: float = 30.0

    @property
    def place(self) -> str:
        """The URL as it may be told: without what stands in it beside scheme, host and port."""
        parts = urlsplit(self.url)
        host = (parts.netloc or self.url).rpartition("@")[2]
        return f"{parts.scheme}://{host}" if parts.netloc else host


class NoAnswer(IndexUnavailable):
    """It is not there or does not answer in time: to ask again at once is to wait again."""


class Server:
    """One connection, made when it is first needed, for any thread; it ends with this object."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._lock = threading.Lock()
        self._client: WeaviateClient | None = None

    def client(self) -> "WeaviateClient":
        """Connect, if nobody did; nobody waits for another's attempt. Raise `IndexUnavailable`."""
        if self._client is None:
            made = self._connected()
            with self._lock:
                if self._client is None:
                    self._client = made
                    weakref.finalize(self, made.close)
                else:
                    made.close()
        return self._client

    def ask(self, action: Callable[["WeaviateClient"], T]) -> T:
        """Ask the server, again where it is too busy. Raise `IndexUnavailable`."""
        from tenacity import (
            Retrying,
            retry_if_exception,
            stop_after_delay,
            wait_random_exponential,
        )

        patiently = Retrying(
            retry=retry_if_exception(_is_busy),
            stop=stop_after_delay(self._address.timeout_seconds),
            wait=wait_random_exponential(multiplier=0.2, max=LONGEST_WAIT),
            reraise=True,
        )
        client = self.client()
        with self._plainly():
            return patiently(action, client)

    def _connected(self) -> "WeaviateClient":
        """Without the checks at the start, of which one asks a package registry for news."""
        import weaviate
        from weaviate.classes.init import AdditionalConfig, Auth, Timeout
        from weaviate.config import ConnectionConfig, GrpcConfig

        parts = urlsplit(self._address.url)
        secure, wait = parts.scheme == "https", self._address.timeout_seconds
        with self._plainly():
            client = weaviate.connect_to_custom(
                http_host=parts.hostname or "",
                http_port=parts.port or (443 if secure else 80),
                http_secure=secure,
                grpc_host=parts.hostname or "",
                grpc_port=self._address.grpc_port,
                grpc_secure=secure,
                auth_credentials=Auth.api_key(self._address.api_key)
                if self._address.api_key
                else None,
                skip_init_checks=True,
                additional_config=AdditionalConfig(
                    timeout=Timeout(init=wait, query=wait, insert=wait),
                    connection=ConnectionConfig(session_pool_max_retries=0),
                    grpc_config=GrpcConfig(channel_options=list(CHANNEL)),
                ),
            )
            try:
                self._demand_recent(str(client.get_meta()["version"]))
            except Exception:
                client.close()
                raise
        return client

    def _demand_recent(self, version: str) -> None:
        stated = tuple(int(each) for each in version.split(".")[:2])
        if stated < OLDEST:
            needed = ".".join(map(str, OLDEST))
            raise IndexUnavailable(
                f"The Weaviate server at {self._address.place} is of version {version}, and Vouch "
                f"needs {needed} or newer. Upgrade it."
            )

    @contextmanager
    def _plainly(self) -> Iterator[None]:
        """Say what to do about an error of the client, of HTTP or of gRPC."""
        import httpx
        from weaviate.exceptions import WeaviateBaseError

        try:
            yield
        except (WeaviateBaseError, httpx.HTTPError, OSError, ValueError) as error:
            kind = NoAnswer if _is_late(error) else IndexUnavailable
            raise kind(self._advice(error)) from error

    def _advice(self, error: Exception) -> str:
        place = f"The Weaviate server at {self._address.place}"
        if _is_locked(error):
            if self._address.api_key:
                return f"{place} lets nobody in with this VOUCH_WEAVIATE_KEY. Set the right one."
            return f"{place} lets nobody in without a key. Set VOUCH_WEAVIATE_KEY."
        if _is_busy(error):
            return f"{place} has too much to do. Try again in a minute."
        if _is_late(error):
            return (
                f"{place} cannot be reached, or does not answer within "
                f"{self._address.timeout_seconds:g} seconds (VOUCH_WEAVIATE_TIMEOUT_SECONDS). See "
                "that it runs, and that VOUCH_WEAVIATE_URL and VOUCH_WEAVIATE_GRPC_PORT are right."
            )
        words = " ".join(str(error).split())[:300]
        return (
            f"{place} cannot be used ({words}). See that it runs, and that VOUCH_WEAVIATE_URL and "
            "VOUCH_WEAVIATE_GRPC_PORT are right."
        )


def _is_busy(error: BaseException) -> bool:
    return _has_status(error, 429) or _says(error, BUSY)


def _is_locked(error: BaseException) -> bool:
    from weaviate.exceptions import AuthenticationFailedError, InsufficientPermissionsError

    named = isinstance(error, AuthenticationFailedError | InsufficientPermissionsError)
    return named or _has_status(error, 401, 403) or _says(error, NO_KEY)


def _is_late(error: BaseException) -> bool:
    """By gRPC the client passes on words alone."""
    import httpx
    from weaviate.exceptions import (
        WeaviateConnectionError,
        WeaviateStartUpError,
        WeaviateTimeoutError,
    )

    named = (WeaviateConnectionError, WeaviateStartUpError, WeaviateTimeoutError)
    return isinstance(error, (*named, httpx.TransportError)) or _says(error, LATE)


def _has_status(error: BaseException, *codes: int) -> bool:
    """Numbers are not looked for in words, which name collections and ports too."""
    from weaviate.exceptions import UnexpectedStatusCodeError

    return isinstance(error, UnexpectedStatusCodeError) and error.status_code in codes


def _says(error: BaseException, words: tuple[str, ...]) -> bool:
    said = str(error).lower()
    return any(each in said for each in words)
