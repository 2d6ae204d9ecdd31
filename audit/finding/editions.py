"""Which version of a document a record cites: a record may cite others in other versions."""

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import islice

from sqlalchemy import Connection, select

from audit.finding.term_index import TermIndex, Terms, newest_first, open_term_index
from audit.finding.terms import BETWEEN, edition, term
from audit.storing.tables import entries

Meant = Callable[[Mapping[str, str]], bool]
"""Whether a citation is of what was asked for."""
_AT_ONCE = 64
_CITED, _EDITIONS = "cited:", "edition:"


def cited_versions(connection: Connection, document_id: str) -> frozenset[str]:
    beginning = edition(document_id, "")
    said = open_term_index(connection).terms(Terms.beginning(beginning))
    return frozenset(each.removeprefix(beginning) for each in said)


def cited_files(terms: Sequence[str]) -> set[str]:
    """The files that a record cites, by its terms, which have the ids of their documents, too."""
    editions = Terms.beginning(_EDITIONS).among(terms)
    ids = {each.removeprefix(_EDITIONS).partition(BETWEEN)[0] for each in editions}
    named = Terms.beginning(_CITED).among(terms)
    return {each.removeprefix(_CITED) for each in named} - ids


def of_version(said: str, version: str) -> Terms:
    """What a term says that ends with a version: a number whole, else how it begins."""
    return Terms(said) if version.isdecimal() else Terms.beginning(said)


def citing(found: TermIndex, bits: int, what: Meant, version: str) -> int:
    """Of records of which each cites what is meant, those that cite it in a version.

    Under which ids it is kept is read in the newest ones: a file may have been several documents.
    """
    citing, rest = 0, bits
    while ids := _ids(found.connection, list(islice(newest_first(rest), _AT_ONCE)), what):
        for each in ids:
            citing |= found.having(of_version(edition(each, version), version), bits)
            rest &= ~found.having(Terms(term("cited", each)), rest)
    return citing


def _ids(connection: Connection, numbers: list[int], what: Meant) -> set[str]:
    query = select(entries.c.payload).where(entries.c.sequence.in_(numbers))
    return {
        citation["document_id"]
        for payload in connection.scalars(query)
        for claim in json.loads(payload).get("claims", ())
        for citation in claim["citations"]
        if what(citation)
    }
