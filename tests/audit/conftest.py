"""Lets these tests use the stores that the contract suite is run on."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "contracts"))
