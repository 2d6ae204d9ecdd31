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
    pass


class AuditUnavailable(AuditError):
    """An append that raises it is not stored, but where a server went away during the commit.

    Appending the same entry again is safe, whichever it was.
    """


class AuditDamaged(AuditUnavailable):
    pass


class UnderHold(AuditError):
    pass


class EntryConflict(AuditError):
    pass


class UnknownRecord(AuditError):
    pass


class AmbiguousId(UnknownRecord):
    pass
