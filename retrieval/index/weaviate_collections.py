"""The collections of one library on a Weaviate server, and which is in use.

That one goes by an alias, which changes in one step for every bot at once.
"""

import hashlib
import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import NAMESPACE_OID, UUID, uuid5

import numpy as np

from retrieval.errors import IndexUnavailable, RetrievalError
from retrieval.index.entries import (
    FIRST_DAY,
    LAST_DAY,
    RE_EMBED,
    Certificate,
    as_text,
    certificate_in,
    clean,
    demand_direction,
    ordinal,
)
from retrieval.index.weaviate_server import Server
from retrieval.language.words import lexemes
from retrieval.metadata.access import audience_tokens, wanted_tokens
from retrieval.ports import IndexEntry
from retrieval.types import Scope

if TYPE_CHECKING:
    from weaviate import WeaviateClient
    from weaviate.collections.classes.data import DataObject
    from weaviate.collections.classes.filters import _Filters

FLAT_UP_TO = 100_000
"""So many readable entries are all compared, in a tenth of a second: under narrow filters a search
of the graph misses too much (docs/measurements.md, on scale)."""

VECTOR = "text"
"""By this name an object has it."""


def create(
    client: "WeaviateClient",
    name: str,
    certificate: Certificate,
    replicas: int,
) -> None:
    """Make an empty collection; what it holds stands in its description."""
    from weaviate.classes.config import (
        Configure,
        DataType,
        Property,
        ReplicationDeletionStrategy,
        StopwordsPreset,
        Tokenization,
    )

    def unsearched(name: str) -> Property:
        """Given back as it is; what is sought by is its `uuid_of`."""
        return Property(
            name=name,
            data_type=DataType.TEXT,
            index_filterable=False,
            index_searchable=False,
        )

    def number(name: str) -> Property:
        return Property(
            name=name, data_type=DataType.INT, index_filterable=False, index_range_filters=True
        )

    client.collections.create(
        name,
        description=as_text(certificate),
        properties=[
            unsearched("passage_id"),
            unsearched("document_id"),
            Property(name="document", data_type=DataType.UUID, index_filterable=True),
            Property(
                name="audience",
                data_type=DataType.TEXT_ARRAY,
                tokenization=Tokenization.FIELD,  # the default would match a part of a token
                index_filterable=True,
                index_searchable=False,
            ),
            number("valid_from"),
            number("valid_to"),
            Property(
                name="words",
                data_type=DataType.TEXT,
                tokenization=Tokenization.WORD,
                index_filterable=False,
                index_searchable=True,
            ),
        ],
        vector_config=_vectors(),  # type: ignore[no-untyped-call]  # as below
        # As LanceDB ranks: its k1 and b, and no word left out.
        inverted_index_config=Configure.inverted_index(
            bm25_k1=1.2, bm25_b=0.75, stopwords_preset=StopwordsPreset.NONE
        ),
        # A node that was away is brought up to date by the others, and brings nothing back that
        # was deleted meanwhile.
        replication_config=Configure.replication(
            factor=replicas,
            async_enabled=replicas > 1,
            deletion_strategy=ReplicationDeletionStrategy.TIME_BASED_RESOLUTION,
        ),
    )


def _vectors():  # type: ignore[no-untyped-def]  # the client names no public type
    """Cosine; a filter comes first, and ACORN (Patel et al., 2024) walks what it lets through."""
    from weaviate.classes.config import Configure, VectorDistances, VectorFilterStrategy

    return Configure.Vectors.self_provided(
        name=VECTOR,
        vector_index_config=Configure.VectorIndex.hnsw(
            distance_metric=VectorDistances.COSINE,
            filter_strategy=VectorFilterStrategy.ACORN,
            flat_search_cutoff=FLAT_UP_TO,
        ),
    )


def uuid_of(identifier: str) -> UUID:
    """The server's id of a passage or document: the same for the same one everywhere."""
    return uuid5(NAMESPACE_OID, clean(identifier))


def as_object(entry: IndexEntry, certificate: Certificate) -> "DataObject[Any, None]":
    """Raise `ValueError` for a vector of another dimension or with no direction."""
    from weaviate.classes.data import DataObject

    vector = np.asarray(entry.vector, np.float32)
    demand_direction(vector[np.newaxis], certificate.dimension)
    properties: Any = {
        "passage_id": clean(entry.passage_id),
        "document_id": clean(entry.document_id),
        "document": uuid_of(entry.document_id),
        "audience": list(audience_tokens(entry.rule, certificate.facets)),
        "valid_from": ordinal(entry.rule.valid_from, FIRST_DAY),
        "valid_to": ordinal(entry.rule.valid_to, LAST_DAY),
        "words": lexemes(entry.words),
    }
    return DataObject(
        uuid=uuid_of(entry.passage_id),
        properties=properties,
        vector={VECTOR: vector.tolist()},
    )


def of_documents(identifiers: Collection[str]) -> "_Filters":
    from weaviate.classes.query import Filter

    return Filter.by_property("document").contains_any([uuid_of(each) for each in identifiers])


NO_DOCUMENT = ""
"""No document has this id."""


def readable(scope: Scope, facets: Sequence[str]) -> "_Filters":
    """What a scope may read; `filters` says why this means what it must."""
    from weaviate.classes.query import Filter

    day = scope.on.toordinal()
    dates = [Filter.by_property("valid_from").less_or_equal(day)]
    if not scope.expired:
        dates.append(Filter.by_property("valid_to").greater_or_equal(day))
    audience = [
        Filter.by_property("audience").contains_any(tokens)
        for tokens in wanted_tokens(scope, facets)
    ]
    named = []
    if scope.documents is not None:
        named.append(of_documents(sorted(scope.documents) or [NO_DOCUMENT]))
    return Filter.all_of([*dates, *audience, *named])


def filtered_as(objects: Sequence["DataObject[Any, None]"]) -> "_Filters":
    """What each meets in every property that filters ask for; one for nobody has no token."""
    from weaviate.classes.query import Filter

    def values(name: str) -> set[Any]:
        return {each.properties[name] for each in objects}

    audiences = [each.properties["audience"] for each in objects]
    tokens = sorted({token for audience in audiences for token in audience})
    return Filter.all_of(
        [
            Filter.by_property("document").contains_any(sorted(values("document"))),
            *([Filter.by_property("audience").contains_any(tokens)] if all(audiences) else []),
            Filter.by_property("valid_from").less_or_equal(max(values("valid_from"))),
            Filter.by_property("valid_to").greater_or_equal(min(values("valid_to"))),
        ]
    )


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

    def make_first(self, certificate: Certificate) -> str:
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
            name = self._next(self._current(client), certificate.embedder)
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

    def _next(self, in_use: str | None, embedder: str) -> str:
        number = int(in_use.rpartition("_")[2]) + 1 if in_use else 1
        return f"{self.alias}_{hashlib.sha256(embedder.encode()).hexdigest()[:8]}_{number}"
