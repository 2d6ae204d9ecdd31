"""The database itself keeps the store whole, by its text index, triggers and functions.

The guards refuse UPDATE, DELETE and (PostgreSQL) TRUNCATE, but for erasures
(`audit.erasure.guards`), and let in only the entry that continues the chain. The latter also stops
SQLite's INSERT OR REPLACE, which deletes the row in its way without firing a delete trigger. A
database's owner can drop guards; the chain is there to show what was done after that, and
verification that they are gone.

Revision 0001 makes them, 0003 those of the tree, 0004 those of what is found, which takes the place
of the text indexes, 0005 those of erasures, 0006 an index; `proof.verification` compares what it
finds with them. What PostgreSQL tells of all that the migrations made stands here as well
(`PARTS`): a test holds it to a server. How an index is stored is an administrator's affair.
"""

from collections.abc import Iterable

from sqlalchemy import LargeBinary, Text

from audit.erasure import guards as erasure_guards
from audit.erasure.guards import created, unchanging
from audit.storing.tables import AuditTable, Packed, Sorted

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
    *unchanging(TABLES),
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


def _refused(tables: Iterable[str]) -> dict[str, str]:
    """What has PostgreSQL refuse every change."""
    return {
        f"{table}_refuse": f"BEFORE DELETE OR UPDATE OR TRUNCATE ON {table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse()"
        for table in tables
    }


POSTGRESQL_TRIGGERS = {
    "audit_entry_append": "BEFORE INSERT ON audit_entry "
    "FOR EACH ROW EXECUTE FUNCTION audit_entry_link()",
    "audit_cited_append": "BEFORE INSERT ON audit_cited "
    "FOR EACH ROW EXECUTE FUNCTION audit_cited_last()",
    **_refused(TABLES),
}
"""In the order of words in which PostgreSQL tells them."""
POSTGRESQL = (
    "CREATE INDEX audit_entry_words ON audit_entry USING gin (string_to_array(words, ' '))",
    *created(POSTGRESQL_FUNCTIONS, POSTGRESQL_TRIGGERS),
)


TREE = "audit_tree"
TREE_SQLITE = (
    """CREATE TRIGGER audit_tree_append BEFORE INSERT ON audit_tree
    WHEN new.sequence IS NOT (SELECT coalesce(max(sequence), 0) + 1 FROM audit_tree)
        OR new.sequence > (SELECT coalesce(max(sequence), 0) FROM audit_entry)
    BEGIN SELECT RAISE(ABORT, 'the audit store is append-only: not the next leaf'); END""",
    *unchanging([TREE]),
)
_TREE_FUNCTIONS = {
    "audit_tree_next": """ BEGIN
        IF new.sequence <> (SELECT coalesce(max(sequence), 0) + 1 FROM audit_tree)
            OR new.sequence > (SELECT coalesce(max(sequence), 0) FROM audit_entry) THEN
            RAISE EXCEPTION 'the audit store is append-only: not the next leaf';
        END IF;
        RETURN new;
    END """
}
_TREE_TRIGGERS = {
    "audit_tree_append": "BEFORE INSERT ON audit_tree "
    "FOR EACH ROW EXECUTE FUNCTION audit_tree_next()",
    **_refused([TREE]),
}
TREE_POSTGRESQL = created(_TREE_FUNCTIONS, _TREE_TRIGGERS)


FOUND = ("audit_terms", "audit_found")
BEFORE_FOUND = ("audit_text", "audit_entry_index", "audit_entry_words")
"""What the names of the text indexes begin with, which stores have before 0004."""
_NO_SUCH_TERMS = """new.sequence {unlike} (SELECT coalesce(max(sequence), 0) + 1 FROM audit_terms)
        OR new.sequence > (SELECT coalesce(max(sequence), 0) FROM audit_entry)"""
_NO_SUCH_BLOCK = """new.block > new.closed OR (new.closed + 1) * 1024 {unlike}
        (SELECT coalesce(max(sequence), 0) FROM audit_terms)"""
FOUND_SQLITE = (
    "DROP TRIGGER audit_entry_index",
    "DROP TABLE audit_text",
    f"""CREATE TRIGGER audit_terms_append BEFORE INSERT ON audit_terms
    WHEN {_NO_SUCH_TERMS.format(unlike="IS NOT")}
    BEGIN SELECT RAISE(ABORT, 'the audit store is append-only: not the next terms'); END""",
    f"""CREATE TRIGGER audit_found_append BEFORE INSERT ON audit_found
    WHEN {_NO_SUCH_BLOCK.format(unlike="IS NOT")}
    BEGIN SELECT RAISE(ABORT, 'the audit store is append-only: not the last block'); END""",
    *unchanging(FOUND),
)


def _refusing(condition: str, what: str) -> str:
    return f""" BEGIN
        IF {condition.format(unlike="<>")} THEN
            RAISE EXCEPTION 'the audit store is append-only: {what}';
        END IF;
        RETURN new;
    END """


_FOUND_FUNCTIONS = {
    "audit_terms_next": _refusing(_NO_SUCH_TERMS, "not the next terms"),
    "audit_found_last": _refusing(_NO_SUCH_BLOCK, "not the last block"),
}
_FOUND_TRIGGERS = {
    "audit_terms_append": "BEFORE INSERT ON audit_terms "
    "FOR EACH ROW EXECUTE FUNCTION audit_terms_next()",
    "audit_found_append": "BEFORE INSERT ON audit_found "
    "FOR EACH ROW EXECUTE FUNCTION audit_found_last()",
    **_refused(FOUND),
}
FOUND_POSTGRESQL = ("DROP INDEX audit_entry_words", *created(_FOUND_FUNCTIONS, _FOUND_TRIGGERS))


