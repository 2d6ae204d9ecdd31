"""How often a reviewed answer would lead where another question is asked is counted."""

import json
from pathlib import Path

from vouch_home import Home, write

HANDBOOK = {
    "dev": True,
    "passages": [
        {"sentences": ["Staff have 25 days of annual leave.", "Ask the office for a form."]},
        {"sentences": ["The canteen opens at noon."]},
    ],
    "questions": [
        {"q": "How many days of annual leave do staff have?", "answers": {"0": [0]}},
        {"q": "Where do I get the form?", "answers": {"0": [1]}},
        {"q": "Who pays for lunch in the canteen?", "answers": {}, "nearest": [1]},
        {"q": "How many days of sick leave do staff have?", "answers": {}, "nearest": [0]},
    ],
}


def test_each_threshold_tells_how_many_near_questions_reach_it(home: Home, tmp_path: Path) -> None:
    """A question near another passage is near no answer; what taught the models is left out."""
    rows = json.dumps(HANDBOOK), json.dumps({**HANDBOOK, "dev": False})
    file = write(tmp_path / "books", {"handbooks.jsonl": "\n".join(rows)}) / "handbooks.jsonl"
    heads, _, first, *others = home.vouch("lab", "standard-answers", file).out.splitlines()
    counted = ("itself", "nothing answers it", "the passage answers it, too")
    assert heads == f"| threshold | {' | '.join(f'{each}, of 2' for each in counted)} |"
    assert first.startswith("| 0.8 | 100.0 % |")
    shares = [[float(cell.split()[0]) for cell in row.split("|")[2:5]] for row in (first, *others)]
    assert shares == sorted(shares, reverse=True), "the higher, the fewer"
    every = home.vouch("lab", "standard-answers", file, "--all").out
    assert "itself, of 4 | nothing answers it, of 4" in every
