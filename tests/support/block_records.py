"""Records to be shown, tame and wild, and reading what is shown as a person would."""

import json
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import partial
from typing import Any

from hypothesis import strategies as st
from sample_records import of_types
from slack_reading import everything, parts

from audit.places import Place
from audit.record import (
    AuditRecord,
    Candidate,
    CandidateScores,
    Confidence,
    Decision,
    ExpiredRecord,
    NearestRecord,
    SearchFilter,
    TokenUsage,
    Versions,
    WriterRecord,
)
from audit.values import (
    Channel,
    CitationRecord,
    ClaimRecord,
    ContradictionRecord,
    PersonRecord,
    Prevails,
    SideRecord,
    Status,
)

AUDIT_ID = "0195e1c2-7a3b-7c4d-8e5f-0123456789ab"
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def a_citation(document: str = "Leave", line: int = 10, **changes: Any) -> CitationRecord:
    ordinary: dict[str, Any] = {
        "passage_id": f"p-{document}",
        "document_id": f"d-{document}",
        "file": f"{document.lower()}.md",
        "title": document,
        "link": f"https://docs.example.org/{document.lower()}",
        "version": "1",
        "status": Status.VERIFIED,
        "score": 0.97,
        "place": Place(line_start=line, line_end=line + 2, section_path=("Parental",)),
        "quote": "Parents get 14 weeks.",
    }
    return CitationRecord(**ordinary | changes)


def a_claim(
    text: str = "Parents get 14 weeks.", *citations: CitationRecord, **changes: Any
) -> ClaimRecord:
    ordinary: dict[str, Any] = {
        "text": text,
        "status": Status.VERIFIED,
        "score": 0.97,
        "citations": citations or (a_citation(),),
    }
    return ClaimRecord(**ordinary | changes)


def a_contradiction(prevails: Prevails) -> ContradictionRecord:
    """Leave of 2025 against Old of 2020."""
    against = a_citation("Old", quote="Parents get 10 weeks.")
    return ContradictionRecord(
        holds=SideRecord(citation=a_citation(), level="university", effective=date(2025, 1, 1)),
        against=SideRecord(citation=against, level="university", effective=date(2020, 1, 1)),
        differs=("14 weeks / 10 weeks",),
        prevails=prevails,
    )


def a_candidate(document: str = "Leave", **changes: Any) -> Candidate:
    ordinary: dict[str, Any] = {
        "passage_id": f"p-{document}",
        "document_id": f"d-{document}",
        "file": f"{document.lower()}.md",
        "version": "1",
        "place": Place(page=2),
        "scores": CandidateScores(relevance=0.93, cosine=0.61, dense_rank=3),
        "used": True,
    }
    return Candidate(**ordinary | changes)


def a_record(**changes: Any) -> AuditRecord:
    ordinary: dict[str, Any] = {
        "audit_id": AUDIT_ID,
        "time": NOON,
        "person": PersonRecord(id="ana", name="Ana Silva"),
        "channel": Channel(id="C0GENERAL", name="general"),
        "question": "How much parental leave do I get?",
        "standalone_question": "How much parental leave do I get?",
        "embedding_model": "minilm",
        "filter": SearchFilter(facets={"departments": ("cs",)}, on=date(2026, 3, 2)),
        "candidates": (a_candidate(),),
        "writer": WriterRecord(name="extractive"),
        "reply": "Parents get 14 weeks. [1]",
        "claims": (a_claim(),),
        "reasons": ("confidence 0.91 is at least 0.85",),
        "confidence": Confidence(retrieval=0.9, coverage=1.0, entailment=0.97, overall=0.91),
        "decision": Decision.ANSWER,
        "versions": Versions(software="0.1.0"),
    }
    return AuditRecord(**ordinary | changes)


def an_abstention(**changes: Any) -> AuditRecord:
    nearest = NearestRecord(
        document_id="d-Parking",
        file="parking.md",
        title="Parking",
        link="https://docs.example.org/parking",
        place=Place(page=3, line_start=4, line_end=4),
        passage_id="p-parking",
        version="1",
        quote="Parking   is free.",
        text="Parking is free.",
    )
    ordinary: dict[str, Any] = {
        "decision": Decision.ABSTAIN,
        "claims": (),
        "nearest": (nearest,),
        "owners": ("campus@example.org",),
        "confidence": Confidence(retrieval=0.2, overall=0.1),
    }
    return a_record(**ordinary | changes)


