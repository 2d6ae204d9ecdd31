"""Where something stands in a file: one value, from the parser to the record and every door.

Plain, for parsers make very many in processes that should be small; yet kept as strictly as all
else in a record.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Box:
    """A box is a rectangle on a page, in points from the page's top left corner."""

    __pydantic_config__: ClassVar[Mapping[str, object]] = {
        "extra": "forbid",
        "allow_inf_nan": False,
        "revalidate_instances": "always",
    }
    page: int
    x0: float
    y0: float
    x1: float
    y1: float
