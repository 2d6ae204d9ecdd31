"""`vouch backup` writes one archive, and `vouch restore` makes a home of it."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from bot import wording as words
from bot.cli.arguments import file_to_read, place_to_write
from bot.cli.console import Terminal, progress_bar
from bot.cli.container import open_container_to_read, own_home, settings_to_restore
from bot.errors import WrongUse
from bot.wording import backups as wording
from bot.wording import log_proofs


def backup(
    file: Annotated[
        Path | None,
        typer.Argument(
            help="The archive; without one, a dated one in VOUCH_BACKUP_FOLDER.",
            callback=place_to_write,
        ),
    ] = None,
    with_key: Annotated[
        bool,
        typer.Option(
            "--with-key",
            help="Put the library's key in: whoever has the archive can then forge quotes.",
        ),
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace the file.")] = False,
) -> None:
    """Write library, audit store, inbox, people and channels into one archive."""
    from bot.wiring.backup import write_backup, write_dated_backup

    if file is None and (with_key or force):
        raise WrongUse(wording.NO_FOLDER)
    settings, console = open_container_to_read().settings, Terminal(stderr=True)
    removed = 0
    with progress_bar(console, "Backing up") as progress:
        if file is None:
            kept = write_dated_backup(settings, progress)
            made, removed = kept.made, kept.removed
        else:
            made = write_backup(settings, file, with_key=with_key, replace=force, progress=progress)
    console.print(wording.written(made.file, made.parts, made.bytes, made.seconds))
    if made.head is not None:
        console.print(wording.head(made.head.entries, made.head.head))
    console.print(wording.KEY_IN_IT if with_key else wording.NO_KEY_IN_IT)
    if removed:
        console.print(wording.older_removed(removed))


def restore(
    file: Annotated[
        Path, typer.Argument(help="An archive of `vouch backup`.", callback=file_to_read)
    ],
    without_library: Annotated[
        bool,
        typer.Option(
            "--without-library", help="Leave documents out: for a library whose key is lost."
        ),
    ] = False,
) -> None:
    """Make an empty home what it was at a backup; exit status 1 where its audit is broken."""
    from dataclasses import asdict

    from bot.wiring.audit import key_is_missing
    from bot.wiring.backup import restore as restore_home

    settings, console = settings_to_restore(), Terminal(stderr=True)
    with progress_bar(console, "Restoring") as progress:
        done = restore_home(settings, file, without_library=without_library, progress=progress)
    own_home(settings.home)
    console.print(wording.restored(settings.home, done.manifest.made_at, done.passages))
    if without_library:
        console.print(wording.WITHOUT_LIBRARY, style="yellow")
    if done.set_aside:
        console.print(wording.set_aside(done.set_aside), style="yellow")
    for name, value in done.to_set.items():
        console.print(wording.set_this(name, value), style="yellow")
    if done.changed:
        console.print(wording.other_settings(done.changed), style="yellow")
    if key_is_missing(settings):
        console.print(log_proofs.KEY_MISSING, style="yellow")
    if done.verification is not None:
        said = words.verification(asdict(done.verification), to_signed=False)
        for line in said.splitlines():
            console.print(line)
        if not done.verification.ok:
            sys.exit(1)
