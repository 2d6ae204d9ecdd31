"""Whoever manages a channel sets how questions are answered there, and nobody else does."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from front_desk import SOURCES, FrontDesk
from office import ANA, BEN, EVE, GENERAL, LOUNGE, Office
from slack_bolt import Ack
from slack_reading import words

from bot.access.channels import Channels, Widening
from bot.slack.channels import ChannelManager, source_option
from bot.slack.exchange import Answers, Stage
from bot.slack.inbox.kept import ChannelSettings
from bot.wording import channels as wording
from bot.wording.slack import REQUIRED

ASKED = "How long is the parental leave?"
TAKEN = ChannelSettings(Answers.SURE, frozenset({"notices"}), True, True, LOUNGE)


def filled_in(**changes: str) -> dict[str, dict[str, dict[str, Any]]]:
    """Everything chosen as `TAKEN` has it."""
    chosen = {"answers": "sure", "place": "beside", **changes}
    state: dict[str, dict[str, Any]] = {
        name: {"selected_option": {"value": value}} for name, value in chosen.items()
    }
    state["sources-0"] = {"selected_options": [{"value": source_option("notices")}]}
    state["outsiders"] = {"selected_options": [{"value": "outsiders"}]}
    state["person"] = {"selected_conversation": LOUNGE}
    return {name: {name: of_block} for name, of_block in state.items()}


def kept(inbox: Any, channel: str = GENERAL) -> ChannelSettings:
    settings: ChannelSettings = inbox.channel_settings.of(channel)
    return replace(settings, changed_by="", changed_at=None)


def opened_by(desk: FrontDesk, user: str, channel: str = GENERAL) -> dict[str, Any]:
    return desk.opens(lambda: desk.slack.command(user, channel, "/ask-settings"), user)


def test_a_manager_sets_how_a_channel_is_answered_and_reads_who_did_last(desk: FrontDesk) -> None:
    view = opened_by(desk, ANA)
    assert wording.UNCHANGED in str(view)
    assert desk.slack.submits(ANA, view["id"], filled_in()) == {}
    assert kept(desk.inbox) == TAKEN
    said = desk.slack.wait_for(lambda: desk.slack.messages(GENERAL, BEN))
    assert [words(each) for each in said] == [wording.now_answers("sure", ANA)]
    assert desk.inbox.channel_settings.of(GENERAL).ask_person == LOUNGE
    shown = str(opened_by(desk, ANA))
    assert f"Set by <@{ANA}>" in shown
    ticked = [{"text": {"type": "plain_text", "text": "notices", "emoji": False}}]
    assert f"'initial_options': [{{'text': {ticked[0]['text']}" in shown


def test_who_manages_none_hears_who_does_and_a_creator_sets_what_is_allowed(
    desk: FrontDesk,
) -> None:
    told = desk.told(lambda: desk.slack.command(BEN, LOUNGE, "/ask-settings"), channel=LOUNGE)
    assert words(told) == wording.NOT_A_MANAGER
    view = opened_by(desk, EVE, LOUNGE)
    assert wording.UNASKED_NOT_ALLOWED in str(view), "no list says who reads this channel"
    assert desk.slack.submits(EVE, view["id"], filled_in()) == {"answers": REQUIRED}
    assert desk.slack.submits(EVE, view["id"], filled_in(answers="mentioned")) == {}
    assert kept(desk.inbox, LOUNGE) == replace(TAKEN, answers=Answers.MENTIONED)


@pytest.mark.parametrize("user", [BEN, EVE])
def test_a_forged_form_changes_nothing(office: Office, user: str) -> None:
    manager = ChannelManager(office.rules, lambda _: SOURCES, office.clock)
    ack = Ack()
    body = {"user": {"id": user}}
    form = {"private_metadata": GENERAL, "state": {"values": filled_in()}}
    manager.keep(ack, body, office.client, form)
    assert office.bot_said() == []
    assert wording.NOT_A_MANAGER in str(ack.response and ack.response.body)
    assert kept(office.inbox) == ChannelSettings()


def test_nobody_turns_on_what_the_operator_forbids_there_or_everywhere(office: Office) -> None:
    store = office.inbox.channel_settings
    for channel in (GENERAL, LOUNGE):
        store.keep(channel, TAKEN, ANA, office.clock())
    assert office.rules.of(LOUNGE).answers is Answers.MENTIONED, "it is not listed"
    there = Channels({GENERAL: {}}, forbidden={GENERAL: frozenset(Widening)})
    for rules in (
        replace(office.rules, listed=lambda: there),
        replace(office.rules, forbidden=frozenset(Widening)),
    ):
        held = rules.of(GENERAL)
        assert (held.answers, held.outsiders) == (Answers.MENTIONED, False)
        assert held.sources == TAKEN.sources
        manager = ChannelManager(rules, lambda _: SOURCES, office.clock)
        ack = Ack()
        form = {"private_metadata": GENERAL, "state": {"values": filled_in()}}
        manager.keep(ack, {"user": {"id": ANA}}, office.client, form)
        assert kept(office.inbox) == replace(TAKEN, answers=Answers.MENTIONED, outsiders=False)


def described_as(office: Office, monkeypatch: pytest.MonkeyPatch, **of_user: object) -> None:
    """Slack says this of everybody."""
    profile: Mapping[str, object] = {"email": "eve@westhill.test", "real_name": "Eve"}
    user = {"id": EVE, "team_id": "T0LOCAL", "profile": profile, **of_user}
    monkeypatch.setattr(office.client, "users_info", lambda **_: {"user": user})


@pytest.mark.parametrize("of_user", [{"is_admin": True}, {"is_owner": True}])
def test_administrators_of_the_workspace_manage_every_channel_unless_they_are_of_another(
    office: Office, monkeypatch: pytest.MonkeyPatch, of_user: dict[str, object]
) -> None:
    described_as(office, monkeypatch, **of_user)
    assert office.rules.may_change(GENERAL, EVE)
    described_as(office, monkeypatch, **of_user, team_id="T0OTHER")
    assert not office.rules.may_change(GENERAL, BEN)


def test_whom_channels_yaml_names_manages_that_channel_alone(office: Office) -> None:
    listed = Channels({GENERAL: {}}, managers={GENERAL: frozenset({BEN, EVE})})
    rules = replace(office.rules, listed=lambda: listed)
    assert rules.may_change(GENERAL, BEN)
    assert not rules.may_change(LOUNGE, BEN)
    assert rules.may_change(GENERAL, EVE)


def test_outsiders_are_told_why_they_are_not_answered_until_a_manager_allows_it(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    office.say(EVE, ASKED, shared=True)
    described_as(office, monkeypatch, team_id="T0OTHER")
    assert office.step(Stage.PLACEHOLDER).stage is Stage.DONE
    [told] = office.whispered(EVE)
    assert words(told) == wording.TURNED_AWAY
    assert office.bot_said() == []
    office.inbox.channel_settings.keep(GENERAL, TAKEN, ANA, office.clock())
    office.say(EVE, ASKED, shared=True)
    assert office.step(Stage.PLACEHOLDER).stage is Stage.ANSWERING


def test_a_channel_is_answered_from_chosen_sources_and_a_person_from_all(office: Office) -> None:
    office.inbox.channel_settings.keep(GENERAL, TAKEN, ANA, office.clock())
    for channel in (GENERAL, LOUNGE, office.direct(BEN)):
        office.say(BEN, ASKED, channel=channel)
        office.step(Stage.PLACEHOLDER)
        office.step(Stage.ANSWERING)
        office.step(Stage.POSTING)
    assert [each.sources for each in office.answers.asked] == [("notices",), (), ()]


def test_a_reply_beside_stands_in_the_channel_with_the_question_and_a_thread_under_it_goes_on(
    office: Office,
) -> None:
    office.say(BEN, ASKED, beside=True)
    done = office.reach(Stage.POSTING)
    [reply] = office.bot_said()
    assert "thread_ts" not in reply
    assert ASKED in words(reply)
    follow_up = replace(
        office.say(ANA, "unheard", channel=LOUNGE),
        key="follow-up",
        user=BEN,
        channel=GENERAL,
        thread=done.placeholder,
        text="And for part-timers?",
    )
    office.reach(Stage.ANSWERING)
    assert office.inbox.follow_up(follow_up, office.clock()).stored
    office.reach(Stage.ANSWERING)
    assert office.answers.asked[-1].previous == (ASKED,)
