"""The collections of one library: the one in use goes by an alias, and others may be made beside.

An alias changes in one step for every bot at once, and a reader never meets one half made.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from retrieval.errors import IndexUnavailable, RetrievalError
from retrieval.index.certificate import RE_EMBED, Certificate, Space, certificate_in
from retrieval.index.weaviate.schema import create
from retrieval.index.weaviate.server import Server
from retrieval.ports import TEXT_SPACE

if TYPE_CHECKING:
    from weaviate import WeaviateClient

REACHED = "reached"
"""In a description: the number of the library's last change that was folded in."""


@dataclass(frozen=True, slots=True)
class Collections:
    """Makes, finds, exchanges and drops them; each named for library, embedder and a number."""

    server: Server
    alias: str
    replicas: int

    def current(self) -> str | None:
        """The name of the one in use; None where there is none."""
        return self.server.ask(self._current)

    def certificate(self, name: str) -> Certificate:
        """What one holds. Raise `IndexUnavailable` where it does not say so."""
        try:
            return certificate_in(self._description(name))
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise IndexUnavailable(
                f"The collection {name} has lost its description; {RE_EMBED}."
            ) from error

    def reached(self, name: str) -> int:
        """The change that `reach` noted; 0 where none was."""
        return int(json.loads(self._description(name)).get(REACHED, 0))

    def reach(self, name: str, change: int) -> None:
        """Note it in the description, which is lost with the collection."""
        noted = json.loads(self._description(name)) | {REACHED: change}
        self.server.ask(
            lambda client: client.collections.use(name).config.update(description=json.dumps(noted))
        )

    def _description(self, name: str) -> str:
        described = self.server.ask(lambda client: client.collections.use(name).config.get())
        return described.description or ""

    def ranks_by_blocks(self, name: str) -> bool:
        """Whether it was made for BlockMax WAND, which only the server's own settings decide."""
        settings = self.server.schema(name)["invertedIndexConfig"]
        return bool(settings.get("usingBlockMaxWAND"))

    def make_first(self, certificate: Certificate) -> str:
        """Make one and put it to use."""
        name = self.make_beside(certificate)
        self.put_to_use(name)
        return name

    def beside(self, certificate: Certificate, change: int) -> str:
        """One that nobody uses yet: begun before for the same change, or made."""
        unused = self.server.ask(self._unused)
        begun = (name for name in unused if self._is_for(name, certificate, change))
        if (name := next(begun, None)) is None:
            name = self.make_beside(certificate)
            self.reach(name, change)
        return name

    def make_beside(self, certificate: Certificate) -> str:
        """Make one that nobody uses yet; what was begun before and never used is dropped."""

        def make(client: "WeaviateClient") -> str:
            for other in self._unused(client):
                client.collections.delete(other)
            name = self._next(self._current(client), certificate.spaces)
            create(client, name, certificate, self.replicas)
            return name

        return self.server.ask(make)

    def put_to_use(self, name: str) -> None:
        """Have the alias name this one, then drop all others."""

        def exchange(client: "WeaviateClient") -> None:
            if client.alias.exists(alias_name=self.alias):
                client.alias.update(alias_name=self.alias, new_target_collection=name)
            else:
                client.alias.create(alias_name=self.alias, target_collection=name)
            for other in self._all(client):
                if other != name:
                    client.collections.delete(other)

        self.server.ask(exchange)

    def drop_all(self) -> None:
        def drop(client: "WeaviateClient") -> None:
            client.alias.delete(alias_name=self.alias)
            for name in self._all(client):
                client.collections.delete(name)

        self.server.ask(drop)

    def _current(self, client: "WeaviateClient") -> str | None:
        found = client.alias.get(alias_name=self.alias)
        return None if found is None else found.collection

    def _is_for(self, name: str, certificate: Certificate, change: int) -> bool:
        try:
            self.certificate(name).check(certificate)
            return self.reached(name) == change
        except RetrievalError:
            return False

    def _unused(self, client: "WeaviateClient") -> list[str]:
        in_use = self._current(client)
        return [name for name in self._all(client) if name != in_use]

    def _all(self, client: "WeaviateClient") -> list[str]:
        names = client.collections.list_all(simple=True)
        return sorted(name for name in names if name.startswith(f"{self.alias}_"))

    def _next(self, in_use: str | None, spaces: Mapping[str, Space]) -> str:
        number = int(in_use.rpartition("_")[2]) + 1 if in_use else 1
        embedder = hashlib.sha256(spaces[TEXT_SPACE].embedder.encode()).hexdigest()[:8]
        return f"{self.alias}_{embedder}_{number}"
