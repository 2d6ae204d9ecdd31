"""A power is no longer number: formulas are read in one line, with the signs that say how."""

import pytest
from parsed_documents import assert_places_hold, texts

from retrieval.parsing.html import parse

POWER = "<msup><mn>10</mn><mn>3</mn></msup>"
DRAWN = '<span class="katex-html" aria-hidden="true"><i>1</i><i>0</i><sup>3</sup></span>'
FORMULAS = {
    f"<math>{POWER}</math>": "10^3",
    "<math> <mfrac>\n <mn>1</mn> <mrow><mn>2</mn><mi>n</mi></mrow></mfrac> </math>": "1/(2n)",
    '<math alttext="x_i"><msub><mi>x</mi><mi>i</mi></msub></math>': "x_i",
    f'<span class="katex"><span class="katex-mathml"><math><semantics>{POWER}<annotation>10^3'
    f"</annotation></semantics></math></span>{DRAWN}</span>": "10^3",
    f'<span class="katex">{DRAWN}</span>': "10³",
}


@pytest.mark.parametrize("written", FORMULAS)
def test_a_formula_is_read_in_one_line(written: str) -> None:
    document = parse(f"<p>It is {written} EUR.</p>".encode())
    assert_places_hold(document)
    assert texts(document) == [f"It is {FORMULAS[written]} EUR."]


@pytest.mark.parametrize(
    "hidden",
    [
        '<p class="katex-mathml" style="display:none">It is 900.</p>',
        '<p class="to-do-children-checked" hidden>It is 900.</p>',
        '<math alttext="900"><mn>5</mn></math>',
        '<p>Fee<a href="#n" id="r">1</a>.</p><aside id="n" hidden>900 <a href="#r">b</a></aside>',
        "<table><tr><td><div role=tab>Fee</div>1<td><div role=tabpanel hidden>900</div>2</table>",
    ],
)
def test_what_only_calls_itself_a_formula_a_note_or_a_tab_stays_hidden(hidden: str) -> None:
    document = parse(f"<p>Seen.</p>{hidden}".encode())
    assert "900" not in " ".join(texts(document))


def test_a_word_that_only_calls_itself_drawn_is_read() -> None:
    document = parse(b"<p>This is <i>surely</i> <b class='katex-html'>not</b> allowed.</p>")
    assert texts(document) == ["This is surely not allowed."]
