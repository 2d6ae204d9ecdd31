"""What settings hold stays with them: only what is meant to be shown is."""

import re
from pathlib import Path
from typing import get_args

import pytest
from marked_settings import mark, marked_secret, marked_settings, secret_settings
from pydantic import SecretStr

from audit.errors import AuditUnavailable
from audit.log import open_reader
from bot.answering.chat.server import ChatServer
from bot.errors import BadConfiguration, InboxUnavailable
from bot.settings import RECORDED, Settings, recorded
from bot.slack.inbox.store import Inbox
from bot.wording.redaction import Address, secrets_in, shown, without

SOUNDS_SECRET = re.compile("key|token$|secret|password|url")


def test_an_audit_record_holds_no_setting_but_those_that_are_listed() -> None:
    text = repr(recorded(marked_settings()))
    for name in Settings.model_fields:
        allowed = name in RECORDED and name not in secret_settings()
        assert allowed or mark(name) not in text, name


def test_the_hash_of_the_settings_does_not_tell_a_secret() -> None:
    marked = marked_settings()
    others = {
        name: kind(marked_secret(name).replace("M4RK", "other"))
        for name, kind in secret_settings().items()
    }
    assert recorded(marked) == recorded(marked.model_copy(update=others))


def test_settings_that_are_printed_hold_no_secret() -> None:
    marked = marked_settings()
    for text in (repr(marked), str(marked), marked.model_dump_json(), repr(marked.model_dump())):
        for name in secret_settings():
            assert mark(name) not in text


def test_no_error_repeats_a_secret() -> None:
    marked = marked_settings()
    text = " ".join(marked_secret(name) for name in secret_settings())
    assert "M4RK" not in without(marked.secrets, text)


@pytest.mark.parametrize("name", Settings.model_fields)
def test_a_setting_that_sounds_secret_is_one(name: str) -> None:
    """A path says where secrets are, and is none."""
    annotation = Settings.model_fields[name].annotation
    secret = isinstance(annotation, type) and issubclass(annotation, SecretStr)
    is_path = Path in (annotation, *get_args(annotation))
    assert secret is (bool(SOUNDS_SECRET.search(name)) and not is_path)


@pytest.mark.parametrize(
    ("address", "what_is_shown"),
    [
        ("https://llm.example.org/v1", "https://llm.example.org/v1"),
        ("https://me:pass@llm.example.org:8443/v1?key=x#y", "https://llm.example.org:8443/v1"),
        ("https://me:p@ss@llm.example.org/v1", "https://llm.example.org/v1"),
        ("https://token@[::1]:80/v1", "https://[::1]:80/v1"),
        ("postgresql://me:pass@db/vouch?password=x", "postgresql://db/vouch"),
        ("sqlite:////var/lib/audit.sqlite", "sqlite:////var/lib/audit.sqlite"),
        ("https://me:pa/ss@llm.example.org/v1", "..."),
        ("https://me:pa#ss@llm.example.org/v1", "..."),
        ("https://me:12?ss@llm.example.org/v1", "..."),
        ("me:pass@llm.example.org", "..."),
        ("sk-a-key-pasted-here", "..."),
        ("", ""),
    ],
)
def test_an_address_is_shown_without_what_opens_it(address: str, what_is_shown: str) -> None:
    assert shown(address) == str(Address(address)) == what_is_shown


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("https://me:p%40ss@host/", "nonnumeric port: 'p%40ss@host', password p@ss"),
        ("https://me:pa/ss@host/", "no such host me, port pa/ss"),
        ("postgresql://me:x1@db/v?sslpassword=k3y&host=/run", 'user "me", k3y, in /run'),
    ],
)
def test_what_a_driver_repeats_of_an_address_is_hidden(address: str, said: str) -> None:
    hidden = without(secrets_in(address), said)
    assert not re.search(r"p%40ss|p@ss|pa/ss|k3y|\"me\"", hidden)
    assert "/run" in hidden or "/run" not in said


@pytest.mark.parametrize(
    "wrong", ["M4RK", "me:M4RK@host", "https://me:M4RK/x@host", "https://me:12/M4RK@host"]
)
def test_an_address_that_is_none_is_refused_without_being_repeated(wrong: str) -> None:
    with pytest.raises(AuditUnavailable) as store:
        open_reader(wrong)
    with pytest.raises(InboxUnavailable) as inbox:
        Inbox.open(wrong)
    with pytest.raises(BadConfiguration) as writer:
        ChatServer("sk-x", wrong, "a-model", timeout=1, retries=0)
    for refused in (store, inbox, writer):
        assert "M4RK" not in str(refused.value)
