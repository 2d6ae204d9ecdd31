"""Settings of what is seen of the bot from outside."""

from typing import Literal

from pydantic import BaseModel, Field

from bot.wording.redaction import Address

HEALTH_PORT = 3001


class WatchingSettings(BaseModel):
    """Health checks, metrics, traces, and the log."""

    health_port: int = Field(
        default=HEALTH_PORT,
        ge=0,
        le=65535,
        description="Port of the health checks, for the operator alone; 0 for none. The local "
        "workspace has none unless this is set.",
    )
    health_host: str = Field(
        default="127.0.0.1",
        description="Address of the health checks; 0.0.0.0 where others look, such as Kubernetes "
        "or Prometheus: then whoever reaches the port reads them.",
    )
    metrics: bool = Field(
        default=False,
        description="Whether that port also serves `/metrics` for Prometheus: numbers, and "
        "nothing that anybody said.",
    )
    traces_url: Address = Field(
        default=Address(""),
        description="Where traces of questions go, by OpenTelemetry's protocol over HTTP, such as "
        "http://127.0.0.1:4318/v1/traces; empty for nowhere.",
    )
    traces_content: bool = Field(
        default=False,
        description="Whether traces also hold what was asked, found and replied: over https, or to "
        "this machine alone.",
    )
    log_format: Literal["text", "json"] = Field(
        default="text",
        description="How `vouch up` writes its log to standard error: lines of `text`, or of "
        "`json` with the id of the question.",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="From which level on the bot's own messages are logged."
    )
