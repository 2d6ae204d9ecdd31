"""What people hear by the clock: corrections of what they were told, and the digest of a week."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import cache, partial

from slack_sdk import WebClient

from audit.record import AuditRecord
from audit.values import CitationRecord
from bot.access.channels import units_of
from bot.access.people import Person
from bot.answering.corrections.changes import Changes, CorrectionOutcome
from bot.answering.corrections.telling import AskAgain, Rested, TellCorrections
from bot.answering.digest import Digests
from bot.errors import JobFailed, NotConnected
from bot.jobs.job import zone_of
from bot.jobs.runner import notified
from bot.jobs.work import TellDigest
from bot.slack.directory import SlackChannels
from bot.slack.failures import UNSENT
from bot.slack.jobs import CorrectionPosting, DigestPosting, tell_channel, user_of
from bot.web.addresses import DIGEST
from bot.wiring.container import Container, Stores, record_access
from bot.wiring.slack_clients import slack_client, slack_people, who_acts
from bot.wording import corrections
from bot.wording import jobs as wording
from bot.wording.jobs import NO_SLACK_HERE
from retrieval.metadata.access import is_for_the_home, permits


def corrections_job(container: Container) -> TellCorrections:
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
    known = {cited.document_id}
    first = stores.library.first_passages(known).get(cited.document_id)
    rule = stores.library.access_of(known).get(cited.document_id)
    person = first and stores.access.people.by_email(first.document.metadata.owner)
    if not person or not rule:
        return None
    return person if permits(rule, stores.access.scope_for(person, None, date.today())) else None


def _channel_of(container: Container, client: WebClient, cited: CitationRecord) -> str:
    """The channel that answers for the document, if all there may read it, else administrators'."""
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


def digests(container: Container) -> Digests:
    stores = container.stores
    return Digests(
        stores.audit_reader,
        stores.library,
        record_access(stores),
        stores.ontology,
        lambda: stores.access.channels,
        lambda channel: stores.access.common_in(channel),
        lambda: stores.access.people.by_id.values(),
        container.models.named.bundled_embedder,
        container.settings.admin_channel,
        zone_of(container.settings.jobs_time_zone),
        lambda: datetime.now(UTC),
    )


def digest_job(container: Container) -> TellDigest:
    settings = container.settings
    if not settings.can_post:
        raise NotConnected(NO_SLACK_HERE)
    made, client = digests(container), slack_client(container)
    page = f"{settings.web_base}{DIGEST}" if settings.web and settings.web_base else ""
    post = DigestPosting(client, made.zone, settings.admin_channel, page)
    return TellDigest(made, made.this_week, post)
