"""Traces of questions by OpenTelemetry, in its semantic conventions for generative AI.

https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans. Spans are made once a question is
over. Without `content` none has what anybody asked, read or was told; in no case who asked.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass

from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter
from opentelemetry.semconv._incubating.attributes import gen_ai_attributes as gen_ai
from opentelemetry.trace import Span, SpanKind, Status, StatusCode, set_span_in_context

from bot.answering.outcome import Outcome
from bot.answering.reply import reply_text
from bot.answering.values import Question
from retrieval.search.scores import RELEVANCE
from retrieval.search.timing import Stages, Timed

Attributes = dict[str, str | int | float | bool]
OPERATIONS: Mapping[str, str] = {
    "embed": "embeddings",
    "search": "retrieval",
    "rerank": "rerank",
    "understand": "chat",
    "steps": "chat",
    "write": "chat",
    "verify": "evaluation",
}
"""What a stage is to others; all other stages are the bot's own."""
_WHOLE = "total"
PATIENCE_S = 5
"""For a collector that does not answer; it counts at the end of a command, too."""


@dataclass(frozen=True, slots=True)
class Parts:
    version: str
    index: str
    embedder: str
    reranker: str
    language_model: str
    """Empty where none writes."""

    def of(self, operation: str) -> str:
        named = {
            "embeddings": self.embedder,
            "retrieval": self.index,
            "rerank": self.reranker,
            "chat": self.language_model,
        }
        return named.get(operation, "")


class Traces:
    """Sends a trace for each question, in the background. Safe to share between threads."""

    def __init__(self, exporter: SpanExporter, parts: Parts, *, content: bool) -> None:
        resource = Resource({"service.name": "vouch", "service.version": parts.version})
        provider = TracerProvider(resource=resource)  # sends the rest when the program ends
        provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = provider.get_tracer("vouch", parts.version)
        self._parts = parts
        self._content = content

    @classmethod
    def to(cls, url: str, parts: Parts, *, content: bool) -> "Traces":
        """Send them there by OTLP over HTTP; what OTEL_EXPORTER_OTLP_HEADERS says goes along."""
        return cls(OTLPSpanExporter(endpoint=url, timeout=PATIENCE_S), parts, content=content)

    def answered(self, outcome: Outcome, stages: Stages) -> None:
        with self._whole(stages, outcome.audit_id) as whole:
            whole.set_attribute("vouch.decision", outcome.decision.value)
            if self._content:
                whole.set_attributes(_said(outcome))
            self._pass(whole, stages, outcome)

    def failed(self, question: Question, error: Exception, stages: Stages) -> None:
        if not stages.timed:
            return
        with self._whole(stages, question.audit_id or "") as whole:
            whole.set_status(Status(StatusCode.ERROR))
            whole.set_attribute("error.type", type(error).__name__)
            self._pass(whole, stages, None)

    @contextmanager
    def _whole(self, stages: Stages, audit_id: str) -> Iterator[Span]:
        span = self._tracer.start_span(
            "invoke_agent vouch",
            context=Context(),
            kind=SpanKind.SERVER,
            start_time=min(each.began for each in stages.timed),
            attributes={
                gen_ai.GEN_AI_OPERATION_NAME: "invoke_agent",
                gen_ai.GEN_AI_AGENT_NAME: "vouch",
                "vouch.audit_id": audit_id,
            },
        )
        try:
            yield span
        finally:
            span.end(max(each.ended for each in stages.timed))

    def _pass(self, whole: Span, stages: Stages, outcome: Outcome | None) -> None:
        last = {each.name: each for each in stages.timed}
        for timed in stages.timed:
            if timed.name == _WHOLE:
                continue
            operation = self._operation(timed.name)
            span = self._tracer.start_span(
                f"{operation} {self._parts.of(operation)}".strip() or timed.name,
                set_span_in_context(whole),
                SpanKind.CLIENT if operation == "chat" else SpanKind.INTERNAL,
                {**_counted(timed), **self._made_by(operation)},
                start_time=timed.began,
            )
            try:
                if outcome is not None and timed is last[timed.name]:  # what came of all of them
                    self._tell(span, timed.name, operation, outcome)
            finally:
                span.end(timed.ended)

    def _operation(self, stage: str) -> str:
        operation = OPERATIONS.get(stage, "")
        return "" if operation == "chat" and not self._parts.language_model else operation

    def _made_by(self, operation: str) -> Attributes:
        named = self._parts.of(operation)
        if operation == "retrieval":
            return {gen_ai.GEN_AI_OPERATION_NAME: operation, gen_ai.GEN_AI_DATA_SOURCE_ID: named}
        if not operation:
            return {}
        made: Attributes = {gen_ai.GEN_AI_OPERATION_NAME: operation}
        if named:
            made[gen_ai.GEN_AI_REQUEST_MODEL] = named
        if operation == "chat":
            made[gen_ai.GEN_AI_PROVIDER_NAME] = "openai"  # whose protocol it is
        return made

    def _tell(self, span: Span, stage: str, operation: str, outcome: Outcome) -> None:
        if used := outcome.tokens.get(stage):
            span.set_attribute(gen_ai.GEN_AI_USAGE_INPUT_TOKENS, used.get("prompt", 0))
            span.set_attribute(gen_ai.GEN_AI_USAGE_OUTPUT_TOKENS, used.get("completion", 0))
        if operation == "evaluation":
            for judged in _judged(outcome):
                span.add_event("gen_ai.evaluation.result", judged)
        if operation == "retrieval" and self._content:
            found = [
                {"id": hit.passage.passage_id, "score": hit.scores.get(RELEVANCE, 0.0)}
                for hit in outcome.evidence.candidates
            ]
            span.set_attribute(gen_ai.GEN_AI_RETRIEVAL_QUERY_TEXT, outcome.evidence.query)
            span.set_attribute(gen_ai.GEN_AI_RETRIEVAL_DOCUMENTS, json.dumps(found))


def _counted(timed: Timed) -> Attributes:
    return {"vouch.stage": timed.name, **{f"vouch.{k}": n for k, n in timed.counts.items()}}


def _judged(outcome: Outcome) -> Iterator[Attributes]:
    """How sure the gate is and of what; the last is what it decided by."""
    for name, score in asdict(outcome.verdict.confidence).items():
        if score is not None:
            yield {
                gen_ai.GEN_AI_EVALUATION_NAME: f"vouch.{name}",
                gen_ai.GEN_AI_EVALUATION_SCORE_VALUE: score,
                gen_ai.GEN_AI_EVALUATION_SCORE_LABEL: outcome.decision.value,
            }


def _said(outcome: Outcome) -> Attributes:
    asked = {"role": "user", "parts": [{"type": "text", "content": outcome.question.text}]}
    told = {"role": "assistant", "parts": [{"type": "text", "content": reply_text(outcome)}]}
    return {
        gen_ai.GEN_AI_INPUT_MESSAGES: json.dumps([asked], ensure_ascii=False),
        gen_ai.GEN_AI_OUTPUT_MESSAGES: json.dumps([told], ensure_ascii=False),
    }
