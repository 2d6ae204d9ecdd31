"""What the terminal, `--json`, Slack and the audit page show agrees with what was recorded."""

from datetime import UTC, date, datetime

from block_records import read
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import to_jsonable_python
from rich.console import Console, RenderableType

from audit.record import AuditRecord, Confidence, Decision, Versions, badge_of
from audit.values import CitationRecord, ClaimKind, Status
from bot.answering.as_json import outcome_as_json
from bot.answering.in_words import shown_as as badge_in_words
from bot.answering.outcome import Outcome
from bot.answering.query_rewriting import RewrittenQuery
from bot.answering.quoting import Quotation
from bot.answering.recording import Circumstances, audit_record
from bot.answering.values import Citation, Claim, Draft, Question, Verdict
from bot.cli import audit_view
from bot.cli.replies import render
from bot.slack.blocks.reply import reply
from bot.wording import BADGES
from bot.wording.slack import headline
from retrieval.documents.cells import reference
from retrieval.types import Cell, Document, Evidence, Metadata, Passage, Scope, Sentence

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
RUNNING = Circumstances(Versions(software="0"), "minilm", "extractive", "", "")

words = st.text("abcXYZ019 []*_<>&|`~éß中", min_size=1, max_size=20).map(
    lambda text: " ".join(f"a {text} z".split())
)
numbers = st.integers(1, 9_999)
shares = st.floats(0, 1)
references = st.builds(reference, st.integers(1, 800), numbers)
cells = st.builds(Cell, st.just(0), st.just(1), st.just("Fee"), references)


@st.composite
def wild_passages(draw: st.DrawFn) -> Passage:
    page, paragraph = draw(st.none() | numbers), draw(st.none() | numbers)
    line, label = draw(st.none() | numbers), draw(st.sampled_from(["", "slide 3", "sheet Fees"]))
    sentences, start = [], 0
    for text in draw(st.lists(words, min_size=1, max_size=3)):
        end = None if line is None else line + draw(st.integers(0, 2))
        sentences.append(
            Sentence(
                text,
                start,
                start + len(text),
                line,
                end,
                page=page,
                paragraph=paragraph,
                page_label=label,
                cells=tuple(draw(st.lists(cells, max_size=2))),
            )
        )
        start, line = start + len(text) + 1, end
    section = tuple(draw(st.lists(words, max_size=2)))
    name = f"{draw(numbers)}.md"
    document = Document(name, name, "1", NOON, draw(words), Metadata(owner=draw(words)))
    source = " ".join(sentence.text for sentence in sentences)
    return Passage(f"p-{name}", document, 0, section, tuple(sentences), source)


@st.composite
def wild_claims(draw: st.DrawFn) -> Claim:
    citations = []
    for passage in draw(st.lists(wild_passages(), min_size=1, max_size=2)):
        first = draw(st.integers(0, len(passage.sentences) - 1))
        last = draw(st.integers(first, len(passage.sentences) - 1))
        citations.append(Citation(passage, first, last, draw(st.sampled_from(Status)), 0.5))
    status = draw(st.sampled_from(Status))
    return Claim(draw(words), status, ClaimKind.CITED, tuple(citations), draw(shares))


@st.composite
def wild_quotations(draw: st.DrawFn) -> Quotation:
    passage = draw(wild_passages())
    first = draw(st.integers(0, len(passage.sentences) - 1))
    return Quotation(passage, first, draw(st.integers(first, len(passage.sentences) - 1)))


@st.composite
def wild_outcomes(draw: st.DrawFn) -> Outcome:
    decision = draw(st.sampled_from(Decision))
    claims = tuple(draw(st.lists(wild_claims(), min_size=1, max_size=3)))
    posted = () if decision is Decision.ABSTAIN else claims
    sure = Confidence(draw(shares), draw(shares), draw(shares), None, draw(shares))
    asked = draw(words)
    return Outcome(
        audit_id="0195e1c2-7a3b-7c4d-8e5f-0123456789ab",
        time=NOON,
        question=Question(asked, None, date(2026, 3, 2)),
        understood=RewrittenQuery(asked, ()),
        evidence=Evidence(draw(words), Scope({}, date(2026, 3, 2)), (), (), parts=()),
        draft=Draft((), (), degraded=draw(st.just("") | words)),
        verdict=Verdict(decision, posted, () if posted else claims, (), sure, ()),
        closest=tuple(draw(st.lists(wild_passages(), max_size=2))),
        nearest=tuple(draw(st.lists(wild_quotations(), max_size=3 if not posted else 0))),
        more_in_private=draw(st.booleans()),
        own_rule_in_private=draw(st.booleans()),
    )


def printed(page: RenderableType) -> str:
    console = Console(width=2_000)
    with console.capture() as captured:
        console.print(page)
    return captured.get()


def page_of(record: AuditRecord) -> str:
    return printed(audit_view.render(record, (), ""))


def alone_on_its_page(record: AuditRecord, citation: CitationRecord) -> bool:
    pages = [
        (each.document_id, each.place.page) for claim in record.claims for each in claim.citations
    ]
    return pages.count((citation.document_id, citation.place.page)) == 1


@given(wild_outcomes())
def test_every_door_shows_what_was_recorded(outcome: Outcome) -> None:
    record = audit_record(outcome, RUNNING)
    terminal, json = printed(render(outcome)), outcome_as_json(outcome)
    slack = read(reply(record, 7, quoted=False).blocks)

    assert json["decision"] == record.decision.value
    badge = badge_of(record.decision, record.missing)
    assert json["badge"] == badge
    shown_as = badge_in_words(record)
    assert outcome.shown_as == shown_as
    assert terminal.splitlines()[0].startswith(f"╭─ {BADGES[shown_as]} ")
    assert headline(shown_as) in slack

    assert json["text"] == record.reply
    assert json["owners"] == list(record.owners)
    said = json["claims"]
    assert isinstance(said, list)
    assert [claim["text"] for claim in said] == [claim.text for claim in record.claims]
    for claim, shown in zip(record.claims, said, strict=True):
        assert claim.text in terminal
        assert claim.text in slack
        for citation, cited in zip(claim.citations, shown["citations"], strict=True):
            place = to_jsonable_python(where := citation.place)
            assert {key: cited[key] for key in place} == place
            assert citation.file in terminal
            if alone_on_its_page(record, citation):  # else it is said in one run with the others
                assert where.in_words(citation.file) in terminal
                assert where.in_words() in slack
            assert where.in_words(citation.file) in page_of(record)
    quoted = json["nearest"]
    assert isinstance(quoted, list)
    for near, shown in zip(record.nearest, quoted, strict=True):
        assert (shown["quote"], shown["text"]) == (near.quote, near.text)
        assert near.text in slack
        assert near.text in terminal
        assert near.title in slack
        assert near.title in terminal
