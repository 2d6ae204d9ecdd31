"""Answers follow their sources: the parts of the job `corrections`."""

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from bot.access.people import Person
from bot.wiring.container import Container
from bot.wiring.stores_and_models import record_access

if TYPE_CHECKING:
    from bot.corrections.telling import TellCorrections


def corrections_job(container: Container) -> "TellCorrections":
    """Raise `NotConnected` without Slack's token, as at a terminal beside the local workspace."""
    from bot.corrections.asking_again import AskAgain
    from bot.corrections.changes import Changes
    from bot.corrections.telling import TellCorrections
    from bot.errors import NotConnected
    from bot.slack.corrections import CorrectionPosting
    from bot.wiring.slack import slack_client, slack_people, who_acts
    from bot.wording import jobs as wording

    settings, stores, models = container.settings, container.stores, container.models
    if not settings.can_post:
        raise NotConnected(wording.NO_SLACK_HERE)
    people = slack_people(container, who_acts(container))

    def person(user: str) -> Person | None:
        return people.person(user) or stores.access.people.by_id.get(user)

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
        CorrectionPosting(
            slack_client(container), settings.corrections_to == "asker", settings.web_base
        ),
        stores.audit_reader,
        stores.audit_writer.append,
        lambda: datetime.now(UTC),
    )
