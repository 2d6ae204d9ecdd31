"""What the proposal of a glossary says; lines that are no terms are comments of YAML."""

HEADING = (
    "# Abbreviations that the documents explain, each with the first file that does. Look through\n"
    "# them, take out what is wrong, add what people say, and name the file by VOUCH_GLOSSARY."
)
NOTHING = "# The documents explain no abbreviation that the glossary lacks."


def where(file: str) -> str:
    """Behind a term: where it is explained."""
    return f"  # {file}"
