"""What is said of an index at a size."""

PASSAGES = "passages"
COSTS = ("filling, s", "of it folding in, s", "peak memory, MB", "disk, MB")
TIMES = "Milliseconds, median / 95th percentile"
RECALL = "Of the truly nearest passages, found"
LEAST_RECALL = "recall at 50, under the hardest filter"
UNKNOWN = "-"
READERS = {"half": "50 %", "hundredth": "1 %", "ten-thousandth": "0.01 %"}


def title(engine: str, passages: int, rules: int, exact: bool) -> str:
    how = "exact" if exact else "approximate"
    return f"{engine} ({how}), {passages:,} passages, {_rules(rules)}"


def line(engine: str, rules: int) -> str:
    return f"{engine}, {_rules(rules)}"


def clients(number: int) -> str:
    return "one client" if number == 1 else f"{number} at once"


def slow(kind: str) -> str:
    return f"{kind}: median, ms, slowest reader"


def _rules(number: int) -> str:
    return f"{number} rules" if number else "a rule for each document"
