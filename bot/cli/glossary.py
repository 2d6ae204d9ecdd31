"""`vouch glossary` proposes a glossary from the documents, for a person to look through."""

import sys

from bot.cli.container import open_container_to_ask
from bot.visible import unbroken


def glossary() -> None:
    """Print abbreviations that the documents explain, for a file that VOUCH_GLOSSARY names."""
    from bot.wording import glossary as wording
    from retrieval.language.glossary import as_yaml, proposals

    container = open_container_to_ask()
    found = proposals(container.library.all_passages(), container.glossary)
    lines = (as_yaml(each.term, each.others) + wording.where(unbroken(each.file)) for each in found)
    said = [wording.HEADING if found else wording.NOTHING, *lines]
    sys.stdout.write("".join(f"{line}\n" for line in said))
