"""A question is asked again for those alone who may read what answers it, and might then."""

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from threading import Event

import pytest
from openai_fixtures import KEY, Scripted, ScriptedServer, a_claim, a_completion, an_answer
from pydantic import SecretStr
from vouch_home import write

from audit.record import AuditEvent, AuditRecord, EventKind
from audit.values import Channel
from bot.access.people import Person
from bot.answering.corrections.changes import (
    Changes,
    CorrectionOutcome,
    RestsOnChanged,
    TellingPlace,
)
from bot.answering.corrections.telling import AskAgain, AskedAgain, TellCorrections
from bot.answering.corroboration import Headed, is_among, is_said
from bot.answering.values import Question
from bot.answering.verification import ClaimVerifier
from bot.settings import Settings
from bot.wiring.container import Container, record_access
from bot.wording.redaction import Address
from retrieval.metadata.access import EVERYBODY

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
ALONE = TellingPlace(Channel(id="D0ANA"), None)
QUESTION = "What does a parking permit cost?"
FIXTURES = Path(__file__).parents[1] / "fixtures"
PERMIT = "# Parking\n\nA parking permit costs {} euros a year.\n"
OF_HR = "---\naudience: {{departments: [hr]}}\n---\n" + PERMIT


@pytest.fixture
def container(tmp_path: Path) -> Iterator[Container]:
    opened = Container(Settings(_env_file=None, home=tmp_path / "home"))  # type: ignore[call-arg]  # pydantic-settings' own
    yield opened
    opened.stores.audit_writer.close()


def read_in(container: Container, tmp_path: Path, files: dict[str, str]) -> None:
    container.ingest.run(write(tmp_path / "documents", files), EVERYBODY)


def answered(
    container: Container, asker: Person, place: TellingPlace = ALONE, text: str = QUESTION
) -> AuditRecord:
    """As if it had been delivered there."""
    question = Question(text, asker, date.today(), place.audience, place=place.channel)
    audit_id = container.answering(question).audit_id
    container.stores.audit_writer.append(
        AuditEvent(
            kind=EventKind.DELIVERED,
            event_id=f"{audit_id}-delivered",
            audit_id=audit_id,
            time=datetime.now(UTC),
            channel=place.channel,
        )
    )
    record = container.stores.audit_reader.record(audit_id).entry
    assert isinstance(record, AuditRecord)
    return record


def resting(container: Container) -> list[RestsOnChanged]:
    changes = Changes(container.stores.audit_reader, container.stores.library)
    return list(changes(LONG_AGO))


def asked_again(
    container: Container, asker: Person, place: TellingPlace = ALONE, on: date | None = None
) -> AskedAgain:
    [changed] = resting(container)
    return asking(container, asker, on)(changed, place)


def asking(container: Container, asker: Person, on: date | None = None) -> AskAgain:
    models = container.models.named
    return AskAgain(
        container.answering_unrecorded,
        models.bundled_embedder,
        models.entailment,
        record_access(container.stores),
        lambda _: asker,
        lambda: on or date.today(),
    )


def person(*departments: str) -> Person:
    return Person("ana", "Ana", "", {"departments": frozenset(departments)})


@pytest.mark.parametrize(
    ("after", "outcome"),
    [
        (PERMIT.format(45), CorrectionOutcome.CORRECTED),
        (
            "# Parking\n\nFor a parking permit, 40 euros are paid each year.\n",
            CorrectionOutcome.SAME,
        ),
        (OF_HR.format(45), CorrectionOutcome.UNTOLD),
        (f"---\narchived: true\n---\n{PERMIT.format(40)}", CorrectionOutcome.CORRECTED),
    ],
    ids=["another amount", "the same in other words", "closed to the asker", "archived"],
)
def test_what_is_said_otherwise_is_told_to_who_may_read_it(
    container: Container, tmp_path: Path, after: str, outcome: CorrectionOutcome
) -> None:
    read_in(container, tmp_path, {"parking.md": PERMIT.format(40)})
    answered(container, person())
    assert resting(container) == []
    read_in(container, tmp_path, {"parking.md": after})
    assert asked_again(container, person()).followed.outcome is outcome


def test_what_closed_to_a_channel_is_not_told_there_though_its_asker_may_read_it(
    container: Container, tmp_path: Path
) -> None:
    channel, ana = TellingPlace(Channel(id="C0GENERAL", thread="1.2"), "C0GENERAL"), person("hr")
    read_in(container, tmp_path, {"parking.md": PERMIT.format(40)})
    answered(container, ana, channel)
    read_in(container, tmp_path, {"parking.md": OF_HR.format(45)})
    assert asked_again(container, ana, channel) == AskedAgain(resting(container)[0].untold)


