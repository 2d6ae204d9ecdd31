"""Which unit of the organisation a document belongs to, by the names that it gives itself."""

from retrieval.metadata.access import EVERYONE
from retrieval.metadata.ontology import Ontology
from retrieval.types import Metadata


def units_of(metadata: Metadata, ontology: Ontology) -> tuple[str, ...]:
    """The unit to ask first, then those of its level that it is for; empty for none.

    Such as `("fees@example.org",)` of the whole university's, or `("cs-office@example.org", "cs")`
    of a department's. They say whom it concerns, and never who may read it.
    """
    facet = next((each.facet for each in ontology.levels if each.name == metadata.level), None)
    own = dict(metadata.access.audience).get(facet, ()) if facet else ()
    return tuple(
        dict.fromkeys(unit for unit in (metadata.owner, *own) if unit not in ("", EVERYONE))
    )