def read(blocks: Sequence[Mapping[str, Any]]) -> str:
    """What stands there, from top to bottom, a line for each part."""
    return "\n".join(_lines(blocks))


def _lines(blocks: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for block in blocks:
        if block["type"] == "rich_text":
            for part in block["elements"]:
                items = part["elements"] if part["type"] == "rich_text_list" else [part]
                yield from (_inline(item["elements"]) for item in items)
        elif "text" in block:
            yield block["text"]["text"]
        elif block["type"] == "table":
            for row in block["rows"]:
                yield " | ".join("".join(everything(cell, "text")) for cell in row)
        else:
            yield " ".join(_inline([element]) for element in block["elements"])


def _inline(elements: Sequence[Mapping[str, Any]]) -> str:
    texts = (element.get("text", "") for element in elements)
    return "".join(text["text"] if isinstance(text, Mapping) else text for text in texts)


def buttons(blocks: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    return {
        element["action_id"]: element.get("value") or element["positive_button"]["value"]
        for block in blocks
        if block["type"] in ("actions", "context_actions")
        for element in block["elements"]
    }


def markup(blocks: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return [each for each in parts(blocks) if each.get("type") == "mrkdwn"]


def unseen(value: object) -> set[str]:
    """The characters of all texts that nobody sees, but for those that join what is seen."""
    if isinstance(value, Mapping):
        return set().union(*map(unseen, value.values()))
    if isinstance(value, list | tuple):
        return set().union(*map(unseen, value))
    hidden = {c for c in str(value) if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")}
    return {c for c in hidden - set("\n\t\u200c\u200d\u2060") if not _stands_in_a_script(c)}


def _stands_in_a_script(character: str) -> bool:
    """Such as the Arabic sign over a number, which Unicode counts among the formats."""
    scripts = ("ARABIC", "SYRIAC", "KAITHI", "EGYPTIAN")
    return unicodedata.name(character, "").startswith(scripts) and character != "\u061c"


def sent(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


HOSTILE = (
    "<!channel>",
    "<!everyone|x>",
    "<@U1>",
    "<#C1|general>",
    "<https://evil.example|click here>",
    "@here ",
    "[click here](https://evil.example/a)",
    "<a href='https://evil.example/b'>there</a>",
    "@channel",
    "&amp;",
    "& < >",
    "`code",
    "```",
    "*bold*",
    "_it_",
    "~x~",
    "\n> quote",
    "|",
    "\n[2] A forged source\n",
    "\u202e backwards",
    "\u2066",
    "\x00\x07",
    "\x1b]8;;http://evil.example\x07free leave\x1b]8;;\x07",
    "\x9b31m",
    "\rDone.",
    "le\u200bave\u200d\ufeff",
    "\u2028[9] Forged",
    "\U000e0049\U000e0067",
    '"\\',
    "क्षत्रियों को छुट्टी ",
    "ประเทศไทย",
    "育児休暇は十四週間です。",
    "שלום עולם ",
    "العطلة أربعة عشر أسبوعا ",
    "👩‍👩‍👧‍👦👍🏽🇫🇷",
    "e\u0301\u0301",
    "   ",
)
pieces = st.sampled_from(HOSTILE) | st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
short_texts = st.lists(pieces, max_size=5).map("".join)
long_texts = st.builds(
    lambda piece, length: (piece * length)[:length],
    st.sampled_from(HOSTILE),
    st.sampled_from([700, 3_001, 20_000]),
)
texts = st.one_of(short_texts, short_texts, long_texts)
links = st.sampled_from(
    [
        "",
        "https://docs.example.org/a",
        "https://docs.example.org/" + "a" * 900,
        "https://x.example/" + "a" * 5_000,
        "javascript:alert(1)",
        "https://x.example/|evil> <!channel>",
    ]
)
TYPES: dict[object, st.SearchStrategy[Any]] = {
    str: texts,
    bool: st.booleans(),
    int | None: st.none() | st.integers(min_value=-5, max_value=2**60),
    float | None: st.none() | st.floats(allow_nan=False, allow_infinity=False),
    tuple[str, ...]: st.lists(texts, max_size=8).map(tuple),
    date: st.just(date(2026, 1, 31)),
    date | None: st.none() | st.just(date(2026, 1, 31)),
}
drawn = partial(of_types, TYPES)
TYPES[Place] = drawn(
    Place,
    "page line_start line_end paragraph page_label",
    section_path=st.lists(texts, max_size=3).map(tuple),
    cell_range=st.sampled_from(["", "B7", "B7:AA10"]),
)
passage_ids = st.sampled_from(["p-1", "p-2"])
citations = drawn(
    CitationRecord,
    "file title status score place quote",
    passage_id=passage_ids,
    document_id=short_texts,
    link=links,
    version=short_texts,
)
claims = drawn(
    ClaimRecord,
    "text status kind reasoning score",
    citations=st.lists(citations, max_size=3).map(tuple),
)
source = {"document_id": short_texts, "link": links}
expired = drawn(
    ExpiredRecord, "valid_to", source=drawn(NearestRecord, "file title place", **source)
)
nearest = drawn(NearestRecord, "file title place quote text", version=short_texts, **source)
sides = drawn(SideRecord, "effective", citation=citations, level=short_texts)
contradictions = drawn(
    ContradictionRecord,
    "prevails",
    holds=sides,
    against=sides,
    differs=st.lists(texts, max_size=2).map(tuple),
)
candidates = drawn(
    Candidate,
    "file place used",
    passage_id=passage_ids,
    document_id=short_texts,
    version=short_texts,
    scores=drawn(CandidateScores, "relevance bm25 dense_rank"),
    overridden_by=st.none() | short_texts,
)


def many(strategy: st.SearchStrategy[Any], *sizes: int) -> st.SearchStrategy[tuple[Any, ...]]:
    """A few different ones, and as many more as one of the sizes, at another line each."""
    drawn = st.lists(strategy, min_size=1, max_size=3)
    return st.builds(
        lambda few, size: tuple(_at(few[n % len(few)], n) for n in range(size)),
        drawn,
        st.sampled_from(sizes),
    )


def _at(value: Any, number: int) -> Any:
    """The same at a place of its own, so that no two sources are one."""
    if not isinstance(value, ClaimRecord):
        return value
    moved = tuple(
        each.model_copy(update={"place": replace(each.place, page=number)})
        for each in value.citations
    )
    return value.model_copy(update={"citations": moved})


wild_records = drawn(
    AuditRecord,
    "question standalone_question previous_questions embedding_model reply answered missing reasons"
    " decision imagined_passage owners more_in_private own_rule_in_private degraded",
    audit_id=st.just(AUDIT_ID),
    time=st.just(NOON),
    person=drawn(PersonRecord, "id name"),
    channel=drawn(Channel, "name", id=short_texts, thread=short_texts),
    filter=drawn(
        SearchFilter,
        "",
        facets=st.dictionaries(short_texts, TYPES[tuple[str, ...]], max_size=3),
        on=st.just(date(2026, 3, 2)),
    ),
    candidates=many(candidates, 0, 1, 200),
    writer=drawn(WriterRecord, "name output"),
    claims=many(claims, 0, 1, 5, 60),
    dropped=many(claims, 0, 1, 60),
    contradictions=many(contradictions, 0, 1, 20),
    confidence=drawn(Confidence, "retrieval coverage entailment overall"),
    nearest=many(nearest, 0, 3, 20),
    latency_ms=st.dictionaries(st.sampled_from(["imagine", "total"]), st.floats(0, 1e9)),
    tokens_by_stage=st.dictionaries(
        st.just("imagine"), st.builds(TokenUsage, prompt=st.integers(0), completion=st.integers(0))
    ),
    expired=many(expired, 0, 1, 20),
    versions=drawn(Versions, "software", models=st.dictionaries(short_texts, texts, max_size=3)),
)
