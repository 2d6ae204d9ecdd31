"""Who was told what a changed document says no more is told so, and who owns it how many were."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import cache, partial

from slack_sdk import WebClient

from audit.record import AuditRecord
from audit.values import CitationRecord
from bot.access.channels import units_of
from bot.access.people import Person
from bot.answering.corrections.asking_again import AskAgain
from bot.answering.corrections.changes import Changes, CorrectionOutcome
from bot.answering.corrections.telling import Rested, TellCorrections
from bot.errors import JobFailed, NotConnected
from bot.jobs.runner import notified
from bot.slack.directory import SlackChannels
from bot.slack.failures import UNSENT
from bot.slack.jobs import CorrectionPosting, tell_channel, user_of
from bot.wiring.container import Container
from bot.wiring.slack_clients import slack_client, slack_people, who_acts
from bot.wiring.stores_and_models import Stores, record_access
from bot.wording import corrections
from bot.wording import jobs as wording
from retrieval.metadata.access import is_for_the_home, permits


def corrections_job(container: Container) -> TellCorrections:
    """Raise `NotConnected` without Slack's token, as at a terminal beside the local workspace."""
    settings, stores, models = container.settings, container.stores, container.models
    if not settings.can_post:
        raise NotConnected(wording.NO_SLACK_HERE)
    people = slack_people(container, who_acts(container))
    client = slack_client(container)
    user = cache(partial(user_of, client, stores.access.people))

    def person(record: AuditRecord) -> Person:
        try:
            found = user(record.person.id)
            return people.person(found) or people.guest(found)
        except UNSENT as error:
            raise JobFailed(corrections.unposted(str(error))) from error

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
        partial(_tell_owner, container, client, user),
        stores.audit_reader,
        ask_again.is_open,
        stores.audit_writer.append,
        lambda: datetime.now(UTC),
    )


def _tell_owner(
    container: Container, client: WebClient, user: Callable[[str], str], rested: Rested
) -> None:
    """Tell whom the document names, if they may read it, and their channel; a failure is logged."""
    count, corrected = rested.came_to.total(), rested.came_to[CorrectionOutcome.CORRECTED]
    said = corrections.rested(rested.cited.file, count, corrected)

    def tell_alone(said: str) -> None:
        opened = client.conversations_open(users=user(owner.id if owner else ""))
        tell_channel(client, str(opened["channel"]["id"]), said)

    owner = _person_of(container.stores, rested.cited)
    heard = owner is not None and notified(tell_alone, said)
    channel = _channel_of(container, client, rested.cited)
    if channel and not (heard and channel == container.settings.admin_channel):
        notified(partial(tell_channel, client, channel), said)


def _person_of(stores: Stores, cited: CitationRecord) -> Person | None:
    """Whom a document of today names as its owner by their e-mail, where they may read it."""
    stores, known = stores, {cited.document_id}
    first = stores.library.first_passages(known).get(cited.document_id)
    rule = stores.library.access_of(known).get(cited.document_id)
    person = first and stores.access.people.by_email(first.document.metadata.owner)
    if not person or not rule:
        return None
    return person if permits(rule, stores.access.scope_for(person, None, date.today())) else None


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
