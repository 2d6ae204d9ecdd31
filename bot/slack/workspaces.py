"""Several workspaces at one bot: ids say their workspace inside, and Slack's own to Slack.

What comes in has the ids of people, channels and files under which `audit.values` knows them, and
what goes out is sent with the token of the workspace that its ids name.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Self

from slack_bolt import BoltContext, BoltResponse
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.oauth import OAuthFlow
from slack_bolt.oauth.oauth_settings import OAuthSettings
from slack_sdk import WebClient
from slack_sdk.web import SlackResponse

from audit.values import TEAM_ID, known_as, slack_id, team_of
from bot.errors import BadConfiguration, InboxUnavailable
from bot.slack.directory import BotIdentity
from bot.slack.failures import NotInstalled, NoToken
from bot.slack.inbox.beside import STATE_FOR, Installations

log = logging.getLogger(__name__)
_IDS = frozenset(
    {
        *("user", "user_id", "users", "creator", "channel", "channel_id"),
        *("file", "file_id", "files", "slack_file", "channels", "groups", "ims"),
        *("selected_user", "selected_conversation", "selected_channel"),
        *("initial_user", "initial_conversation", "initial_channel"),
    }
)
"""Keys of what Slack sends and takes under which, or under whose `id`, stands the id of a person, a
channel or a file."""
ChangeId = Callable[[str], str]
REDIRECT_PATH = "/slack/oauth_redirect"
LEFT = frozenset({"app_uninstalled", "tokens_revoked"})


def with_ids(value: Any, change: ChangeId, words: ChangeId = str, key: str = "") -> Any:
    """Return the same with every id of people, channels and files changed, and other words too."""
    if isinstance(value, str):
        return change(value) if key in _IDS and value else words(value)
    if isinstance(value, list | tuple):
        return [with_ids(each, change, words, key) for each in value]
    if isinstance(value, Mapping):
        return {
            name: with_ids(each, change, words, key if key in _IDS and name == "id" else str(name))
            for name, each in value.items()
        }
    return value


class TeamClient(WebClient):
    """Sends with the token of the workspace a call names; raises `NotInstalled`, `NoToken`, too."""

    def __init__(self, token_of: Callable[[str], str], team: str = "", **options: Any) -> None:
        """`team`: its own; empty for the home's."""
        super().__init__(**options)
        self._token_of = token_of
        self._team = team
        self._options = options

    def of(self, team: str) -> Self:
        return type(self)(self._token_of, team, **self._options)

    def api_call(
        self,
        api_method: str,
        *,
        http_verb: str = "POST",
        files: dict[str, Any] | None = None,
        data: dict[str, Any] | None = None,
        params: dict[str, Any] | None = None,
        json: dict[str, Any] | None = None,
        headers: dict[str, Any] | None = None,
        auth: dict[str, Any] | None = None,
    ) -> SlackResponse:
        teams: set[str] = set()

        def sent(known: str) -> str:
            teams.add(team_of(known) or self._team)
            return slack_id(known)

        given = [with_ids(each, sent) for each in (data, params, json)]
        if len(teams) > 1:
            raise NotInstalled("a call names people and channels of several workspaces")
        team = next(iter(teams), self._team)
        words = [with_ids(each, str, lambda said: _mentions(said, team)) for each in given]
        with_token = WebClient(**{**self._options, "token": self._token_of(team)})
        answer = with_token.api_call(
            api_method,
            http_verb=http_verb,
            files=files,
            data=words[0],
            params=words[1],
            json=words[2],
            headers=headers,
            auth=auth,
        )
        if team and isinstance(answer.data, dict):
            answer.data = with_ids(answer.data, lambda own: known_as(team, own))
        return answer


def client_of(client: WebClient, team: str) -> WebClient:
    """Return what sends as a workspace's bot what names nobody there; `team` empty for the home's.

    Where there is one workspace alone, it is the client itself.
    """
    return client.of(team) if isinstance(client, TeamClient) else client


def _mentions(said: str, team: str) -> str:
    """Return words in which people and channels are mentioned as Slack reads them."""
    if not team:
        return said
    before = known_as(team, "")
    return said.replace(f"<@{before}", "<@").replace(f"<#{before}", "<#")


