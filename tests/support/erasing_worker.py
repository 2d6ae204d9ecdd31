"""Erase PERSON in URL, and die before the change of number CHANGES, or before the commit."""

import os
import signal
import sys
from datetime import UTC, datetime

from sqlalchemy import Engine, event

from audit.erasure.erasing import Erasure, open_eraser


def main(url: str, person: str, changes: int) -> None:
    left = changes
    eraser = open_eraser(url)

    def changing(_: object, __: object, statement: str, *___: object) -> None:
        nonlocal left
        left -= statement.startswith(("INSERT", "UPDATE", "DELETE"))
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)

    def committing(_: object) -> None:
        if left < changes:
            os.kill(os.getpid(), signal.SIGKILL)

    event.listen(Engine, "before_cursor_execute", changing)
    event.listen(Engine, "commit", committing)
    eraser.erase(person, Erasure("dpo", "Asked for", datetime.now(UTC)))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
