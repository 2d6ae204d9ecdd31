"""What is said of entries that lead to passages."""


def missing(passages: int, reason: str) -> str:
    which = "1 passage" if passages == 1 else f"{passages} passages"
    return (
        f"Entries of {which} are missing, and asked for again at the next ingest: {reason} "
        "What they lead to is found all the same by its own text."
    )
