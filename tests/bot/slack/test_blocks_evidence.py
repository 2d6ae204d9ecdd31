"""What stands behind a reply, in words and pictures, for whoever presses the button."""

from typing import Any

import pytest
from at_length import fewer
from block_records import (
    AUDIT_ID,
    HOSTILE,
    NOON,
    a_candidate,
    a_citation,
    a_claim,
    a_contradiction,
    a_record,
    an_abstention,
    markup,
    read,
    sent,
    unseen,
    wild_records,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from slack_reading import everything

from audit.record import (
    AuditEvent,
    AuditRecord,
    CandidateScores,
    Confidence,
    Decision,
    EventKind,
    TokenUsage,
)
from audit.values import ClaimKind, PersonRecord, Prevails, Status
from bot.access.reading import RecordView
from bot.slack.admin import audit_record
from bot.slack.blocks.elements import View
from bot.slack.blocks.evidence import (
    MOST_PICTURES,
    NumbersButton,
    Pictures,
    evidence,
    numbers,
    place_key,
    to_be_pictured,
)
from bot.wording import ANOTHER_DAY, DOUBTFUL
from bot.wording.evidence import PICTURES_LEFT_OUT
from bot.workspace.block_kit.validation import view_problems

NOBODYS: frozenset[str] = frozenset()
TEXTS = {"p-Leave": "Parents get 14 weeks. They may be split."}


def shown(record: AuditRecord, withheld: frozenset[str] = NOBODYS) -> str:
    return read(evidence(record, withheld)["blocks"])


def counted(record: AuditRecord, withheld: frozenset[str] = NOBODYS) -> str:
    return read(numbers(record, TEXTS, withheld)["blocks"])


WHOLE = a_record(
    question="And pay?",
    standalone_question="How much leave: And pay?",
    claims=(
        a_claim("Parents have 14 weeks."),
        a_claim("14 weeks it is.", a_citation("Pay"), copied=True),
    ),
    dropped=(a_claim("It is 20 weeks.", status=Status.UNSUPPORTED),),
    contradictions=(a_contradiction(Prevails.NEWER),),
    candidates=(
        *(a_candidate(f"Other{n}", used=False) for n in range(9)),
        *(a_candidate(), a_candidate("Old")),
    ),
    imagined_passage="Leave is\n30 weeks.",
    latency_ms={"imagine": 812.4, "total": 2000.0},
    tokens_by_stage={"imagine": TokenUsage(prompt=60, completion=20)},
)
IMAGINED = [
    "Imagined to search with: Leave is 30 weeks.",
    "Imagining took: 812 ms, 60 + 20 tokens (prompt + completion)",
]
SCORES = "relevance 0.93 · similarity (cosine) 0.61 · rank by similarity 3"
GONE = "(This passage no longer stands in the library.)"


def test_behind_a_reply_stand_its_claims_with_quotes_and_why_it_is_sure_and_what_was_left_out() -> (
    None
):
    assert shown(WHOLE).splitlines() == [
        ":white_check_mark: *Answered from your documents* · 91% sure",
        "And pay?",
        "Understood as: How much leave: And pay?",
        "What the reply says",
        *("Parents have 14 weeks.", "The source says so."),
        *("[1] Leave · lines 10-12 (Parental)", "Parents get 14 weeks."),
        *("14 weeks it is.", "Copied word for word from the source."),
        "[2] Pay · lines 10-12 (Parental)",
        "How sure it is",
        "I'm sure of it: the passages fit the question well, and each sentence was checked "
        "against its source.",
        "Sources disagree (14 weeks / 10 weeks):",
        "“Parents get 14 weeks.” (Leave, university, from 2025-01-01)",
        "“Parents get 10 weeks.” (Old, university, from 2020-01-01)",
        "The first holds here: it is the newer one.",
        "Dropped: not in the reply",
        *("It is 20 weeks.", "The source does not say so.", "Leave · lines 10-12 (Parental)"),
        "Numbers",
        f"Audit {AUDIT_ID}",
    ]
    assert "Understood as" not in shown(a_record())
    assert "How sure it is\nI am not sure that this answers" in shown(an_abstention())


def test_the_numbers_are_every_score_that_there_is_each_explained() -> None:
    assert counted(WHOLE).splitlines() == [
        "confidence 0.91 is at least 0.85",
        "Retrieval, how well the passages fit the question: 90%",
        "Coverage, the share of the question that is answered: 100%",
        "Entailment, that the passages say what the answer says: 97%",
        "Consistency, that several runs agree: not measured",
        "Overall, the probability that the answer is right: 91%",
        *IMAGINED,
        "Claims",
        *("Parents have 14 weeks.", "VERIFIED: the source says so, score 0.97"),
        *("14 weeks it is.", "VERIFIED: the source says so, score 0.97"),
        *("It is 20 weeks.", "UNSUPPORTED: the source does not say so, score 0.97"),
        "Passages read for it",
        *("Leave, page 2", SCORES, TEXTS["p-Leave"]),
        *("old.md, page 2", SCORES, GONE),
        "Nearest of the others",
        *(line for n in range(5) for line in (f"other{n}.md, page 2", SCORES, GONE)),
        f"Audit {AUDIT_ID}",
    ]
    withheld = counted(WHOLE, frozenset({"d-Leave"})).splitlines()
    assert [line for line in withheld if line in IMAGINED] == IMAGINED, "no document says it"
    assert "Imagin" not in counted(a_record())


def test_each_sentence_stands_once() -> None:
    marked = a_citation(quote="**Parents** get 14 weeks.")
    copied = a_record(claims=(a_claim("Parents get 14 weeks.", marked, copied=True),))
    assert "**Parents**" not in shown(copied)
    two = a_record(claims=(a_claim("They have 14."), a_claim("14 weeks it is.")))
    for record in (copied, two, a_record()):
        assert shown(record).count("Parents get 14 weeks.") == 1
        assert "[1] Leave · lines 10-12 (Parental)" in shown(record)
    fell = a_claim("Parking is free.", copied=True)
    assert shown(an_abstention(dropped=(fell,))).count("Parking is free.") == 1


def test_what_came_close_is_shown_to_whom_may_read_it() -> None:
    assert "The closest I found\nParking is free.\nParking · page 3" in shown(an_abstention())
    assert "Parking" not in shown(an_abstention(), frozenset({"d-Parking"}))


def test_what_holds_over_a_rule_is_no_hint_at_what_somebody_may_not_read() -> None:
    [own] = an_abstention().nearest
    general = own.model_copy(update={"document_id": "d-Other", "overridden": True, "text": "No."})
    record = an_abstention(nearest=(own, general))
    assert "holds in its place" in shown(record)
    assert "holds in its place" not in shown(record, frozenset({"d-Parking"}))


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        (
            {"confidence": Confidence(retrieval=0.6, entailment=0.9, overall=0.7)},
            "I'm not sure of it, for the passages may be about something else than what was asked",
        ),
        (
            {"confidence": Confidence(retrieval=0.9, entailment=0.6, overall=0.7)},
            "I'm not sure of it, for the sources do not say it in so many words",
        ),
        (
            {"confidence": Confidence(retrieval=0.9, consistency=0.3, overall=0.7)},
            "I'm not sure of it, for when I tried again, I did not say the same",
        ),
        ({"missing": ("its price",)}, "A part of the question has no answer"),
        ({"reasons": (ANOTHER_DAY,)}, "Another rule holds on the day that you asked about"),
        ({"reasons": (DOUBTFUL,)}, "It has a value, or holds on a condition, that I do not know"),
    ],
)
def test_an_answer_that_is_not_whole_or_sure_says_why(changes: dict[str, Any], why: str) -> None:
    assert f"How sure it is\n{why}" in shown(a_record(decision=Decision.PARTIAL, **changes))