@dataclass(frozen=True, slots=True)
class Workspaces:
    """Answers who acts in a workspace: the settings' token in the home's own, else an installation.

    It stands in for `BotIdentity` where there are several; safe to share between threads.
    """

    home_team: str
    home: BotIdentity | None
    """With the settings' token; None without one."""
    installed: Installations
    client: TeamClient
    leave: Callable[[str], object]
    """Ends what waits in a workspace (empty for the home's own) that the bot is out of."""

    def learn(self) -> None:
        """Ask Slack, once, who the settings' token acts as; raise what slack_sdk raises.

        Raise `BadConfiguration` where it is of another workspace than the home's own.
        """
        if self.home is not None:
            self._demand_own(self.home.learn())

    def _demand_own(self, known: AuthorizeResult) -> AuthorizeResult:
        if known.team_id != self.home_team:
            raise BadConfiguration(
                f"VOUCH_SLACK_BOT_TOKEN is of workspace {known.team_id}, and VOUCH_SLACK_TEAM "
                f"names {self.home_team}; correct one of them"
            )
        return known

    @property
    def is_known(self) -> bool:
        if self.home is None:
            return True
        return self.home.is_known and self.home.authorize().team_id == self.home_team

    def authorize(self, enterprise_id: str | None, team_id: str | None) -> AuthorizeResult | None:
        """Tell Bolt who acts; None where the bot is not installed."""
        if self.home and team_id == self.home_team:
            known = self.home.authorize()
            return known if known.team_id == self.home_team else None
        ids = filter(None, (team_id, enterprise_id))
        found = next((one for each in ids if (one := self.installed.find(each))), None)
        if found is None:
            log.warning("Workspace %s has no installation: what came from it is dropped", team_id)
            return None
        return AuthorizeResult(
            enterprise_id=found.enterprise or None,
            team_id=team_id,
            bot_user_id=found.bot_user,
            bot_id=found.bot_id,
            bot_token=found.bot_token,
        )

    def bot_user(self, user: str) -> str:
        """Return the bot's id in the workspace of a user; raise as `authorize` does."""
        team = team_of(user)
        if not team and self.home:
            return self.home.bot_user()
        found = self.installed.find(team or self.home_team)
        return found.bot_user if found else ""

    def own(self, team: str) -> tuple[str, str]:
        """Return a workspace's id and its organisation's; empty for the home's own."""
        if not team and self.home:
            known = self._demand_own(self.home.learn())
            return str(known.team_id), str(known.enterprise_id or "")
        found = self.installed.find(team or self.home_team)
        return team or self.home_team, found.enterprise if found else ""

    def enter(
        self,
        body: dict[str, Any],
        context: BoltContext,
        next: Callable[[], BoltResponse],  # noqa: A002  # Bolt passes arguments by these names
    ) -> BoltResponse:
        """A Bolt middleware: from here on ids say their workspace, and the client is of it."""
        stated = _team_in(body, context)
        if not stated:
            log.warning("What came names no workspace, and is dropped")
            return BoltResponse(status=200)
        if self._is_over(body, context):
            return BoltResponse(status=200)
        team = "" if stated == self.home_team else stated
        if context.enterprise_id:
            self.installed.belongs(stated, context.enterprise_id)
        if team:
            known = with_ids(body, lambda own: known_as(team, own))
            body.clear()
            body.update(known)
            for name in ("user_id", "channel_id"):
                if name in context:
                    context[name] = known_as(team, context[name])
        context["client"] = self.client.of(team)
        return next()

    def _is_over(self, body: Mapping[str, Any], context: BoltContext) -> bool:
        """Forget an installation that an event ends; one made since then stays."""
        event = body.get("event") or {}
        if event.get("type") not in LEFT:
            return False
        if event["type"] == "tokens_revoked" and not (event.get("tokens") or {}).get("bot"):
            return True
        of_all = context.is_enterprise_install and context.enterprise_id
        # Slack tells the second in which it ended: what was made until its end may be meant.
        at = datetime.fromtimestamp(int(body.get("event_time") or 0) + 1, UTC)
        for each in self.installed.drop(str(of_all or context.team_id or ""), at):
            log.warning("The bot was taken out of workspace %s", each)
            if each != self.home_team:
                self.leave(each)
            elif self.home is None:
                self.leave("")
        return True


def installing(
    client_id: str,
    secret: str,
    url: str,
    authorize_url: str,
    client: WebClient,
    scopes: Sequence[str],
    store: Installations,
) -> OAuthFlow:
    """Return how somebody installs the bot; `url`: where Slack reaches it, without a slash."""
    settings = OAuthSettings(
        client_id=client_id,
        client_secret=secret,
        scopes=scopes,
        redirect_uri=f"{url}{REDIRECT_PATH}",
        redirect_uri_path=REDIRECT_PATH,
        authorization_url=authorize_url,
        installation_store=store,
        state_store=store,
        state_expiration_seconds=round(STATE_FOR.total_seconds()),
    )
    return OAuthFlow(client=client, settings=settings)


def token_of(home_team: str, home_token: str, installed: Installations) -> Callable[[str], str]:
    """Return what tells the token of a workspace; it raises `NotInstalled` and `NoToken`."""

    def token(team: str) -> str:
        if not team and home_token:
            return home_token
        try:
            found = installed.find(team or home_team)
        except (InboxUnavailable, BadConfiguration) as error:
            raise NoToken(str(error)) from error
        if found is None:
            raise NotInstalled(f"the bot is not installed in workspace {team or home_team}")
        return found.bot_token

    return token


def _team_in(body: Mapping[str, Any], context: BoltContext) -> str:
    """Return where it happened: `team_id` may be another company's, or an organisation's."""
    stated = context.team_id or body.get("context_team_id")
    if not stated and not body.get("is_ext_shared_channel"):
        stated = body.get("team_id")
    return str(stated) if stated and TEAM_ID.fullmatch(str(stated)) else ""
