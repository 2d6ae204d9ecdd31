"""Exact changes by rule make a true sentence untrue of its passage; some do not.

A small model reads "14 days" and "40 days" as nearly the same. Real text altered in one
place teaches it to look, and the same text reworded teaches it that style is no sign.
"""

from collections.abc import Mapping
from types import MappingProxyType

from retrieval.training.changes.editing import Change, change_name
from retrieval.training.changes.negation import change_condition, change_negation, change_quantifier
from retrieval.training.changes.numbers_and_dates import change_date, change_number

CHANGES: Mapping[str, Change] = MappingProxyType(
    {
        "number": change_number,
        "date": change_date,
        "name": change_name,
        "condition": change_condition,
        "quantifier": change_quantifier,
        "negation": change_negation,
    }
)
"""Changes within one sentence, by class; each returns None where it finds nothing to change."""
INVENTED = "invented connection"
"""The class of `invented_connection`, which takes two sentences."""