def test_why_it_is_sure_is_no_hint_at_what_somebody_may_not_read() -> None:
    assert "How sure it is" not in shown(a_record(), frozenset({"d-Leave"}))


def test_numbers_are_folded_behind_a_button_that_knows_where_the_reply_stands() -> None:
    view = evidence(a_record(), NOBODYS, "C1")
    text = read(view["blocks"])
    assert not [each for each in ("0.97", "BM25", "90%", "cosine") if each in text]
    [value] = [each for each in everything(view["blocks"], "value") if "C1" in each]
    assert NumbersButton.unpacked(value) == NumbersButton(AUDIT_ID, "C1")


def test_of_an_older_record_what_was_imagined_is_shown_and_of_a_refusal_what_it_cost() -> None:
    older = counted(a_record(imagined_passage="Leave is 30 weeks."))
    assert "Imagined to search with: Leave is 30 weeks.\n" in older
    assert "Imagining took" not in older
    refused = counted(a_record(latency_ms={"imagine": 812.4}))
    assert "Imagining took: 812 ms\n" in refused
    assert "Imagined to search with" not in refused


def test_that_pictures_are_left_out_is_said_where_there_would_be_some() -> None:
    def said(withheld: frozenset[str]) -> bool:
        view = evidence(a_record(), withheld, pictures_left_out=True)
        return PICTURES_LEFT_OUT in read(view["blocks"])

    assert said(frozenset())
    assert not said(frozenset({"d-Leave"})), "nor does it hint at what is withheld"


