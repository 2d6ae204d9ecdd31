"""The database itself keeps the store whole, by its text index, triggers and functions.

The guards refuse UPDATE, DELETE and (PostgreSQL) TRUNCATE, and let in only the entry
that continues the chain. The latter also stops SQLite's INSERT OR REPLACE, which deletes
the row in its way without firing a delete trigger. A database's owner can drop guards;
the chain is there to show what was done after that, and verification that they are gone.

Revision 0001 makes them, `audit.structure` compares what it finds with them.
"""

TABLES = ("audit_entry", "audit_cited")

SQLITE = (
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
        for table in TABLES
        for action in ("update", "delete")
    ),
)

POSTGRESQL_FUNCTIONS = {
    "audit_refuse": """ BEGIN
        RAISE EXCEPTION 'the audit store is append-only: no %', lower(TG_OP);
    END """,
    "audit_entry_link": """
    DECLARE head record;
    BEGIN
        SELECT sequence, hash INTO head FROM audit_entry ORDER BY sequence DESC LIMIT 1;
        IF new.sequence <> coalesce(head.sequence, 0) + 1 OR new.previous_hash <> head.hash THEN
            RAISE EXCEPTION 'the audit store is append-only: no link of the chain';
        END IF;
        RETURN new;
    END """,
    "audit_cited_last": """ BEGIN
        IF new.sequence IS DISTINCT FROM (SELECT max(sequence) FROM audit_entry) THEN
            RAISE EXCEPTION 'the audit store is append-only: not the last entry';
        END IF;
        RETURN new;
    END """,
}

POSTGRESQL_TRIGGERS = {
    "audit_entry_append": "BEFORE INSERT ON audit_entry "
    "FOR EACH ROW EXECUTE FUNCTION audit_entry_link()",
    "audit_cited_append": "BEFORE INSERT ON audit_cited "
    "FOR EACH ROW EXECUTE FUNCTION audit_cited_last()",
    **{
        f"{table}_refuse": f"BEFORE DELETE OR UPDATE OR TRUNCATE ON {table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse()"
        for table in TABLES
    },
}
"""In the order of words in which PostgreSQL tells them."""

POSTGRESQL = (
    "CREATE INDEX audit_entry_words ON audit_entry USING gin (string_to_array(words, ' '))",
    *(
        f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $${body}$$"
        for name, body in POSTGRESQL_FUNCTIONS.items()
    ),
    *(f"CREATE TRIGGER {name} {what}" for name, what in POSTGRESQL_TRIGGERS.items()),
    *(
        f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {table}_{trigger}"  # in replicas too
        for table in TABLES
        for trigger in ("append", "refuse")
    ),
)
