"""What is cut, what stands in place of a reply, and where a reply's marks and sources lead."""

import re
from typing import Any

import pytest
from block_records import (
    AUDIT_ID,
    a_citation,
    a_claim,
    a_contradiction,
    a_record,
    an_abstention,
    markup,
    read,
    texts,
)
from hypothesis import given
from hypothesis import strategies as st

from audit.places import Place
from audit.record import AuditRecord
from audit.values import Prevails
from bot.answering.citations.links import opening_here
from bot.slack import clicks
from bot.slack.blocks.elements import clean, cut_middle, ends, fit, in_line, spoken, trimmed, weight
from bot.slack.blocks.evidence import evidence
from bot.slack.blocks.reply import reply
from bot.slack.blocks.system_messages import Trouble, help_message, placeholder, trouble
from bot.workspace.block_kit.validation import problems


def inside(text: str) -> int:
    return weight(text) - 2


@given(texts, st.integers(3, 4_000))
def test_what_is_cut_is_light_enough_and_keeps_its_ends(text: str, most: int) -> None:
    words = clean(text)
    cut = cut_middle(words, most)
    assert inside(cut) <= most
    if cut == words:
        return
    beginning, _, end = cut.partition("…")
    assert words.startswith(beginning)
    assert words.endswith(end)


@given(texts, st.integers(3, 4_000))
def test_what_is_light_enough_stays_whole(text: str, extra: int) -> None:
    words = clean(text)
    assert cut_middle(words, inside(words) + extra) == words


def test_a_cut_leaves_accents_and_emoji_whole() -> None:
    accents = cut_middle("e\u0301" * 50, 40)
    assert "…\u0301" not in accents
    assert "e…" not in accents
    family = "👩‍👩‍👧‍👦"
    beginning, _, end = cut_middle(family * 20, 200).partition("…")
    assert beginning == family * beginning.count("👦")
    assert not end.startswith("\u200d")


@given(st.lists(texts, max_size=30), st.integers(0, 9_000))
def test_only_the_longest_are_cut_to_fit(many: list[str], room: int) -> None:
    fitted = fit(many, room)
    assert len(fitted) == len(many)
    assert sum(map(inside, fitted)) <= max(room, 3 * len(many))
    lines = [in_line(each, 10**6) for each in many]
    if sum(map(inside, lines)) <= room:
        assert fitted == lines


def test_short_ones_are_whole_beside_a_long_one() -> None:
    short, long = fit(["Yes.", "no " * 1_000], 200)
    assert short == "Yes."
    assert 150 < inside(long) <= 196


@given(texts)
def test_nothing_shown_is_empty_or_invisible(text: str) -> None:
    for words in (trimmed(text, 100), in_line(text, 100)):
        assert words.strip()
        assert not set(words) & set("\x00\x07\u202e\u2066")
    assert "\n" not in in_line(text, 100)


def test_top_level_text_is_escaped_and_pings_nobody() -> None:
    assert spoken("a < b & <!channel> @here") == "a &lt; b &amp; &lt;!channel&gt; @\u2060here"


def test_the_first_and_the_last_are_kept() -> None:
    shown = ends(range(10), 6)
    assert (shown.first, shown.omitted, shown.last) == ((0, 1, 2, 3), 4, (8, 9))
    assert ends([1, 2], 6).kept == (1, 2)


def waiting(*, ahead: int = 0, slowed: int = 0, quoted: bool = False) -> str:
    message = placeholder(7, "How late?", quoted=quoted, ahead=ahead, slowed_seconds=slowed)
    return read(message.blocks)


def test_the_question_was_heard_and_how_many_are_before_it() -> None:
    assert waiting() == ":hourglass_flowing_sand: Reading the documents…"
    assert waiting(ahead=1).endswith("1 question is before yours.")
    assert waiting(ahead=3).endswith("3 questions are before yours.")


def test_somebody_who_is_slowed_down_is_told_why_and_for_how_long() -> None:
    assert waiting(slowed=40).endswith(
        "You have asked a lot in a short time, so I take yours one by one; this one in about 40 s."
    )
    assert "in about 3 minutes." in waiting(slowed=170)


def test_after_a_command_the_question_stands_above() -> None:
    assert waiting(quoted=True).startswith("How late?\n")


@pytest.mark.parametrize("kind", Trouble)
def test_trouble_is_told_unlike_any_reply_and_promises_the_answer(kind: Trouble) -> None:
    message = trouble(7, "How late?", quoted=False, trouble=kind)
    text = read(message.blocks)
    assert text.startswith(":warning: *Not answered yet*\n")
    assert "I try again by myself, and the answer will stand here." in text
    assert text.splitlines()[0] != read(reply(a_record(), 7, quoted=False).blocks).splitlines()[0]
    assert message.text.startswith("Not answered yet. ")


@pytest.mark.parametrize("kind", [Trouble.CONFIGURATION, Trouble.OTHER])
def test_trouble_that_only_the_operator_can_mend_names_the_log(kind: Trouble) -> None:
    assert "in the log" in read(trouble(7, "?", quoted=False, trouble=kind).blocks)


