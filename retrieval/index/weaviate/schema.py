"""What a collection looks like, and what a scope means to it."""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from uuid import NAMESPACE_OID, UUID, uuid5

import numpy as np

from retrieval.filters import audience_tokens, wanted_tokens
from retrieval.index.certificate import Certificate, Space, as_text
from retrieval.index.entries import (
    FIRST_DAY,
    LAST_DAY,
    clean,
    demand_direction,
    ordinal,
    values_of,
)
from retrieval.language.words import lexemes
from retrieval.ports import EntryKind, IndexEntry
from retrieval.types import Scope

if TYPE_CHECKING:
    from weaviate import WeaviateClient
    from weaviate.collections.classes.data import DataObject
    from weaviate.collections.classes.filters import _Filters

FLAT_UP_TO = 100_000
"""Where no more entries than these may be read, all of them are compared: that takes less than a
tenth of a second, and under narrow filters a search of the graph misses too much (both measured:
docs/measurements.md, on scale)."""


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

    def exact(name: str, kind: DataType) -> Property:
        """Filtered by its whole value: the default tokenisation would match a part of it."""
        return Property(
            name=name,
            data_type=kind,
            tokenization=Tokenization.FIELD,
            index_filterable=True,
            index_searchable=False,
        )

    def told(name: str) -> Property:
        """Given back as it is; what is filtered by is its `uuid_of`."""
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
            told("passage_id"),
            told("document_id"),
            Property(name="passage", data_type=DataType.UUID, index_filterable=True),
            Property(name="document", data_type=DataType.UUID, index_filterable=True),
            exact("kind", DataType.TEXT),
            exact("audience", DataType.TEXT_ARRAY),
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
        vector_config=[_vectors(name) for name in certificate.spaces],
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


def _vectors(space: str):  # type: ignore[no-untyped-def]  # the client names no public type
    """Compared by cosine; a filter comes before the search, and ACORN walks what it lets through.

    (Patel et al., ACORN: Performant and Predicate-Agnostic Search Over Vector Embeddings and
    Structured Data, 2024.)
    """
    from weaviate.classes.config import Configure, VectorDistances, VectorFilterStrategy

    return Configure.Vectors.self_provided(
        name=space,
        vector_index_config=Configure.VectorIndex.hnsw(
            distance_metric=VectorDistances.COSINE,
            filter_strategy=VectorFilterStrategy.ACORN,
            flat_search_cutoff=FLAT_UP_TO,
        ),
    )


def uuid_of(identifier: str) -> UUID:
    """The server's id of an entry, passage or document: the same for the same one everywhere."""
    return uuid5(NAMESPACE_OID, clean(identifier))


def as_object(
    entry: IndexEntry, spaces: Mapping[str, Space], facets: Sequence[str]
) -> "DataObject[Any, None]":
    """Raise `ValueError` for a vector of another dimension or with no direction."""
    from weaviate.classes.data import DataObject

    vectors = {name: np.asarray(each, np.float32) for name, each in entry.vectors.items()}
    for name, vector in vectors.items():
        demand_direction(vector[np.newaxis], spaces[name].dimension)
    properties: Any = {
        "passage_id": clean(entry.passage_id),
        "document_id": clean(entry.document_id),
        "passage": uuid_of(entry.passage_id),
        "document": uuid_of(entry.document_id),
        "kind": entry.kind.value,
        "audience": list(audience_tokens(entry.rule, facets)),
        "valid_from": ordinal(entry.rule.valid_from, FIRST_DAY),
        "valid_to": ordinal(entry.rule.valid_to, LAST_DAY),
        "words": lexemes(entry.words),
    }
    return DataObject(
        uuid=uuid_of(entry.entry_id),
        properties=properties,
        vector={name: vector.tolist() for name, vector in vectors.items()},
    )


def of_kinds(kinds: Collection[EntryKind]) -> "_Filters":
    from weaviate.classes.query import Filter

    return Filter.by_property("kind").contains_any(values_of(kinds))


def among(name: str, identifiers: Collection[str]) -> "_Filters":
    """Of these passages or documents."""
    from weaviate.classes.query import Filter

    return Filter.by_property(name).contains_any([uuid_of(each) for each in identifiers])


def readable(
    kinds: Collection[EntryKind],
    scope: Scope,
    facets: Sequence[str],
    documents: Collection[str] = (),
) -> "_Filters":
    """What of these kinds a scope may read, of some documents alone where they are named.

    `filters` says why this means what it must.
    """
    from weaviate.classes.query import Filter

    day = scope.on.toordinal()
    dates = [Filter.by_property("valid_from").less_or_equal(day)]
    if not scope.expired:
        dates.append(Filter.by_property("valid_to").greater_or_equal(day))
    audience = [
        Filter.by_property("audience").contains_any(tokens)
        for tokens in wanted_tokens(scope, facets)
    ]
    named = [among("document", documents)] if documents else []
    return Filter.all_of([of_kinds(kinds), *dates, *audience, *named])


def filtered_as(objects: Sequence["DataObject[Any, None]"]) -> "_Filters":
    """What each of these meets in every property that a filter asks for.

    Where one of them is for nobody, it has no token by which it could be met.
    """
    from weaviate.classes.query import Filter

    def values(name: str) -> set[Any]:
        return {each.properties[name] for each in objects}

    audiences = [each.properties["audience"] for each in objects]
    tokens = sorted({token for audience in audiences for token in audience})
    return Filter.all_of(
        [
            *(
                Filter.by_property(name).contains_any(sorted(values(name)))
                for name in ("passage", "document", "kind")
            ),
            *([Filter.by_property("audience").contains_any(tokens)] if all(audiences) else []),
            Filter.by_property("valid_from").less_or_equal(max(values("valid_from"))),
            Filter.by_property("valid_to").greater_or_equal(min(values("valid_to"))),
        ]
    )
