"""`vouch up` starts the bot, in Slack where its tokens are set, else in a local workspace."""

import gc
import logging
import os
import time
import webbrowser
from contextlib import ExitStack
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from bot import wording
from bot.cli.console import LoggedTerminal, Terminal
from bot.cli.container import log_as_set, open_container
from bot.errors import BotError
from bot.stopping import StopSignal
from retrieval.errors import RetrievalError

if TYPE_CHECKING:
    from bot.settings import Settings
    from bot.wiring import Container
    from bot.workspace.seed import Tour

LAST_WORDS = 10.0
"""Seconds that requests to others may take to end when all else has."""

log = logging.getLogger(__name__)


def up(
    sample: Annotated[
        Path | None,
        typer.Option(help="Read this sample organisation in first, such as deploy/sample."),
    ] = None,
    browser: Annotated[bool, typer.Option(help="Open the local workspace in the browser.")] = False,
    port: Annotated[
        int | None,
        typer.Option(min=1, max=65534, help="Port of the local workspace; sources have the next."),
    ] = None,
) -> None:
    """Answer in Slack; without Slack's tokens, in a local workspace on this machine."""
    from bot.cli.connection_checks import demand_settings
    from bot.cli.tour import read_sample
    from bot.wiring.audit import note_at_stop
    from bot.wiring.jobs import clockwork, demand_jobs, job_statuses
    from bot.wiring.observing import warm_up
    from bot.wiring.slack import slack_bot

    container = open_container()
    console = _console(container.settings)
    if port:
        container = container.with_settings({"workspace_port": port, "web_port": port + 1})
    log_as_set(container.settings)
    to_slack = demand_settings(container.settings)
    demand_jobs(container)
    tour = None
    if sample:
        container, tour = read_sample(container, sample, console, several=not to_slack)
    if not len(container.stores.access.people):
        console.print(wording.NOBODY_KNOWN)
    own = container
    with ExitStack() as open_things:
        stop = open_things.enter_context(StopSignal())
        if not to_slack:
            container = _with_workspace(container, tour, open_things, console, browser=browser)
        else:
            console.print(f"Connecting to Slack ({container.settings.slack_transport})")
            if container.settings.serves_pages:
                container = _with_pages(container, open_things, console)
        with console.status("Loading the models"):
            warm_up(container)
        if _is_outdated(own):
            console.print(wording.INDEX_MADE_ANEW)
            Thread(target=_renew_index, args=(own,), name="renew-index", daemon=True).start()
        bot = slack_bot(container, lambda: job_statuses(own), lambda: jobs.leads)
        jobs = clockwork(own, container)
        bot.start()
        jobs.start()
        with console.status("Connecting"):
            while bot.problem and not stop.came:
                stop.pause()
        console.print("Vouch is up. Ctrl-C stops it; questions in progress are kept.")
        stop.wait()
        console.print("Finishing what is being answered" if bot.is_busy else "Stopping")
        jobs.stop()
        bot.stop()
        Thread(target=_end, name="end", daemon=True).start()
        if said := note_at_stop(container):
            log.warning("%s", said)
    gc.freeze()  # at its end Python would look through all that the models hold, for seconds


def _console(settings: "Settings") -> Terminal:
    if settings.log_format == "json":
        return LoggedTerminal()
    return Terminal(stderr=True)


def _is_outdated(container: "Container") -> bool:
    """False where the index cannot be reached: the bot comes up, and says so to who asks."""
    try:
        return container.index.is_outdated
    except RetrievalError as error:
        log.error("Whether the index must be made anew is not known: %s", error)
        return False


def _renew_index(container: "Container") -> None:
    """While the bot is up: who asks before it is done is told so, and answered afterwards."""
    told = 0.0

    def progress(done: int, of: int, _: str) -> None:
        nonlocal told
        if of and done / of >= told + 0.1:
            told = done / of
            log.info("The index is made anew: %d of %d passages", done, of)

    try:
        log.info("The index is made anew: done, %d passages", container.ingest.renew(progress))
    except (RetrievalError, BotError) as error:
        log.error("The index could not be made anew: %s", error)


def _with_workspace(
    container: "Container",
    tour: "Tour | None",
    open_things: ExitStack,
    console: Terminal,
    *,
    browser: bool,
) -> "Container":
    from bot.wiring.container import callback
    from bot.wiring.workspace import connected_to, local_workspace

    workspace = open_things.enter_context(local_workspace(container, tour))
    console.print(Text.assemble("Local workspace: ", (workspace.url, "bold")))
    if browser:
        webbrowser.open(workspace.url)
    connected = connected_to(container.settings, workspace)
    if not container.settings.serves_pages:
        return connected
    connected = _with_pages(connected, open_things, console)
    workspace.allow_sign_in(callback(connected.settings))
    return connected


def _with_pages(container: "Container", open_things: ExitStack, console: Terminal) -> "Container":
    from bot.wiring.web import web_pages

    with_pages = open_things.enter_context(web_pages(container))
    console.print(wording.sources_open_at(with_pages.settings.web_base))
    return with_pages


def _end() -> None:
    """End at once: Python waits for threads that hang in a request, and the inbox loses nothing."""
    time.sleep(LAST_WORDS)
    log.warning("A request to Slack or to a collector of traces hangs; ending without it")
    logging.shutdown()
    os._exit(0)
