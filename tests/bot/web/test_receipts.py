"""Who may open a citation may download a receipt of its reply, which opens what they see there."""

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from cited_shelf import ANA, BEN, CS, FOR_CS, FOR_HR, HANNA, ROOT, CitedShelf
from vouch_verify_program import load

from audit.erasure.erasing import Erasure, open_eraser
from audit.log import open_reader
from audit.proof.checkpoints import CheckpointFile, Notary, Signer
from audit.record import Decision
from audit.values import ClaimRecord, Status
from bot.access.people import Person
from bot.web.pages import CitationPages
from bot.wiring.audit import note_at_stop, receipt_of

verifier: Any = load()
SIGNER = Signer(bytes(range(32)))
NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)


class Kept:
    """Stands in for the container: the shelf's store, and a key."""

    def __init__(self, shelf: CitedShelf, folder: Path) -> None:
        from bot.settings import Settings

        self.settings = Settings(_env_file=None, home=folder)  # type: ignore[call-arg]  # pydantic-settings' own
        self.home = folder
        self.stores = self
        self.audit_reader = shelf.reader


def receipt(
    shelf: CitedShelf, audit_id: str, ref: str, reader: Person | None
) -> dict[str, Any] | None:
    kept: Any = Kept(shelf, shelf.folder)
    sent = CitationPages(shelf.citations, partial(receipt_of, kept)).receipt(audit_id, ref, reader)
    if sent is None:
        return None
    assert sent.headers["content-disposition"].startswith("attachment")
    made: dict[str, Any] = json.loads(bytes(sent.body))
    return made


def opened(made: Mapping[str, Any] | None) -> dict[str, Any]:
    assert made is not None
    found, checkpoint = verifier.check_receipt(made, verifier.Key(made["key"]))
    assert checkpoint.size >= made["index"] + 1
    names: dict[str, Any] = found
    return names


def test_who_asked_gets_what_they_were_told_and_can_check_it(shelf: CitedShelf) -> None:
    cited = shelf.cite(shelf.put("leave.md", "Leave is 14 weeks.", FOR_CS), "14 weeks")
    record = shelf.answer(cited, text="Leave is 14 weeks.", reply="Leave is 14 weeks. [1]")
    made = receipt(shelf, record.audit_id, "1-1", ANA)
    found = opened(made)
    assert found["question"] == record.question
    assert found["reply"] == "Leave is 14 weeks. [1]"
    assert found["claims/1"] == {"text": "Leave is 14 weeks.", "status": "VERIFIED"}
    assert found["claims/1/citations/1"]["quote"] == "Leave is 14 weeks."
    assert found["claims/1/citations/1/judged"].keys() == {"status", "score"}
    assert {"entry", "person"}.isdisjoint(found)
    assert made is not None
    text = json.dumps(made)
    hidden = (ANA.name, "candidates", "relevance", "logit", "C0CS", shelf.reader.head()[1])
    assert [each for each in hidden if each in text] == []
    for forged in (
        {**made, "index": made["index"] + 1},
        {**made, "opened": [[each[0], "reply", "16 weeks"] for each in made["opened"]]},
        {**made, "opened": [*made["opened"], made["opened"][0]]},
        {**made, "checkpoint": made["checkpoint"].replace("time 2", "time 1")},
        {**made, "proof": [*made["proof"], made["proof"][0]] if made["proof"] else ["AAAA"]},
    ):
        with pytest.raises(verifier.Broken):
            verifier.check_receipt(forged, verifier.Key(made["key"]))


def test_another_persons_receipt_is_not_there_as_their_citation_is_not(shelf: CitedShelf) -> None:
    """Of a document that Hanna may not read neither page nor receipt is, nor is one forged."""
    secret = shelf.cite(shelf.put("salary.md", "Salaries rise by 3%.", FOR_CS), "3%")
    record = shelf.answer(secret, reply="Salaries rise by 3%.")
    for ref in ("1-1", "1-2", "2-1", "n1", "d1-1", "../1-1", ""):
        assert receipt(shelf, record.audit_id, ref, HANNA) is None
        assert receipt(shelf, record.audit_id, ref, None) is None
    assert receipt(shelf, record.audit_id[:20], "1-1", ANA) is None
    assert opened(receipt(shelf, record.audit_id, "1-1", ANA))


def test_who_came_by_a_link_gets_the_citation_and_not_what_was_asked(shelf: CitedShelf) -> None:
    """Ben may read the document, and was not there when Ana asked in private."""
    cited = shelf.cite(shelf.put("leave.md", "Leave is 14 weeks.", FOR_CS), "14 weeks")
    record = shelf.answer(cited, question="Am I dismissed?", reply="No. Leave is 14 weeks.")
    found = opened(receipt(shelf, record.audit_id, "1-1", BEN))
    assert found.keys() == {"audit_id", "kind", "time", "claims/1/citations/1"}
    assert {"status", "score"}.isdisjoint(found["claims/1/citations/1"])
    in_channel = shelf.answer(cited, question="How long is leave?", channel=CS)
    found = opened(receipt(shelf, in_channel.audit_id, "1-1", BEN))
    assert "claims/1" in found
    assert {"question", "reply"}.isdisjoint(found), "what the pages show him, and no more"
    assert "question" in opened(receipt(shelf, in_channel.audit_id, "1-1", ANA))


