"""The app manifest asks Slack for what the code uses, in a form that Slack accepts."""

import re
from pathlib import Path
from typing import Any

import yaml

from bot.slack.http import EVENTS_PATH
from bot.slack.permissions import COMMANDS, EVENTS, SCOPES, SHORTCUTS
from bot.slack.workspaces import REDIRECT_PATH
from bot.web.addresses import CALLBACK

MANIFEST = Path(__file__).resolve().parents[2] / "deploy" / "slack-manifest.yaml"
TEXT = MANIFEST.read_text(encoding="utf-8")
ADDRESS = "https://vouch.example.org"
URL = r"https://\S+"
TRUTH = "True|False"
ALLOWED = {
    "_metadata": {"major_version": "1|2", "minor_version": r"\d+"},
    "display_information": {
        "name": ".{1,35}",
        "description": ".{1,140}",
        "long_description": ".{174,4000}",
        "background_color": "#[0-9a-f]{6}",
    },
    "features": {
        "app_home": dict.fromkeys(
            ("home_tab_enabled", "messages_tab_enabled", "messages_tab_read_only_enabled"), TRUTH
        ),
        "agent_view": {"agent_description": ".{1,300}"},
        "bot_user": {"display_name": "[a-z0-9._-]{1,80}", "always_online": TRUTH},
        "shortcuts": {
            "name": ".{1,24}",
            "type": "message|global",
            "callback_id": ".{1,255}",
            "description": ".{1,150}",
        },
        "slash_commands": {
            "command": "/[a-z-]{1,31}",
            "description": ".{1,2000}",
            "usage_hint": ".{1,1000}",
            "should_escape": TRUTH,
            "url": URL,
        },
        "unfurl_domains": r"\S+",
    },
    "oauth_config": {"redirect_urls": URL, "scopes": {"bot": r"[a-z_.:]+"}},
    "settings": {
        "event_subscriptions": {"bot_events": r"[a-z_.]+", "request_url": URL},
        "interactivity": {"is_enabled": TRUTH, "request_url": URL},
        **dict.fromkeys(
            ("org_deploy_enabled", "socket_mode_enabled", "token_rotation_enabled"), TRUTH
        ),
    },
}
"""After Slack's reference of manifests (docs.slack.dev/reference/app-manifest); nothing besides."""
MOST = {"shortcuts": 10, "slash_commands": 50, "unfurl_domains": 5, "bot": 255, "bot_events": 100}


LISTS = {*MOST, "redirect_urls"}
OPTIONAL = {"url", "request_url", "redirect_urls", "unfurl_domains"}


def refused(stated: Any, allowed: Any, where: str = "", *, of_list: bool = False) -> list[str]:
    name = where.rpartition(".")[2]
    if name in LISTS and not of_list:
        if not isinstance(stated, list) or len(stated) > MOST.get(name, 1_000):
            return [where]
        return [bad for each in stated for bad in refused(each, allowed, where, of_list=True)]
    if isinstance(allowed, str):
        is_kind = isinstance(stated, str | int) and isinstance(stated, bool) == (allowed == TRUTH)
        return [] if is_kind and re.fullmatch(allowed, str(stated), re.DOTALL) else [where]
    if not isinstance(stated, dict):
        return [where]
    odd = stated.keys() - allowed.keys() | allowed.keys() - stated.keys() - OPTIONAL
    return [f"{where}.{key}" for key in odd] + [
        bad
        for key in stated.keys() & allowed.keys()
        for bad in refused(stated[key], allowed[key], f"{where}.{key}")
    ]


def read(text: str) -> Any:
    manifest = yaml.safe_load(text)
    assert refused(manifest, ALLOWED) == []
    return manifest


def urls(manifest: Any) -> list[str | None]:
    """Everything that Slack would call."""
    settings, commands = manifest["settings"], manifest["features"]["slash_commands"]
    return [
        settings["event_subscriptions"].get("request_url"),
        settings["interactivity"].get("request_url"),
        *(command.get("url") for command in commands),
    ]


def edited_for_http() -> str:
    """The edit that the manifest's first lines tell."""
    uncommented = re.sub(rf"# (\w+: {re.escape(ADDRESS)})", r"\1", TEXT)
    return uncommented.replace("socket_mode_enabled: true", "socket_mode_enabled: false")


def test_the_manifest_asks_for_the_scopes_and_events_that_the_code_lists() -> None:
    manifest = read(TEXT)
    assert manifest["oauth_config"]["scopes"]["bot"] == list(SCOPES)
    assert manifest["settings"]["event_subscriptions"]["bot_events"] == list(EVENTS)


def test_the_manifest_makes_the_commands_and_shortcuts_that_the_code_lists() -> None:
    features = read(TEXT)["features"]
    assert [
        (each["command"], each["description"], each["usage_hint"])
        for each in features["slash_commands"]
    ] == [(each.name, each.description, each.usage) for each in COMMANDS]
    assert [
        (each["name"], each["callback_id"], each["type"] == "message", each["description"])
        for each in features["shortcuts"]
    ] == [(each.name, each.callback_id, each.about_message, each.description) for each in SHORTCUTS]
    assert all(each["should_escape"] for each in features["slash_commands"]), "ids of people"


def test_people_can_write_to_the_bot_and_press_its_buttons() -> None:
    manifest = read(TEXT)
    home, settings = manifest["features"]["app_home"], manifest["settings"]
    assert home["messages_tab_enabled"]
    assert not home["messages_tab_read_only_enabled"]
    assert home["home_tab_enabled"]
    assert manifest["features"]["bot_user"]["always_online"]
    assert settings["interactivity"]["is_enabled"]


def test_tokens_that_are_copied_once_stay_valid() -> None:
    settings = read(TEXT)["settings"]
    assert not settings["token_rotation_enabled"]
    assert not settings["org_deploy_enabled"]


def test_as_it_is_it_is_for_socket_mode_and_edited_as_it_tells_for_http_mode() -> None:
    for text, socket_mode, url in ((TEXT, True, None), (edited_for_http(), False, EVENTS_PATH)):
        manifest = read(text)
        assert manifest["settings"]["socket_mode_enabled"] == socket_mode
        assert urls(manifest) == [url and ADDRESS + url] * (2 + len(COMMANDS))


def test_uncommented_people_can_sign_in_to_the_pages_and_install_it_in_further_workspaces() -> None:
    assert "redirect_urls" not in read(TEXT)["oauth_config"]
    stated = read(TEXT.replace("# redirect_urls", "redirect_urls"))["oauth_config"]
    assert stated["redirect_urls"] == [ADDRESS + CALLBACK, ADDRESS + REDIRECT_PATH]


def test_uncommented_it_previews_addresses_of_the_pages() -> None:
    assert "unfurl_domains" not in read(TEXT)["features"]
    stated = read(TEXT.replace("# unfurl_domains", "unfurl_domains"))["features"]
    assert stated["unfurl_domains"] == [ADDRESS.removeprefix("https://")]


def test_what_slack_does_not_know_or_take_would_be_noticed() -> None:
    deleted = re.sub(r"\n *token_rotation_enabled: false", "", TEXT)
    changes = [
        ("always_online", "always_on"),
        ("token_rotation_enabled: false", 'token_rotation_enabled: "False"'),
        ("name: Vouch", f"name: {'V' * 36}"),
        ("name: Vouch", "name: [Vouch]"),
    ]
    wrong = [deleted, *(TEXT.replace(*change, 1) for change in changes)]
    assert all(text != TEXT and refused(yaml.safe_load(text), ALLOWED) for text in wrong)
