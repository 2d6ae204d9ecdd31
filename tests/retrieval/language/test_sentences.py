"""Where one sentence ends and the next begins, in English and elsewhere."""

import pytest

from retrieval.language.sentences import sentence_spans


@pytest.mark.parametrize(
    "said",
    [
        "Anträge sind bis zum 1. März einzureichen.|Der Urlaub verfällt am 31. März des Jahres.",
        "Ab dem 3. Tag ist ein Attest vorzulegen.|Das gilt seit 2024.|Es kostet 2,50.|Ende.",
        "Poplatek se platí do 15. Března každého roku.|Potom je pozdě.",
        "The limit is 30.|Staff may ask for more.|It ends on 1.|March is another month.",
        "Apply by 3.|Tuesday.",
        "Fees: 20.|Zone: 3.|Rooms: 14.",
    ],
)
def test_behind_a_number_and_a_dot_an_english_sentence_ends_and_no_other(said: str) -> None:
    text = said.replace("|", " ")
    assert [text[start:end] for start, end in sentence_spans(text)] == said.split("|")
