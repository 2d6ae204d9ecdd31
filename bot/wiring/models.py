"""The models that the settings name, bundled or others, and language models on a server."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from bot.errors import BadConfiguration
from bot.settings import Settings
from bot.settings.answering import BUNDLED, SERVED, is_served
from bot.wording.redaction import host_of, secrets_in, without
from retrieval.models.openai_client import OPENAI

if TYPE_CHECKING:
    from bot.answering.chat.server import ChatServer
    from bot.answering.query_rewriting import QueryRewriting
    from bot.answering.values import Writer
    from retrieval.language.meanings import LibraryQuestions, Meanings
    from retrieval.ports import CrossEncoder, Embedder, Entailment, ListwiseReranker

RETRIES = 2
"""Of a request that met a timeout, a rate limit or a failure of the server."""
RECENT = 1_000
"""Of a few questions: a candidate is read again for what only the asker may see."""


@dataclass(frozen=True)
class ModelServer:
    address: str = field(default="", repr=False)
    """Empty for OpenAI's own."""
    key: str = field(default="", repr=False)
    timeout: float = 30.0


@dataclass(frozen=True)
class Models:
    """Each is made when it is first asked for, and loads when it is first used."""

    embedder_setting: str
    reranker_setting: str
    entailment_setting: str
    threads: int
    remembered: int | None = RECENT
    """How many texts and pairs embedders and reranker need not read again; None: all."""
    server: "ModelServer | None" = None
    """Of an embedder that is named as on a server."""

    @property
    def settings(self) -> Mapping[str, str]:
        return {
            "embedder": self.embedder_setting,
            "reranker": self.reranker_setting,
            "entailment": self.entailment_setting,
        }

    @property
    def names(self) -> Mapping[str, str]:
        """The models' own names, which change with their weights, but for those of a hub."""
        return {
            "embedder": self.embedder.name,
            "reranker": self.cross_encoder.name,
            "entailment": self.entailment.name,
        }

    @cached_property
    def meanings(self) -> "Meanings":
        """By the bundled embedder, to which they were fitted, whichever one searches."""
        from retrieval.language.meanings import Meanings

        return Meanings(self.bundled_embedder)

    @cached_property
    def library_questions(self) -> "LibraryQuestions":
        """By the bundled embedder, likewise."""
        from retrieval.language.meanings import LibraryQuestions

        return LibraryQuestions(self.bundled_embedder)

    @cached_property
    def bundled_embedder(self) -> "Embedder":
        """The one that ships, whichever one searches."""
        from retrieval.models.embedders import BundledEmbedder

        ships = self.embedder_setting == BUNDLED
        return self.embedder if ships else BundledEmbedder(threads=self.threads)

    @cached_property
    def embedder(self) -> "Embedder":
        from retrieval.models.caching import CachingEmbedder
        from retrieval.models.embedders import BundledEmbedder, NamedEmbedder

        model: Embedder
        setting = self.embedder_setting
        if is_served(setting):
            model = _served(setting, self.server or ModelServer())
        elif _as_shipped(setting):
            model = BundledEmbedder(_folder(setting), self.threads)
        else:
            model = NamedEmbedder(setting)
        return CachingEmbedder(model, self.remembered)

    @cached_property
    def cross_encoder(self) -> "CrossEncoder":
        from retrieval.models.caching import CachingCrossEncoder
        from retrieval.models.cross_encoders import BundledCrossEncoder, NamedReranker

        model: CrossEncoder = (
            BundledCrossEncoder("reranker", _folder(self.reranker_setting), self.threads)
            if _as_shipped(self.reranker_setting)
            else NamedReranker(self.reranker_setting)
        )
        return CachingCrossEncoder(model, self.remembered)

    @cached_property
    def entailment(self) -> "Entailment":
        from retrieval.models.cross_encoders import (
            BundledCrossEncoder,
            CrossEncoderEntailment,
            NamedEntailment,
        )

        setting = self.entailment_setting
        if not _as_shipped(setting):
            return NamedEntailment(setting)
        model = BundledCrossEncoder("entailment", _folder(setting), self.threads)
        return CrossEncoderEntailment(model)

    def place(self, which: str) -> str:
        """Where a model is, for people, without the network; raise `ModelUnavailable`."""
        from retrieval.models.named import ModelPlace, locate, unavailable

        setting = self.settings[which]
        if setting == BUNDLED:
            return "bundled"
        if which == "embedder" and is_served(setting):
            return f"at {host_of((self.server or ModelServer()).address or OPENAI)}"
        place = locate(setting).place
        if place is ModelPlace.HUB:
            raise unavailable(
                setting,
                "it is not on this machine. Where a hub is reached, the first `vouch ask` "
                "fetches it",
            )
        return str(place.value)


