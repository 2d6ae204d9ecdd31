"""What is seen of the bot from outside stays true where something fails or hangs."""

from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from office import until
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from prometheus_client import CollectorRegistry
from rich.text import Text
from sample_records import a_record, an_event

from audit.errors import AuditUnavailable, EntryConflict, UnknownRecord
from audit.log import open_writer
from audit.record import Decision
from bot.answering.observing.metrics import Metrics, State
from bot.answering.observing.observer import LEAST_PAUSE_S, STALE_S, Looks, observed_by
from bot.answering.observing.traces import Parts, Traces
from bot.answering.values import Question
from bot.cli.console import LoggedTerminal, progress_bar
from bot.errors import EmptyLibrary, EmptyQuestion
from bot.jobs.runs import Ended, JobOutcome
from bot.settings import Settings
from bot.slack.inbox.beside import JobRuns
from bot.wiring.audit import key_is_apart
from bot.wiring.observing import Readiness, noting
from retrieval.search.timing import Stages

WELL = State({}, {"answering": 3}, 9.0, 1, is_leader=True, missing=0, audit_entries=7, failed={})


@pytest.fixture
def metrics() -> Metrics:
    return Metrics(CollectorRegistry(), "0")


def told(metrics: Metrics, name: str) -> list[str]:
    text = metrics.exposed()[0].decode()
    return [
        line.split()[-1] for line in text.splitlines() if line.startswith((f"{name} ", f"{name}{{"))
    ]


def test_a_bot_whose_look_hangs_is_not_told_to_be_ready(metrics: Metrics) -> None:
    now = [0.0]
    looks = Looks(dict, lambda: now[0])
    metrics.tell_ready(looks.problems)
    assert told(metrics, "vouch_ready") == ["0.0"]
    looks()
    metrics.note(WELL, 0)
    assert told(metrics, "vouch_ready") == ["1.0"]
    now[0] = LEAST_PAUSE_S + STALE_S
    assert told(metrics, "vouch_ready") == ["0.0"]


def test_what_is_not_known_any_more_is_not_told_as_it_was(metrics: Metrics) -> None:
    metrics.note(WELL, 0)
    assert told(metrics, "vouch_queue") == ["3.0"]
    metrics.note(replace(WELL, queue=None, missing=None), 1)
    assert told(metrics, "vouch_queue") == []
    assert told(metrics, "vouch_index_missing_passages") == ["NaN"]


@pytest.mark.parametrize("missing", [2, None])
def test_a_fault_in_noting_does_not_spoil_what_was_found(
    metrics: Metrics, caplog: pytest.LogCaptureFixture, tmp_path: Path, missing: int | None
) -> None:
    def broken(_: object) -> None:
        raise RuntimeError("a bug")

    def head() -> tuple[int, str]:
        return 7, ""

    found = Readiness({"people": "nobody"}, missing)
    container: Any = SimpleNamespace(
        metrics=metrics,
        stores=SimpleNamespace(audit_reader=SimpleNamespace(head=head)),
        settings=SimpleNamespace(inbox_database=f"sqlite:///{tmp_path / 'inbox.sqlite'}"),
    )
    assert noting(container, cast(Any, SimpleNamespace(backlog=broken)), lambda: found, True) == {
        "people": "nobody"
    }
    assert "could not be noted" in caplog.text
    well: Any = SimpleNamespace(backlog=lambda _: None)
    noting(container, well, lambda: found, True)
    lacking = "NaN" if missing is None else f"{missing:.1f}"
    assert told(metrics, "vouch_index_missing_passages") == [lacking]  # counted once, by the look
    assert told(metrics, 'vouch_problem{name="people"}') == ["1.0"]
    assert told(metrics, "vouch_audit_entries") == ["7.0"]


