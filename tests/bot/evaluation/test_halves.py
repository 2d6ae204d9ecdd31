"""Questions parted in two, so that each half can be judged by what the other one taught."""

from hypothesis import given
from hypothesis import strategies as st

from bot.lab.commands.calibrate import halves
from bot.quality.questions import Gold, LabelledQuestion, QuestionKind


def question(number: int, words: str, file: str = "") -> LabelledQuestion:
    gold = (Gold(file=file),) if file else ()
    kind = QuestionKind.ANSWERABLE if file else QuestionKind.UNANSWERABLE
    return LabelledQuestion(id=str(number), question=words, kind=kind, gold=gold)


def test_each_half_has_both_kinds_however_the_file_is_ordered() -> None:
    """Answerable and unanswerable ones in turn."""
    asked = [question(n, f"q{n}", f"{n}.md" if n % 2 else "") for n in range(8)]
    for half in halves(asked):
        assert [q.kind.has_answer for q in half].count(True) == 2
        assert len(half) == 4


def test_what_has_the_same_answer_or_the_same_words_stays_together() -> None:
    same = [question(n, f"q{n}", "a.md") for n in range(3)]
    alike = [question(n, "Who?" if n % 2 else "who?") for n in range(3, 6)]
    for half in halves([*same, question(6, "other", "b.md"), *alike, question(7, "why?")]):
        ids = {q.id for q in half}
        assert len(ids & {"0", "1", "2"}) in (0, 3)
        assert len(ids & {"3", "4", "5"}) in (0, 3)


@given(st.lists(st.tuples(st.integers(0, 9), st.sampled_from(["", "a.md", "b.md", "c.md"]))))
def test_every_question_is_in_one_half(asked: list[tuple[int, str]]) -> None:
    every = [question(n, f"q{words}", file) for n, (words, file) in enumerate(asked)]
    one, other = halves(every)
    assert sorted(q.id for q in (*one, *other)) == sorted(q.id for q in every)