KIND, BEFORE_KIND = "audit_entry_kind", "audit_entry_decision"
"""The index that 0006 makes, and the one whose place it takes."""
DESCRIBED = r"""
WITH ours AS (
    SELECT pg_class.* FROM pg_class, unnest(CAST(:tables AS text[])) AS name
    WHERE pg_class.oid = to_regclass(name)
)
SELECT 'table', relname,
    concat_ws(' ', relkind, relpersistence, relrowsecurity, relforcerowsecurity)
FROM ours
UNION ALL
SELECT 'column', concat(relname, '.', attname), concat_ws(' ',
    format_type(atttypid, atttypmod), nullif(attcollation, 0)::regcollation, attnotnull,
    attidentity, attgenerated, pg_get_expr(adbin, adrelid))
FROM ours JOIN pg_attribute ON attrelid = ours.oid AND attnum > 0 AND NOT attisdropped
LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
UNION ALL
SELECT 'constraint', conname, concat_ws(' ', relname, pg_get_constraintdef(con.oid, true))
FROM ours JOIN pg_constraint AS con ON conrelid = ours.oid AND contype <> 'n'
UNION ALL
SELECT 'index', made.relname, concat_ws(' ',
    regexp_replace(pg_get_indexdef(indexrelid, 0, true), ' WITH \(.*?\)', ''),
    indisvalid, indisready, indislive)
FROM ours JOIN pg_index ON indrelid = ours.oid JOIN pg_class AS made ON made.oid = indexrelid
UNION ALL
SELECT 'trigger', tgname, concat_ws(' ', tgenabled, pg_get_triggerdef(guard.oid, true))
FROM ours JOIN pg_trigger AS guard ON tgrelid = ours.oid
UNION ALL
SELECT DISTINCT 'function', proname, concat_ws(' ',
    lanname, prorettype::regtype, prosecdef, proconfig, prosrc)
FROM ours JOIN pg_trigger ON tgrelid = ours.oid JOIN pg_proc ON pg_proc.oid = tgfoid
JOIN pg_language ON pg_language.oid = prolang
UNION ALL
SELECT 'rule', rulename, pg_get_ruledef(rule.oid)
FROM ours JOIN pg_rewrite AS rule ON ev_class = ours.oid
UNION ALL
SELECT 'policy', polname, relname FROM ours JOIN pg_policy ON polrelid = ours.oid
UNION ALL
SELECT 'table', concat('inherited by ', inhrelid::regclass), relname
FROM ours JOIN pg_inherits ON ours.oid IN (inhparent, inhrelid)
"""
_TEXT = 'text "default"'
_TYPES = {Text: _TEXT, Packed: _TEXT, Sorted: 'text "C"', LargeBinary: "bytea"}
_TABLES = AuditTable.metadata.tables
_COLUMNS = {
    ("audit_revision", "version_num"): 'character varying(32) "default" t',
    **{
        (
            name,
            column.name,
        ): f"{_TYPES.get(type(column.type), 'bigint')} {'ft'[not column.nullable]}"
        for name, table in _TABLES.items()
        for column in table.c
    },
}
_KEYS = {
    "audit_revision_pkc": ("audit_revision", "PRIMARY KEY", "(version_num)"),
    "audit_entry_entry_id_key": ("audit_entry", "UNIQUE", "(entry_id)"),
    **{
        f"{name}_pkey": (name, "PRIMARY KEY", f"({', '.join(table.primary_key.columns.keys())})")
        for name, table in _TABLES.items()
    },
}
_INDEXES = {
    "audit_entry_audit_id": "audit_entry USING btree (audit_id, sequence)",
    "audit_entry_time": "audit_entry USING btree (time, sequence)",
    "audit_entry_person_id": "audit_entry USING btree (person_id, sequence)",
    "audit_entry_channel_id": "audit_entry USING btree (channel_id, sequence)",
    "audit_entry_kind": "audit_entry USING btree (decision, kind, sequence)",
    "audit_erased_event": "audit_erased USING btree (event, sequence)",
    "audit_cited_sequence": "audit_cited USING btree (sequence)",
}
_TRIGGERS = POSTGRESQL_TRIGGERS | _TREE_TRIGGERS | _FOUND_TRIGGERS | erasure_guards.TRIGGERS
PARTS = (
    *(("table", table, "r p f f") for table in (*_TABLES, "audit_revision")),
    *(("column", ".".join(names), what) for names, what in _COLUMNS.items()),
    *(("constraint", name, f"{table} {kind} {on}") for name, (table, kind, on) in _KEYS.items()),
    *(
        ("index", name, f"CREATE UNIQUE INDEX {name} ON {table} USING btree {on} t t t")
        for name, (table, _, on) in _KEYS.items()
    ),
    *(("index", name, f"CREATE INDEX {name} ON {on} t t t") for name, on in _INDEXES.items()),
    *(
        ("trigger", name, f"A CREATE TRIGGER {name} {what}")
        for name, what in _TRIGGERS.items()
        if name not in erasure_guards.GONE_POSTGRESQL
    ),
    *(
        ("function", name, f"plpgsql trigger f {body}")
        for name, body in (
            POSTGRESQL_FUNCTIONS | _TREE_FUNCTIONS | _FOUND_FUNCTIONS | erasure_guards.FUNCTIONS
        ).items()
    ),
)
"""Kind, name and all else, as `DESCRIBED` asks for them."""
