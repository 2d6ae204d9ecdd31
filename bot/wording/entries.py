"""What is said of entries that lead to passages."""


def missing(passages: int, reason: str) -> str:
    which = "1 passage" if passages == 1 else f"{passages} passages"
    return (
        f"Entries of {which} are missing, and asked for again at the next ingest: {reason} "
        "What they lead to is found all the same by its own text."
    )


def learned(new: int, gone: int) -> str:
    """Empty where nothing was."""
    told = [f"{_questions(new)} learned"] if new else []
    told += [f"{_questions(gone)} forgotten"] if gone else []
    return "; ".join(told)


def _questions(number: int) -> str:
    return "1 question of readers" if number == 1 else f"{number} questions of readers"
