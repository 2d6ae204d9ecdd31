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
    "<style>.katex-mathml{position:absolute;clip:rect(1px,1px,1px,1px)}</style>"
    f'<span class="katex"><span class="katex-mathml"><math><semantics>{POWER}<annotation>10^3'
    f"</annotation></semantics></math></span>{DRAWN}</span>": "10^3",
    f'<span class="katex">{DRAWN}</span>': "10³",
}


@pytest.mark.parametrize("written", FORMULAS)
def test_a_formula_is_read_in_one_line(written: str) -> None:
    document = parse(f"<p>It is {written} EUR.</p>".encode())
    assert_places_hold(document)
    assert texts(document) == [f"It is {FORMULAS[written]} EUR."]
