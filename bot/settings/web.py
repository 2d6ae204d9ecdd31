"""Settings of pages."""

from urllib.parse import urlsplit

from pydantic import BaseModel, Field, SecretStr, field_validator

from bot.address import Address

WEB_PORT = 8701
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


class WebSettings(BaseModel):
    """Pages in a browser, and how people sign in to them."""

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

    @property
    def web_base(self) -> str:
        """Where people reach the pages, without a slash at its end; empty where none is set."""
        return self.web_url.get_secret_value()
