"""The offline verifier, loaded from where it is shipped: it is no package of ours."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

PROGRAM = Path(__file__).parents[2] / "deploy" / "verify" / "vouch_verify.py"


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("vouch_verify", PROGRAM)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
