"""Which engine the index has."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from bot.settings import Settings

if TYPE_CHECKING:
    from retrieval.documents.port import LibraryReader
    from retrieval.index.certificate import Space
    from retrieval.ports import EntryKind, PassageIndex

PACKAGES = {"lancedb": "lancedb", "weaviate": "weaviate-client"}
"""What an engine is installed as."""


def index_of(
    settings: Settings,
    library: "LibraryReader",
    spaces: "Mapping[str, Space]",
    facets: Sequence[str],
    made_by: "Mapping[EntryKind, str]",
) -> "PassageIndex":
    """The index of the settings; one on a server is named for its library.

    `made_by`: what makes entries of other kinds than passages.
    """
    if settings.index == "lancedb":
        from retrieval.index.lance_index import LanceIndex

        return LanceIndex(settings.home / "index", spaces, facets, made_by=made_by)
    from retrieval.index.weaviate_index import WeaviateIndex
    from retrieval.index.weaviate_server import Address, Server

    address = Address(
        settings.weaviate_url.get_secret_value(),
        settings.weaviate_grpc_port,
        settings.weaviate_key.get_secret_value(),
        settings.weaviate_timeout_seconds,
    )
    return WeaviateIndex(
        Server(address),
        f"Vouch_{library.library_id()}",
        spaces,
        facets,
        consistency=settings.weaviate_consistency,
        replicas=settings.weaviate_replicas,
        made_by=made_by,
    )