def test_a_contradiction_is_not_shown_to_whoever_may_read_one_side_alone() -> None:
    disagreed = a_record(contradictions=(a_contradiction(Prevails.NEWER),))
    for withheld in ("d-Old", "d-Leave"):
        text = shown(disagreed, frozenset({withheld}))
        assert "10 weeks" not in text
        assert "disagree" not in text


def test_of_what_is_shown_as_contradicting_it_is_not_said_again_that_another_comes_before() -> None:
    older = a_candidate("Old", overridden_by="p-Leave", used=False)
    for contradictions in ((), (a_contradiction(Prevails.NEWER),)):
        record = a_record(candidates=(a_candidate(), older), contradictions=contradictions)
        assert ("comes before" in shown(record)) is (not contradictions)


def test_somebody_who_may_not_read_a_source_is_told_that_there_is_one_and_no_more() -> None:
    withheld = frozenset({"d-Leave"})
    assert "One source is not shown to you." in shown(a_record(), withheld)
    for text in (shown(a_record(), withheld), counted(a_record(), withheld)):
        assert "Parents" not in text
        assert "Leave" not in text


def test_of_a_claim_with_two_sources_the_readable_one_is_shown_without_the_claim() -> None:
    claim = a_claim("It is 14 and 2.", a_citation("Leave"), a_citation("Pay", quote="It is 2."))
    text = shown(a_record(claims=(claim,)), frozenset({"d-Leave"}))
    assert "[2] Pay · lines 10-12" in text
    assert "It is 2." in text
    assert "It is 14 and 2." not in text


def test_what_was_dropped_is_shown_unless_it_may_be_from_what_is_withheld() -> None:
    dropped = a_claim("It is 20 weeks.", a_citation("Pay"))
    of_secret = a_claim("It is 30 weeks.", a_citation("Secret"), status=Status.UNSUPPORTED)
    withheld = frozenset({"d-Secret"})
    for among, drafted, is_shown in (
        ((a_candidate("Pay"), a_candidate("Secret", used=False)), (dropped,), True),
        ((a_candidate("Pay"), a_candidate("Secret")), (dropped,), False),
        ((a_candidate("Pay"),), (dropped, of_secret), False),
    ):
        record = a_record(candidates=among, dropped=drafted)
        for text in (shown(record, withheld), counted(record, withheld)):
            assert ("It is 20 weeks." in text) is is_shown
            assert "It is 30 weeks." not in text


OWN = "“Leave” comes before “university.md”: it is the rule of the reader's own unit."
NEWER = "“Leave” is newer than “Copy”, which says the same."


def test_why_a_source_was_cited_before_another_is_told_of_what_may_be_read() -> None:
    def scored(hierarchy: float, recency: float) -> CandidateScores:
        return CandidateScores(hierarchy=hierarchy, recency=recency)

    record = a_record(
        claims=(a_claim("14 weeks.", a_citation(), a_citation("Copy", also=True)),),
        candidates=(
            a_candidate(scores=scored(50, 12)),
            a_candidate("University", scores=scored(20, 14), overridden_by="p-Leave", used=False),
            a_candidate("Copy", scores=scored(50, 3), used=False),
        ),
    )
    said = shown(record)
    assert OWN in said
    assert NEWER in said
    assert "university" not in shown(record, frozenset({"d-University"}))
    withheld = shown(record, frozenset({"d-Leave"}))
    assert "comes before" not in withheld
    assert "newer" not in withheld


