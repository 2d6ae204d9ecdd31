"""Files of labelled examples have one JSON object a line."""

import json
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from bot.errors import BadConfiguration

Labelled = TypeVar("Labelled", bound=BaseModel)


def read_lines(path: Path, kind: type[Labelled]) -> list[Labelled]:
    """Empty lines are left out; raise `BadConfiguration` naming the line that is wrong."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")  # no other break ends a line of JSON
    except OSError as error:
        raise BadConfiguration(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise BadConfiguration(f"{path} is no text in UTF-8. Name a file of JSON lines.") from error
    found = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            found.append(kind.model_validate(json.loads(line)))
        except ValidationError as error:
            raise BadConfiguration(f"{path}, line {number}: {_wrong(error)}.") from error
        except (ValueError, RecursionError) as error:
            raise BadConfiguration(f"{path}, line {number} is no JSON: {error}.") from error
    if not found:
        raise BadConfiguration(f"{path} is empty. Write one JSON object a line.")
    return found


def _wrong(error: ValidationError) -> str:
    """In one line, each key with what is wrong with its value."""
    return "; ".join(
        f"`{'.'.join(map(str, each['loc']))}`: {each['msg']}" if each["loc"] else each["msg"]
        for each in error.errors()
    )
