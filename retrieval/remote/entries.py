"""What stands in a drive, as a service tells of it, and where its files stand in a copy."""

import re
from collections.abc import Iterator, Sequence
from mimetypes import MimeTypes
from typing import Any, NamedTuple, Protocol, TypeVar

from pydantic import ConfigDict, model_validator
from pydantic.alias_generators import to_camel

from retrieval.parsing import is_read
from retrieval.remote.api import Answered
from retrieval.remote.names import LONGEST_NAME, in_a_name

_OFFICE = "application/vnd.openxmlformats-officedocument"


class Form(NamedTuple):
    mime_type: str
    ending: str


WORD = Form(f"{_OFFICE}.wordprocessingml.document", ".docx")
SHEETS = Form(f"{_OFFICE}.spreadsheetml.sheet", ".xlsx")
SLIDES = Form(f"{_OFFICE}.presentationml.presentation", ".pptx")
_OF_OFFICE = dict((WORD, SHEETS, SLIDES))
_ENDING = re.compile(r"\.[A-Za-z]\w{0,4}$")
_OTHERS = MimeTypes()
"""As Python knows them, whatever the machine has."""


class ApiObject(Answered):
    """Something that a service says; its names are in camel case."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, said: Any) -> Any:
        """What is null says no more than what is left out."""
        return {k: v for k, v in said.items() if v is not None} if isinstance(said, dict) else said


class DriveEntry(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def mime_type(self) -> str: ...
    @property
    def above(self) -> str:
        """The id of the folder that it stands in."""
        ...

    @property
    def is_folder(self) -> bool: ...
    @property
    def is_file(self) -> bool:
        """Not what only the service shows, such as a form or a notebook."""
        ...

    @property
    def ending(self) -> str:
        """Of what it is fetched as; empty where its own name says that."""
        ...


E = TypeVar("E", bound=DriveEntry)


def placed(root: str, below: Sequence[E]) -> Iterator[tuple[str, E]]:
    """The path of each file below a folder; folders come before what stands in them.

    Drive takes two of one name beside each other, which then have one path: a name that told them
    apart would be another than the one that metadata files speak of.
    """
    paths = {root: ""}
    for each in below:
        path = f"{paths[each.above]}{_called(each)}"
        if each.is_folder:
            paths[each.id] = f"{path}/"
        elif each.is_file:
            yield path, each


def _called(entry: DriveEntry) -> str:
    """Its name, with an ending that says its kind where it has none."""
    name, ending = entry.name or entry.id, entry.ending
    if not ending:
        if entry.is_folder or _ENDING.search(name):
            return in_a_name(name, LONGEST_NAME)
        kind = entry.mime_type
        ending = _OF_OFFICE.get(kind) or _OTHERS.guess_extension(kind) or ""
        ending = ending if is_read(f"a{ending}") else ""
    return f"{in_a_name(name, LONGEST_NAME - len(ending))}{ending}"