@given(texts, st.sampled_from(Trouble), st.booleans(), st.integers(0, 30), st.integers(0, 9_999))
def test_whatever_was_asked_slack_takes_it(
    question: str, kind: Trouble, quoted: bool, ahead: int, slowed: int
) -> None:
    for message in (
        placeholder(7, question, quoted=quoted, ahead=ahead, slowed_seconds=slowed),
        trouble(7, question, quoted=quoted, trouble=kind),
    ):
        assert problems(message.blocks) == []
        assert message.blocks[0]["block_id"] == "vouch-7"
        assert not re.search("[<>]|@(here|channel|everyone)", message.text)
        assert all("<" not in each["text"] for each in markup(message.blocks))


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"why": {"why": {"selected_option": None}}, "words": {"words": {"value": None}}},
        {"why": {"why": {"selected_option": {"value": "forged"}}}},
    ],
)
def test_what_was_left_empty_or_never_offered_is_nothing(values: dict[str, object]) -> None:
    assert clicks.reason_in(values) == clicks.FeedbackReason("", "")


def test_each_trouble_is_told_differently() -> None:
    told = {trouble(7, "?", quoted=False, trouble=kind).text for kind in Trouble}
    assert len(told) == len(Trouble)


@pytest.mark.parametrize("private", [True, False])
def test_help_says_once_that_what_is_asked_is_kept(private: bool) -> None:
    text = read(help_message("U0VOUCH", admin=False, private=private).blocks)
    assert text.count("What you ask and what I answer is kept; administrators can look it up.") == 1


BASE = "https://vouch.example.org"


def links(record: AuditRecord, base: str = BASE) -> list[tuple[str, str]]:
    """Words and address of each, from top to bottom."""
    return list(_links(reply(opening_here(record, base), 7, quoted=False).blocks))


def _links(part: Any) -> Any:
    if isinstance(part, dict):
        if part.get("type") == "link":
            yield part["text"], part["url"]
        for each in part.values():
            yield from _links(each)
    elif isinstance(part, list | tuple):
        for each in part:
            yield from _links(each)


def page(ref: str) -> str:
    return f"{BASE}/cited/{AUDIT_ID}/{ref}"


def test_a_mark_and_a_source_lead_to_the_citations_page_and_the_document_stays_reachable() -> None:
    assert links(a_record()) == [
        ("[1]", page("1-1")),
        ("Leave", page("1-1")),
        ("the document itself", "https://docs.example.org/leave"),
    ]


def test_the_evidence_leads_to_the_citations_page_too() -> None:
    both = a_claim("Two say so.", a_citation(), a_citation("Pay", link=""))
    record = opening_here(a_record(claims=(both,)), BASE)
    assert list(_links(evidence(record, frozenset())["blocks"])) == [
        ("Leave", page("1-1")),
        ("the document itself", "https://docs.example.org/leave"),
        ("Pay", page("1-2")),
    ]
    of_pay = evidence(record, frozenset({"d-Leave"}))
    assert list(_links(of_pay["blocks"])) == [("Pay", page("1-2"))], "nothing of what is withheld"


def test_a_sentence_leads_to_what_it_rests_on_itself() -> None:
    one, other = a_citation(line=10), a_citation(line=40)
    record = a_record(claims=(a_claim("One.", one), a_claim("Two.", other, a_citation("Pay"))))
    assert [url for words, url in links(record) if words.startswith("[")] == [
        page("1-1"),
        page("2-1"),
        page("2-2"),
    ]


def test_a_document_of_pages_opens_at_its_page_beside_ours() -> None:
    cited = a_citation(link="https://docs.example.org/a.pdf", place=Place(page=7))
    record = a_record(claims=(a_claim("One.", cited),))
    assert links(record)[1:] == [
        ("Leave", page("1-1")),
        ("the document itself", "https://docs.example.org/a.pdf#page=7"),
    ]


def test_a_document_without_an_address_opens_on_our_page() -> None:
    record = a_record(claims=(a_claim("One.", a_citation(link="")),))
    assert links(record) == [("[1]", page("1-1")), ("Leave", page("1-1"))]


def test_what_came_near_opens_too() -> None:
    record = an_abstention()
    found = links(record)
    assert [url for _, url in found if url.startswith(BASE)] == [
        page(f"n{number}") for number in range(1, len(record.nearest) + 1)
    ][: len(found)]
    assert found


@pytest.mark.parametrize("prevails", Prevails)
def test_what_is_set_against_each_other_opens_too(prevails: Prevails) -> None:
    found = (a_contradiction(prevails),)
    sides = [("open the source", page("d1-1")), ("open the source", page("d1-2"))]
    abstained = an_abstention(contradictions=found, nearest=())
    assert links(abstained) == sides
    behind = evidence(opening_here(abstained, BASE), frozenset())
    assert list(_links(behind["blocks"])) == sides
    under_an_answer = sides[1:] if prevails is not Prevails.NEITHER else []
    assert [
        each for each in links(a_record(contradictions=found)) if each in sides
    ] == under_an_answer


def test_no_link_names_a_person() -> None:
    record = a_record()
    assert not any(record.person.id in url for _, url in links(record))


def test_without_pages_a_reply_is_as_ever() -> None:
    disagreed = a_record(contradictions=(a_contradiction(Prevails.NEWER),))
    assert "open the source" not in str(reply(disagreed, 7, quoted=False).blocks)
    for record in (a_record(), an_abstention(), disagreed):
        assert opening_here(record, "") is record
