"""What is typed on the command line, checked before any work: text, days and times, paths."""

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Annotated

import typer

from bot.errors import WrongUse
from bot.wording.names import named_day

A_DAY = "YYYY-MM-DD"
A_TIME = "YYYY-MM-DD[THH:MM]|today|yesterday"


def utf8(said: str | list[str] | None) -> str | list[str] | None:
    """A typer callback: a shell may hand over bytes of another encoding, which none can read."""
    try:
        for each in [said] if isinstance(said, str) else said or []:
            each.encode()
    except UnicodeEncodeError as error:
        raise WrongUse("What you typed is not UTF-8. Set your terminal to UTF-8.") from error
    return said


AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
AsPerson = Annotated[
    str | None, typer.Option("--as", help="Id, e-mail or name; left out, a guest.", callback=utf8)
]
AuditId = Annotated[str, typer.Argument(help="An audit id, or how one begins.")]


def day(typed: str) -> date:
    """A typer parser. Raise `WrongUse`."""
    try:
        return datetime.strptime(typed.strip(), "%Y-%m-%d").replace(tzinfo=UTC).date()
    except ValueError as error:
        raise WrongUse(f"{typed!r} is no date. Write it as 2026-01-31.") from error


def time(typed: str) -> datetime:
    """A typer parser: a day, such as `today`, is its beginning, in UTC by default."""
    named = named_day(typed, datetime.now(UTC).date())
    try:
        read = datetime.fromisoformat(named.isoformat() if named else typed.strip())
    except ValueError as error:
        raise WrongUse(
            f"{typed!r} is no date. Write it as 2026-01-31, 2026-01-31T14:00, today or yesterday."
        ) from error
    return read if read.tzinfo else read.replace(tzinfo=UTC)


def file_to_write(path: Path | None) -> Path | None:
    """A typer callback: a folder must be there; a file that is there is closed to others."""
    path = place_to_write(path)
    if path is not None and path.is_file():
        _close_to_others(path)
    return path


def place_to_write(path: Path | None) -> Path | None:
    """A typer callback for a file that is not touched before another takes its place."""
    if path is None:
        return None
    if path.is_dir():
        raise WrongUse(f"{path} is a folder; name a file to write.")
    if not path.parent.is_dir():
        raise WrongUse(f"{path} cannot be written: make the folder {path.parent} first.")
    return path


def _close_to_others(path: Path) -> None:
    try:
        path.chmod(0o600)
    except OSError as error:
        raise WrongUse(
            f"{path} cannot be kept to you ({error.strerror}). Name a file of your own."
        ) from error


def file_to_read(path: Path | None) -> Path | None:
    if path is not None and path.is_dir():
        raise WrongUse(f"{path} is a folder; name a file.")
    if path is not None and not path.is_file():
        raise WrongUse(f"There is no file {path}.")
    return path


def path_to_read(path: Path) -> Path:
    if not path.exists():
        raise WrongUse(f"{path} does not exist. Name a folder of documents, or a file.")
    return path
