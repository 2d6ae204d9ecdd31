"""Somebody reads how fast the audit log is on both databases, in one table."""

import pytest
from audit_stores import PostgresqlServer
from rich.console import Console

from bot.errors import WrongUse
from bot.lab.commands.bench_audit import audit_table


@pytest.mark.server
def test_both_databases_stand_in_one_table_and_nobodys_log_is_written_to(
    postgresql: PostgresqlServer,
) -> None:
    url = postgresql.new_database().url
    table = audit_table(60, url)
    console = Console(width=120)
    with console.capture() as captured:
        console.print(table)
    said = captured.get()
    assert "a SQLite file" in said
    assert "PostgreSQL" in said
    rows = [line for line in said.splitlines() if "durable appends a second" in line]
    assert len(rows[0].split("│")) == len(("", "name", "SQLite", "PostgreSQL", ""))
    assert all(float(cell) > 0 for cell in rows[0].split("│")[2:4])
    with pytest.raises(WrongUse, match="holds an audit log"):
        audit_table(1, url)
