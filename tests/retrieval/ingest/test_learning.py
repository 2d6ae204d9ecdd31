"""What readers confirmed leads to passages while it holds, whatever moment an ingest is killed."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from fakes import WordsEmbedder
from shelves import GUEST, Shelves

from retrieval.documents.port import LearnedKey
from retrieval.ingest.confirmed_questions import MOST, Confirmed, WithLearned, learn
from retrieval.ingest.expansion import WithoutAsked
from retrieval.ingest.report import Learned
from retrieval.ingest.rule_expansion import RuleExpansion
from retrieval.ports import EntryKind
from retrieval.types import AccessRule, Metadata, Scope

CLOSED = Metadata(access=AccessRule((("departments", ("hr",)),)))
HR = replace(GUEST, facets={"departments": frozenset({"hr"})})
ASKED = "badge replacement where"


class Readers:
    """In the place of the audit store."""

    def __init__(self) -> None:
        self.said: dict[LearnedKey, Confirmed] = {}

    def say(self, audit_id: str, question: str, passage_id: str, version: str = "1") -> None:
        document_id = passage_id.rpartition("-")[0]
        said = Confirmed(audit_id, question, document_id, version, passage_id)
        self.said[audit_id, passage_id] = said

    def confirmed(self) -> Mapping[LearnedKey, Confirmed]:
        return self.said

    def texts(self, audit_ids: Collection[str]) -> Mapping[str, str]:
        return {i: each.question for (i, _), each in self.said.items() if i in audit_ids}


class Learning(Shelves):
    def __init__(self, folder: Path) -> None:
        super().__init__(folder, RuleExpansion([EntryKind.QUESTION]))
        self.readers = Readers()
        expansion = WithLearned(self.stacks.expansion, self.library, self.readers.texts)
        self.stacks = replace(self.stacks, expansion=expansion)

    def learn(self) -> Learned:
        return learn(self.stacks, self.readers)

    def led_to(self, question: str, scope: Scope = GUEST) -> list[str]:
        vector = WordsEmbedder().embed([question])[0]
        found = self.index.nearest(vector, scope, 10, {EntryKind.QUESTION})
        return [match.passage_id for match in found if match.score > 0.99]


@pytest.fixture
def shelves(tmp_path: Path) -> Learning:
    shelves = Learning(tmp_path)
    shelves.add("desk", "Ask the front desk.", "It opens at nine.")
    return shelves


def test_a_confirmed_question_leads_to_its_passage_and_the_rules_questions_stay(
    shelves: Learning,
) -> None:
    shelves.readers.say("audit-1", ASKED, "desk-0")
    assert shelves.learn() == Learned(new=1)
    assert shelves.led_to(ASKED) == ["desk-0"]
    assert shelves.led_to("What are the rules for desk?") != []
    assert shelves.learn() == Learned()
    shelves.readers.said.clear()
    assert shelves.learn() == Learned(gone=1)
    assert shelves.led_to(ASKED) == []
    assert shelves.led_to("What are the rules for desk?") != []
    assert shelves.library.unsettled() == frozenset()


def test_what_changed_since_it_was_confirmed_is_not_learned(shelves: Learning) -> None:
    shelves.readers.say("audit-1", ASKED, "desk-0")
    shelves.add("desk", "Ask the back desk.")
    assert shelves.learn() == Learned()
    assert shelves.led_to(ASKED) == []


def test_what_stays_as_it_was_in_a_new_version_keeps_what_was_learned(shelves: Learning) -> None:
    shelves.readers.say("audit-1", ASKED, "desk-0")
    shelves.learn()
    shelves.add("desk", "Ask the front desk.", "It opens at ten.")
    assert shelves.led_to(ASKED) == ["desk-0"], "with the document, before anything is learned anew"
    assert shelves.learn() == Learned()


def test_a_passage_of_another_id_that_says_the_same_is_led_to_by_nothing_that_nobody_can_take_back(
    shelves: Learning,
) -> None:
    shelves.readers.say("audit-1", ASKED, "desk-0")
    shelves.learn()
    shelves.add("desk", "Come in.", "Ask the front desk.")
    assert shelves.led_to(ASKED) == []
    assert shelves.learn() == Learned(gone=1)
    assert shelves.led_to(ASKED) == []


def test_another_rule_holds_for_what_was_learned_as_soon_as_for_the_passage(
    shelves: Learning,
) -> None:
    shelves.readers.say("audit-1", ASKED, "desk-0")
    shelves.learn()
    shelves.add("desk", "Ask the front desk.", metadata=CLOSED)
    assert (shelves.led_to(ASKED), shelves.led_to(ASKED, HR)) == ([], ["desk-0"])


def test_a_question_whose_words_are_not_those_that_were_confirmed_leads_nowhere(
    shelves: Learning,
) -> None:
    shelves.readers.say("audit-1", ASKED, "desk-0")
    shelves.learn()
    shelves.readers.say("audit-1", "something else", "desk-0")
    shelves.stacks.embed_from_nothing(lambda *_: None)
    assert shelves.led_to(ASKED) == shelves.led_to("something else") == []


def test_one_passage_is_led_to_by_no_more_than_the_newest(shelves: Learning) -> None:
    for number in range(MOST + 5):
        shelves.readers.say(f"audit-{number:03}", f"question {number:03}", "desk-0")
    assert shelves.learn() == Learned(new=MOST + 5)
    [leads, _] = shelves.stacks.expansion.leads(list(shelves.library.all_passages()))
    learned = sorted(lead.text for lead in leads if lead.text.startswith("question"))
    assert learned == [f"question {number:03}" for number in range(5, MOST + 5)]


def test_in_a_measurement_what_was_learned_is_left_out_as_what_was_made(
    shelves: Learning,
) -> None:
    shelves.readers.say("audit-1", ASKED, "desk-0")
    shelves.learn()
    passages = list(shelves.library.all_passages())
    expansion = shelves.stacks.expansion
    [with_it, _] = expansion.leads(passages)
    [without, _] = WithoutAsked(expansion, [f"{ASKED.upper()}?"]).leads(passages)
    assert {lead.text for lead in with_it} - {lead.text for lead in without} == {ASKED}


@pytest.mark.parametrize("step", ["upsert", "retain"])
@pytest.mark.parametrize("takes_back", [False, True])
def test_killed_before_the_index_follows_the_next_one_finishes(
    shelves: Learning, monkeypatch: pytest.MonkeyPatch, step: str, takes_back: bool
) -> None:
    shelves.readers.say("audit-1", ASKED, "desk-0")
    if takes_back:
        shelves.learn()
        shelves.readers.said.clear()

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(shelves.index, step, killed)
        with pytest.raises(KeyboardInterrupt):
            shelves.learn()
    shelves.learn()
    assert shelves.led_to(ASKED) == ([] if takes_back else ["desk-0"])
    assert shelves.library.unsettled() == frozenset()
