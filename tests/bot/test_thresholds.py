"""Settings may import nothing: the thresholds that they repeat are held to who decides by them."""

from bot.answering.gate import ANSWER_AT, PARTIAL_AT
from bot.settings import Settings
from retrieval.search.scores import READ, RELEVANT
from retrieval.search.search import SearchSettings
from retrieval.search.selection import OrganisationalSelection


def test_settings_left_alone_are_the_thresholds_of_the_modules_that_decide() -> None:
    stated = {name: field.default for name, field in Settings.model_fields.items()}
    assert stated["relevance_threshold"] == RELEVANT
    assert stated["reading_floor"] == READ
    assert stated["most_passages"] == OrganisationalSelection().most
    assert stated["candidates"] == SearchSettings().candidates
    assert (stated["answer_at"], stated["partial_at"]) == (ANSWER_AT, PARTIAL_AT)
