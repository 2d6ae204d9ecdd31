"""What a row looks like, and what a scope means to the table, as SQL."""

from collections.abc import Collection, Mapping, Sequence

import numpy as np
import pyarrow as pa

from retrieval.filters import audience_tokens, wanted_tokens
from retrieval.index.certificate import Certificate, Space
from retrieval.index.entries import (
    FIRST_DAY,
    LAST_DAY,
    clean,
    demand_direction,
    demand_kinds,
    demand_spaces,
    ordinal,
    values_of,
)
from retrieval.ports import EntryKind, IndexEntry
from retrieval.types import Scope


def schema(spaces: Mapping[str, Space]) -> pa.Schema:
    columns = {
        "entry_id": pa.string(),
        "passage_id": pa.string(),
        "document_id": pa.string(),
        "kind": pa.string(),
        "audience": pa.list_(pa.string()),  # tokens of `filters`
        "valid_from": pa.int32(),  # days, as `date.toordinal`
        "valid_to": pa.int32(),
        "words": pa.string(),
    }
    vectors = {column(n): pa.list_(pa.float32(), s.dimension) for n, s in spaces.items()}
    return pa.schema({**columns, **vectors})


def column(space: str) -> str:
    return f"vector_{space}"


def rows_of(entries: Sequence[IndexEntry], certificate: Certificate) -> pa.Table:
    """Raise `ValueError` for what such an index does not hold."""
    spaces = certificate.spaces
    demand_spaces(entries, spaces)
    demand_kinds(entries, certificate.made_by)
    rules = [entry.rule for entry in entries]
    columns = {
        "entry_id": [entry.entry_id for entry in entries],
        "passage_id": [entry.passage_id for entry in entries],
        "document_id": [entry.document_id for entry in entries],
        "kind": [entry.kind.value for entry in entries],
        "audience": [list(audience_tokens(rule, certificate.facets)) for rule in rules],
        "valid_from": [ordinal(rule.valid_from, FIRST_DAY) for rule in rules],
        "valid_to": [ordinal(rule.valid_to, LAST_DAY) for rule in rules],
        "words": [clean(entry.words) for entry in entries],
    }
    vectors = {column(name): _vectors(name, s.dimension, entries) for name, s in spaces.items()}
    return pa.table({**columns, **vectors}, schema=schema(spaces))


def _vectors(space: str, dimension: int, entries: Sequence[IndexEntry]) -> pa.Array:
    """A column of one space; null where an entry has no vector in it."""
    lacking = np.array([space not in entry.vectors for entry in entries])
    held = np.zeros((len(entries), dimension), dtype=np.float32)
    given = [np.asarray(e.vectors[space], np.float32) for e in entries if space in e.vectors]
    if given:
        if any(vector.shape != (dimension,) for vector in given):
            raise ValueError(f"a vector must have {dimension} dimensions")
        demand_direction(np.stack(given), dimension)
        held[~lacking] = given
    return pa.FixedSizeListArray.from_arrays(held.ravel(), dimension, mask=pa.array(lacking))


def readable(scope: Scope, facets: Sequence[str]) -> str:
    """What a reader may read; tokens are ASCII, and quotes in them are doubled."""
    day = scope.on.toordinal()
    dates = [f"valid_from <= {day}", *([] if scope.expired else [f"valid_to >= {day}"])]
    audience = [
        f"array_has_any(audience, make_array({_quoted(tokens)}))"
        for tokens in wanted_tokens(scope, facets)
    ]
    return " AND ".join([*dates, *audience])


def of_kinds(kinds: Collection[EntryKind]) -> str:
    return among("kind", values_of(kinds))


def among(name: str, values: Collection[str]) -> str:
    return f"{name} IN ({_quoted(values)})"


def _quoted(values: Collection[str]) -> str:
    return ", ".join("'" + value.replace("'", "''") + "'" for value in values)
