"""Finds an exchange's record: the audit store alone knows whether it was answered."""

from audit.errors import UnknownRecord
from audit.log import AuditReader
from audit.record import AuditRecord
from bot.slack.exchange import Exchange


def record_of(records: AuditReader, exchange: Exchange) -> AuditRecord | None:
    """Return None where it is not answered yet; raise `AuditError` where the store cannot say."""
    return recorded(records, exchange.audit_id)


def recorded(records: AuditReader, audit_id: str) -> AuditRecord | None:
    """Do the same of a record's id."""
    try:
        entry = records.record(audit_id).entry
    except UnknownRecord:
        return None
    return entry if isinstance(entry, AuditRecord) else None
