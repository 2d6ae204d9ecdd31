"""Answers follow their sources: the parts of the job `corrections`."""

from dataclasses import replace
from datetime import UTC, date, datetime
from functools import cache, partial

from slack_sdk import WebClient

from audit.record import AuditRecord
from audit.values import CitationRecord
from bot.access.people import Person
from bot.access.units import units_of
from bot.corrections.asking_again import AskAgain
from bot.corrections.changes import Changes, Outcome
from bot.corrections.telling import Rested, TellCorrections
from bot.errors import JobFailed, NotConnected
from bot.jobs.runner import told
from bot.slack.admin import tell_channel
from bot.slack.corrections import CorrectionPosting, user_of
from bot.slack.directory import SlackChannels
from bot.slack.failures import UNSENT
from bot.wiring.container import Container
from bot.wiring.slack_clients import slack_client, slack_people, who_acts
from bot.wiring.stores_and_models import record_access
from bot.wording import corrections as wording
from bot.wording.jobs import NO_SLACK_HERE
from retrieval.metadata.access import is_for_the_home, permits


def corrections_job(container: Container) -> TellCorrections:
    """Raise `NotConnected` without Slack's token, as at a terminal beside the local workspace."""
    settings, stores, models = container.settings, container.stores, container.models
    if not settings.can_post:
        raise NotConnected(NO_SLACK_HERE)
    people = slack_people(container, who_acts(container))
    client = slack_client(container)
    user = cache(partial(user_of, client, stores.access.people))

    def person(record: AuditRecord) -> Person:
        try:
            found = user(record.person.id)
            return people.person(found) or people.guest(found)
        except UNSENT as error:
            raise JobFailed(wording.unposted(str(error))) from error

    ask_again = AskAgain(
        replace(container.answering_unrecorded, keep_shown=stores.library.keep_shown),
        models.named.bundled_embedder,
        models.named.entailment,
        record_access(stores),
        person,
        date.today,
    )
    return TellCorrections(
        settings.corrections_days,
        Changes(stores.audit_reader, stores.library),
        ask_again,
        CorrectionPosting(client, settings.corrections_to == "asker", settings.web_base, user),
        partial(_tell_owner, container, client),
        stores.audit_reader,
        ask_again.is_open,
        stores.audit_writer.append,
        lambda: datetime.now(UTC),
    )


def _tell_owner(container: Container, client: WebClient, rested: Rested) -> None:
    """Tell them in their channel; a failure is logged."""
    channel = _channel_of(container, client, rested.cited)
    if channel:
        count, corrected = rested.came_to.total(), rested.came_to[Outcome.CORRECTED]
        said = wording.rested(rested.cited.file, count, corrected)
        told(partial(tell_channel, client, channel), said)


def _channel_of(container: Container, client: WebClient, cited: CitationRecord) -> str:
    """The one that answers for the document, where all there may read it; else administrators'.

    None, in words an empty one, for what is, or was, for other workspaces alone.
    """
    stores = container.stores
    rules = stores.library.access_of({cited.document_id})
    kept = stores.library.passages_at({(cited.document_id, cited.version, cited.passage_id)})
    for passage in kept.values():
        units = units_of(passage.document.metadata, stores.ontology)
        channel = stores.access.channels.owning_channel(units)
        scope = stores.access.scope_for(None, channel, date.today())
        open_there = any(permits(rule, scope) for rule in rules.values())
        if channel and open_there and not SlackChannels(client).is_shared(channel):
            return channel
    known = [*rules.values(), *(each.document.metadata.access for each in kept.values())]
    is_homes = all(is_for_the_home(rule.audience) for rule in known)
    unknown = stores.ontology.home_team and not known
    return container.settings.admin_channel if is_homes and not unknown else ""
