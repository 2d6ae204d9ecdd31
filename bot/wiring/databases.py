"""The databases of a bot as a backup sees them."""

from audit import store as audit_store
from audit.copying import copy_entries
from audit.log import open_writer
from audit.tables import REVISION as AUDIT_REVISION
from audit.tables import REVISION_TABLE as AUDIT_REVISION_TABLE
from audit.tables import AuditTable
from bot.backup.databases import SqlStore
from bot.backup.manifest import AUDIT, INBOX, LIBRARY
from bot.quality.store import QualityRuns, QualityTable
from bot.settings import Settings
from bot.slack.inbox import database
from bot.slack.inbox.tables import REVISION as INBOX_REVISION
from bot.slack.inbox.tables import REVISION_TABLE as INBOX_REVISION_TABLE
from bot.slack.inbox.tables import InboxTable
from retrieval.documents import database as library_database
from retrieval.documents.seal import Seal
from retrieval.documents.tables import REVISION as LIBRARY_REVISION
from retrieval.documents.tables import REVISION_TABLE as LIBRARY_REVISION_TABLE
from retrieval.documents.tables import LibraryTable, state


def stores_of(settings: Settings) -> tuple[SqlStore, ...]:
    """All that there are, whether they are made yet or not."""
    return (
        SqlStore(
            INBOX,
            inbox_database.STORE.parse(settings.inbox_database),
            [*InboxTable.metadata.sorted_tables, *QualityTable.metadata.sorted_tables],
            INBOX_REVISION,
            INBOX_REVISION_TABLE,
            _make_inbox,
        ),
        SqlStore(
            AUDIT,
            audit_store.STORE.parse(settings.audit_database),
            AuditTable.metadata.sorted_tables,
            AUDIT_REVISION,
            AUDIT_REVISION_TABLE,
            _make_audit,
            copied_by=copy_entries,
        ),
        SqlStore(
            LIBRARY,
            library_database.STORE.parse(settings.library_database),
            LibraryTable.metadata.sorted_tables,
            LIBRARY_REVISION,
            LIBRARY_REVISION_TABLE,
            _make_library,
            made_with=[state],
        ),
    )


def _make_inbox(url: str) -> None:
    """With the quality runs, which stand in the same database."""
    engine = inbox_database.open_engine(inbox_database.STORE.parse(url))
    QualityRuns(lambda: inbox_database.STORE.transaction(engine))
    engine.dispose()


def _make_audit(url: str) -> None:
    open_writer(url).close()


def _make_library(url: str) -> None:
    """What is sealed with no key here, which key is the library's, is copied over."""
    library_database.Database(url, Seal(b""))
