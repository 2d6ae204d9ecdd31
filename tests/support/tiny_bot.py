"""The bot as `vouch up` wires it, with models so small that it starts in a blink."""

import os
import sys
from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from importlib import import_module
from pathlib import Path

import numpy as np
from fakes import StatedReranker, WordsEmbedder
from numpy.typing import NDArray
from pydantic import SecretStr

from bot.answering.pipeline import AnsweringPipeline
from bot.settings import Settings
from bot.settings.answering import BUNDLED
from bot.slack import message_events
from bot.slack.exchange import Answers
from bot.slack.inbox import kept, removals, store
from bot.slack.inbox.kept import ChannelSettings
from bot.slack.inbox.store import Inbox
from bot.stopping import StopSignal
from bot.wiring.answering import build_answering, build_evidence
from bot.wiring.container import Container, ModelsInUse
from bot.wiring.models import Models
from bot.wiring.retrieval import build_search
from bot.wiring.slack import slack_bot
from bot.wording.redaction import Address
from retrieval.documents.holdings import Acquisition, Fingerprint
from retrieval.language.sentences import asked_in_english
from retrieval.metadata.access import permits
from retrieval.ports import Embedder, IndexEntry, Match, PassageIndex
from retrieval.search.query_understanding import PlainWords, SpellingProposals
from retrieval.types import AccessRule, Document, Metadata, Passage, Scope, Sentence

NEEDED = (
    "audit.log",
    "bot.answering.gate",
    "bot.answering.pipeline",
    "bot.answering.writers.extractive",
    "bot.access.people",
    "bot.slack.inbox.database",
    "retrieval.models.cross_encoders",
    "retrieval.models.embedders",
    "retrieval.models.onnx",
    "retrieval.rendering.renderer",
    "retrieval.rendering.renderer",
    "retrieval.search.reranking",
    "retrieval.search.search",
)
"""What the container imports when it is asked for a part: imported before the first life."""

TEXT = "Parental leave is 14 weeks, 0.99."
QUESTION = "How many weeks is parental leave"
NOT_ENGLISH = "Wie viele Wochen dauert die Elternzeit"
STAFF = "C0STAFF"
UNASKED = "C0UNASKED"
OFFERED = "C0OFFERED"
"""The channel where such an answer is offered to whoever asked."""
MOST_WAITING = 3
A_MOMENT = timedelta(seconds=1)


class OnePassageIndex:
    """Finds the one passage that there is: what a search does is tested elsewhere."""

    name = "one passage"

    def __init__(self, passage_id: str, rule: AccessRule) -> None:
        self._match = [Match(passage_id, "leave", 0.9)]
        self._rule = rule

    def nearest(self, vector: NDArray[np.float32], scope: Scope, limit: int) -> list[Match]:
        return self._match[:limit] if permits(self._rule, scope) else []

    def lexical(self, words: str, scope: Scope, limit: int) -> list[Match]:
        return self._match[:limit] if permits(self._rule, scope) else []

    def vectors(self, passage_ids: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        return {each: WordsEmbedder().embed([TEXT])[0] for each in passage_ids}

    def ids(self, document_ids: Collection[str] | None = None) -> frozenset[str]:
        return frozenset(match.passage_id for match in self._match)

    def count(self) -> int:
        return len(self._match)

    def reached(self) -> int:
        return 0

    is_outdated = False

    def reach(self, change: int) -> None:
        raise NotImplementedError

    def clear(self) -> None:
        raise NotImplementedError

    def renew(self, change: int) -> AbstractContextManager[PassageIndex]:
        raise NotImplementedError

    def upsert(self, entries: Sequence[IndexEntry]) -> None:
        raise NotImplementedError

    def delete(self, passage_ids: Collection[str]) -> None:
        raise NotImplementedError

    def optimize(self) -> None:
        raise NotImplementedError


class TinyNamed(Models):
    """The bundled ones take a life to load."""

    @cached_property
    def embedder(self) -> Embedder:
        return WordsEmbedder()


class TinyModels(ModelsInUse):
    """They judge by what is stated; the writer copies what it cites, so nothing is checked."""

    @cached_property
    def reranker(self) -> StatedReranker:
        return StatedReranker()


SPELLING = SpellingProposals()


class TinyContainer(Container):
    """Its answering is built as the container's own, of other models and another index."""

    @cached_property
    def answering_unrecorded(self) -> AnsweringPipeline:
        settings, stores = self.settings, self.stores
        named = TinyNamed(BUNDLED, BUNDLED, BUNDLED, threads=1)
        models = TinyModels(settings, shared=named)
        index = OnePassageIndex("leave-0", Metadata().access)
        search = replace(build_search(settings, stores, models, index), window_reranker=None)
        plain_words = PlainWords(stores.library, index, SPELLING)
        evidence = build_evidence(stores, models, search, plain_words)
        answering = build_answering(settings, stores, models, index, evidence)
        return replace(answering, library=None)  # its lines were fitted for the bundled embedder


def settings(home: Path, api_url: str, bot_token: str, app_token: str) -> Settings:
    return Settings(
        home=home,
        slack_api_url=Address(api_url),
        slack_bot_token=SecretStr(bot_token),
        slack_app_token=SecretStr(app_token),
        admin_channel=STAFF,
        health_port=0,  # another program on this machine may have it
    )


def furnish(home: Path) -> None:
    document = Document("leave", "leave.md", "1", datetime.now(UTC), "Leave", Metadata())
    passage = Passage("leave-0", document, 0, (), (Sentence(TEXT, 0, len(TEXT)),), TEXT)
    container = Container(Settings(home=home))
    container.stores.library.store(
        [Acquisition("docs", document, Fingerprint(0, 0, "", ""), [passage])]
    )
    container.stores.audit_writer.close()
    unasked = {UNASKED: Answers.SURE, OFFERED: Answers.OFFERED}
    listed = "".join(f"  - {{id: {each}, name: {each}, audience: {{}}}}\n" for each in unasked)
    (home / "channels.yaml").write_text(f"channels:\n{listed}")
    with Inbox.open(container.settings.inbox_database) as inbox:
        for channel, answers in unasked.items():
            settings = ChannelSettings(answers=answers)
            inbox.channel_settings.keep(channel, settings, "U0000", datetime.now(UTC))


def live(container: Container) -> None:
    with StopSignal() as stop:
        bot = slack_bot(container)
        bot.start()
        stop.wait()
        bot.stop()


def breed(home: str, api_url: str, bot_token: str, app_token: str) -> None:
    """For each line that comes in, fork a bot and say its pid; say how each ended.

    So a life begins without importing anything, and many lives fit into a minute.
    """
    kept.HOLD = removals.HOLD = A_MOMENT  # what one who died had in hand waits no longer
    store.MOST_WAITING = MOST_WAITING
    message_events.SURE_UNASKED = 0.5  # whatever number a question has
    furnish(Path(home))
    for module in NEEDED:
        import_module(module)
    container = TinyContainer(settings(Path(home), api_url, bot_token, app_token))
    asked_in_english("Wie viel Urlaub habe ich?")  # this and the next load what takes a life
    SPELLING.proposals("raedy")
    _say("ready")
    for _ in sys.stdin:
        child = os.fork()
        if child == 0:
            live(container)
            return
        _say(child)
        _, status = os.waitpid(child, 0)
        _say(os.waitstatus_to_exitcode(status))


def _say(word: object) -> None:
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    breed(*sys.argv[1:])
