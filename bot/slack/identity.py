"""Who the bot is in its workspace; learned once from Slack."""

from threading import Lock

from slack_bolt.authorization import AuthorizeResult
from slack_sdk import WebClient

from bot.errors import NotConnected


class Identity:
    """Answers Bolt's question who acts, without asking Slack each time.

    Bolt's own way acknowledges an event that it could not authorise because the network
    was away, and the question in it would be lost. Here it fails, unacknowledged.
    """

    def __init__(self, client: WebClient) -> None:
        self._client = client
        self._known: AuthorizeResult | None = None
        self._turn = Lock()

    def learn(self) -> AuthorizeResult:
        """Ask Slack, once; raise what slack_sdk raises where that fails."""
        with self._turn:
            if self._known is None:
                answer = self._client.auth_test()
                self._known = AuthorizeResult(
                    enterprise_id=answer.get("enterprise_id"),
                    team_id=answer["team_id"],
                    bot_user_id=answer["user_id"],
                    bot_id=answer.get("bot_id"),
                    bot_token=self._client.token,
                )
            return self._known

    @property
    def is_known(self) -> bool:
        return self._known is not None

    def bot_user(self) -> str:
        """Return the bot's user id; raise `NotConnected` before Slack has told."""
        return self.authorize().bot_user_id or ""

    def authorize(self) -> AuthorizeResult:
        """Tell Bolt who acts; raise `NotConnected` before Slack has told."""
        if self._known is None:
            raise NotConnected("Slack has not told yet who the bot is; it will deliver this again.")
        return self._known
