"""These can go wrong in the audit store.

AuditError
├── AuditUnavailable    the store cannot be opened, read or written; nothing was lost
│   └── AuditDamaged    what is stored cannot be read back
├── UnderHold           what is to be erased is under legal hold
├── EntryConflict       the id already stands in the store, with other content
└── UnknownRecord       no record has this id
    └── AmbiguousId     several records' ids begin like this

Every message says what to do next, and none holds a password.
"""


class AuditError(Exception):
    """All errors that the audit store raises on purpose derive from it."""


class AuditUnavailable(AuditError):
    """The store cannot be opened, read or written; an append that raises it is not stored.

    One doubt remains: a server that goes away during the commit may have stored the
    entry. Appending the same entry again is safe, whichever it was.
    """


class AuditDamaged(AuditUnavailable):
    """The database says that its own files are damaged."""


class UnderHold(AuditError):
    """Somebody said that nothing of it may be erased."""


class EntryConflict(AuditError):
    """An entry with this id is stored already and says something else."""


class UnknownRecord(AuditError):
    """No record has this id, or an id that begins like this."""


class AmbiguousId(UnknownRecord):
    """More than one record's id begins like this."""
