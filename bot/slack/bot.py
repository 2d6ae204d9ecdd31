"""The running bot: the pool of workers and the way to Slack, started and drained together."""

from concurrent.futures import Executor
from dataclasses import dataclass

from bot.slack.cleanup import CleanupThread
from bot.slack.evidence_pictures import EvidencePictures
from bot.slack.inbox import Inbox
from bot.slack.transport import Transport
from bot.slack.worker_pool import WorkerPool

DRAIN_SECONDS = 30.0
"""For the steps in progress; systemd and Docker wait longer before they kill."""


@dataclass(frozen=True, slots=True)
class SlackBot:
    """Everything that runs."""

    inbox: Inbox
    workers: WorkerPool
    cleanup: CleanupThread
    background: Executor
    """Says what is no reply."""
    transports: tuple[Transport, ...]
    pictures: EvidencePictures | None = None

    def start(self) -> None:
        """Work off what an earlier process left, then hear what is new."""
        self.workers.start()
        self.cleanup.start()
        for transport in self.transports:
            transport.start()

    @property
    def problem(self) -> str:
        """Say why nothing can be heard just now; empty where all is well."""
        return next((each.problem for each in self.transports if each.problem), "")

    def stop(self) -> None:
        """Post what is answered and answer nothing more; the rest waits in the inbox.

        Slack is heard to the end: what arrives meanwhile is stored for the next start.
        """
        self.workers.drain(DRAIN_SECONDS)
        for transport in reversed(self.transports):
            transport.stop()
        self.cleanup.stop()
        if self.pictures:
            self.pictures.stop()
        self.background.shutdown(wait=False, cancel_futures=True)
        self.inbox.close()