def test_what_is_withheld_today_is_not_opened_and_is_not_counted(shelf: CitedShelf) -> None:
    leave = shelf.put("leave.md", "Leave is 14 weeks.", FOR_CS)
    pay = shelf.put("pay.md", "Pay goes on for 6 weeks.", FOR_CS)
    claims = [
        ClaimRecord(text=text, status=Status.VERIFIED, citations=(shelf.cite(document, words),))
        for text, document, words in (("Leave: 14.", leave, "14"), ("Pay: 6 weeks.", pay, "6"))
    ]
    record = shelf.answer(claims=claims, decision=Decision.ANSWER, reply="Leave: 14. Pay: 6 weeks.")
    before = receipt(shelf, record.audit_id, "1-1", ANA)
    assert {"reply", "claims/2", "claims/2/citations/1"} <= opened(before).keys()
    shelf.put("pay.md", "Pay goes on for 6 weeks, for some.", FOR_HR)
    after = receipt(shelf, record.audit_id, "1-1", ANA)
    found = opened(after)
    assert {"question", "claims/1", "claims/1/citations/1"} <= found.keys()
    assert {"reply", "claims/2", "claims/2/citations/1"}.isdisjoint(found)
    assert after is not None
    assert "Pay goes on" not in json.dumps(after)
    assert "6 weeks" not in json.dumps(after)
    assert len(after["leaf"]["commitments"]) == 16


def test_a_reply_that_cites_nothing_has_a_receipt_for_whoever_was_told_it(
    shelf: CitedShelf,
) -> None:
    asked = "When does the moon base open?"
    record = shelf.left_open(asked, channel="D0ANA", reply="I don't know.")
    found = opened(receipt(shelf, record.audit_id, "reply", ANA))
    assert {"audit_id", "kind", "time", "question"} <= found.keys()
    assert (found["question"], found["reply"]) == (asked, "I don't know.")
    assert opened(receipt(shelf, record.audit_id, "reply", ROOT)) == found


def test_of_what_somebody_was_told_alone_nobody_else_gets_a_receipt(shelf: CitedShelf) -> None:
    """Not who may read the same, not a guest, not by a beginning of the id, not what was erased."""
    elsewhere = replace(ROOT, id="T0OTHER//root")
    for channel in ("D0ANA", "", "C0UNLISTED"):
        record = shelf.left_open("Am I dismissed?", channel=channel)
        for other in (BEN, HANNA, None, elsewhere):
            assert receipt(shelf, record.audit_id, "reply", other) is None
        assert receipt(shelf, record.audit_id[:20], "reply", ANA) is None
    here = shelf.left_open("When is the library open?", channel=CS)
    found = opened(receipt(shelf, here.audit_id, "reply", BEN))
    assert {"question", "reply"}.isdisjoint(found), "as by a link to a citation"
    assert receipt(shelf, here.audit_id, "reply", HANNA) is None
    assert receipt(shelf, "nothing", "reply", ROOT) is None
    eraser = open_eraser(f"sqlite:///{shelf.folder / 'audit.sqlite'}")
    eraser.erase("ana", Erasure("dpo", "Asked for", NOW))
    for reader in (ANA, ROOT):
        assert receipt(shelf, here.audit_id, "reply", reader) is None


def test_a_receipt_has_a_checkpoint_made_for_it_once(shelf: CitedShelf) -> None:
    cited = shelf.cite(shelf.put("leave.md", "Leave is 14 weeks."), "14 weeks")
    first, second = shelf.answer(cited), shelf.answer(cited)
    notes = CheckpointFile(shelf.folder / "audit-checkpoints.txt")
    made = [receipt(shelf, each.audit_id, "1-1", ANA) for each in (second, first, second)]
    assert [each["index"] for each in made if each] == [1, 0, 1]
    assert len(notes.all()) == 1
    shelf.answer(cited)
    with open_reader(f"sqlite:///{shelf.folder / 'audit.sqlite'}") as reader:
        office = Notary(SIGNER, notes, reader.tree_head, lambda: NOW)
        assert office.newest() is None, "those of another key are not its own"
        assert office.note() == office.note(at_least=2)
    assert [each.size for each in notes.all()] == [2, 3]


def test_a_key_that_cannot_be_read_is_said_by_a_bot_that_stops(shelf: CitedShelf) -> None:
    (shelf.folder / "audit.key").write_text("not a key")
    said = note_at_stop(Kept(shelf, shelf.folder))  # type: ignore[arg-type]  # as much of a container as it reads
    assert "cannot be read or made" in said


def test_the_page_leads_to_the_receipt(shelf: CitedShelf) -> None:
    cited = shelf.cite(shelf.put("leave.md", "Leave is 14 weeks."), "14 weeks")
    record = shelf.answer(cited)
    page = CitationPages(shelf.citations, lambda *_: "{}").page(record.audit_id, "1-1", ANA, {}, "")
    assert page is not None
    assert b'href="1-1/receipt.json"' in page.body
