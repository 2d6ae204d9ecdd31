"""How fast the audit log is: durable appends, receipts' proofs, verification."""

import json
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import accumulate
from pathlib import Path
from statistics import median
from typing import Any

from rich.table import Table
from sqlalchemy import insert

from audit.finding.queries import RecordQuery
from audit.finding.term_index import catch_up
from audit.log import AuditReader, open_reader, open_writer
from audit.proof.checkpoints import Signer, receipt
from audit.proof.verification import Signed
from audit.record import (
    AuditEvent,
    AuditRecord,
    Candidate,
    CandidateScores,
    Decision,
    EventKind,
    SearchFilter,
    Versions,
    WriterRecord,
)
from audit.storing.store import STORE, writing_engine
from audit.storing.tables import columns, entries
from audit.values import CitationRecord, ClaimRecord, PersonRecord, Status, new_id, stamp
from bot.cli.console import table_of
from bot.errors import WrongUse

RECORDS = 2_000
CANDIDATES = 50
PROOFS = 50
MILLION = 1_000_000
NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)


def audit_table(records: int = RECORDS, server: str = "") -> Table:
    """Measure with SQLite, and in an empty database of a server; raise `WrongUse` if used."""
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


RUNS = 7
AT_ONCE = 1024
DOCUMENTS, PEOPLE, CHANNELS, VOCABULARY = 400, 2_000, 60, 20_000
REPLY_WORDS = 90
DAYS = 730
BEGAN = datetime(2025, 1, 1, tzinfo=UTC)
SEED_OF_RECORDS = 0
ALONE: dict[str, dict[str, Any]] = {
    "all": {},
    "person": {"person": "p7"},
    "channel": {"channel": "C3"},
    "team": {"team": ""},
    "decision": {"decision": "ABSTAIN"},
    "badge": {"badge": "answered"},
    "confidence": {"surer": 35, "less_sure": 52},
    "status": {"status": "UNSUPPORTED"},
    "document": {"document": "d1.md"},
    "dropped": {"dropped": "d1.md"},
    "version": {"version": "sha256:d1-2"},
    "passage": {"passage": "d1.md-3"},
    "told": {"told": "Sentence 5 of d1.md."},
    "writer": {"writer": "extractive"},
    "settings": {"settings": "s3"},
    "reason": {"reason": "confidence … is under …"},
    "feedback": {"feedback": "bad"},
    "a common word": {"text": "w0"},
    "rare words": {"text": "w19990 w19980"},
    "since": {"since": BEGAN + timedelta(days=DAYS - 30)},
    "until": {"until": BEGAN + timedelta(days=30, hours=5)},
    "nobody": {"person": "nobody"},
}
_MONTH = ALONE["since"]
TOGETHER: dict[str, dict[str, Any]] = {
    "unsupported cited d1.md, 30 days": {"status": "UNSUPPORTED", "document": "d1.md", **_MONTH},
    "d1.md in a version": {**ALONE["document"], **ALONE["version"]},
    "decision + document, none": {"decision": "ABSTAIN", "document": "d0.md"},
    "common word + decision + until": {"text": "w0", "decision": "ABSTAIN", **ALONE["until"]},
    "person + document + word": {"person": "p7", "document": "d0.md", "text": "w1"},
    "status + badge, none": {"status": "BROKEN", "badge": "answered", "text": "w0"},
    "ten filters, none": {
        **ALONE["channel"], **ALONE["team"], **ALONE["badge"], **ALONE["status"],
        **ALONE["document"], **ALONE["writer"], **ALONE["settings"], **ALONE["feedback"],
        **ALONE["a common word"], **_MONTH,
    },
}  # fmt: skip


def audit_queries_tables(records: int, postgresql: str = "") -> Iterator[Table]:
    """One a database; `postgresql`: the URL of one, else it is left out."""
    with tempfile.TemporaryDirectory(prefix="vouch-bench-") as folder:
        yield _asked(f"sqlite:///{Path(folder) / 'audit.sqlite'}", "SQLite", records)
    if postgresql:
        yield _asked(postgresql, "PostgreSQL", records)


