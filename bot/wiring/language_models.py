"""Language models over OpenAI's protocol, for whatever the settings want of them."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from bot.settings import Settings

if TYPE_CHECKING:
    from bot.answering.chat.server import ChatServer
    from bot.answering.consistency import Consistency
    from bot.answering.query_rewriting import QueryRewriting
    from bot.answering.writers.port import Writer
    from retrieval.ingest.expansion import LeadWriter
    from retrieval.ports import Embedder, Entailment, ListwiseReranker

ASKED_AT_ONCE = 4
"""Passages of an ingest, about each of which a language model writes for some seconds."""


@dataclass(frozen=True)
class LanguageModels:
    """All ask one server, so that one that is down is waited for once."""

    settings: Settings

    @cached_property
    def server(self) -> "ChatServer":
        """Raise `BadConfiguration` for settings that can be seen to be wrong."""
        return self.asking(self.settings.openai_model)

    def entailment(self) -> "Entailment":
        """Another model than the writer's."""
        from bot.answering.chat.entailment import ChatEntailment

        return ChatEntailment(self.asking(self.settings.entailment_model))

    def reranker(self) -> "ListwiseReranker":
        """The writer's own model may judge what is relevant: what it writes is checked anyway."""
        from bot.answering.chat.reranking import ChatReranker

        return ChatReranker(self.server, fall_back=self.settings.on_writer_failure == "extractive")

    def lead_writers(self) -> "list[LeadWriter]":
        """Several with a client each, since a client asks one thing at a time."""
        from bot.answering.chat.leads import ChatLeadWriter

        model = self.settings.entries_model
        return [
            ChatLeadWriter(self.asking(model, named_by="VOUCH_ENTRIES_MODEL"))
            for _ in range(ASKED_AT_ONCE)
        ]

    def asking(self, model: str, named_by: str = "VOUCH_OPENAI_MODEL") -> "ChatServer":
        """Raise `BadConfiguration` for settings that can be seen to be wrong."""
        from bot.answering.chat.server import ChatServer

        return ChatServer(
            self.settings.openai_api_key.get_secret_value(),
            self.settings.openai_base_url.get_secret_value() or None,
            model,
            self.settings.openai_timeout_seconds,
            retries=2,
            stream=self.settings.openai_stream,
            named_by=named_by,
        )

    def writer(self, temperature: float = 0.0) -> "Writer":
        from bot.answering.writers.openai import OpenAIWriter

        return OpenAIWriter(self.server, temperature)

    def understanding(self, temperature: float = 0.0) -> "QueryRewriting":
        """Questions are understood, and passages imagined, by the model."""
        from bot.answering.chat.query_rewriting import ChatQueryRewriter
        from bot.answering.query_rewriting import QueryRewriting

        rewriter = ChatQueryRewriter(self.server, temperature)
        return QueryRewriting(
            understand=rewriter.understood,
            hypothesise=rewriter.hypothetical_passage if self.settings.hyde else None,
            fall_back=self.settings.on_writer_failure == "extractive",
        )

    def consistency(self, embedder: "Embedder") -> "Consistency | None":
        """It asks as often as the settings say; the embedder compares the runs."""
        more = self.settings.consistency_runs - 1
        if not more:
            return None
        from bot.answering.consistency import TEMPERATURE, Consistency

        understanding, writer = self.understanding(TEMPERATURE), self.writer(TEMPERATURE)
        return Consistency(understanding, writer, more, embedder)