def test_a_log_that_does_not_verify_is_told_until_it_does(metrics: Metrics, tmp_path: Path) -> None:
    inbox, now = f"sqlite:///{tmp_path / 'inbox.sqlite'}", datetime(2026, 3, 2, tzinfo=UTC)
    container: Any = SimpleNamespace(
        metrics=metrics,
        stores=SimpleNamespace(audit_reader=SimpleNamespace(head=lambda: (7, ""))),
        settings=SimpleNamespace(inbox_database=inbox),
    )
    well: Any = SimpleNamespace(backlog=lambda _: None)

    def seen_after(*ended: tuple[str, JobOutcome]) -> list[list[str]]:
        with JobRuns.open(inbox) as runs:
            for job, outcome in ended:
                run = runs.start(job, now, by_hand=False)
                if outcome is not JobOutcome.RUNNING:
                    runs.finish(run, now, Ended(outcome, {}))
        noting(container, well, lambda: Readiness({}, 0), True)
        jobs = ("verify-audit", "ingest")
        return [told(metrics, f'vouch_job_failed{{job="{job}"}}') for job in jobs]

    assert seen_after() == [[], []]
    read = [("ingest handbook", JobOutcome.FAILED), ("ingest plans of Ana", JobOutcome.OK)]
    assert seen_after(("verify-audit", JobOutcome.FAILED), *read) == [["1.0"], ["1.0"]]
    assert seen_after(("verify-audit", JobOutcome.RUNNING)) == [["1.0"], ["1.0"]]
    assert seen_after(("verify-audit", JobOutcome.OK)) == [["0.0"], ["1.0"]]
    assert "Ana" not in metrics.exposed()[0].decode()


def test_only_a_store_that_fails_counts_as_one(metrics: Metrics, tmp_path: Path) -> None:
    lost = "vouch_audit_append_failures_total"
    with open_writer(f"sqlite:///{tmp_path / 'audit.sqlite'}", metrics.appended) as writer:
        record = a_record()
        writer.append(record)
        with pytest.raises(EntryConflict):
            writer.append(record.model_copy(update={"reply": "Something else."}))
        with pytest.raises(UnknownRecord):
            writer.append(an_event(a_record(9)))
        assert told(metrics, lost) == ["0.0"]
        writer.close()  # it opens the file anew
        (tmp_path / "audit.sqlite").write_bytes(b"no database at all" * 1000)
        with pytest.raises(AuditUnavailable):
            writer.append(a_record(1))
    assert told(metrics, lost) == ["1.0"]
    assert told(metrics, "vouch_audit_append_seconds_count") == ["1.0"]


def test_no_question_is_no_failed_answer(metrics: Metrics) -> None:
    question, observe = Question("", None, date(2026, 3, 2)), observed_by([metrics])
    for error in (EmptyQuestion("ask"), EmptyLibrary("empty")):
        with pytest.raises(type(error)), observe(question, Stages()):
            raise error
    assert told(metrics, "vouch_failures_total") == ["1.0"]


@pytest.mark.parametrize(
    ("given", "apart"),
    [
        ({}, False),
        ({"audit_url": "postgresql://vouch@host/vouch"}, True),
        ({"audit_url": "postgresql://vouch@host/vouch", "audit_key": "k" * 32}, False),
    ],
)
def test_a_log_that_several_bots_could_share_is_known_from_one_of_this_home(
    given: dict[str, str], apart: bool
) -> None:
    assert key_is_apart(Settings(_env_file=None, **given)) is apart  # type: ignore[arg-type, call-arg]  # by name


def test_a_fault_in_tracing_leaves_no_span_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "10")
    sent, stages = InMemorySpanExporter(), Stages()
    traces = Traces(sent, Parts("0", "lancedb", "e", "r", ""), content=False)
    with stages.stage("total"), stages.stage("search"):
        pass
    broken: Any = SimpleNamespace(audit_id="id", decision=Decision.ABSTAIN)
    with pytest.raises(AttributeError):
        traces.answered(broken, stages)
    names = ["retrieval lancedb", "invoke_agent vouch"]
    until(lambda: [each.name for each in sent.get_finished_spans()] == names)


@pytest.mark.parametrize(
    "host", ["http://collector:4318", "http://127.0.0.1.example.org", "ftp://c"]
)
def test_what_people_said_is_sent_to_no_collector_in_the_open(host: str) -> None:
    def given(url: str) -> Settings:
        stated: Any = {"traces_url": url, "traces_content": True}
        return Settings(_env_file=None, **stated)  # type: ignore[call-arg]  # pydantic-settings' own

    with pytest.raises(ValueError, match="https, or a collector on this machine"):
        given(f"{host}/v1/traces")
    for well in ("https://collector.example.org/v1/traces", "http://127.0.0.1:4318/v1/traces"):
        assert given(well).traces_content


def test_a_terminal_with_the_log_as_json_is_told_words_and_nothing_else(
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")  # rich takes that for a terminal
    caplog.set_level("INFO")
    console = LoggedTerminal()
    with console.status("Connecting"), progress_bar(console, "Reading") as report:
        report(1, 2, "leave.md")
        console.print("Vouch is up.")
        console.print("")
        console.print(Text("As it is"))
    assert caplog.messages == ["Vouch is up.", "As it is"]
    assert capsys.readouterr().err == ""
