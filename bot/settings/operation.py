"""Settings of the running bot: Slack, pages, backups, quality, jobs, what is seen outside."""

from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, Field, SecretStr

from bot.wording.redaction import Address

HTTP_PORT = 3000
HEALTH_PORT = 3001
WEB_PORT = 8701
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


def unread_on_the_way(address: str) -> bool:
    """Whether nobody else reads what is sent there: it is encrypted, or stays on this machine."""
    parts = urlsplit(address)
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK)


def _place(value: Address) -> Address:
    """Scheme and host alone, for cookies and pages are the host's; raise `ValueError`."""
    stated = value.get_secret_value().rstrip("/")
    parts = urlsplit(stated)
    bare = not (parts.path or parts.query or parts.fragment or "@" in parts.netloc)
    if stated and not (unread_on_the_way(stated) and bare and parts.hostname):
        raise ValueError(
            "write scheme and host, such as https://vouch.example.org, without a path; http "
            "is for this machine alone (http://127.0.0.1:8701)"
        )
    return Address(stated)


Place = Annotated[Address, AfterValidator(_place)]
"""A place that others reach."""


class SlackSettings(BaseModel):
    """How the bot meets Slack, and on which ports."""

    slack_bot_token: SecretStr = Field(
        default=SecretStr(""), description="Bot token, `xoxb-...`; empty for the local workspace."
    )
    slack_app_token: SecretStr = Field(
        default=SecretStr(""), description="App-level token, `xapp-...`, for Socket Mode."
    )
    slack_signing_secret: SecretStr = Field(
        default=SecretStr(""), description="Signing secret, for HTTP mode."
    )
    slack_team: str = Field(
        default="",
        pattern=r"^([TE][A-Z0-9]{2,})?$",
        description="Id of your own workspace, `T...`, where the bot is installed in several: "
        "whose people, channels and documents are those that name no `team`; without "
        "`VOUCH_SLACK_TOKENS_KEY`, in the local workspace alone.",
    )
    slack_tokens_key: SecretStr = Field(
        default=SecretStr(""),
        description="Key under which the tokens of further workspaces are kept; with it, "
        "`/slack/install` installs the bot in them. 32 bytes in URL-safe Base64.",
    )
    slack_url: Place = Field(
        default=Address(""),
        description="Where Slack reaches the bot, such as https://vouch.example.org, for "
        "installing it in several workspaces.",
    )
    slack_transport: Literal["socket", "http"] = Field(
        default="socket",
        description="`socket`: Slack is called, and calls nothing here; `http`: Slack calls.",
    )
    slack_pictures: bool = Field(
        default=True,
        description='Whether "Show evidence" shows pictures of the cited lines: uploaded to Slack, '
        "private to the bot, deleted after an hour.",
    )
    slack_search: bool = Field(
        default=False,
        description="Whether a question in a direct message that no document answers is looked for "
        "in public channels, by Slack's own search, for who asks.",
    )
    slack_search_kept: bool = Field(
        default=False,
        description="Whether the record of a reply keeps the words of the messages that were found "
        "for it so, and who said them; else no more of them than the reply says.",
    )
    channels_forbid: str = Field(
        default="",
        description="What no channel's managers may turn on with `/ask-settings`: "
        "`answer-unasked`, `answer-outsiders`, or both with a comma.",
    )
    slack_api_url: Address = Field(
        default=Address("https://slack.com/api/"), description="Where Slack's Web API is."
    )
    host: str = Field(default="127.0.0.1", description="Address of HTTP mode.")
    port: int = Field(
        default=0, ge=0, le=65535, description="Port of HTTP mode, which Slack calls; 0: 3000."
    )

    @property
    def http_port(self) -> int:
        return self.port or HTTP_PORT

    @property
    def has_several_teams(self) -> bool:
        return bool(self.slack_tokens_key.get_secret_value())

    @property
    def can_post(self) -> bool:
        return bool(self.slack_bot_token.get_secret_value()) or self.has_several_teams

    @property
    def is_for_slack(self) -> bool:
        secrets = (self.slack_bot_token, self.slack_app_token, self.slack_signing_secret)
        stated = any(each.get_secret_value() for each in secrets)
        return stated or self.slack_transport == "http"


class WebSettings(BaseModel):
    """Pages in a browser, and how people sign in to them."""

    web: bool = Field(
        default=True,
        description="Whether what an answer cites can be opened in a browser: in the local "
        "workspace, and with Slack where `VOUCH_WEB_URL` is set.",
    )
    web_url: Place = Field(
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
        description="Client ID of the Slack app, with which people sign in to those pages, and "
        "which installs it in several workspaces.",
    )
    slack_client_secret: SecretStr = Field(
        default=SecretStr(""), description="Client secret of the Slack app, for the same."
    )

    @property
    def web_base(self) -> str:
        """Where people reach the pages, without a slash at its end; empty where none is set."""
        return self.web_url.get_secret_value()


class OperationSettings(BaseModel):
    """Backups, questions in progress, quality over time, the local workspace."""

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
        default=2,
        ge=1,
        le=64,
        description="Questions answered at the same time, from Slack and by agents each.",
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


class JobSettings(BaseModel):
    """Work by the clock, and who is told of it."""

    admin_channel: str = Field(
        default="",
        description="Id of the Slack channel in which administrators are told of jobs that fail, "
        "of the audit store's head and of unanswered questions that no other channel answers for; "
        "empty: nobody is told.",
    )
    jobs_ingest: str = Field(
        default="every 1 hour",
        description="When every known source is read again, each by a job of its own: `every 1 "
        "hour` (minutes, hours, days, weeks), five fields of cron such as `0 3 * * *`, or `off`; "
        "so for every job.",
    )
    jobs_forget: str = Field(
        default="every 1 hour", description="When the inbox forgets what was finished 30 days ago."
    )
    jobs_expire: str = Field(
        default="30 4 * * *",
        description="When the content of answers is erased that `VOUCH_AUDIT_KEEP_DAYS` keeps no "
        "longer.",
    )
    jobs_purge: str = Field(
        default="30 3 * * *",
        description="When the text of versions goes that `VOUCH_KEEP_VERSIONS_DAYS` keeps no "
        "longer.",
    )
    jobs_verify_audit: str = Field(
        default="0 4 * * *", description="When the audit store is verified and its head noted."
    )
    jobs_checkpoint: str = Field(
        default="every 1 hour",
        description="When the audit log is signed, if it grew, and its witnesses are told; the bot "
        "signs when it stops, too.",
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
    jobs_digest: str = Field(
        default="0 8 * * 1",
        description="When each unit's channel hears what was asked in the week before, from Monday "
        "to Sunday, and not answered.",
    )
    jobs_corrections: str = Field(
        default="every 30 minutes",
        description="When what was answered from words that their document no longer says is asked "
        "again, and whoever was answered hears what is said otherwise now.",
    )
    corrections_days: int = Field(
        default=30, ge=1, le=366, description="How many days back such answers are looked for."
    )
    corrections_to: Literal["thread", "asker"] = Field(
        default="thread",
        description="Where they hear it: `thread`, below the answer, or `asker`, in a direct "
        "message alone.",
    )
    jobs_usergroups: str = Field(
        default="every 15 minutes",
        description="When the Slack user groups that `people.yaml` names, if any, are read; the "
        "bot does so at its start, too.",
    )
    jobs_time_zone: str = Field(
        default="UTC",
        description="Time zone of cron's fields and of the digest's weeks, such as "
        "`Europe/Lisbon`.",
    )


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
