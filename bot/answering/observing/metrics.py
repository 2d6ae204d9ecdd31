"""Numbers for Prometheus: how many, how long, how far behind. None tells what anybody said.

Every label has few values, which the program itself gives.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import nan

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from audit.record import Decision
from bot.answering.outcome import Outcome
from bot.answering.values import Question
from bot.errors import WriterUnavailable
from retrieval.search.timing import Stages

SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
"""Bounds of the histograms' buckets."""
_HOW_SURE = re.compile(r"confidence [0-9.]+ is under [0-9.]+")
Problems = Callable[[], Mapping[str, str]]
"""What keeps the bot from answering, by name; empty when nothing does. Said at once."""
_READ, _WRITTEN = "prompt", "completion"


@dataclass(frozen=True, slots=True)
class State:
    """How the bot is at a moment; None for what could not be looked at."""

    problems: Mapping[str, str]
    """By name, of all that is looked at; empty words where nothing is wrong."""
    queue: Mapping[str, int] | None
    """Questions that are not done yet, by what they wait for."""
    oldest_seconds: float | None
    """Of those, how long ago the oldest came; 0 where there are none."""
    leases: int | None
    """Questions that some bot has in hand."""
    is_leader: bool
    """Whether this bot runs the jobs."""
    missing: int | None
    """Passages of the library that the index lacks."""
    audit_entries: int | None
    failed: Mapping[str, bool]
    """Whether the newest run of a job that is over failed, by its name."""


class Metrics:
    """The numbers of one bot, in a registry of its own. Safe to share between threads."""

    def __init__(self, registry: CollectorRegistry, version: str) -> None:
        self._registry = registry
        Info("vouch", "The program.", registry=registry).info({"version": version})
        self._questions = self._counter(
            "vouch_questions", "Questions answered or refused.", "decision"
        )
        for decision in Decision:
            self._questions.labels(decision.value.lower())
        self._refusals = self._counter(
            "vouch_refusals", "Questions refused, by the gate's reason.", "reason"
        )
        self._failures = self._counter(
            "vouch_failures", "Attempts that failed; each is tried again.", "error"
        )
        self._writer_errors = self._counter(
            "vouch_writer_errors", "Attempts in which the writer failed."
        )
        self._stages = self._histogram(
            "vouch_stage_seconds",
            "Time of each stage of answering; total is without audit.",
            "stage",
        )
        self._tokens = self._counter(
            "vouch_tokens", "Tokens that language models read and wrote.", "stage", "kind"
        )
        for kind in ("input", "output"):
            self._tokens.labels("write", kind)
        self._appends = self._histogram(
            "vouch_audit_append_seconds", "Time until an audit entry was on the disk."
        )
        self._lost = self._counter(
            "vouch_audit_append_failures", "Audit entries that could not be kept."
        )
        self._entries = self._gauge("vouch_audit_entries", "Entries of the audit store.")
        self._queue = self._gauge("vouch_queue", "Questions not done yet.", "stage")
        self._oldest = self._gauge(
            "vouch_queue_oldest_seconds", "Age of the oldest question that is not done yet."
        )
        self._leases = self._gauge("vouch_leases", "Questions that some bot has in hand.")
        self._leads = self._gauge("vouch_leader", "1 where this bot runs the jobs.")
        self._missing = self._gauge(
            "vouch_index_missing_passages", "Passages of the library that the index lacks."
        )
        self._failed = self._gauge(
            "vouch_job_failed", "1 where the newest run of a job failed.", "job"
        )
        self._problems = self._gauge("vouch_problem", "1 where this is wrong.", "name")
        self._ready = self._gauge("vouch_ready", "1 where the bot can answer.")
        self._looked = self._gauge(
            "vouch_looked_timestamp_seconds", "When the bot last looked how it is."
        )

    def _counter(self, name: str, what: str, *labels: str) -> Counter:
        return Counter(name, what, labels, registry=self._registry)

    def _histogram(self, name: str, what: str, *labels: str) -> Histogram:
        return Histogram(name, what, labels, buckets=SECONDS, registry=self._registry)

    def _gauge(self, name: str, what: str, *labels: str) -> Gauge:
        return Gauge(name, what, labels, registry=self._registry)

    def exposed(self) -> tuple[bytes, str]:
        return generate_latest(self._registry), CONTENT_TYPE_LATEST

    def answered(self, outcome: Outcome, stages: Stages) -> None:
        self._questions.labels(outcome.decision.value.lower()).inc()
        if outcome.decision is Decision.ABSTAIN:
            for reason in outcome.verdict.reasons:
                self._refusals.labels(_HOW_SURE.sub("confidence is too low", reason)).inc()
        if outcome.draft.degraded:
            self._writer_errors.inc()
        for stage, used in outcome.tokens.items():
            self._tokens.labels(stage, "input").inc(used.get(_READ, 0))
            self._tokens.labels(stage, "output").inc(used.get(_WRITTEN, 0))
        for stage, milliseconds in stages.milliseconds.items():
            self._stages.labels(stage).observe(milliseconds / 1000)

    def failed(self, question: Question, error: Exception, stages: Stages) -> None:
        del question, stages
        self._failures.labels(type(error).__name__).inc()
        if isinstance(error, WriterUnavailable):
            self._writer_errors.inc()

    def appended(self, seconds: float, kept: bool) -> None:
        if kept:
            self._appends.observe(seconds)
        else:
            self._lost.inc()

    def tell_ready(self, problems: Problems) -> None:
        """Ask at each scrape what keeps the bot from answering, as `/readyz` does."""
        self._ready.set_function(lambda: not problems())

    def note(self, state: State, now: float) -> None:
        """Take down how the bot is, at `now` in seconds since 1970."""
        for name, problem in state.problems.items():
            self._problems.labels(name).set(bool(problem))
        for job, failed in state.failed.items():
            self._failed.labels(job).set(failed)
        if state.queue is None:
            self._queue.clear()
        for stage, number in (state.queue or {}).items():
            self._queue.labels(stage).set(number)
        self._oldest.set(_known(state.oldest_seconds))
        self._leases.set(_known(state.leases))
        self._leads.set(state.is_leader)
        self._missing.set(_known(state.missing))
        self._entries.set(_known(state.audit_entries))
        self._looked.set(now)


def _known(number: float | None) -> float:
    return nan if number is None else number
