"""The database must have the tables, indexes and guards that the migrations made.

What is missing, altered or added is named. Something added counts as much: one trigger of
somebody else's can throw records away without an error.
"""

import re
from collections.abc import Iterator, Mapping

from sqlalchemy import Connection, Inspector, Table, inspect, text

from audit import guards
from audit.tables import AuditTable

_INDEXED = {
    "audit_entry": tuple(
        (column, "sequence")
        for column in ("audit_id", "time", "person_id", "channel_id", "decision")
    ),
    "audit_cited": (("sequence",),),
}
"""Columns of each index; it goes by the table's name and the first of them."""

_SQLITE_OWN = """SELECT name, sql FROM sqlite_master
    WHERE type = 'trigger' AND tbl_name IN ('audit_entry', 'audit_cited', 'audit_text')
    OR name = 'audit_text'"""
_POSTGRESQL_TRIGGERS = """SELECT tgname, tgenabled::text, pg_get_triggerdef(oid, true)
    FROM pg_trigger WHERE NOT tgisinternal
    AND tgrelid IN (to_regclass('audit_entry'), to_regclass('audit_cited'))"""
_POSTGRESQL_FUNCTIONS = """SELECT proname, prosrc FROM pg_proc
    WHERE pg_function_is_visible(oid) AND proname = ANY(:names)"""
_POSTGRESQL_RULES = """SELECT rulename FROM pg_rewrite
    WHERE ev_class IN (to_regclass('audit_entry'), to_regclass('audit_cited'))"""
_POSTGRESQL_INDEXES = """SELECT relname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
    WHERE indisvalid AND indrelid = to_regclass('audit_entry')"""


def table_faults(connection: Connection) -> tuple[str, ...]:
    """What differs in the tables, so that they may not even be readable."""
    inspector = inspect(connection)
    return tuple(
        fault
        for table in AuditTable.metadata.sorted_tables
        for fault in _table_faults(inspector, table)
    )


def guard_faults(connection: Connection) -> tuple[str, ...]:
    """What differs in indexes, triggers, functions and the full-text index's definition."""
    inspector = inspect(connection)
    of_dialect = _sqlite_faults if connection.dialect.name == "sqlite" else _postgresql_faults
    return (*_index_faults(inspector), *of_dialect(connection))


def _table_faults(inspector: Inspector, table: Table) -> Iterator[str]:
    if not inspector.has_table(table.name):
        yield f"the table {table.name} is missing"
        return
    dialect = inspector.dialect
    found = {
        column["name"]: (str(column["type"].compile(dialect)).split()[0], column["nullable"])
        for column in inspector.get_columns(table.name)
    }
    for column in table.columns:
        if found.pop(column.name, None) != (column.type.compile(dialect), column.nullable):
            yield f"the column {table.name}.{column.name} is missing or of another form"
    yield from (f"the column {table.name}.{name} is not ours" for name in found)
    keys = inspector.get_pk_constraint(table.name)["constrained_columns"]
    if set(keys) != {column.name for column in table.primary_key}:
        yield f"the primary key of {table.name} is another one"


def _index_faults(inspector: Inspector) -> Iterator[str]:
    for table, indexed in _INDEXED.items():
        found = {each["name"]: tuple(each["column_names"]) for each in inspector.get_indexes(table)}
        for columns in indexed:
            if found.get(name := f"{table}_{columns[0]}") != columns:
                yield f"the index {name} is missing or of another form"
    unique = [each["column_names"] for each in inspector.get_unique_constraints("audit_entry")]
    if ["entry_id"] not in unique:
        yield "audit_entry.entry_id is not kept unique"


def _sqlite_faults(connection: Connection) -> Iterator[str]:
    expected = {_name(statement): _words(statement) for statement in guards.SQLITE}
    found = {name: _words(sql) for name, sql in connection.execute(text(_SQLITE_OWN))}
    return _differences("trigger or text index", expected, found)


def _postgresql_faults(connection: Connection) -> Iterator[str]:
    triggers = {
        name: ("A", _words(f"CREATE TRIGGER {name} {what}"))
        for name, what in guards.POSTGRESQL_TRIGGERS.items()
    }
    found = {
        name: (enabled, _words(definition))
        for name, enabled, definition in connection.execute(text(_POSTGRESQL_TRIGGERS))
    }
    yield from _differences("trigger", triggers, found)
    functions = {name: _words(body) for name, body in guards.POSTGRESQL_FUNCTIONS.items()}
    bodies = connection.execute(text(_POSTGRESQL_FUNCTIONS), {"names": list(functions)})
    yield from _differences("function", functions, {name: _words(body) for name, body in bodies})
    rules = connection.scalars(text(_POSTGRESQL_RULES))
    yield from (f"the rule {name} is not ours" for name in rules)
    if "audit_entry_words" not in connection.scalars(text(_POSTGRESQL_INDEXES)).all():
        yield "the index audit_entry_words is missing or not valid"


def _differences(
    kind: str, expected: Mapping[str, object], found: Mapping[str, object]
) -> Iterator[str]:
    for name, what in expected.items():
        if name not in found:
            yield f"the {kind} {name} is missing"
        elif found[name] != what:
            yield f"the {kind} {name} is not as it was made"
    yield from (f"the {kind} {name} is not ours" for name in sorted(set(found) - set(expected)))


def _name(statement: str) -> str:
    found = re.match(r"CREATE (?:VIRTUAL TABLE|TRIGGER) (\w+)", statement)
    return found[1] if found else statement


def _words(statement: str) -> tuple[str, ...]:
    """The statement, whatever white space is between its words."""
    return tuple(statement.split())
