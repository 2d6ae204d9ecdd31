"""What somebody may write into a document to steer whatever reads it, and facts falsely joined."""

from pathlib import Path
from typing import Any

import yaml

FIXTURES = Path(__file__).parents[1] / "fixtures"


def _read(name: str) -> Any:
    return yaml.safe_load((FIXTURES / name).read_text(encoding="utf-8"))


_HOSTILE = _read("hostile.yaml")
ATTACKS: dict[str, list[str]] = _HOSTILE["attacks"]
HOSTILE = [attack for attacks in ATTACKS.values() for attack in attacks]
UNNOTICED: list[str] = _HOSTILE["unnoticed"]
STEERING = list(_HOSTILE["steering"].items())
FOR_PEOPLE: list[str] = _HOSTILE["for_people"]
HANDBOOK_ORDERS = list(_HOSTILE["handbook_orders"].items())
JOINED: list[dict[str, list[str]]] = _read("joined-claims.yaml")
INVENTED = [(claim, tuple(each["source"])) for each in JOINED for claim in each["invented"]]
TRUE = [(claim, tuple(each["source"])) for each in JOINED for claim in each["true"]]
