"""A person is erased from all that the bot keeps, and again after an older backup came back.

The inbox first, for the audit store knows afterwards no more whom it concerns; then the audit
store, in one step; then what is made of it. Killed in between, the same command does the rest.
"""

import json
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from audit.concerned import Concerned
from audit.durable import append_durably
from audit.erasing import AuditEraser, Erasure, open_eraser, scrub
from audit.errors import AuditUnavailable
from audit.record import EventKind
from bot.backup.archive import ERASURES
from bot.settings import Settings
from bot.slack.inbox.forgetting import erase_in
from bot.wiring.container import Container
from bot.wiring.given_answers import publish_answers
from bot.wiring.workspace import workspace_inbox


def eraser(settings: Settings) -> AuditEraser:
    return open_eraser(settings.audit_database)


def erase_person(container: Container, person: str, erasure: Erasure) -> Concerned:
    """Erase all of a person; raise `UnderHold`, `AuditDamaged`, and what the stores raise."""
    settings = container.settings
    with eraser(settings) as audit:
        found = audit.concerning(person)
        for url in dict.fromkeys((settings.inbox_database, workspace_inbox(container.home))):
            erase_in(url, person, found.audit_ids)
        found = audit.erase(person, erasure, lambda ids: _note(container.home, erasure, ids))
    scrub(settings.audit_database)
    publish_answers(container)
    return found


def expire(container: Container, before: datetime, erasure: Erasure) -> int:
    """Erase what was asked before then and is under no hold; how many entries."""
    with eraser(container.settings) as audit:
        count = audit.expire(before, erasure, lambda ids: _note(container.home, erasure, ids))
    if count:
        scrub(container.settings.audit_database)
        publish_answers(container)
    return count


def _note(home: Path, erasure: Erasure, entry_ids: Sequence[str]) -> None:
    said = {
        "at": erasure.at.isoformat(),
        "by": erasure.by,
        "because": erasure.because,
        "kind": erasure.kind,
        "entries": list(entry_ids),
    }
    try:
        append_durably(home / ERASURES, f"{json.dumps(said)}\n")
    except OSError as error:
        raise AuditUnavailable(
            f"Nothing was erased: {home / ERASURES}, which has it erased again after a restore, "
            f"cannot be written ({error.strerror}). See that there is room."
        ) from error


def erase_again(audit_url: str, inbox_url: str, listed: Path) -> int:
    """Erase what a list names and an older backup brought back; how many records and events."""
    if not listed.exists():
        return 0
    count, named = 0, set[str]()
    with open_eraser(audit_url) as audit:
        for line in listed.read_text(encoding="utf-8").splitlines():
            if line.strip():
                said = json.loads(line)
                at = datetime.fromisoformat(said["at"])
                erasure = Erasure(said["by"], said["because"], at, EventKind(said["kind"]))
                found = audit.erase_again(said["entries"], erasure)
                count, named = count + len(found.numbers), named | set(said["entries"])
    if count:
        scrub(audit_url)
    erase_in(inbox_url, "", named)  # what waits there may have been answered, and erased, since
    return count


def join_lists(stands: Path, packed: Path) -> None:
    """Have the list that came with an archive say what the one of the home says, too."""
    lists = [each.read_text(encoding="utf-8") for each in (packed, stands) if each.exists()]
    lines = dict.fromkeys(line for each in lists for line in each.splitlines() if line)
    if lines:
        packed.write_text("".join(f"{each}\n" for each in lines), encoding="utf-8")