def _asked(url: str, name: str, records: int) -> Table:
    size, seconds = _fill(url, records)
    title = f"{name}: {records} records of {size / 1000:.0f} kB, written in {seconds:.0f} s"
    table = Table("question", "found on a page", title=title)
    for column in ("median", "worst of 7"):
        table.add_column(column, justify="right")
    with open_reader(url) as reader:
        for asked, stated in (ALONE | TOGETHER).items():
            query = RecordQuery(**stated)
            count = len(reader.find(query).records)
            table.add_row(asked, str(count), *_times(partial(reader.find, query)))
        versions = len(reader.cited_versions("doc-d0.md"))
        times = _times(partial(reader.cited_versions, "doc-d0.md"))
        table.add_row("cited versions", str(versions), *times)
    return table


def _times(work: Callable[[], object]) -> tuple[str, str]:
    taken = []
    for _ in range(RUNS):
        start = time.perf_counter()
        work()
        taken.append(1000 * (time.perf_counter() - start))
    return f"{median(taken):.0f} ms", f"{max(taken):.0f} ms"


def _fill(url: str, records: int) -> tuple[float, float]:
    """Write records of that size past the chain and the tree, which no question reads."""
    open_writer(url).close()
    with open_reader(url) as reader:
        before, _ = reader.head()
    made, start, size = _entries(records), time.perf_counter(), 0
    engine = writing_engine(STORE.parse(url))
    number = before
    while rows := [row for _, row in zip(range(AT_ONCE), made, strict=False)]:
        with STORE.transaction(engine) as connection:
            for row in rows:
                number += 1
                row |= {"sequence": number, "previous_hash": f"{number - 1}", "hash": f"{number}"}
                size += len(row["payload"])
            connection.execute(insert(entries), rows)
            while catch_up(connection):
                pass
    engine.dispose()
    return size / (number - before), time.perf_counter() - start


def _entries(records: int) -> Iterator[dict[str, Any]]:
    rng = random.Random(SEED_OF_RECORDS)  # noqa: S311 - no secret
    words = [f"w{each}" for each in range(VOCABULARY)]
    weights = list(accumulate(1 / (each + 1) for each in range(VOCABULARY)))
    base = json.loads(answered().model_dump_json())
    for number in range(records):
        time_ = BEGAN + timedelta(days=DAYS) * number / records
        said = " ".join(rng.choices(words, cum_weights=weights, k=REPLY_WORDS))
        made = base | _varied(rng, number, said) | {"audit_id": new_id(time_), "time": stamp(time_)}
        yield {**columns(made), "payload": json.dumps(made)}
        if number % 20 == 0:
            event = AuditEvent(
                kind=EventKind.FEEDBACK,
                event_id=f"event-{number}",
                audit_id=made["audit_id"],
                time=time_,
                person=PersonRecord(id=made["person"]["id"]),
                details={"value": rng.choice(["good", "good", "bad"])},
            ).model_dump(mode="json")
            yield {**columns(event), "payload": json.dumps(event)}


def _varied(rng: random.Random, number: int, said: str) -> dict[str, Any]:
    file = f"d{int(DOCUMENTS * rng.random() ** 3)}.md"
    claim = _claim(rng, file, "VERIFIED")
    refused = rng.random() < 0.25
    dropped = [_claim(rng, file, "UNSUPPORTED")] if rng.random() < 0.1 else []
    sure = rng.random()
    return {
        "person": {"id": f"p{int(PEOPLE * rng.random() ** 2)}", "name": "Somebody"},
        "channel": {"id": f"C{rng.randrange(CHANNELS)}", "name": "", "thread": ""},
        "question": said[:80],
        "reply": said,
        "decision": "ABSTAIN" if refused else "ANSWER",
        "claims": [] if refused else [claim],
        "dropped": dropped,
        "reasons": [f"confidence {sure:.2f} is {'under' if refused else 'at least'} 0.6"],
        "confidence": {"overall": sure},
        "versions": {"software": "bench", "settings": {"hash": f"s{number % 9}"}},
    }


def _claim(rng: random.Random, file: str, status: str) -> dict[str, Any]:
    citation = {
        "document_id": f"doc-{file}",
        "file": file,
        "version": f"sha256:{file.removesuffix('.md')}-{rng.randrange(4)}",
        "passage_id": f"{file}-{rng.randrange(25)}",
    }
    text = f"Sentence {rng.randrange(40)} of {file}."
    return {"text": text, "status": status, "citations": [citation]}
