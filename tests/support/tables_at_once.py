"""A new SQLite store gets its tables by the statements of the first one, and not by Alembic."""

from collections.abc import Sequence
from typing import Any
from unittest.mock import patch
from uuid import uuid4

from sqlalchemy import Connection, event, text

from audit.database import Revisions
from retrieval.documents.seal import KEY_CHECK, Seal

CHANGES = ("CREATE", "ALTER", "DROP", "INSERT", "UPDATE", "DELETE")
OF_ITS_OWN = text("UPDATE library_state SET key_check = :check, library_id = :made")
_by_alembic = Revisions.bring_up
_statements: dict[str, Sequence[tuple[str, Any]]] = {}
"""With their parameters, by the table in which revisions are stated."""


def bring_up(
    revisions: Revisions,
    connection: Connection,
    *,
    stamped: str | None = None,
    seal: Seal | None = None,
) -> None:
    """`seal`: of a library, which has a key and an id of its own."""
    attributes: dict[str, Any] = {"seal": seal} if seal else {}
    if not _is_new(connection):
        _by_alembic(revisions, connection, stamped=stamped, **attributes)
    elif known := _statements.get(revisions.table):
        for statement, parameters in known:
            connection.exec_driver_sql(statement, parameters)
        if seal:
            own = {"check": seal.of(KEY_CHECK), "made": uuid4().hex}
            connection.execute(OF_ITS_OWN, own)
    else:
        _statements[revisions.table] = _noted(revisions, connection, attributes)


def _is_new(connection: Connection) -> bool:
    return connection.dialect.name == "sqlite" and not connection.scalar(
        text("SELECT count(*) FROM sqlite_master")
    )


def _noted(
    revisions: Revisions, connection: Connection, attributes: dict[str, Any]
) -> Sequence[tuple[str, Any]]:
    done: list[tuple[str, Any]] = []

    def note(_: object, __: object, statement: str, parameters: Any, *___: object) -> None:
        if statement.lstrip().upper().startswith(CHANGES):
            done.append((statement, parameters))

    event.listen(connection, "before_cursor_execute", note)
    try:
        _by_alembic(revisions, connection, **attributes)
    finally:
        event.remove(connection, "before_cursor_execute", note)
    return done


def install() -> None:
    patch.object(Revisions, "bring_up", bring_up).start()
