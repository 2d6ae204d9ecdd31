"""The check of a folder finds what a parser would get wrong."""

from dataclasses import replace
from pathlib import Path

import pytest

from retrieval.ingest import proof
from retrieval.ingest.proof import Proof, prove
from retrieval.ontology import load_ontology
from retrieval.parsing import parser_for
from retrieval.ports import Parser
from retrieval.types import Fragment, FragmentKind, ParsedDocument, Sentence

PAGE = """---
title: Leave
---
<!-- the budget is secret this year -->
You earn **six hours**.

{% comment %}nobody may read these words{% endcomment %}
Ask in {% slack_channel "people-ops" %}.
"""


def checked(folder: Path) -> Proof:
    return prove(folder, load_ontology(), lambda *_: None)


def with_parser(monkeypatch: pytest.MonkeyPatch, change: Parser) -> None:
    monkeypatch.setattr(proof, "parser_for", lambda _file: change)


def test_a_page_with_hidden_parts_is_read_rightly(tmp_path: Path) -> None:
    (tmp_path / "leave.md").write_text(PAGE)
    found = checked(tmp_path)
    assert (found.documents, found.faults, found.left_out) == (1, (), ())
    assert found.sentences == 2


def test_a_place_that_is_a_line_off_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "leave.md").write_text(PAGE)

    def a_line_off(content: bytes) -> ParsedDocument:
        parsed = parser_for("leave.md")(content)
        moved = [
            replace(
                fragment,
                sentences=tuple(
                    replace(s, line_start=(s.line_start or 0) + 1, line_end=(s.line_end or 0) + 1)
                    for s in fragment.sentences
                ),
            )
            for fragment in parsed.fragments
        ]
        return replace(parsed, fragments=tuple(moved))

    with_parser(monkeypatch, a_line_off)
    reasons = [fault.reason for fault in checked(tmp_path).faults]
    assert len(reasons) == 2
    assert all("the quote is not there" in reason for reason in reasons)


def test_a_parser_that_reads_comments_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "leave.md").write_text(PAGE)
    start = PAGE.index("the budget")
    end = start + len("the budget is secret this year")

    def reads_comments(content: bytes) -> ParsedDocument:
        sentence = Sentence(PAGE[start:end], start, end, 4, 4)
        return ParsedDocument(
            "Leave", content.decode(), (Fragment(FragmentKind.PARAGRAPH, (), (sentence,)),)
        )

    with_parser(monkeypatch, reads_comments)
    [fault] = checked(tmp_path).faults
    assert fault.reason.startswith("line 4: hidden text is read")


def test_an_unreadable_file_is_named_and_no_fault(tmp_path: Path) -> None:
    (tmp_path / "empty.md").write_text("")
    found = checked(tmp_path)
    assert [each.file for each in found.left_out] == ["empty.md"]
    assert found.faults == ()
