"""Finds an exchange's record: the audit store alone knows whether it was answered."""

from audit.errors import UnknownRecord
from audit.log import AuditReader
from audit.record import AuditRecord
from bot.slack.exchange import Exchange


def record_of(records: AuditReader, exchange: Exchange) -> AuditRecord | None:
    """Return None where it is not answered yet; raise `AuditError` where the store cannot say."""
    try:
        entry = records.record(exchange.audit_id).entry
    except UnknownRecord:
        return None
    return entry if isinstance(entry, AuditRecord) else None
