"""The guards let content be erased, of the entries that the newest event names, and of no other.

An entry may lose its content only while the event that says so is the newest entry:
`audit_erased` takes an entry's number with that event's alone, and rows of other entries stay as
they are. Numbers, ids, times, hashes and nodes never change. Whether what stays is what may stay,
verification tells.

Revision 0005 puts them in the place of those that refused every change.
"""

# ruff: noqa: S608 - statements are put together from constants of this file

from collections.abc import Iterable, Mapping

ERASED = "audit_erased"
"""What the names of all that 0005 makes begin with."""
_KEPT = {
    "audit_entry": (
        *("sequence", "kind", "entry_id", "audit_id", "time", "decision"),
        *("previous_hash", "hash"),
    ),
    "audit_tree": ("sequence", "nodes"),
    "audit_terms": ("sequence",),
    "audit_found": ("term", "block", "closed"),
}
"""Table to the columns that an update leaves as they are."""
EMPTIED = {
    "audit_entry": ("payload", "question", "words", "person_id", "person_name", "channel_id"),
    "audit_tree": ("salt",),
    "audit_terms": ("record", "terms"),
    "audit_found": ("numbers",),
}
"""Table to the columns that lose what was said."""
_REMOVED = ("audit_cited", "audit_found")
"""Of which rows may go."""
TABLES = ("audit_entry", "audit_cited", "audit_tree", "audit_terms", "audit_found")
_NEWEST = "(SELECT max(sequence) FROM audit_entry)"
_OF_ENTRY = f"""EXISTS (SELECT 1 FROM audit_erased
        WHERE sequence = old.sequence AND event = {_NEWEST})"""
_OF_BLOCK = f"""EXISTS (SELECT 1 FROM audit_erased
        WHERE (sequence - 1) / 1024 = old.closed AND event = {_NEWEST})"""
_NOT_NAMED = f"""new.event {{unlike}} {_NEWEST} OR new.sequence >= new.event
        OR NOT EXISTS (SELECT 1 FROM audit_entry
            WHERE sequence = new.event AND kind IN ('erased', 'expired'))
        OR EXISTS (SELECT 1 FROM audit_erased WHERE sequence = new.sequence)"""
_REFUSED = "the audit store is append-only: no"
_UNNAMED = "the audit store is append-only: no erasure by the newest event"


def unchanging(tables: Iterable[str]) -> tuple[str, ...]:
    """What has SQLite refuse every change of a row."""
    return tuple(
        f"""CREATE TRIGGER {table}_no_{action} BEFORE {action} ON {table}
        BEGIN SELECT RAISE(ABORT, '{_REFUSED} {action}'); END"""
        for table in tables
        for action in ("update", "delete")
    )


def created(functions: Mapping[str, str], triggers: Mapping[str, str]) -> tuple[str, ...]:
    """What makes them in PostgreSQL; triggers fire in replicas too."""
    return (
        *(
            f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $${body}$$"
            for name, body in functions.items()
        ),
        *(f"CREATE TRIGGER {name} {what}" for name, what in triggers.items()),
        *(
            f"ALTER TABLE {what.split(' ON ')[1].split()[0]} ENABLE ALWAYS TRIGGER {name}"
            for name, what in triggers.items()
        ),
    )


def _short(table: str) -> str:
    return table.removeprefix("audit_")


def _may(table: str) -> str:
    return _OF_BLOCK if table == "audit_found" else _OF_ENTRY


def _unchanged(table: str) -> str:
    return " AND ".join(f"new.{name} IS old.{name}" for name in _KEPT[table])


GONE_SQLITE = (
    *(f"{table}_no_update" for table in _KEPT),
    *(f"{table}_no_delete" for table in _REMOVED),
)
SQLITE = (
    *(f"DROP TRIGGER {name}" for name in GONE_SQLITE),
    f"""CREATE TRIGGER audit_erased_append BEFORE INSERT ON audit_erased
    WHEN {_NOT_NAMED.format(unlike="IS NOT")}
    BEGIN SELECT RAISE(ABORT, '{_UNNAMED}'); END""",
    *unchanging([ERASED]),
    *(
        f"""CREATE TRIGGER audit_erased_{_short(table)}_update BEFORE UPDATE ON {table}
        WHEN NOT ({_may(table)} AND {_unchanged(table)})
        BEGIN SELECT RAISE(ABORT, '{_REFUSED} update'); END"""
        for table in _KEPT
    ),
    *(
        f"""CREATE TRIGGER audit_erased_{_short(table)}_delete BEFORE DELETE ON {table}
        WHEN NOT {_may(table)}
        BEGIN SELECT RAISE(ABORT, '{_REFUSED} delete'); END"""
        for table in _REMOVED
    ),
)


def _only_where(may: str) -> str:
    """A row changes in the columns alone that its trigger names."""
    return f""" BEGIN
        IF NOT {may} OR TG_OP = 'UPDATE'
            AND to_jsonb(old) - TG_ARGV IS DISTINCT FROM to_jsonb(new) - TG_ARGV THEN
            RAISE EXCEPTION '{_REFUSED} %', lower(TG_OP);
        END IF;
        IF TG_OP = 'DELETE' THEN RETURN old; END IF;
        RETURN new;
    END """


FUNCTIONS = {
    "audit_erased_next": f""" BEGIN
        IF {_NOT_NAMED.format(unlike="IS DISTINCT FROM")} THEN
            RAISE EXCEPTION '{_UNNAMED}';
        END IF;
        RETURN new;
    END """,
    "audit_erased_entry": _only_where(_OF_ENTRY),
    "audit_erased_block": _only_where(_OF_BLOCK),
}
_BEFORE = {
    "audit_entry": "DELETE OR TRUNCATE",
    "audit_cited": "UPDATE OR TRUNCATE",
    "audit_tree": "DELETE OR TRUNCATE",
    "audit_terms": "DELETE OR TRUNCATE",
    "audit_found": "TRUNCATE",
    "audit_erased": "DELETE OR UPDATE OR TRUNCATE",
}
"""What is refused of each table, whatever was erased, as PostgreSQL tells it."""
GONE_POSTGRESQL = tuple(f"{table}_refuse" for table in TABLES)


def _function(table: str) -> str:
    return "audit_erased_block" if table == "audit_found" else "audit_erased_entry"


def _arguments(table: str) -> str:
    return ", ".join(f"'{name}'" for name in EMPTIED.get(table, ()))


def _changes(table: str) -> str:
    return " OR ".join(
        what for what, tables in (("DELETE", _REMOVED), ("UPDATE", tuple(_KEPT))) if table in tables
    )


TRIGGERS = {
    "audit_erased_append": "BEFORE INSERT ON audit_erased "
    "FOR EACH ROW EXECUTE FUNCTION audit_erased_next()",
    **{
        f"audit_erased_{_short(table)}_refuse": f"BEFORE {what} ON {table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse()"
        for table, what in _BEFORE.items()
    },
    **{
        f"audit_erased_{_short(table)}_change": f"BEFORE {_changes(table)} ON {table} "
        f"FOR EACH ROW EXECUTE FUNCTION {_function(table)}({_arguments(table)})"
        for table in TABLES
    },
}
"""In the order of words in which PostgreSQL tells them."""
POSTGRESQL = (
    *(f"DROP TRIGGER {table}_refuse ON {table}" for table in TABLES),
    *created(FUNCTIONS, TRIGGERS),
)
