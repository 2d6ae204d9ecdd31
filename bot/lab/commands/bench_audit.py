"""How fast the audit log is: durable appends, receipts' proofs, verification."""

import json
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from statistics import median

from rich.table import Table

from audit.log import AuditReader, open_reader, open_writer
from audit.proof.checkpoints import Signer, receipt
from audit.proof.verification import Signed
from audit.record import (
    AuditRecord,
    Candidate,
    CandidateScores,
    Decision,
    SearchFilter,
    Versions,
    WriterRecord,
)
from audit.values import CitationRecord, ClaimRecord, PersonRecord, Status, new_id
from bot.errors import WrongUse
from bot.lab.tables import table_of

RECORDS = 2_000
CANDIDATES = 50
PROOFS = 50
MILLION = 1_000_000
NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)


def audit_table(records: int = RECORDS, server: str = "") -> Table:
    """Measure in a SQLite file of its own, and in an empty database of a server by its URL.

    A record has 50 candidates, as answers have. Raise `WrongUse` for a database that holds a log.
    """
    with tempfile.TemporaryDirectory(prefix="vouch-bench-") as folder:
        databases = {"a SQLite file": f"sqlite:///{Path(folder) / 'audit.sqlite'}"}
        if server:
            databases["PostgreSQL"] = _demanded_empty(server)
        measured = [_measured(url, records) for url in databases.values()]
    rows = ((name, *(each[name] for each in measured)) for name in measured[0])
    return table_of(("", *databases), rows, f"Audit log: {records} records")


def _demanded_empty(server: str) -> str:
    with open_reader(server) as reader:
        if reader.head()[0]:
            raise WrongUse("That database holds an audit log. Give --audit-url an empty one.")
    return server


def _measured(url: str, records: int) -> dict[str, str]:
    with open_writer(url) as writer:
        seconds = [_timed(lambda: writer.append(answered())) for _ in range(records)]
    with open_reader(url) as reader:
        return {
            "durable appends a second": f"{records / sum(seconds):.0f}",
            "one append, median": f"{1000 * median(seconds):.1f} ms",
            **dict(_proofs(reader, records)),
            **dict(_verification(reader, records)),
        }


def _proofs(reader: AuditReader, records: int) -> list[tuple[str, str]]:
    signer = Signer(bytes(32))
    checkpoint = signer.sign(*reader.tree_head(), NOW)
    ids = [each.entry.audit_id for _, each in zip(range(PROOFS), reader.entries(), strict=False)]
    proven = reader.proven(ids[0], records)
    made = json.dumps(receipt(proven, checkpoint, signer.key, lambda _: True))
    seconds = median(_timed(partial(reader.proven, each, records)) for each in ids)
    return [
        ("hashes in a proof", f"{len(proven.path)} ({32 * len(proven.path)} bytes)"),
        ("a receipt", f"{len(made) / 1000:.1f} kB"),
        ("a proof, median", f"{1000 * seconds:.1f} ms"),
    ]


def _verification(reader: AuditReader, records: int) -> list[tuple[str, str]]:
    signer = Signer(bytes(32))
    checkpoint = signer.sign(*reader.tree_head(), NOW)
    whole = _timed(reader.verify)
    nothing_new = Signed(signer.key, (checkpoint,), verified=checkpoint)
    new = _timed(lambda: reader.verify(signed=nothing_new))
    return [
        ("verification, a million records", f"{whole * MILLION / records / 60:.0f} min"),
        ("verification where nothing is new", f"{1000 * new:.0f} ms"),
    ]


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def answered() -> AuditRecord:
    """A record as answers make it: with 50 candidates."""
    scores = CandidateScores(cosine=0.73, dense_rank=1, fusion=0.03, logit=4.2, relevance=0.98)
    place = {"passage_id": "p-1", "document_id": "rules", "file": "rules.md", "version": "1"}
    candidate = Candidate.model_validate({**place, "scores": scores, "used": False})
    citation = CitationRecord.model_validate({**place, "status": Status.VERIFIED, "quote": "14."})
    return AuditRecord(
        audit_id=new_id(datetime.now(UTC)),
        time=NOW,
        person=PersonRecord(id="ana"),
        question="How long is leave?",
        standalone_question="How long is leave?",
        embedding_model="bundled",
        filter=SearchFilter(on=NOW.date()),
        candidates=(candidate,) * CANDIDATES,
        writer=WriterRecord(name="extractive"),
        reply="Leave is 14 weeks.",
        claims=(ClaimRecord(text="Leave.", status=Status.VERIFIED, citations=(citation,)),),
        decision=Decision.ANSWER,
        versions=Versions(software="bench"),
    )