def test_what_was_asked_of_a_day_by_today_is_not_asked_of_another_day(
    container: Container, tmp_path: Path
) -> None:
    read_in(container, tmp_path, {"parking.md": PERMIT.format(40)})
    answered(container, person(), text=f"{QUESTION[:-1]} tomorrow?")
    read_in(container, tmp_path, {"parking.md": PERMIT.format(45)})
    later = date.today() + timedelta(days=3)
    assert asked_again(container, person()).followed.outcome is CorrectionOutcome.CORRECTED
    assert asked_again(container, person(), on=later).followed.outcome is CorrectionOutcome.UNTOLD


def test_what_opened_to_the_asker_only_since_is_no_answer_to_what_they_asked_then(
    container: Container, tmp_path: Path
) -> None:
    open_then = {"parking.md": PERMIT.format(40), "hr.md": OF_HR.format(70)}
    read_in(container, tmp_path, open_then)
    answered(container, person())
    read_in(container, tmp_path, {"parking.md": "# Parking\n\nThere are 90 bays.\n"})
    again = asked_again(container, person("hr"))
    assert again.now is not None
    assert "70 euros" not in again.now.reply
    cited = {each.file for claim in again.now.claims for each in claim.citations}
    assert "hr.md" not in cited | {each.file for each in again.now.candidates}


@pytest.mark.parametrize(
    "after",
    [
        PERMIT.format(40).replace("\n\n", "\n\nCars are  welcome.\n\n"),
        PERMIT.format(40).replace("parking permit", "*parking permit*"),
        "# Where to leave a car\n\nWelcome.\n\n## Parking\n" + PERMIT.format(40)[11:],
    ],
    ids=["more beside it", "markup", "elsewhere on the page"],
)
def test_an_edit_that_leaves_the_cited_words_asks_nothing(
    container: Container, tmp_path: Path, after: str
) -> None:
    read_in(container, tmp_path, {"parking.md": PERMIT.format(40)})
    record = answered(container, person())
    assert record.claims
    read_in(container, tmp_path, {"parking.md": after})
    assert resting(container) == []


def test_an_edit_that_writes_amounts_and_days_in_another_way_asks_nothing(
    container: Container, tmp_path: Path
) -> None:
    before = "it costs 1,140 euros from 1 March 2026, is checked Mon-Fri until 5 pm"
    after = "it costs €1140 from 2026-03-01, is checked Monday to Friday until 17:00"
    permit = "# Parking\n\nA parking permit is asked for two weeks ahead: {}.\n"
    read_in(container, tmp_path, {"parking.md": permit.format(before)})
    assert answered(container, person()).claims
    changed = permit.format(after).replace("two weeks", "14 days")
    read_in(container, tmp_path, {"parking.md": changed})
    assert resting(container) == []
    read_in(container, tmp_path, {"parking.md": changed.replace("14 days", "14 working days")})
    assert len(resting(container)) == 1


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Python 3.1 is used here.", "Python 3.10 is used here."),
        ("The code of the gate is 0042.", "The code of the gate is 42."),
        ("The room costs 1.200 EUR.", "The room costs 1.2 EUR."),
        ("The Sun server is down.", "The Sunday server is down."),
        ("Staff get 25 days and students 10 days.", "Staff get 10 days and students 25 days."),
        ("Ask within 14 days.", "Ask within 14 working days."),
    ],
)
def test_what_only_looks_like_another_way_of_writing_is_another_fact(
    before: str, after: str
) -> None:
    assert not is_said(before, [after])
    assert not is_said(after, [before])


def test_an_edit_that_rewords_is_mostly_silent_and_one_that_changes_a_rule_never(
    shipped: ClaimVerifier,
) -> None:
    """68 rules of short policies, each reworded, and with another amount, day, name, "not", ..."""
    silent, unheard = list[str](), list[str]()
    for line in (FIXTURES / "reworded-and-changed.jsonl").read_text().splitlines():
        rule = json.loads(line)
        for edit, heard in (("reworded", silent), ("changed", unheard)):
            today = [Headed(rule["title"], each) for each in (rule[edit], rule["beside"]) if each]
            if is_among(Headed(rule["title"], rule["old"]), today, shipped.entailment):
                heard.append(rule["old"])
    assert unheard == []
    assert len(silent) >= 58


