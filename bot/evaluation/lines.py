"""Files of labelled examples have one JSON object a line."""

import json
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from bot.errors import BadConfiguration

Labelled = TypeVar("Labelled", bound=BaseModel)


def read_lines(path: Path, kind: type[Labelled]) -> list[Labelled]:
    """Empty lines are left out; raise `BadConfiguration` naming the line that is wrong."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")  # no other break ends a line of JSON
    except OSError as error:
        raise BadConfiguration(f"{path} cannot be read: {error.strerror}.") from error
    found = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            found.append(kind.model_validate(json.loads(line)))
        except ValueError as error:  # pydantic's is one too
            raise BadConfiguration(f"{path}, line {number}: {error}") from error
    return found
