"""What PostgreSQL tells of the tables, indexes and guards right after the migrations made them.

A test holds it to what they make on a server. How an index is stored is an administrator's affair.
"""

from audit.guards import POSTGRESQL_FUNCTIONS, POSTGRESQL_TRIGGERS

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
_SORTED = 'text "C"'
_COLUMNS = {
    "audit_revision": {"version_num": 'character varying(32) "default" t'},
    "audit_cited": {"name": f"{_SORTED} t", "sequence": "bigint t"},
    "audit_entry": {
        "sequence": "bigint t",
        "kind": f"{_SORTED} t",
        "entry_id": f"{_SORTED} t",
        "audit_id": f"{_SORTED} t",
        "time": f"{_SORTED} t",
        "person_id": f"{_SORTED} t",
        "person_name": f"{_SORTED} t",
        "channel_id": f"{_SORTED} t",
        "decision": f"{_SORTED} f",
        "question": f"{_TEXT} f",
        "words": f"{_TEXT} t",
        "payload": f"{_TEXT} t",
        "previous_hash": f"{_SORTED} t",
        "hash": f"{_SORTED} t",
    },
}
_KEYS = {
    "audit_revision_pkc": ("audit_revision", "PRIMARY KEY", "(version_num)"),
    "audit_entry_pkey": ("audit_entry", "PRIMARY KEY", "(sequence)"),
    "audit_entry_entry_id_key": ("audit_entry", "UNIQUE", "(entry_id)"),
    "audit_cited_pkey": ("audit_cited", "PRIMARY KEY", "(name, sequence)"),
}
_INDEXES = {
    "audit_entry_audit_id": "audit_entry USING btree (audit_id, sequence)",
    "audit_entry_time": "audit_entry USING btree (time, sequence)",
    "audit_entry_person_id": "audit_entry USING btree (person_id, sequence)",
    "audit_entry_channel_id": "audit_entry USING btree (channel_id, sequence)",
    "audit_entry_decision": "audit_entry USING btree (decision, sequence)",
    "audit_cited_sequence": "audit_cited USING btree (sequence)",
    "audit_entry_words": "audit_entry USING gin (string_to_array(words, ' '::text))",
}

PARTS = (
    *(("table", table, "r p f f") for table in _COLUMNS),
    *(
        ("column", f"{table}.{name}", what)
        for table, columns in _COLUMNS.items()
        for name, what in columns.items()
    ),
    *(("constraint", name, f"{table} {kind} {on}") for name, (table, kind, on) in _KEYS.items()),
    *(
        ("index", name, f"CREATE UNIQUE INDEX {name} ON {table} USING btree {on} t t t")
        for name, (table, _, on) in _KEYS.items()
    ),
    *(("index", name, f"CREATE INDEX {name} ON {on} t t t") for name, on in _INDEXES.items()),
    *(
        ("trigger", name, f"A CREATE TRIGGER {name} {what}")
        for name, what in POSTGRESQL_TRIGGERS.items()
    ),
    *(
        ("function", name, f"plpgsql trigger f {body}")
        for name, body in POSTGRESQL_FUNCTIONS.items()
    ),
)
"""Kind, name and all else, as `DESCRIBED` asks for them."""
