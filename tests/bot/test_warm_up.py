"""The first person to ask does not wait for what everybody's questions need."""

from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import py3langid.langid
import pytest
from shelves import GUEST, Shelves

from bot.settings import Settings
from bot.wiring import Container
from bot.wiring.observing import warm_up
from retrieval.language.sentences import asked_in_english
from retrieval.search import query_understanding

TYPED = "lost pasword, now?"


def test_once_warm_a_misspelt_word_needs_nothing_that_is_still_to_be_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelves = Shelves(tmp_path)
    shelves.add("it", "A password is reset at the desk.")
    container = Container(Settings(_env_file=None, home=tmp_path / "home"))  # type: ignore[call-arg]  # pydantic-settings' own
    warm_up(container)

    def loads(*_: object, **__: object) -> NoReturn:
        pytest.fail("it is loaded while somebody waits")

    monkeypatch.setattr(query_understanding, "files", loads)
    monkeypatch.setattr(py3langid.langid.LanguageIdentifier, "from_model_file", loads)
    plain = replace(container.plain_words, library=shelves.library, index=shelves.index)
    assert plain(TYPED, GUEST) == "lost password, now?"
    assert asked_in_english(TYPED)