def test_a_rule_that_prevails_is_not_hinted_at_where_it_may_not_be_read() -> None:
    weaker = a_candidate("Weaker", used=False, overridden_by="p-Secret")
    record = a_record(candidates=(a_candidate("Secret"), weaker))
    assert "overridden" in counted(record)
    assert "overridden" not in counted(record, frozenset({"d-Secret"}))


DOCUMENTS = ("A", "B", "C")
TOKEN = "XSECRETX"


def _about(document: str, withheld: frozenset[str]) -> str:
    return f"{TOKEN} of {document}" if f"d-{document}" in withheld else f"words of {document}"


@st.composite
def records_partly_withheld(draw: st.DrawFn) -> tuple[AuditRecord, frozenset[str]]:
    """Everything that comes from a withheld document, or may, has the token in it."""
    withheld = frozenset(f"d-{name}" for name in draw(st.sets(st.sampled_from(DOCUMENTS))))
    used = draw(st.sets(st.sampled_from(DOCUMENTS), min_size=1))
    tainted = not withheld.isdisjoint(f"d-{name}" for name in used)
    may_be = f"{TOKEN} blended" if tainted else "clean"

    def citation(name: str) -> Any:
        text = _about(name, withheld)
        link = f"https://x.example/{text.replace(' ', '-')}"
        return a_citation(name, title=text, file=text, quote=text, link=link)

    def claim(*, dropped: bool) -> Any:
        cited = draw(st.lists(st.sampled_from(sorted(used)), max_size=3))
        status = draw(st.sampled_from(Status)) if dropped else Status.VERIFIED
        copied = any(f"d-{name}" in withheld for name in cited)
        text = f"{TOKEN} copied" if copied else (may_be if dropped or not cited else "clean")
        citations = tuple(citation(name) for name in cited)
        kind = draw(st.sampled_from(ClaimKind))
        changes = {"kind": kind, "reasoning": may_be, "citations": citations, "status": status}
        return a_claim(text, **changes)

    candidates = tuple(
        a_candidate(name, file=_about(name, withheld), used=name in used) for name in DOCUMENTS
    )
    record = a_record(
        claims=tuple(claim(dropped=False) for _ in range(draw(st.integers(0, 4)))),
        dropped=tuple(claim(dropped=True) for _ in range(draw(st.integers(0, 3)))),
        candidates=candidates,
    )
    return record, withheld


@given(records_partly_withheld())
def test_of_what_is_withheld_nothing_is_shown(drawn: tuple[AuditRecord, frozenset[str]]) -> None:
    record, withheld = drawn
    passages = {f"p-{name}": _about(name, withheld) for name in DOCUMENTS}
    for view in (evidence(record, withheld), numbers(record, passages, withheld)):
        assert TOKEN not in sent(view)
        assert not any(document in sent(view) for document in withheld)


def assert_slack_takes(view: View) -> None:
    assert view_problems(view) == []
    assert len(sent(view).encode()) < 150_000
    assert all(each["verbatim"] and "<" not in each["text"] for each in markup(view["blocks"]))
    types = set(everything(view["blocks"], "type"))
    assert types.isdisjoint({"user", "usergroup", "broadcast"})
    assert not unseen(view["blocks"])
    assert "BM25 " not in read(view["blocks"]).replace("rank by BM25 ", "")


@pytest.mark.exhaustive
@pytest.mark.slow
@given(wild_records, st.dictionaries(st.sampled_from(["p-1", "p-2"]), st.text()), st.booleans())
def test_whatever_documents_say_slack_takes_the_evidence(
    record: AuditRecord, passages: dict[str, str], withhold: bool
) -> None:
    withheld = {each.document_id for each in record.candidates[:1] if withhold}
    assert_slack_takes(evidence(record, frozenset(withheld), "C1"))
    assert_slack_takes(numbers(record, passages, frozenset(withheld)))


@pytest.mark.exhaustive
@pytest.mark.slow
@given(wild_records, st.integers(0, 60))
def test_whatever_documents_say_slack_takes_the_exchange(record: AuditRecord, count: int) -> None:
    event = AuditEvent(
        kind=EventKind.FEEDBACK,
        event_id="e-1",
        audit_id=AUDIT_ID,
        time=NOON,
        person=PersonRecord(id=record.person.id),
        text=record.question,
        details={"value": record.reply},
    )
    assert_slack_takes(audit_record(record, [event] * count, 2**60, "sha256:" + "0" * 64))


