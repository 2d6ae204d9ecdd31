"""A Weaviate server: how it is reached, and what its errors mean for an operator."""

import threading
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeVar
from urllib.parse import urlsplit

from retrieval.errors import IndexUnavailable

if TYPE_CHECKING:
    from weaviate import WeaviateClient

T = TypeVar("T")

Consistency = Literal["ONE", "QUORUM", "ALL"]
OLDEST = (1, 32)
"""The first release with aliases, by which an index made anew takes the place of another."""
TRIES = 5
LONGEST_WAIT = 5.0
"""Seconds between two tries of what the server was too busy for."""
BUSY = ("429", "too many requests", "too many concurrent")
"""How the server says so; by gRPC only in words."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server is, and what lets one in."""

    url: str
    """Of its HTTP port, such as http://127.0.0.1:8080."""
    grpc_port: int
    api_key: str = ""
    timeout_seconds: float = 30.0


class Server:
    """One connection, made when it is first needed, for any thread; it ends with this object."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._lock = threading.Lock()
        self._client: WeaviateClient | None = None

    def client(self) -> "WeaviateClient":
        """Connect, if nobody did. Raise `IndexUnavailable`."""
        with self._lock:
            if self._client is None:
                self._client = self._connected()
                weakref.finalize(self, self._client.close)
            return self._client

    def ask(self, action: Callable[["WeaviateClient"], T]) -> T:
        """Ask the server, again where it is too busy. Raise `IndexUnavailable`."""
        from tenacity import (
            Retrying,
            retry_if_exception,
            stop_after_attempt,
            wait_random_exponential,
        )

        patiently = Retrying(
            retry=retry_if_exception(_is_busy),
            stop=stop_after_attempt(TRIES),
            wait=wait_random_exponential(multiplier=0.2, max=LONGEST_WAIT),
            reraise=True,
        )
        client = self.client()
        with self._plainly():
            return patiently(action, client)

    def schema(self, name: str) -> Mapping[str, Any]:
        """What the server says of a collection, of which the client leaves some out.

        Raise `IndexUnavailable`.
        """
        import httpx

        key, url = self._address.api_key, f"{self._address.url}/v1/schema/{name}"
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        with self._plainly():
            answer = httpx.get(url, headers=headers, timeout=self._address.timeout_seconds)
            found: Mapping[str, Any] = answer.raise_for_status().json()
        return found

    def _connected(self) -> "WeaviateClient":
        """Without the checks at the start, of which one asks a package registry for news."""
        import weaviate
        from weaviate.classes.init import AdditionalConfig, Auth, Timeout

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
                    timeout=Timeout(init=wait, query=wait, insert=wait)
                ),
            )
            self._demand_recent(str(client.get_meta()["version"]))
        return client

    def _demand_recent(self, version: str) -> None:
        stated = tuple(int(each) for each in version.split(".")[:2])
        if stated < OLDEST:
            needed = ".".join(map(str, OLDEST))
            raise IndexUnavailable(
                f"The Weaviate server at {self._address.url} is of version {version}, and Vouch "
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
            raise IndexUnavailable(self._advice(error)) from error

    def _advice(self, error: Exception) -> str:
        place, words = self._address.url, " ".join(str(error).split())[:300]
        if any(each in words for each in ("401", "403", "anonymous access not enabled")):
            return f"The Weaviate server at {place} lets nobody in with this VOUCH_WEAVIATE_KEY."
        if _is_busy(error):
            return f"The Weaviate server at {place} has too much to do. Try again in a minute."
        return (
            f"The Weaviate server at {place} cannot be used ({words}). See that it runs, and that "
            "VOUCH_WEAVIATE_URL and VOUCH_WEAVIATE_GRPC_PORT are right."
        )


def _is_busy(error: BaseException) -> bool:
    return any(each in str(error).lower() for each in BUSY)
