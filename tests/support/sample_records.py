"""Records to append, tame and wild, and a program that appends them until it is stopped."""

import resource
import sys
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any, TypeVar, get_type_hints

from hypothesis import strategies as st

from audit.errors import AuditUnavailable
from audit.log import open_writer
from audit.places import Box, Place
from audit.record import (
    AuditEvent,
    AuditRecord,
    Candidate,
    CandidateScores,
    Confidence,
    Decision,
    EventKind,
    SearchFilter,
    SettingsRecord,
    TokenUsage,
    Versions,
    WriterRecord,
)
from audit.values import (
    CellRecord,
    Channel,
    CitationRecord,
    ClaimRecord,
    PersonRecord,
    Status,
    new_id,
)

T = TypeVar("T")
NOON = datetime(2025, 3, 1, 12, tzinfo=UTC)


def a_citation(file: str = "handbook/leave.md") -> CitationRecord:
    return CitationRecord(
        passage_id="p-1",
        document_id=f"doc-{file}",
        file=file,
        version="sha256:12ab",
        status=Status.VERIFIED,
        score=0.97,
        place=Place(line_start=10, line_end=12, section_path=("Leave", "Parental")),
        quote="Employees get **14 weeks** of parental leave.",
    )


def a_candidate(number: int = 1) -> Candidate:
    return Candidate(
        passage_id=f"p-{number}",
        document_id="doc-handbook/leave.md",
        file="handbook/leave.md",
        version="sha256:12ab",
        place=Place(page=2, line_start=number, line_end=number + 2),
        scores=CandidateScores(cosine=0.1 + 0.2, dense_rank=number, bm25=1e-17, relevance=1.0),
        used=number < 6,
    )


def a_record(number: int = 0, **changes: Any) -> AuditRecord:
    """A small, ordinary answer; asked `number` minutes past noon."""
    time = NOON + timedelta(minutes=number)
    ordinary: dict[str, Any] = {
        "audit_id": new_id(time),
        "time": time,
        "person": PersonRecord(id="ana", name="Ana Silva"),
        "channel": Channel(id="C0123"),
        "question": "How many weeks of parental leave do I get?",
        "standalone_question": "weeks of parental leave",
        "embedding_model": "minilm",
        "filter": SearchFilter(facets={"departments": ("cs",)}, on=time.date()),
        "candidates": (a_candidate(),),
        "writer": WriterRecord(name="extractive", output="Employees get 14 weeks."),
        "reply": "You get 14 weeks.",
        "claims": (
            ClaimRecord(text="14 weeks", status=Status.VERIFIED, citations=(a_citation(),)),
        ),
        "decision": Decision.ANSWER,
        "versions": Versions(software="0.1.0", settings=SettingsRecord(values={"limit": 0.7})),
    }
    return AuditRecord(**ordinary | changes)


def an_event(record: AuditRecord, **changes: Any) -> AuditEvent:
    ordinary: dict[str, Any] = {
        "kind": EventKind.FEEDBACK,
        "event_id": new_id(record.time),
        "audit_id": record.audit_id,
        "time": record.time + timedelta(minutes=5),
        "person": PersonRecord(id="ben"),
        "text": "It is 16 weeks since January.",
        "details": {"helpful": False},
    }
    return AuditEvent(**ordinary | changes)


words = st.one_of(
    st.text(),
    st.sampled_from(
        ["\x00", "a\x00b", "🦉" * 3, "e\u0301 \u00e9", "\ufffd", "\u2028", "x" * 100_000]
    ),
)
names = st.text(max_size=20)
numbers = st.floats(allow_nan=False, allow_infinity=False)
counts = st.integers(min_value=-(2**60), max_value=2**60)
times = st.datetimes(
    min_value=datetime(1, 1, 3), max_value=datetime(9999, 12, 29), timezones=st.just(UTC)
)
json_values = st.recursive(
    st.none() | st.booleans() | counts | numbers | names,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=5,
)


def of_types(
    types: Mapping[object, st.SearchStrategy[Any]], kind: type[T], fields: str, **given: Any
) -> st.SearchStrategy[T]:
    """Values of a kind, of whose named fields each holds whatever its type, or enumeration, can."""
    hints = get_type_hints(kind)
    stated = {name: hints[name] for name in fields.split()}
    own = {name: types[of] if of in types else st.sampled_from(of) for name, of in stated.items()}
    return st.builds(kind, **own | given)


TYPES: dict[object, st.SearchStrategy[Any]] = {
    str: words,
    bool: st.booleans(),
    int: counts,
    float: numbers,
    int | None: st.none() | counts,
    float | None: st.none() | numbers,
    tuple[str, ...]: st.lists(words, max_size=2).map(tuple),
}
drawn = partial(of_types, TYPES)
TYPES[Place] = drawn(
    Place,
    "page",
    section_path=st.lists(names, max_size=2).map(tuple),
    page_label=names,
    cell_range=st.sampled_from(["", "B7", "B7:AA10"]),
)
boxes = drawn(Box, "page x0 y0 x1 y1")
cells = drawn(CellRecord, "name value sentence", reference=st.sampled_from(["", "B7"]))
citations = drawn(
    CitationRecord,
    "document_id file status score place quote",
    passage_id=names,
    version=names,
    boxes=st.lists(boxes, max_size=2).map(tuple),
    cells=st.lists(cells, max_size=2).map(tuple),
)
claims = drawn(
    ClaimRecord, "text status kind", citations=st.lists(citations, max_size=2).map(tuple)
)
candidates = drawn(
    Candidate,
    "place used",
    **dict.fromkeys(("passage_id", "document_id", "file", "version"), names),
    scores=st.builds(
        CandidateScores, cosine=numbers, bm25_rank=st.none() | counts, of_another_name=numbers
    ),
    overridden_by=st.none() | names,
)
usage = drawn(TokenUsage, "prompt")
wild_records = drawn(
    AuditRecord,
    "question standalone_question previous_questions reply decision",
    audit_id=times.map(lambda at: new_id(max(at, NOON))),
    time=times,
    person=drawn(PersonRecord, "id name"),
    channel=drawn(Channel, "id", name=names),
    embedding_model=names,
    filter=drawn(
        SearchFilter,
        "",
        facets=st.dictionaries(names, st.lists(names, max_size=2).map(tuple), max_size=2),
        on=st.dates(min_value=date(1, 1, 1)),
    ),
    candidates=st.lists(candidates, max_size=3).map(tuple),
    writer=drawn(WriterRecord, "output", name=names),
    claims=st.lists(claims, max_size=2).map(tuple),
    dropped=st.lists(claims, max_size=1).map(tuple),
    confidence=drawn(Confidence, "overall"),
    latency_ms=st.dictionaries(names, numbers, max_size=3),
    tokens=usage,
    tokens_by_stage=st.dictionaries(names, usage, max_size=2),
    versions=st.builds(
        Versions,
        software=names,
        settings=st.builds(SettingsRecord, values=st.dictionaries(names, json_values, max_size=3)),
    ),
)


def append_until_stopped(url: str, count: int, largest_file: int) -> None:
    """Append records, print each id once stored, and a failure; `largest_file`: a full disk."""
    if largest_file:
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))
    writer = open_writer(url)
    for number in range(count):
        try:
            stored = writer.append(a_record(number))
        except AuditUnavailable as error:
            sys.stderr.write(f"{error}\n")
            return
        sys.stdout.write(f"{stored.entry.audit_id}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    append_until_stopped(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