def test_a_document_that_a_list_beside_it_calls_archived_corrects_what_rests_on_it(
    container: Container, tmp_path: Path
) -> None:
    read_in(container, tmp_path, {"parking.md": PERMIT.format(40)})
    answered(container, person())
    archived = "parking.md:\n  archived: true\n"
    read_in(container, tmp_path, {"parking.md": PERMIT.format(40), "metadata.yaml": archived})
    assert asked_again(container, person()).followed.outcome is CorrectionOutcome.CORRECTED


class Told(list[tuple[str, ...]]):
    """It posts nowhere, and keeps the words of then."""

    def place(self, record: AuditRecord, delivered: Channel) -> TellingPlace:
        return TellingPlace(delivered, None if delivered == ALONE.channel else delivered.id)

    def __call__(
        self, before: AuditRecord, now: AuditRecord, old: tuple[str, ...], place: TellingPlace
    ) -> str:
        self.append((place.channel.id, *old))
        return f"{len(self)}.0"


def test_who_asked_one_thing_three_times_is_told_once_in_one_place(
    container: Container, tmp_path: Path
) -> None:
    told, store = Told(), container.stores
    elsewhere = TellingPlace(Channel(id="C0GENERAL", thread="1.2"), "C0GENERAL")
    leave = "# Leave\n\nAnnual leave is {} days a year for everybody who works here.\n"
    asked = "How many days of annual leave do I get a year?"
    read_in(container, tmp_path, {"leave.md": leave.format(25)})
    for place, text in ((ALONE, asked), (ALONE, asked.lower()), (elsewhere, asked)):
        answered(container, person(), place, text)
    job = TellCorrections(
        365,
        Changes(store.audit_reader, store.library),
        asking(container, person()),
        told,
        lambda _: None,
        store.audit_reader,
        lambda *_, **__: True,
        store.audit_writer.append,
        lambda: datetime.now(UTC),
    )
    for now, was, corrected in ((28, 25, 3), (30, 28, 2)):
        read_in(container, tmp_path, {"leave.md": leave.format(now)})
        assert job(Event())["corrected"] == corrected, "and then what was told"
        said = f"Annual leave is {was} days a year for everybody who works here."
        assert sorted(told) == [("C0GENERAL", said), ("D0ANA", said)]
        assert job(Event())["corrected"] == 0
        told.clear()


def test_a_reply_that_was_taken_away_is_left_alone(container: Container, tmp_path: Path) -> None:
    read_in(container, tmp_path, {"parking.md": PERMIT.format(40)})
    record = answered(container, person())
    read_in(container, tmp_path, {"parking.md": PERMIT.format(45)})
    [changed] = resting(container)
    assert changed == replace(changed, record=record, delivered=ALONE.channel)
    container.stores.audit_writer.append(
        AuditEvent(
            kind=EventKind.FOLDED,
            event_id=f"{record.audit_id}-folded",
            audit_id=record.audit_id,
            time=datetime.now(UTC),
        )
    )
    assert resting(container) == []


def test_a_list_that_names_a_document_rests_on_none_of_its_words(
    container: Container, tmp_path: Path
) -> None:
    read_in(container, tmp_path, {"parking.md": PERMIT.format(40)})
    listed = answered(container, person(), text="what documents do you have on parking?")
    assert [each.file for claim in listed.claims for each in claim.citations] == ["parking.md"]
    read_in(container, tmp_path, {"parking.md": PERMIT.format(45)})
    assert resting(container) == []


@pytest.mark.parametrize("written", [False, True], ids=["outline", "by a language model"])
def test_a_summary_is_corrected_where_a_rule_in_it_is_another_one_now(
    tmp_path: Path, *, written: bool
) -> None:
    then, now = (f"A parking permit costs {price} euros a year." for price in (40, 45))
    with ScriptedServer().running() as server:
        server.script = [
            Scripted(a_completion(an_answer(a_claim(each, "1.1")))) for each in (then, now)
        ]
        model = {
            "writer": "openai",
            "openai_api_key": SecretStr(KEY),
            "openai_base_url": Address(server.url),
        }
        container = Container(
            Settings(
                _env_file=None,  # type: ignore[call-arg]  # pydantic-settings' own
                home=tmp_path / "home",
                **(model if written else {}),  # type: ignore[arg-type]  # of several types
            )
        )
        with closing(container.stores.audit_writer):
            read_in(container, tmp_path, {"parking.md": PERMIT.format(40)})
            record = answered(container, person(), text="summarise the parking guide")
            assert record.writer.name.startswith("openai") is written
            read_in(container, tmp_path, {"parking.md": PERMIT.format(45)})
            again = asked_again(container, person())
            assert (again.followed.outcome, again.followed.old) == (
                CorrectionOutcome.CORRECTED,
                (then,),
            )
            assert again.now is not None
            assert now in again.now.reply
