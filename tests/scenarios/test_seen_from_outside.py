"""The operator sees how the bot is, and reads nothing there that anybody said."""

import json
import os
import re
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
import yaml
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span
from prometheus_client.parser import text_string_to_metric_families
from remote_places import JsonSite, Said, served
from slack_scene import Scene, opened
from test_slack_over_http import answer
from two_workspaces import free_url
from vouch_home import Home

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
RULES = DEPLOY / "prometheus-rules.yaml"
SUNDAYS = "is the main library open on sundays in term"
UNKNOWN = "who won the chess olympiad of budapest"
WORDS = ("sundays", "olympiad", "budapest")
Numbers = Mapping[str, float]


class Collector(JsonSite):
    """Takes traces as a collector of OpenTelemetry does."""

    def __init__(self) -> None:
        super().__init__()
        self.url = f"http://{self.place}/v1/traces"
        self.spans: list[Span] = []

    def answered(self, path: str, headers: Mapping[str, str], posted: bytes | None) -> Said:
        for resource in ExportTraceServiceRequest.FromString(posted or b"").resource_spans:
            for scope in resource.scope_spans:
                self.spans.extend(scope.spans)
        return 200, {}, ""


@pytest.fixture(scope="module")
def collector() -> Iterator[Collector]:
    collector = Collector()
    with served(collector):
        yield collector


@pytest.fixture(scope="module")
def health() -> str:
    return free_url()


@pytest.fixture(scope="module")
def scene(
    university: Home, health: str, collector: Collector, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Scene]:
    with opened(
        university,
        tmp_path_factory.mktemp("seen"),
        VOUCH_HEALTH_PORT=health.rpartition(":")[2],
        VOUCH_METRICS="true",
        VOUCH_TRACES_URL=collector.url,
        VOUCH_LOG_FORMAT="json",
    ) as scene:
        scene.wait_for(lambda: answer(f"{health}/readyz")[0] == 200)
        yield scene


def scraped(health: str) -> tuple[Numbers, str]:
    """Every number by its name, with its labels where it has any; and the text."""
    status, text = answer(f"{health}/metrics")
    assert status == 200
    found = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            labels = ",".join(f"{name}={value}" for name, value in sorted(sample.labels.items()))
            found[f"{sample.name}[{labels}]" if labels else sample.name] = sample.value
    return found, text


def logged(scene: Scene) -> list[Mapping[str, str]]:
    return [json.loads(line) for line in scene.program.log.splitlines()]


def test_questions_move_the_numbers_and_stand_in_log_and_traces_without_a_word_of_theirs(
    scene: Scene, health: str, collector: Collector
) -> None:
    before, _ = scraped(health)
    assert before["vouch_questions_total[decision=answer]"] == 0
    ana = scene.somebody("ana")
    answered = scene.only_reply_to(scene.writes(ana, SUNDAYS)).record
    refused = scene.only_reply_to(scene.writes(ana, UNKNOWN)).record

    def done(numbers: Numbers) -> bool:
        return numbers["vouch_audit_entries"] >= 4 and not numbers["vouch_queue_oldest_seconds"]

    scene.wait_for(lambda: done(scraped(health)[0]))
    after, text = scraped(health)
    assert sum(after[name] for name in after if name.startswith("vouch_questions_total")) == 2
    assert after["vouch_questions_total[decision=abstain]"] == 1
    assert after[f"vouch_refusals_total[reason={refused.reasons[0]}]"] == 1
    for stage in ("total", "search", "rerank", "verify", "audit"):
        assert after[f"vouch_stage_seconds_count[stage={stage}]"] == 2
    appends = "vouch_audit_append_seconds_count"
    assert after[appends] >= before[appends] + 4
    assert (after["vouch_ready"], after["vouch_leader"]) == (1, 1)
    assert after["vouch_index_missing_passages"] == after["vouch_leases"] == 0
    assert after["vouch_queue[stage=answering]"] == 0

    about = [entry for entry in logged(scene) if entry.get("question") == answered.audit_id]
    assert {entry["level"] for entry in about} == {"info"}
    assert any("ANSWERING, now POSTING" in entry["message"] for entry in about)

    def spans_of(record_id: str) -> Sequence[Span]:
        wholes = (each for each in collector.spans if said(each).get("vouch.audit_id") == record_id)
        return [
            each for whole in wholes for each in collector.spans if each.trace_id == whole.trace_id
        ]

    spans = {span.name: span for span in scene.wait_for(lambda: spans_of(answered.audit_id))}
    whole = spans["invoke_agent vouch"]
    assert said(whole)["vouch.decision"] == answered.decision
    assert said(spans["retrieval lancedb"])["gen_ai.operation.name"] == "retrieval"
    assert any(said(each).get("vouch.stage") == "rerank" for each in spans.values())
    (evaluation,) = [span for name, span in spans.items() if name == "evaluation"]
    judged = {said(event)["gen_ai.evaluation.name"] for event in evaluation.events}
    assert {"vouch.retrieval", "vouch.overall"} <= judged
    assert evaluation.parent_span_id == whole.span_id

    for shown in (text, scene.program.log, str(collector.spans)):
        assert not [word for word in WORDS if word in shown.casefold()]
        assert ana.user not in shown


