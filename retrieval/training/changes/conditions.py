"""Conditions and bounds are dropped, added or turned round."""

import re
from random import Random

from retrieval.training.changes.places import by_table, capitalised, ended, first_that_works
from retrieval.training.changes.stock import Stock

_turned = by_table(
    {
        "only if": ("unless", "even if not"),
        "if": ("unless", "only if"),
        "unless": ("if", "even if"),
        "when": ("except when", "only when"),
        "before": ("after",),
        "after": ("before",),
        "until": ("only after",),
        "at least": ("at most", "exactly", "fewer than"),
        "at most": ("at least", "more than"),
        "up to": ("at least", "more than"),
        "no more than": ("at least", "more than"),
        "more than": ("less than", "no more than"),
        "less than": ("more than", "at least"),
        "fewer than": ("more than", "at least"),
        "over": ("under",),
        "except": ("including", "even"),
        "including": ("except",),
        "with": ("without",),
        "without": ("with",),
        "in addition to": ("instead of",),
        "as well as": ("instead of", "but not"),
        "instead of": ("in addition to", "as well as"),
        "rather than": ("as well as", "and also"),
        "regardless of": ("depending on",),
        "depending on": ("regardless of",),
        "as long as": ("even after", "unless"),
        "even if": ("unless", "only if"),
        "by the end of": ("after the end of",),
        "in advance": ("afterwards",),
        "beforehand": ("afterwards",),
    }
)
_IF_FIRST = re.compile(
    r"^(?:If|Unless|Only if|Provided that|As long as) [^,]{5,120}, (?:then )?(.+)$"
)
_IF_LAST = re.compile(
    r"^(.{15,}?),? (?:(?:but )?only if|(?:but )?only when|if|unless|except|as long as|provided"
    r"(?: that)?|with the exception of) [^,;]{5,}?([.!]?)$"
)
_ADDED = (
    " only if a manager agrees",
    " unless the budget is used up",
    ", except on public holidays",
    ", but only in the first year",
    ", but only for full-time employees",
    ", but not for contractors",
    " only during the trial period",
    ", as long as a form was sent in beforehand",
    ", provided that a second person has checked it",
    ", but only after a written request",
    ", except for temporary staff",
    " unless someone objects",
    ", but only on working days",
    " only with written approval",
    " within ten days",
    " at least twice a year",
    ", free of charge",
    ", as required by law",
    ", at their own expense",
    " in every department",
    ", but only if they have been there for six months",
    " until further notice",
    ", with no exceptions",
    " only when nobody else is available",
)


ADDED_SHARE = 0.4
"""Of sentences without a condition: any could be given one, but those with one teach more."""


def change_condition(text: str, dice: Random, stock: Stock) -> str | None:
    """A condition or bound dropped, turned round, or added where the source has none."""
    found = first_that_works(text, [_dropped, _turned], dice) if dice.random() < 0.8 else None
    if found is None and dice.random() < ADDED_SHARE:
        return _added(text, dice, stock)
    return found


def _dropped(text: str, _: Random) -> str | None:
    first = _IF_FIRST.match(text)
    if first:
        return capitalised(first[1])
    last = _IF_LAST.match(text)
    return last[1] + last[2] if last else None


def _added(text: str, dice: Random, stock: Stock) -> str | None:
    """One of a list, or one that the source states of something else."""
    if text.rstrip().endswith(("?", ":")):
        return None
    tails = list(_ADDED)
    if stock.conditions and dice.random() < 0.75:
        tails = [f" {_bounded(each)}" for each in stock.conditions]
    unused = [tail for tail in tails if tail.strip(", ") not in text]
    return ended(text, dice.choice(unused)) if unused else None


def _bounded(condition: str) -> str:
    """A mere "if" would add to what is true anyway; "only if" takes away from it."""
    return f"only {condition}" if condition.startswith(("if ", "when ")) else condition
