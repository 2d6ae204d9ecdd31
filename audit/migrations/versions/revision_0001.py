"""The first form: one table of entries, one of cited documents, and their guards.

The guards refuse UPDATE, DELETE and (PostgreSQL) TRUNCATE, and let in only the entry
that continues the chain. The latter also stops SQLite's INSERT OR REPLACE, which deletes
the row in its way without firing a delete trigger. A database's owner can drop guards;
the chain is there to show what was done after that.
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_SQLITE = (
    """CREATE VIRTUAL TABLE audit_text USING fts5 (
        words, content='audit_entry', content_rowid='sequence',
        tokenize="unicode61 remove_diacritics 0")""",
    """CREATE TRIGGER audit_entry_index AFTER INSERT ON audit_entry BEGIN
        INSERT INTO audit_text (rowid, words) VALUES (new.sequence, new.words);
    END""",
    """CREATE TRIGGER audit_entry_append BEFORE INSERT ON audit_entry
    WHEN new.sequence IS NOT (SELECT coalesce(max(sequence), 0) + 1 FROM audit_entry)
        OR new.previous_hash <> (SELECT hash FROM audit_entry ORDER BY sequence DESC LIMIT 1)
        OR EXISTS (SELECT 1 FROM audit_entry WHERE entry_id = new.entry_id)
    BEGIN SELECT RAISE(ABORT, 'the audit store is append-only: no link of the chain'); END""",
    """CREATE TRIGGER audit_cited_append BEFORE INSERT ON audit_cited
    WHEN new.sequence IS NOT (SELECT max(sequence) FROM audit_entry)
    BEGIN SELECT RAISE(ABORT, 'the audit store is append-only: not the last entry'); END""",
    *(
        f"""CREATE TRIGGER {table}_no_{action} BEFORE {action} ON {table}
        BEGIN SELECT RAISE(ABORT, 'the audit store is append-only: no {action}'); END"""
        for table in ("audit_entry", "audit_cited")
        for action in ("update", "delete")
    ),
)

_POSTGRESQL = (
    "CREATE INDEX audit_entry_words ON audit_entry USING gin (string_to_array(words, ' '))",
    """CREATE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        RAISE EXCEPTION 'the audit store is append-only: no %', lower(TG_OP);
    END $$""",
    """CREATE FUNCTION audit_entry_link() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE head record;
    BEGIN
        SELECT sequence, hash INTO head FROM audit_entry ORDER BY sequence DESC LIMIT 1;
        IF new.sequence <> coalesce(head.sequence, 0) + 1 OR new.previous_hash <> head.hash THEN
            RAISE EXCEPTION 'the audit store is append-only: no link of the chain';
        END IF;
        RETURN new;
    END $$""",
    """CREATE FUNCTION audit_cited_last() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF new.sequence IS DISTINCT FROM (SELECT max(sequence) FROM audit_entry) THEN
            RAISE EXCEPTION 'the audit store is append-only: not the last entry';
        END IF;
        RETURN new;
    END $$""",
    """CREATE TRIGGER audit_entry_append BEFORE INSERT ON audit_entry
        FOR EACH ROW EXECUTE FUNCTION audit_entry_link()""",
    """CREATE TRIGGER audit_cited_append BEFORE INSERT ON audit_cited
        FOR EACH ROW EXECUTE FUNCTION audit_cited_last()""",
    *(
        f"""CREATE TRIGGER {table}_refuse BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}
        FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse()"""
        for table in ("audit_entry", "audit_cited")
    ),
    *(
        f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {table}_{trigger}"  # in replicas too
        for table in ("audit_entry", "audit_cited")
        for trigger in ("append", "refuse")
    ),
)


def upgrade() -> None:
    """Make the tables, their indexes and the guards; there is no way down."""
    on_sqlite = op.get_bind().dialect.name == "sqlite"
    number = sa.Integer() if on_sqlite else sa.BigInteger()
    # Sorted by code point on both, times and beginnings of ids compare as ranges.
    text = sa.Text() if on_sqlite else sa.Text(collation="C")
    op.create_table(
        "audit_entry",
        sa.Column("sequence", number, primary_key=True, autoincrement=False),
        sa.Column("kind", text, nullable=False),
        sa.Column("entry_id", text, nullable=False, unique=True),
        sa.Column("audit_id", text, nullable=False),
        sa.Column("time", text, nullable=False),
        sa.Column("person_id", text, nullable=False),
        sa.Column("person_name", text, nullable=False),
        sa.Column("channel_id", text, nullable=False),
        sa.Column("decision", text),
        sa.Column("question", sa.Text()),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("previous_hash", text, nullable=False),
        sa.Column("hash", text, nullable=False),
    )
    for column in ("audit_id", "time", "person_id", "channel_id", "decision"):
        op.create_index(f"audit_entry_{column}", "audit_entry", [column, "sequence"])
    op.create_table(
        "audit_cited",
        sa.Column("name", text, primary_key=True),
        sa.Column("sequence", number, primary_key=True, autoincrement=False),
        sqlite_with_rowid=False,
    )
    op.create_index("audit_cited_sequence", "audit_cited", ["sequence"])
    for statement in _SQLITE if on_sqlite else _POSTGRESQL:
        op.execute(statement)
