"""A token opens what it was made for until it ends, and nobody can read it in the home."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.errors import TokensUnavailable, WrongUse
from bot.mcp.tokens import DAY_S, Tokens


@pytest.fixture
def now() -> list[float]:
    """A clock to turn."""
    return [1_000_000.0]


@pytest.fixture
def tokens(tmp_path: Path, now: list[float]) -> Iterator[Tokens]:
    kept = Tokens(tmp_path / "mcp.sqlite", lambda: now[0])
    yield kept
    kept.close()


def test_none_opens_after_its_last_second(tokens: Tokens, now: list[float]) -> None:
    _, secret = tokens.make("ana", 2)
    now[0] += 2 * DAY_S - 1
    assert tokens.person(secret) == "ana"
    now[0] += 1
    assert tokens.person(secret) is None


def test_a_revoked_one_opens_nothing_and_leaves_the_others(tokens: Tokens) -> None:
    made, secret = tokens.make("ana", 1)
    other, kept = tokens.make("ana", 1)
    tokens.revoke(made.number)
    assert (tokens.person(secret), tokens.person(kept)) == (None, "ana")
    assert tokens.all() == [other]
    with pytest.raises(WrongUse, match="no token"):
        tokens.revoke(made.number)


def test_each_opens_for_its_own_person_and_what_is_nearly_one_opens_nothing(tokens: Tokens) -> None:
    made, secret = tokens.make("ana", 1)
    _, other = tokens.make("ben", 1)
    assert (tokens.person(secret), tokens.person(other)) == ("ana", "ben")
    swapped = f"vouch_{made.number}_{other.split('_', 2)[2]}"
    nearly = [swapped, secret[:-1], f"{secret}a", secret.upper(), f" {secret}", "", "vouch__", "é"]
    assert [tokens.person(each) for each in nearly] == [None] * len(nearly)


def test_the_home_holds_no_secret(tokens: Tokens, tmp_path: Path) -> None:
    _, secret = tokens.make("ana", 1)
    held = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert secret.split("_", 2)[2].encode() not in held


def test_a_damaged_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "mcp.sqlite").write_bytes(b"no database at all" * 100)
    with pytest.raises(TokensUnavailable, match="make tokens anew"):
        Tokens(tmp_path / "mcp.sqlite", lambda: 0.0)
