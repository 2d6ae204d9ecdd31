"""Settings of Slack."""

from typing import Literal

from pydantic import BaseModel, Field, SecretStr

from bot.address import Address

HTTP_PORT = 3000
HEALTH_PORT = 3001


class SlackSettings(BaseModel):
    """How the bot meets Slack, and on which ports."""

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