def all_pictures(record: AuditRecord) -> Pictures:
    """One of every place that the record names, also of those that nobody may see."""
    cited = [each for claim in (*record.claims, *record.dropped) for each in claim.citations]
    return {place_key(each): f"F0PICTURE{number}" for number, each in enumerate(cited)}


def images(record: AuditRecord, withheld: frozenset[str] = NOBODYS) -> list[dict[str, Any]]:
    view = evidence(record, withheld, None, all_pictures(record))
    assert view_problems(view) == []
    return [block for block in view["blocks"] if block["type"] == "image"]


def test_a_picture_stands_under_its_claim_with_its_place_and_the_quote_for_those_who_hear() -> None:
    record = a_record()
    view = evidence(record, NOBODYS, None, all_pictures(record))
    kinds = [block["type"] for block in view["blocks"]]
    at = kinds.index("image")
    assert kinds[at - 2 : at] == ["header", "rich_text"]
    picture = view["blocks"][at]
    assert picture["slack_file"] == {"id": "F0PICTURE0"}
    assert picture["alt_text"] == "Parents get 14 weeks."
    assert picture["title"]["text"] == "Leave, lines 10-12 (Parental)"


@given(st.text() | st.sampled_from(HOSTILE), st.sampled_from([1, 700]))
def test_whatever_is_quoted_a_picture_is_told_in_one_visible_line(piece: str, often: int) -> None:
    claim = a_claim("So it is.", a_citation(quote=f"Parents{piece * often}"))
    [picture] = images(a_record(claims=(claim,)))
    alternative = picture["alt_text"]
    assert alternative.startswith("Parents")
    assert unseen(alternative) == set()
    assert alternative.splitlines() == [alternative]
    assert len(alternative) <= 2_000


def test_without_pictures_the_modal_is_as_it_was() -> None:
    record = a_record()
    with_pictures = evidence(record, NOBODYS, None, all_pictures(record))
    words_alone = [block for block in with_pictures["blocks"] if block["type"] != "image"]
    assert evidence(record, NOBODYS)["blocks"] == words_alone


def test_what_is_withheld_has_no_picture_and_no_hint_of_one() -> None:
    both = a_claim("Two say so.", a_citation("Leave"), a_citation("Secret", quote="Ten weeks."))
    record = a_record(claims=(both, a_claim("Ten weeks.", a_citation("Secret"))))
    withheld = frozenset({"d-Secret"})
    assert [each.document_id for each in to_be_pictured(RecordView(record, withheld))] == [
        "d-Leave"
    ]
    shown = images(record, withheld)
    assert [each["alt_text"] for each in shown] == ["Parents get 14 weeks."]
    assert "Secret" not in str(evidence(record, withheld, None, all_pictures(record)))
    everything = frozenset({"d-Secret", "d-Leave"})
    assert to_be_pictured(RecordView(record, everything)) == []
    assert images(record, everything) == []


def test_what_was_dropped_is_not_pictured() -> None:
    dropped = a_claim("Ten.", a_citation("Old"), status=Status.UNSUPPORTED)
    record = a_record(dropped=(dropped,))
    assert [each.document_id for each in to_be_pictured(RecordView(record, NOBODYS))] == ["d-Leave"]
    assert len(images(record)) == 1


def test_a_place_that_two_claims_cite_is_pictured_once() -> None:
    record = a_record(claims=(a_claim("One."), a_claim("Two.")))
    assert len(to_be_pictured(RecordView(record, NOBODYS))) == len(images(record)) == 1


def test_only_the_first_few_are_pictured() -> None:
    claims = [a_claim(f"{n}.", a_citation(quote=f"Quote {n}.")) for n in range(9)]
    picked = to_be_pictured(RecordView(a_record(claims=tuple(claims)), NOBODYS))
    assert [each.quote for each in picked] == [f"Quote {n}." for n in range(MOST_PICTURES)]


@pytest.mark.slow
@settings(max_examples=fewer(2))
@given(wild_records)
def test_whatever_documents_say_slack_takes_the_modal_with_pictures(record: AuditRecord) -> None:
    images(record)
