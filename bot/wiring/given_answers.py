"""Answers that people gave or reviewed, as documents of their own source, made from the audit."""

import logging
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event, Thread

import yaml

from audit.feedback import GivenDetails, details_of
from audit.record import AuditEvent
from audit.values import team_of
from bot.access.entries import GUEST, Facets
from bot.answering.standard import SOURCE as SOURCE
from bot.answering.standard import refused_in
from bot.errors import JobFailed
from bot.jobs.work import run_command
from bot.wiring.answering import build_verification
from bot.wiring.container import Container, Stores
from bot.wording.referrals import answered_on, reviewed_on
from retrieval.documents.port import LibraryReader
from retrieval.ingest.reading import passages_of
from retrieval.ingest.source_files import IngestReport
from retrieval.metadata.access import (
    EVERYBODY,
    EVERYONE,
    HOME,
    TEAM,
    Audience,
    for_home,
    is_for_nobody,
    narrower,
)
from retrieval.metadata.metadata_file import METADATA_FILE
from retrieval.parsing import parser_for
from retrieval.types import AccessRule, Metadata

log = logging.getLogger(__name__)
_REST = f'"*": {{audience: {{{TEAM}: {HOME}}}}}\n'
"""What metadata.yaml says there of whatever states no workspace, where there are several."""


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """What others who ask are told, too."""

    event: AuditEvent
    details: GivenDetails
    rule: AccessRule | None
    """Who may read it; None for nobody, as what a reviewed answer rests on has changed."""
    level: str = ""
    """At which it stands: that of all that it rests on, which would prevail over it else; empty
    where they differ."""

    @property
    def question(self) -> str:
        return " / ".join(self.details.questions)

    @property
    def is_reviewed(self) -> bool:
        return bool(self.details.rests_on)

    def documents(self, rule: AccessRule) -> dict[str, str]:
        """Return one for each question, by its file's name: each is found by its own words."""
        questions = self.details.questions
        ends = ("", *(f"-{number}" for number in range(2, len(questions) + 1)))
        return {
            f"{self.event.event_id}{end}.md": self._markdown(each, rule)
            for end, each in zip(ends, questions, strict=False)
        }

    def _markdown(self, question: str, rule: AccessRule) -> str:
        """It says itself who may read it, and until when."""
        given, day = self.event, self.event.time.date().isoformat()
        name = given.person.name if given.person else ""
        stated = {
            "title": question,
            "subtype": (reviewed_on if self.is_reviewed else answered_on)(name, day),
            "level": self.level,
            "audience": {facet: list(values) for facet, values in rule.audience} or "everyone",
            "effective": day,
            "valid_from": rule.valid_from and rule.valid_from.isoformat(),
            "valid_to": rule.valid_to and rule.valid_to.isoformat(),
            "owner": self.details.owner,
        }
        kept = {key: value for key, value in stated.items() if value}
        front = yaml.safe_dump(kept, allow_unicode=True, sort_keys=False)
        return f"---\n{front}---\n\n# {question}\n\n{given.text.strip()}\n"


def given_answers(stores: Stores) -> list[GivenAnswer]:
    """Return those that others are told and that nobody retracted, oldest first."""
    return [
        GivenAnswer(each, told, _readers(each, told, stores), _level(told, stores.library))
        for each in stores.audit_reader.given_answers()
        if (told := details_of(each)).for_others
    ]


def _level(told: GivenDetails, library: LibraryReader) -> str:
    passages = library.first_passages({document_id for document_id, _ in told.rests_on})
    levels = {each.document.metadata.level for each in passages.values()}
    return levels.pop() if len(levels) == 1 else ""


def refused_words(container: Container, event: AuditEvent) -> str:
    """Return what verification refuses of a reviewed answer, which never leads then; else empty."""
    answer = GivenAnswer(event, details_of(event), AccessRule())
    if not answer.is_reviewed:
        return ""
    verification = build_verification(container.settings, container.stores, container.models)
    for name, text in answer.documents(AccessRule()).items():
        parsed = parser_for(name)(text.encode())
        passages = passages_of(name, parsed, event.event_id, Metadata(), event.time)
        if words := refused_in(verification, passages):
            return words
    return ""


