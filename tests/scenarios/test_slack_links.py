"""Somebody posts the address of a citation: it shows what everyone who reads it there may read."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from slack_people import Somebody, rewrite
from slack_scene import GENERAL, STAFF, UNHURRIED, Reply, Scene, opened
from vouch_home import Home

from bot.answering.citations.links import CitedLinks
from bot.workspace.server import Workspace

BASE = "https://vouch.example.org"
SERVED = {
    "VOUCH_WEB_URL": BASE,
    "VOUCH_WEB_PORT": "0",
    "VOUCH_SLACK_CLIENT_ID": "1.2",
    "VOUCH_SLACK_CLIENT_SECRET": "secret",
}
LATE = "How late may I hand in coursework, and what does it cost me?"
EXAMINERS = "How many scripts are marked by a second examiner?"


@pytest.fixture(scope="module")
def scene(university: Home, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    with opened(university, tmp_path_factory.mktemp("links"), UNHURRIED, **SERVED) as scene:
        scene.workspace.allow_sign_in(f"{BASE}/sign-in/callback")
        yield scene


def address(reply: Reply, ref: int = 0) -> str:
    return CitedLinks(BASE, reply.record.audit_id).of_citation(0, ref)


def posts(scene: Scene, who: Somebody, channel: str, url: str) -> str:
    return scene.slack.says(who.user, channel, f"look: {url} ?")


def previews(scene: Scene, who: Somebody, channel: str, ts: str) -> list[Mapping[str, Any]]:
    message = next(m for m in scene.slack.messages(channel, who.user) if m["ts"] == ts)
    return list(message.get("previews") or ())


def shown(scene: Scene, who: Somebody, channel: str, ts: str) -> Mapping[str, Any]:
    found = scene.wait_for(lambda: previews(scene, who, channel, ts))
    assert len(found) == 1
    return found[0]


def details(scene: Scene, who: Somebody, channel: str, ts: str, url: str) -> Mapping[str, Any]:
    with scene.slack.page(who.user) as page:
        body = {"as": who.user, "channel": channel, "ts": ts, "url": url}
        scene.slack.post("previews/open", body)
        return page.next("details")


def test_an_address_shows_title_and_quote_where_everyone_may_read_them(scene: Scene) -> None:
    ana = scene.somebody("ana")
    reply = scene.reply_to(scene.mentions(ana, LATE))
    cited, url = reply.record.claims[0].citations[0], address(reply)
    ts = posts(scene, ana, GENERAL, url)
    preview = shown(scene, ana, GENERAL, ts)
    said = json.dumps(preview, ensure_ascii=False)
    assert preview["entity_payload"]["attributes"]["title"]["text"] == cited.title
    assert " ".join(cited.quote.split()) in said
    pane = details(scene, ana, GENERAL, ts, url)
    assert pane["metadata"]["url"] == url
    assert cited.place.in_words() in json.dumps(pane, ensure_ascii=False)


def test_what_not_everyone_may_read_shows_nothing_and_opens_by_who_opens_it(scene: Scene) -> None:
    staff, ana = scene.somebody("tomas"), scene.somebody("ana")
    reply = scene.reply_to(scene.writes(staff, EXAMINERS))
    cited, url = reply.record.claims[0].citations[0], address(reply)

    in_staff = posts(scene, staff, STAFF, url)
    preview = shown(scene, staff, STAFF, in_staff)
    assert preview["entity_payload"]["attributes"]["title"]["text"] == cited.title

    kept_from = [
        (GENERAL, url),
        (GENERAL, f"{url}?version=1"),
        (GENERAL, url.replace(reply.record.audit_id, reply.record.audit_id[:13])),
        (GENERAL, f"{BASE}/cited/{reply.record.audit_id}/99-1"),
        (scene.slack.direct(staff.user), url),
    ]
    posted = [(channel, posts(scene, staff, channel, each)) for channel, each in kept_from]
    seen = scene.reply_to(scene.mentions(ana, LATE))
    after = posts(scene, ana, GENERAL, address(seen))
    shown(scene, ana, GENERAL, after)  # one after another: those before were looked at
    for channel, ts in posted:
        assert previews(scene, staff, channel, ts) == []
    assert cited.title not in json.dumps(scene.slack.messages(GENERAL, ana.user))

    mine = details(scene, staff, STAFF, in_staff, url)
    assert mine["metadata"]["entity_payload"]["attributes"]["title"]["text"] == cited.title
    rewrite(scene.home, staff, programmes=[])
    scene.wait_for(
        lambda: details(scene, staff, STAFF, in_staff, url)["error"] == {"status": "not_found"}
    )


@pytest.mark.exhaustive
def test_where_no_work_object_is_taken_a_preview_of_blocks_stands(scene: Scene) -> None:
    ana = scene.somebody("ana")
    reply = scene.reply_to(scene.mentions(ana, LATE))
    workspace: Workspace = scene.workspace
    workspace.faults.refuse("chat.unfurl", "feature_not_enabled")
    ts = posts(scene, ana, GENERAL, address(reply))
    blocks = shown(scene, ana, GENERAL, ts)["blocks"]
    assert " ".join(reply.record.claims[0].citations[0].quote.split()) in json.dumps(
        blocks, ensure_ascii=False
    )
