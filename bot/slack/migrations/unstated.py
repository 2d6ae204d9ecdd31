"""Recognises an inbox from before an inbox stated its revision."""

from collections.abc import Mapping

from sqlalchemy import Connection, inspect


class UnknownForm(Exception):
    """The tables are not of any version that this one knows how to bring up."""


_EXCHANGE_0001 = frozenset(
    {
        *("exchange_id", "audit_id", "key", "conversation", "kind", "text", "user_id"),
        *("asked_channel", "private", "thread", "ts", "quoted", "received_at", "paced_until"),
        *("stage", "channel", "placing_since", "placeholder", "told", "attempts", "posted_at"),
        *("not_before", "passable", "claimed_by", "claimed_until"),
    }
)
_EXCHANGE_0002 = _EXCHANGE_0001 | {"shared", "stands_alone"}
_EXCHANGE_0003 = _EXCHANGE_0002 | {"withdrawn_at"}
_PACE = frozenset({"user_id", "next_expected"})
_LEFTOVER = frozenset(
    {
        *("leftover_id", "channel", "thread", "ts", "mark", "oldest", "exchange_id"),
        *("look_until", "noted_at", "not_before", "attempts"),
    }
)
_FORMS: Mapping[str, Mapping[str, frozenset[str]]] = {
    "0001": {"inbox_exchange": _EXCHANGE_0001, "inbox_pace": _PACE},
    "0002": {"inbox_exchange": _EXCHANGE_0002, "inbox_pace": _PACE},
    "0003": {
        "inbox_exchange": _EXCHANGE_0003,
        "inbox_pace": _PACE,
        "inbox_shut": frozenset({"key", "since"}),
        "inbox_overheard": frozenset({"key", "conversation", "user_id", "said", "heard_at"}),
        "inbox_leftover": _LEFTOVER,
    },
}
"""The columns of each table by the revision that has them; 0.2.0's comes first."""


def recognised(connection: Connection) -> str | None:
    """Return the revision whose form the tables have; None where there are none yet.

    The columns must be exactly those: one that nobody here knows may restrict who reads a
    reply. Raise `UnknownForm` otherwise.
    """
    inspector = inspect(connection)
    found = {
        name: frozenset(column["name"] for column in inspector.get_columns(name))
        for name in inspector.get_table_names()
        if name in _FORMS["0003"]
    }
    if not found:
        return None
    for revision, form in _FORMS.items():
        if found == form:
            return revision
    raise UnknownForm