def not_led(container: Container, team: str) -> list[str]:
    """Return the questions of reviewed answers that stand in a workspace, and never lead there."""
    return [
        each.question
        for each in given_answers(container.stores)
        if each.rule is not None
        and each.event.person
        and team_of(each.event.person.id) == team
        and refused_words(container, each.event)
    ]


def _readers(event: AuditEvent, told: GivenDetails, stores: Stores) -> AccessRule | None:
    """Who may read it; None also where it is of a workspace that is none of ours any more."""
    team = team_of(event.person.id) if event.person else ""
    if team and not stores.ontology.home_team:
        return None
    return readers_of(told, stores.library, stores.ontology.in_team(team))


def readers_of(
    told: GivenDetails, library: LibraryReader, in_team: Facets = GUEST
) -> AccessRule | None:
    """Who may read all that an answer rests on, `in_team` if there are several; None for nobody."""
    of_team = AccessRule(tuple((facet, tuple(of)) for facet, of in in_team.items()))
    said = AccessRule(tuple(sorted(told.audience.items())), valid_to=told.valid_to)
    rule = narrower(said, of_team)
    served = library.access_of({document_id for document_id, _ in told.rests_on})
    for document_id, version in told.rests_on:
        stands = [each for each in library.history(document_id) if each.removed_at is None]
        own = served.get(document_id)
        if own is None or own.over_for or [each.version for each in stands] != [version]:
            return None
        rule = narrower(rule, replace(own, audience=for_home(own.audience)) if in_team else own)
    return None if is_for_nobody(rule.audience) else rule


def write_answers(answers: Iterable[GivenAnswer], folder: Path) -> int:
    """Write them as Markdown, and remove the others; how many stand. Raise `OSError`."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted: dict[str, str] = {}
    for each in answers:
        if each.rule is not None:
            wanted |= each.documents(each.rule)
    for old in folder.glob("*.md"):
        if old.name not in wanted:
            old.unlink()
    for name, text in wanted.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    return len(wanted)


def publish_answers(container: Container) -> IngestReport | None:
    """Read them in, or let them leave; None where nobody ever gave any. Raise `RetrievalError`."""
    report, answers = None, given_answers(container.stores)
    known = any(each.name == SOURCE for each in container.stores.library.sources())
    folder, told = container.home / SOURCE, None
    several = bool(container.stores.ontology.home_team)
    while (known or answers) and told != answers:  # one may rest on another that leaves
        write_answers((e for e in answers if not refused_words(container, e.event)), folder)
        report = container.ingest.run(folder, _opened(folder, several=several), named=SOURCE)
        told, answers = answers, given_answers(container.stores)
    return report


def _opened(folder: Path, *, several: bool) -> Audience:
    """Say who may read what is in the folder, each answer for its workspace; raise `OSError`."""
    rest = folder / METADATA_FILE
    if rest.exists() and rest.read_bytes() != _REST.encode():
        return EVERYBODY
    if not several:
        rest.unlink(missing_ok=True)
        return EVERYBODY
    rest.write_bytes(_REST.encode())
    return ((TEAM, (EVERYONE,)),)


def publish_apart() -> None:
    """Do so in a process of its own, so that answers stay fast meanwhile; raise `JobFailed`."""
    finished = run_command(("answers", "publish"), Event())
    if finished.status:
        raise JobFailed(finished.last_words)


def publish_soon() -> None:
    """Begin it, and return at once; the next ingest does what a failure leaves."""
    Thread(target=_publish_and_log, name="publish", daemon=True).start()


def _publish_and_log() -> None:
    try:
        publish_apart()
    except JobFailed as error:
        log.error("An answer is not told yet; the next ingest reads it in: %s", error)
