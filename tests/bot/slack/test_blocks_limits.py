"""Long words are cut in the middle, and where nobody sees a break."""

from block_records import texts
from hypothesis import given
from hypothesis import strategies as st

from bot.slack.blocks.elements import clean, cut_middle, ends, fit, in_line, spoken, trimmed, weight


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
