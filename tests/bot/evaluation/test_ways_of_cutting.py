"""Whatever the way of cutting: every sentence is kept in its place, and a cut list says so."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from at_length import first
from fakes import WordsEmbedder
from hypothesis import given
from hypothesis import strategies as st
from ingests import ingest_into, write
from numpy.typing import NDArray
from parsed_documents import DOCUMENT, parsed, words
from pydantic import ValidationError

from bot.lab.proof.folder import prove
from bot.lab.published.chunking import BundledWordPieces, Fixed, Semantic
from bot.lab.recipes import RECIPES, library_of
from bot.settings import Settings
from bot.wiring import Container
from retrieval.ingest.chunking import CHUNKING, PARAGRAPHS, Chunking, Paragraphs, cut
from retrieval.metadata.access import EVERYBODY
from retrieval.metadata.ontology import load_ontology
from retrieval.types import FragmentKind, Sentence

Block = tuple[str, tuple[str, ...], list[str]]


class WordsAsPieces:
    """A tokenizer whose pieces are words, so that lengths can be seen."""

    name = "words"

    def count(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]


FIXED = Fixed(WordsAsPieces(), tokens=60, overlap=20)
SEMANTIC = Semantic(WordsEmbedder(), most=60)
WAYS: list[Chunking] = [Paragraphs(), Paragraphs(10, 40), FIXED, SEMANTIC]

texts = st.builds(
    lambda count, first: words(count, first),
    st.integers(1, 45),
    st.sampled_from(["leave", "They", "badge", "pay:", "laptop"]),
)
blocks = st.lists(
    st.tuples(
        st.sampled_from("plr"),
        st.sampled_from([(), ("A",), ("A", "B"), ("C",)]),
        st.lists(texts, min_size=1, max_size=4),
    ),
    max_size=14,
)


def plain(sentence: Sentence) -> Sentence:
    """Without what a cut tells of its list."""
    return replace(sentence, in_list=False, list_goes_on=False, list_lead="")


@given(blocks, st.sampled_from(WAYS), st.booleans())
def test_every_sentence_stands_in_some_passage_in_order_and_in_its_place(
    some: list[Block], way: Chunking, paged: bool
) -> None:
    pages = tuple(1 + n // 3 for n in range(len(some))) if paged else ()
    document = parsed(*some, pages=pages)
    passages = cut(DOCUMENT, document, way)
    stood = [plain(sentence) for each in passages for sentence in each.sentences]
    assert list(dict.fromkeys(stood)) == [s for f in document.fragments for s in f.sentences]
    for passage in passages:
        assert len({sentence.page for sentence in passage.sentences}) == 1
        for n, sentence in enumerate(passage.sentences):
            stands = document.source[sentence.char_start : sentence.char_end]
            assert passage.quote(n, n) == stands == sentence.text
    ids = [passage.passage_id for passage in passages]
    assert len(set(ids)) == len(ids)
    assert ids == [passage.passage_id for passage in cut(DOCUMENT, document, way)]


@given(blocks, st.sampled_from(WAYS))
def test_a_list_that_is_cut_says_so_whatever_cuts_it(some: list[Block], way: Chunking) -> None:
    items = [(kind, path, said[:1] if kind == "l" else said) for kind, path, said in some]
    document = parsed(*items)
    kinds = {s.char_start: f for f in document.fragments for s in f.sentences}
    for before, after in pairwise(cut(DOCUMENT, document, way)):
        last = before.sentences[-1]
        at = next(n for n, s in enumerate(after.sentences) if s.char_start > last.char_start)
        following = kinds[after.sentences[at].char_start]
        is_item = following.kind is FragmentKind.LIST_ITEM
        same_section = following.section_path == kinds[last.char_start].section_path
        cut_in_two = is_item and same_section and any(s.in_list for s in before.sentences)
        assert last.list_goes_on or not cut_in_two
        for held in (before.sentences, after.sentences):
            for n, sentence in enumerate(held):
                is_first = sentence.in_list and not any(s.in_list for s in held[:n])
                assert is_first or not sentence.list_lead


@given(blocks)
def test_a_fixed_passage_is_as_long_as_fits_and_repeats_as_much_as_said(some: list[Block]) -> None:
    passages = cut(DOCUMENT, parsed(*some), FIXED)
    for passage in passages:
        assert len(passage.sentences) == 1 or len(passage.text.split()) <= FIXED.tokens
    for before, after in pairwise(passages):
        starts = [sentence.char_start for sentence in before.sentences]
        repeated = [s for s in after.sentences if s.char_start in starts]
        assert [s.char_start for s in repeated] == starts[len(starts) - len(repeated) :]
        assert sum(len(s.text.split()) for s in repeated) <= FIXED.overlap
        new = after.sentences[len(repeated)]
        assert len(f"{before.text} {new.text}".split()) > FIXED.tokens


def test_a_fixed_passage_takes_no_notice_of_headings_and_names_them_all() -> None:
    some = [("p", ("Pay", "Overtime"), ["One."]), ("p", ("Pay", "Leave"), ["Two."])]
    [passage] = cut(DOCUMENT, parsed(*some), FIXED)
    assert passage.text == "One. Two."
    assert passage.section_path == ("Pay", "Overtime / Leave")


def test_a_section_and_one_below_it_are_told_apart() -> None:
    [passage] = cut(DOCUMENT, parsed(("p", ("A",), ["One."]), ("p", ("A", "B"), ["Two."])), FIXED)
    assert passage.section_path == ("A / A - B",)


def test_a_steps_lead_is_known_where_a_fixed_length_cuts_the_list() -> None:
    steps = [("l", (), [words(15, f"step{n}")]) for n in range(6)]
    one, two = cut(DOCUMENT, parsed(("p", (), ["You must never:"]), *steps), FIXED)
    assert one.sentences[-1].list_goes_on
    assert two.sentences[0].list_lead == "You must never:"


class Topics:
    """An embedder for which texts with the same first word mean the same."""

    name, dimension = "topics", 2

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        assert texts, "an embedder is given at least one"
        angles = [{"leave": 0.0, "badge": 0.1}.get(text.split()[0], 1.5) for text in texts]
        return np.array([[np.cos(each), np.sin(each)] for each in angles], np.float32)


def test_a_section_is_cut_where_its_sentences_speak_of_something_else() -> None:
    said = ["leave is long.", "leave is paid.", "laptop bags are grey.", "laptop locks are blue."]
    semantic = Semantic(Topics())
    passages = cut(DOCUMENT, parsed(("p", (), said[:1]), ("p", (), said[1:])), semantic)
    assert [p.text for p in passages] == [" ".join(said[:2]), " ".join(said[2:])]


def test_of_a_document_without_text_no_embedder_is_asked() -> None:
    assert cut(DOCUMENT, parsed(), Semantic(Topics())) == []


def test_what_is_too_long_is_cut_at_its_weakest_link() -> None:
    said = [words(20, "leave"), words(20, "leave"), words(20, "badge"), words(20, "badge")]
    strict = Semantic(Topics(), most=70)
    passages = cut(DOCUMENT, parsed(("p", (), [*said, words(5, "laptop")])), strict)
    assert [[s.text.split()[0] for s in p.sentences] for p in passages] == [
        ["leave", "leave"],
        ["badge", "badge"],
        ["laptop"],
    ]


def test_the_bundled_tokenizer_counts_whole_texts() -> None:
    pieces = BundledWordPieces()
    assert pieces.count(["Leave is unbelievable.", words(1_000), ""]) == [4, 1_000, 0]


def test_a_library_is_cut_anew_at_the_next_ingest_after_the_way_changed(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    write(docs, {"leave.md": f"# Leave\n\n{words(70)}.\n\n{words(70, 'paid')}.\n"})
    ingest = ingest_into(tmp_path / "home")
    ingest.run(docs, EVERYBODY)
    assert len(list(ingest.indexed.library.all_passages())) == 2
    fixed = replace(ingest, chunking=Fixed(BundledWordPieces(), 512, 64))
    assert fixed.run(docs, EVERYBODY).changed == ("leave.md",)
    assert len(list(ingest.indexed.library.all_passages())) == 1
    again = fixed.run(docs, EVERYBODY)
    assert (again.changed, again.unchanged) == ((), 1)


def test_the_default_is_called_as_before_there_was_a_choice() -> None:
    assert Paragraphs().name == CHUNKING
    names = {
        way.name for way in (*WAYS, Fixed(WordsAsPieces(), 512, 64), Semantic(WordsEmbedder()))
    }
    assert len(names) == len(WAYS) + 2


@pytest.mark.parametrize("way", [Fixed(BundledWordPieces(), 40, 10), SEMANTIC])
def test_passages_cut_in_another_way_stand_where_they_say(way: Chunking, tmp_path: Path) -> None:
    listed = "\n".join(f"- **Step {n}**: {words(12)}." for n in range(8))
    write(tmp_path, {"a.md": f"# A\n\n{words(30)}. {words(20)}.\n\n## B\n\nDo this:\n\n{listed}\n"})
    proof = prove(tmp_path, load_ontology(), lambda *_: None, chunking=way)
    assert proof.passages > 1
    assert not proof.faults


@pytest.mark.parametrize("recipe", first(1, ["university", "plain", "multi-rrf"]))
def test_every_recipe_that_cuts_otherwise_reads_a_folder(recipe: str, tmp_path: Path) -> None:
    write(tmp_path / "docs", {"a.md": f"# A\n\n{words(30)}. {words(20)}. {words(40, 'badge')}.\n"})
    opened = Container(Settings.model_validate({"home": tmp_path / "home"}))
    with library_of(RECIPES[recipe], opened, None) as container:
        ingest = container.ingest
        assert ingest.chunking.name != PARAGRAPHS.name
        assert ingest.run(tmp_path / "docs", EVERYBODY).added == ("a.md",)
        assert list(container.stores.library.all_passages())


@pytest.mark.parametrize("context", ["section", "none"])
def test_a_context_that_nobody_reads_is_refused(context: str) -> None:
    with pytest.raises(ValidationError, match="VOUCH_CONTEXT"):
        Settings.model_validate({"context": context})