def said(told: Any) -> dict[str, Any]:
    """The attributes of a span or an event."""
    values = {}
    for each in told.attributes:
        values[each.key] = getattr(each.value, each.value.WhichOneof("value"))
    return values


@contextmanager
def prometheus(folder: Path, bot: str) -> Iterator[str]:
    """Debian's own, which scrapes a bot every second by our rules; gives its address."""
    if os.environ.get("VOUCH_TEST_WITHOUT_PROMETHEUS"):
        pytest.skip("VOUCH_TEST_WITHOUT_PROMETHEUS is set")
    if not (program := shutil.which("prometheus")):
        pytest.skip("Prometheus is not installed: `make programs`")
    target = {"job_name": "vouch", "static_configs": [{"targets": [bot.removeprefix("http://")]}]}
    every = {"scrape_interval": "1s", "evaluation_interval": "1s"}
    config = {"global": every, "rule_files": [str(RULES)], "scrape_configs": [target]}
    (folder / "prometheus.yml").write_text(yaml.safe_dump(config))
    url = free_url()
    words = (
        f"--config.file={folder / 'prometheus.yml'}",
        f"--storage.tsdb.path={folder / 'data'}",
        f"--web.listen-address={url.removeprefix('http://')}",
    )
    with subprocess.Popen([program, *words], stderr=subprocess.DEVNULL) as running:
        try:
            yield url
        finally:
            running.terminate()


def asked(url: str, expression: str) -> list[Any]:
    """What Prometheus makes of an expression now; the time series."""
    status, body = answer(f"{url}/api/v1/query?{urlencode({'query': expression})}")
    assert status == 200, (expression, body)
    found: list[Any] = json.loads(body)["data"]["result"]
    return found


def test_every_panel_shows_something_and_every_rule_can_be_evaluated(
    scene: Scene, health: str, tmp_path: Path
) -> None:
    panels = json.loads((DEPLOY / "grafana-dashboard.json").read_text())["panels"]
    shown = [target["expr"] for panel in panels for target in panel["targets"]]
    rules = yaml.safe_load(RULES.read_text())["groups"][0]["rules"]
    named = set(re.findall(r"vouch_\w+", " ".join([*shown, *(rule["expr"] for rule in rules)])))
    told = re.findall(r"^# TYPE (\w+) (\w+)", scraped(health)[1], re.MULTILINE)
    histograms = [f"{name}_{end}" for name, _ in told for end in ("bucket", "sum", "count")]
    assert named <= {*(name for name, _ in told), *histograms}
    with prometheus(tmp_path, health) as url:
        scene.wait_for(lambda: answer(f"{url}/-/ready")[0] == 200)
        scene.wait_for(lambda: asked(url, "vouch_ready"))
        ana = scene.somebody("ana")
        for question in (SUNDAYS, UNKNOWN):
            scene.only_reply_to(scene.writes(ana, question))
        now = [expression.replace("$__rate_interval", "1m") for expression in shown]
        scene.wait_for(lambda: all(asked(url, expression) for expression in now))
        checked = subprocess.run(["promtool", "check", "rules", str(RULES)], capture_output=True)
        assert checked.returncode == 0, checked.stdout
        _, body = answer(f"{url}/api/v1/rules")
        (group,) = json.loads(body)["data"]["groups"]
        assert {each["name"] for each in group["rules"]} == {rule["alert"] for rule in rules}

        def evaluated() -> bool:
            _, body = answer(f"{url}/api/v1/rules")
            every = json.loads(body)["data"]["groups"][0]["rules"]
            return all(each["health"] == "ok" for each in every)

        scene.wait_for(evaluated)
        assert not asked(url, 'ALERTS{alertstate="firing"}')


def test_how_the_bot_is_is_answered_at_once_however_long_it_takes_to_find_out(
    scene: Scene, health: str
) -> None:
    held = [
        sqlite3.connect(scene.home.path / f"{name}.sqlite", isolation_level=None)
        for name in ("audit", "inbox")
    ]
    for each in held:
        each.execute("BEGIN IMMEDIATE")  # each look now waits for seconds
    took: list[float] = []
    statuses: list[int] = []
    while 503 not in statuses:
        assert len(statuses) < 600
        began = time.monotonic()
        statuses.append(answer(f"{health}/readyz")[0])
        took.append(time.monotonic() - began)
        time.sleep(0.05)
    assert sorted(took)[int(len(took) * 0.95)] < 0.2
    for each in held:
        each.close()
    scene.wait_for(lambda: answer(f"{health}/readyz")[0] == 200)
