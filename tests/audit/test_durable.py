"""Lines that are added to a file are there in whole, or it is said that they are not."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from audit.engines import append_durably


@contextmanager
def room_for(size: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_line_that_was_written_in_part_is_an_error_and_ended_before_the_next(
    tmp_path: Path,
) -> None:
    file = tmp_path / "grows.txt"
    append_durably(file, "one\n")
    with room_for(8), pytest.raises(OSError, match="too large"):
        append_durably(file, "another\n")
    append_durably(file, "three\n")
    assert file.read_text().splitlines() == ["one", "anot", "three"]
    assert oct(file.stat().st_mode)[-3:] == "600"
