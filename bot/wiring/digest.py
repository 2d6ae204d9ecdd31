"""What was asked in a week and not answered, put together."""

from datetime import UTC, datetime

from bot.answering.digest.making import Digests
from bot.errors import NotConnected
from bot.jobs.digesting import TellDigest
from bot.jobs.job import zone_of
from bot.slack.jobs import DigestPosting
from bot.web.addresses import DIGEST
from bot.wiring.container import Container
from bot.wiring.slack_clients import slack_client
from bot.wiring.stores_and_models import record_access
from bot.wording.jobs import NO_SLACK_HERE


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
    """Raise `NotConnected` without Slack's token, as at a terminal beside the local workspace."""
    settings = container.settings
    if not settings.can_post:
        raise NotConnected(NO_SLACK_HERE)
    made, client = digests(container), slack_client(container)
    page = f"{settings.web_base}{DIGEST}" if settings.web and settings.web_base else ""
    post = DigestPosting(client, made.zone, settings.admin_channel, page)
    return TellDigest(made, made.this_week, post)
