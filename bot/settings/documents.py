"""Settings of documents: where they are kept, how they are read, cut and indexed."""

import re
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, Field, SecretStr, ValidationInfo, field_validator

from bot.wording.redaction import Address

HOME = Path(".vouch")
_NAME = r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*\.?"
_HOST = re.compile(rf"{_NAME}|(?=.*:)[0-9A-Fa-f:.]+")
_HOST_AND_PORT = re.compile(rf"({_NAME}|\[[0-9A-Fa-f:.]+\])(:[0-9]{{1,5}})?")


class StoreSettings(BaseModel):
    """Where state is kept, and what passages are sealed with."""

    home: Path = Field(
        default=HOME, description="Folder of all state: library, index, audit store."
    )
    secrets_folder: Path | None = Field(
        default=None,
        description="Folder of files that hold one setting each and are called as it is, such as "
        "`VOUCH_LIBRARY_KEY`; set in the environment alone, as `VOUCH_HOME` is.",
    )
    audit_url: Address = Field(
        default=Address(""),
        description="Database of the audit store, such as postgresql://user@host/name; "
        "empty for a SQLite file in the home.",
    )
    audit_key: SecretStr = Field(
        default=SecretStr(""),
        description="What the audit log is signed with, 32 characters or more; empty for a file in "
        "the home, made at the first checkpoint.",
    )
    audit_witnesses: str = Field(
        default="",
        description="Who keeps checkpoints of the audit log elsewhere, commas between: the path of "
        "a file, from `/` on, the id of a Slack channel, or the URL of a folder in a bucket "
        "(`s3://`, `az://`, `gs://`, or `sftp://`), with the keys that `VOUCH_SOURCE_KEYS` has for "
        "it.",
    )
    audit_keep_days: int = Field(
        default=0,
        ge=0,
        description="For how many days answers stay in the audit store, with what happened to "
        "them; 0: for ever. 184 at the least.",
    )
    library_url: Address = Field(
        default=Address(""),
        description="Database of the library, such as postgresql://user@host/name; "
        "empty for a SQLite file in the home.",
    )
    library_key: SecretStr = Field(
        default=SecretStr(""),
        description="What passages are sealed with, 32 characters or more, or what a home's "
        "`library.key` says; empty for that file, made at the first start.",
    )

    @property
    def audit_database(self) -> str:
        return self.database(self.audit_url, "audit.sqlite")

    @property
    def library_database(self) -> str:
        return self.database(self.library_url, "library.sqlite")

    def database(self, url: Address, file: str) -> str:
        """A database's URL, where none is set that of a file in the home."""
        return url.get_secret_value() or f"sqlite:///{(self.home / file).absolute()}"


class DocumentSettings(BaseModel):
    """What is known of documents, and how they are cut."""

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
    glossary: Path | None = Field(
        default=None,
        description="File of the organisation's own words, `term: [other words for it]` in YAML; "
        "empty for none.",
    )


class ReadingSettings(BaseModel):
    """How files are read; what that may take, and what models may."""

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


class SourceSettings(BaseModel):
    """How documents that live elsewhere are read."""

    source_keys: SecretStr = Field(
        default=SecretStr(""),
        description="What sources elsewhere are read with, in YAML or JSON, by how their URLs "
        "begin: `s3://handbook: {key: ..., secret: ...}`.",
    )
    source_schedules: str = Field(
        default="",
        description="When some are read again in place of `VOUCH_JOBS_INGEST`, in YAML or JSON, by "
        "how their URLs begin: `sharepoint://acme.sharepoint.com: every 6 hours`.",
    )
    web_hosts: str = Field(
        default="",
        description="Hosts whose pages a list of pages may name, besides its own, with commas "
        "between them.",
    )
    private_hosts: str = Field(
        default="",
        description="Hosts of the web that may have addresses of private networks or of this "
        "machine, without a port, with commas between them; no other is asked for a page there.",
    )
    web_main_text: str = Field(
        default="",
        description="Hosts of pages that are not yours, with commas between them: their main text "
        "alone is read, without menus, notices and what else they offer. Needs `vouch[web]`.",
    )
    slack_history_days: int = Field(
        default=0,
        ge=0,
        le=36_600,
        description="How far back what was said in a channel is read, where that is a source "
        "(`slack://CHANNEL_ID`), each thread as a document; 0: not at all.",
    )
    web_pages: int = Field(
        default=1_000, ge=1, description="A list of more pages is refused.", le=100_000
    )

    @field_validator("web_hosts", "private_hosts", "web_main_text")
    @classmethod
    def _names_hosts(cls, stated: str, field: ValidationInfo) -> str:
        """What is none would name nothing, in silence; it is not repeated, as it may hold a key."""
        is_private = field.field_name == "private_hosts"
        kind, words = (_HOST, "HOST") if is_private else (_HOST_AND_PORT, "HOST or HOST:PORT")
        if not all(map(kind.fullmatch, listed(stated))):
            raise ValueError(
                f"write each as {words}, as addresses of pages have it, with commas between them "
                "and nothing around them"
            )
        return stated


class IndexSettings(BaseModel):
    """The engine of the index."""

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


def listed(names: str) -> tuple[str, ...]:
    return tuple(name for each in names.split(",") if (name := each.strip()))
