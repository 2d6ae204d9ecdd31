"""What one variable holds several of."""


def listed(names: str) -> tuple[str, ...]:
    """Each by itself, without the commas between them."""
    return tuple(name for each in names.split(",") if (name := each.strip()))
