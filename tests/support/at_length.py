"""Of many cases of one kind `make test` tries some, and `make test-all` each."""

from collections.abc import Iterable

import pytest
from _pytest.mark.structures import ParameterSet
from hypothesis import settings


def first(count: int, cases: Iterable[object]) -> list[ParameterSet]:
    """So many at once, the others at length; a tuple holds the values of several parameters."""
    return [
        pytest.param(
            *(case if isinstance(case, tuple) else (case,)),
            marks=[pytest.mark.exhaustive] if number >= count else [],
        )
        for number, case in enumerate(cases)
    ]


def fewer(times: int) -> int:
    """Examples of wild input that take long each: of the usual so many times fewer, else all."""
    examples = settings().max_examples
    usual = examples == settings.get_profile("usual").max_examples
    return examples // times if usual else examples
