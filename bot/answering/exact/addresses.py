"""An address in a claim is checked: one that no cited sentence names leads anywhere."""

import re

_ADDRESS = re.compile(
    r"\w[\w+.-]*://[^\s<>\"“”]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|www\.[^\s<>\"“”]+"
    r"|\b(?:[a-z0-9-]+\.)+[a-z]{2,}(?::\d+)?/[^\s<>\"“”]*",
    re.IGNORECASE,
)


def missing_addresses(claim: str, source: str) -> list[str]:
    """Those of the claim that the source does not have."""
    named = source.casefold()
    found = (each.rstrip(".,;:!?)]}’”") for each in _ADDRESS.findall(claim))
    return [address for address in dict.fromkeys(found) if address.casefold() not in named]