def _served(setting: str, server: ModelServer) -> "Embedder":
    """Raise `BadConfiguration` for what can be seen to be wrong without a request."""
    from retrieval.models.embedders import OpenAIEmbedder
    from retrieval.models.openai_client import OpenAIClient

    if not setting.removeprefix(SERVED).strip():
        raise BadConfiguration(f"{SERVED} names no model. Write its name behind it.")
    if not (server.address or server.key):
        raise BadConfiguration(
            f"The embedder {setting} has no key. Set VOUCH_EMBEDDINGS_API_KEY, or "
            "VOUCH_EMBEDDINGS_BASE_URL for a server that needs none."
        )
    if not all("!" <= character <= "~" for character in server.key):
        raise BadConfiguration(
            "VOUCH_EMBEDDINGS_API_KEY holds a space, a line end or another character that no key "
            "has. Copy the key again."
        )
    host = host_of(server.address or OPENAI)
    if not host:
        raise BadConfiguration(
            "VOUCH_EMBEDDINGS_BASE_URL is not the address of a server. Write it in full, such as "
            "http://localhost:8000/v1."
        )
    secrets = (server.key, *secrets_in(server.address))
    client = OpenAIClient(server.key, server.address or None, server.timeout, RETRIES)
    return OpenAIEmbedder(setting, client, host, lambda said: without(secrets, said))


def _as_shipped(setting: str) -> bool:
    """Whether it names a bundled model or a folder that holds another in the same form."""
    from retrieval.models.bundled_model import in_shipped_form

    return setting == BUNDLED or in_shipped_form(Path(setting))


def _folder(setting: str) -> Path | None:
    return None if setting == BUNDLED else Path(setting)


@dataclass(frozen=True)
class LanguageModels:
    """All ask one server, so that one that is down is waited for once."""

    settings: Settings

    @cached_property
    def server(self) -> "ChatServer":
        return self.asking(self.settings.openai_model)

    def entailment(self) -> "Entailment":
        """Another model than the writer's."""
        from bot.answering.chat.judging import ChatEntailment

        return ChatEntailment(
            self.asking(self.settings.entailment_model, named_by="VOUCH_ENTAILMENT_MODEL")
        )

    def reranker(self) -> "ListwiseReranker":
        """The writer's own model may judge what is relevant: what it writes is checked anyway."""
        from bot.answering.chat.judging import ChatReranker

        return ChatReranker(self.server, fall_back=self.settings.on_writer_failure == "extractive")

    def asking(self, model: str, named_by: str = "VOUCH_OPENAI_MODEL") -> "ChatServer":
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

    def writer(self) -> "Writer":
        from bot.answering.writers.openai import OpenAIWriter

        return OpenAIWriter(self.server)

    def understanding(self) -> "QueryRewriting":
        from bot.answering.chat.query_rewriting import ChatQueryRewriter
        from bot.answering.query_rewriting import QueryRewriting

        rewriter = ChatQueryRewriter(self.server)
        return QueryRewriting(
            understand=rewriter.understood,
            take_steps=rewriter.in_steps,
            fall_back=self.settings.on_writer_failure == "extractive",
        )
