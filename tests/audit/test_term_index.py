"""What administrators ask of many records: each filter alone and several at once, on every store.

There are more records than one block of what is found, and some after it.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest
from audit_stores import AuditStore, SqliteStore
from sample_records import NOON, a_citation, a_record, an_event
from sqlalchemy import Connection, event

from audit.erasure.concerned import held
from audit.feedback import FeedbackQuery, find_feedback, given_answers
from audit.finding.overview import NEWEST, SURVEYED, overview
from audit.finding.queries import (
    HUNDREDTHS,
    RecordQuery,
    askers,
    channels,
    cited_versions,
    find,
    terms_within,
)
from audit.finding.term_index import (
    BLOCK,
    IndexedEntry,
    Terms,
    as_bits,
    block_rows,
    catch_up,
    newest_first,
    open_term_index,
)
from audit.log import AuditReader, open_reader, open_writer
from audit.proof.hashes import canonical
from audit.record import (
    AuditRecord,
    Confidence,
    Decision,
    NearestRecord,
    SettingsRecord,
    Versions,
    WriterRecord,
)
from audit.storing import appending
from audit.storing.store import STORE, reading_engine, writing_engine
from audit.values import (
    Channel,
    ClaimRecord,
    ContradictionRecord,
    PersonRecord,
    Prevails,
    SideRecord,
    Status,
)

MANY = BLOCK + 40
FILES = ("handbook/leave.md", "handbook/travel.md", "it/laptops.md")


def a_claim(number: int, file: str, status: Status) -> ClaimRecord:
    citation = a_citation(file).model_copy(
        update={"version": f"sha256:{number % 4}", "passage_id": f"{file}-{number % 5}"}
    )
    return ClaimRecord(text=f"You get {number % 9} weeks.", status=status, citations=(citation,))


def a_quote(number: int) -> NearestRecord:
    said = f"It is near {number % 5}. Nobody knows."
    return NearestRecord(document_id="near", file="near.md", quote=said, text=said)


def a_contradiction(number: int) -> ContradictionRecord:
    sides = [
        SideRecord(citation=a_citation().model_copy(update={"quote": f"It is {side}{number % 2}."}))
        for side in ("holds", "against")
    ]
    return ContradictionRecord(
        holds=sides[0], against=sides[1], differs=("x",), prevails=Prevails.NEWER
    )


def asked(number: int) -> AuditRecord:
    """Half an hour after the one before."""
    time = NOON + timedelta(minutes=30 * number)
    refused = number % 3 == 0
    dropped = number % 11 == 0
    known = None if number % 13 == 0 else round((number % 10) / 10 + (number % 7) / 100, 2)
    posted = a_claim(number, FILES[number % 2], Status.VERIFIED)
    return a_record(
        30 * number,
        time=time,
        person=PersonRecord(id=f"{'T0OTHER//' if number % 7 == 0 else ''}person{number % 5}"),
        channel=Channel(id=f"C{number % 4}"),
        question=f"How long is leave number{number % 6}?",
        decision=Decision.ABSTAIN if refused else Decision.ANSWER,
        claims=() if refused else (posted,),
        dropped=(a_claim(number, FILES[2], Status.UNSUPPORTED),) if dropped else (),
        nearest=(a_quote(number),) if refused else (),
        contradictions=(a_contradiction(number),) if dropped else (),
        confidence=Confidence(overall=known),
        reasons=(f"confidence 0.{number % 10} is under 0.6",) if refused else (),
        writer=WriterRecord(name="model" if number % 2 else "extractive", model=f"m{number % 2}"),
        versions=Versions(software="1", settings=SettingsRecord(hash=f"{number % 3}abc")),
    )


RECORDS = [asked(number) for number in range(MANY)]
BAD = range(0, MANY, 25)
TAKEN_BACK = range(0, MANY, 50)
STANDS = {RECORDS[number].audit_id for number in BAD if number not in TAKEN_BACK}


def fill(store: AuditStore) -> None:
    """In one transaction, and what was said of the first ones after all were asked."""
    open_writer(store.url).close()
    events = [
        an_event(RECORDS[number], details={"value": "bad"}, event_id=f"bad{number}")
        for number in BAD
    ] + [
        an_event(RECORDS[number], details={"value": "withdrawn", "withdraws": f"bad{number}"})
        for number in TAKEN_BACK
    ]
    with STORE.transaction(writing_engine(STORE.parse(store.url))) as connection:
        for each in (*RECORDS, *events):
            payload = canonical(each)
            appending.append(connection, each.model_dump(mode="json"), payload)


@pytest.fixture(
    scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.server)]
)
def many(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> AuditStore:
    """One for all tests, each of which leaves it as it was."""
    store: AuditStore = (
        SqliteStore(tmp_path_factory.mktemp("many") / "audit.db")
        if request.param == "sqlite"
        else request.getfixturevalue("postgresql").new_database()
    )
    fill(store)
    return store


def cites(record: AuditRecord, name: str, claims: str = "claims") -> bool:
    citations = [each for claim in getattr(record, claims) for each in claim.citations]
    return any(name in (e.file, e.document_id, e.version, e.passage_id) for e in citations)


def sure(record: AuditRecord) -> float:
    return -1 if record.confidence.overall is None else record.confidence.overall


LATE, EARLY = NOON + timedelta(days=14, hours=3), NOON + timedelta(days=6, hours=1)
Meets = Callable[[AuditRecord], bool]
FILTERS: list[tuple[dict[str, Any], Meets]] = [
    ({"person": "person3"}, lambda r: r.person.id == "person3"),
    ({"channel": "C2"}, lambda r: r.channel.id == "C2"),
    ({"team": ""}, lambda r: "//" not in r.person.id),
    ({"team": "T0OTHER"}, lambda r: r.person.id.startswith("T0OTHER//")),
    ({"document": FILES[0]}, lambda r: cites(r, FILES[0])),
    ({"document": f"doc-{FILES[1]}"}, lambda r: cites(r, FILES[1])),
    ({"dropped": FILES[2]}, lambda r: cites(r, FILES[2], "dropped")),
    ({"version": "sha256:2"}, lambda r: cites(r, "sha256:2")),
    ({"passage": f"{FILES[0]}-4"}, lambda r: cites(r, f"{FILES[0]}-4")),
    ({"told": "you get 4 WEEKS"}, lambda r: any(e.text == "You get 4 weeks." for e in r.claims)),
    ({"told": "It is NEAR 3. [1]"}, lambda r: any("near 3." in e.text for e in r.nearest)),
    ({"told": "it is against1"}, lambda r: r.contradictions[:1] == (a_contradiction(1),)),
    ({"decision": "ABSTAIN"}, lambda r: r.decision == "ABSTAIN"),
    ({"badge": "answered"}, lambda r: r.decision == "ANSWER"),
    ({"status": "UNSUPPORTED"}, lambda r: bool(r.dropped)),
    ({"surer": 80}, lambda r: (r.confidence.overall or 0) >= 0.8),
    ({"surer": 95}, lambda r: (r.confidence.overall or 0) >= 0.95),
    ({"surer": 37}, lambda r: (r.confidence.overall or 0) >= 0.37),
    ({"less_sure": 46}, lambda r: 0 <= sure(r) < 0.46),
    ({"surer": 34, "less_sure": 54}, lambda r: 0.34 <= sure(r) < 0.54),
    ({"surer": 32, "less_sure": 36}, lambda r: 0.32 <= sure(r) < 0.36),
    ({"reason": "confidence … is under …"}, lambda r: bool(r.reasons)),
    ({"writer": "model"}, lambda r: r.writer.name == "model"),
    ({"writer": "m0"}, lambda r: r.writer.model == "m0"),
    ({"settings": "1a"}, lambda r: r.versions.settings.hash == "1abc"),
    ({"feedback": "bad"}, lambda r: r.audit_id in STANDS),
    ({"feedback": "withdrawn"}, lambda _: False),
    ({"text": "leave NUMBER4"}, lambda r: "number4" in r.question),
    ({"since": LATE}, lambda r: r.time >= LATE),
    ({"until": EARLY}, lambda r: r.time < EARLY),
    ({"since": EARLY, "until": LATE}, lambda r: EARLY <= r.time < LATE),
    ({"person": "nobody"}, lambda _: False),
    ({"document": FILES[2]}, lambda _: False),
    ({"text": "?"}, lambda _: False),
    ({"since": LATE, "until": EARLY}, lambda _: False),
    ({"surer": 70, "less_sure": 40}, lambda _: False),
]  # fmt: skip


def assert_all_found(reader: AuditReader, every: int = 1) -> None:
    """Each filter alone, and with one and two others: as reading all would tell."""
    for number, (stated, meets) in list(enumerate(FILTERS))[::every]:
        query, all_of = dict(stated), [meets]
        for step in (0, 3, 7):
            more, also = FILTERS[(number + step) % len(FILTERS)]
            if not more.keys() & query.keys():
                query, all_of = query | more, [*all_of, also]
            page = reader.find(RecordQuery(limit=MANY, **query))
            expected = [r.audit_id for r in RECORDS if all(each(r) for each in all_of)]
            assert [each.audit_id for each in page.records] == expected[::-1], query


def test_each_filter_alone_and_with_others_finds_what_reading_all_would(many: AuditStore) -> None:
    with open_reader(many.url) as reader:
        assert_all_found(reader)
        assert reader.cited_versions(f"doc-{FILES[0]}") == {"sha256:0", "sha256:2"}
        assert reader.cited_versions("doc-") == frozenset()
        first = reader.find(RecordQuery(decision="ANSWER", limit=3))
        second = reader.find(RecordQuery(decision="ANSWER", limit=3, before=first.next))
        answered = [r.audit_id for r in RECORDS if r.decision == "ANSWER"][::-1]
        assert [e.audit_id for p in (first, second) for e in p.records] == answered[:6]
        assert reader.find(RecordQuery(before=1)).records == ()
        assert len(reader.find(RecordQuery(before=10**15, limit=MANY)).records) == len(RECORDS)
        assert reader.verify().first_bad is None


def test_what_records_say_together_is_what_reading_all_would_tell(many: AuditStore) -> None:
    with open_reader(many.url) as reader:
        for stated, meets in FILTERS:
            query = RecordQuery(limit=4, before=900, **stated)
            seen = reader.overview(query, RECORDS[-1].time.date(), 3, ["never.md"])
            assert (seen.page, seen.refused) == (
                reader.find(query),
                [*reader.find(RecordQuery(**(stated | {"decision": "ABSTAIN"}), limit=3)).records],
            )
            expected = [each for each in RECORDS if meets(each)]
            assert seen.records == len(expected), stated
            days = Counter((f"{each.time:%Y-%m-%d}", each.decision) for each in expected)
            spans = [(each.name, *pair) for each in seen.spans for pair in each.by_decision.items()]
            assert days == {(day, why): count for day, why, count in spans if count}
            tenths = Counter(int(10 * sure(each) + 1e-9) for each in expected)
            assert list(seen.confidence) == [tenths[tenth] for tenth in range(10)]
            assert seen.unmeasured == sum(sure(each) < 0 for each in expected)
            assert sum(n for _, n in seen.reasons) == seen.by_decision["ABSTAIN"]
            assert seen.read == min(len(expected), NEWEST)
            assert seen.surveyed == min(len(expected), SURVEYED)
            newest = [each for each in expected if each.claims]
            cited = Counter(FILES[0] if cites(each, FILES[0]) else FILES[1] for each in newest)
            assert dict(seen.most) == cited
            assert seen.least == [("never.md", 0)]


def test_of_many_blocks_none_is_missed_where_only_those_of_a_set_are_read(tmp_path: Path) -> None:
    sets = {"a": {5, 1030, 3000, 3001, 4100}, "b": {3000, 3002, 4100}, "c": {6, 1030, 5000}}
    said = [
        IndexedEntry(number, [term], "") for term, numbers in sets.items() for number in numbers
    ]
    store = SqliteStore(tmp_path / "audit.db")
    open_writer(store.url).close()
    store.tamper(
        f"INSERT INTO audit_terms VALUES ({5 * BLOCK}, {5 * BLOCK}, '[]')",  # noqa: S608 - constants
        *(
            f"INSERT INTO audit_found VALUES ('{term}', {block}, 4, X'{numbers.hex()}')"  # noqa: S608 - constants
            for term, block, _, numbers in (each.values() for each in block_rows(4, said))
        ),
    )
    with reading_engine(STORE.parse(store.url)).begin() as connection:
        found = open_term_index(connection)
        for one, other in permutations(sets, 2):
            within = found.having(Terms(one))
            met = list(newest_first(found.having(Terms(other), within)))
            assert met == sorted(sets[one] & sets[other], reverse=True)
        assert found.having(Terms("a", "c")) == as_bits(sets["a"] | sets["b"])


@pytest.mark.exhaustive
def test_a_store_of_before_is_asked_the_same_while_it_is_brought_up_and_after_a_kill(
    many: AuditStore,
) -> None:
    many.tamper("DELETE FROM audit_terms", "DELETE FROM audit_found")
    with open_reader(many.url) as reader:
        assert_all_found(reader, 9)
        assert reader.verify().ok
        engine = writing_engine(STORE.parse(many.url))
        for _ in range(3):
            with STORE.transaction(engine) as connection:
                assert catch_up(connection)
        assert_all_found(reader, 9)
        assert reader.verify().ok
        open_writer(many.url).close()
        assert_all_found(reader, 9)
        assert reader.verify().ok


def test_what_would_hide_a_record_from_a_search_is_blamed(many: AuditStore) -> None:
    changes = (
        ("audit_found", "term", "'person:person3'", "'person:x'", "term = {}"),
        ("audit_found", "closed", "0", "7", "term = 'person:person3'"),
        ("audit_terms", "record", "9", "8", "sequence = 9"),
        ("audit_terms", "sequence", "9", "-1", "sequence = {}"),
    )
    with open_reader(many.url) as reader:
        for table, column, was, now, where in changes:
            set_to = f"UPDATE {table} SET {column} = {{}} WHERE {where}"  # noqa: S608 - constants
            many.tamper(set_to.replace("{}", now, 1).format(was))
            first_bad = reader.verify().first_bad
            assert first_bad is not None
            assert table in first_bad.what
            many.tamper(set_to.replace("{}", was, 1).format(now))
        assert reader.verify().ok


def test_the_database_takes_no_more_of_what_is_found_than_is_its_turn(many: AuditStore) -> None:
    for statement in (
        "DELETE FROM audit_found",
        "UPDATE audit_terms SET terms = '[]'",
        "INSERT INTO audit_found SELECT 'more', block, closed + 1, numbers FROM audit_found",
        "INSERT INTO audit_terms VALUES (9999, 1, '[]')",
    ):
        with pytest.raises(Exception, match="append-only"):
            many.outside(statement)


def test_no_question_reads_a_table_from_end_to_end(many: AuditStore) -> None:
    everything = RecordQuery(
        **{key: value for stated, _ in FILTERS for key, value in stated.items()}
    )
    queries = [everything, RecordQuery(), *(RecordQuery(**stated) for stated, _ in FILTERS)]
    with planned(many) as (connection, plans):
        for query in queries:
            overview(connection, query, NOON.date(), 3)
            find(connection, query)
        cited_versions(connection, f"doc-{FILES[0]}")
        for ask in (askers, channels, given_answers, held):
            ask(connection)
        find_feedback(connection, FeedbackQuery())
    assert len(plans) > 20
    whole = "SCAN audit_" if isinstance(many, SqliteStore) else "Seq Scan on audit_"
    assert [plan for plan in plans if whole in plan and "audit_revision" not in plan] == []
    assert not any("(decision=?)" in plan for plan in plans), "all events, to find some"


def test_what_is_found_is_read_in_few_steps_however_many_days_reasons_and_opinions_there_are(
    many: AuditStore,
) -> None:
    steps: list[str] = []
    with planned(many) as (connection, _):
        event.listen(connection, "before_cursor_execute", lambda *told: steps.append(told[2]))
        overview(connection, RecordQuery(), NOON.date() + timedelta(days=90), 3)
        assert sum("audit_found.numbers" in each for each in steps) == 5
        steps.clear()
        assert find(connection, RecordQuery(feedback="bad", limit=20)).next
        assert sum("audit_entry_1" in each for each in steps) == 1


@contextmanager
def planned(store: AuditStore) -> Iterator[tuple[Connection, list[str]]]:
    """The plan of every statement; a server is told to read no table as a whole if it can help."""
    plans: list[str] = []
    explain = "EXPLAIN QUERY PLAN" if isinstance(store, SqliteStore) else "EXPLAIN"
    engine = reading_engine(STORE.parse(store.url))
    with engine.begin() as connection:
        if explain == "EXPLAIN":
            connection.exec_driver_sql("SET LOCAL enable_seqscan = off")

        def explained(_: object, cursor: Any, said: str, values: Any, *__: object) -> None:
            if said.startswith("SELECT audit_") or " FROM audit_" in said:
                cursor.execute(f"{explain} {said}", values)
                plans.extend(" ".join(map(str, row)) for row in cursor.fetchall())

        event.listen(engine, "before_cursor_execute", explained)
        yield connection, plans
    engine.dispose()


TERMS = [(f"confidence:{each // 10}", f"sure:{each:02d}") for each in range(HUNDREDTHS)]


def test_each_band_of_hundredths_holds_its_own() -> None:
    for least, under in product(range(HUNDREDTHS), range(1, HUNDREDTHS + 1)):
        asked = list(terms_within(least, under))
        found = {at for at, own in enumerate(TERMS) if any(each.among(own) for each in asked)}
        assert found == set(range(least, under)), (least, under)
