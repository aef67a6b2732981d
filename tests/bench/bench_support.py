"""Where the comparison lies, and its script as a module."""

import importlib.machinery
import importlib.util
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BENCH = ROOT / "bench"
SCRIPT = BENCH / "peers"

sys.path.insert(0, str(BENCH))


def script():
    loader = importlib.machinery.SourceFileLoader("peers", str(SCRIPT))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("peers", loader))
    loader.exec_module(module)
    return module
