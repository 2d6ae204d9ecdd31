"""What is said when a document is erased."""

from collections.abc import Sequence

from bot.wording.names import did_you_mean

NOT_DONE = "Nothing was erased."
RECORDS = (
    "What replies quoted of it stands in the audit store, which nothing is taken out of. If its "
    "file still stands in a folder that is ingested, remove it there too."
)


def sure(file: str) -> str:
    return f"Erase every version of {file}, with all its text? This cannot be undone."


def erased(file: str, versions: int, passages: int) -> str:
    return f"Erased {file}: {versions} versions, {passages} passages. Their hashes are kept."


def also(file: str) -> str:
    return f"The same content still stands as {file}. To erase that too: vouch purge {file}"


def unknown(name: str, near: Sequence[str]) -> str:
    return (
        f"No document is or was called {name!r}. {did_you_mean(near)}"
        "Name it by its path, or by its id in a record."
    )


def ambiguous(name: str, found: Sequence[tuple[str, str]]) -> str:
    listed = ", ".join(f"{document_id} ({file})" for document_id, file in found)
    return f"{name!r} may be any of several documents. Name one by its id: {listed}"
