"""`vouch bench`, with a PostgreSQL server of its own that keeps what it is told to keep."""

import os
import subprocess
import sys
from collections.abc import Sequence

from audit_stores import LEAVE_OUT, postgresql_server


def bench(*options: str) -> int:
    command = [sys.executable, "-m", "bot.cli", "lab", "bench", *options]
    return subprocess.run(command, check=False).returncode


def main(options: Sequence[str]) -> int:
    if os.environ.get(LEAVE_OUT):
        return bench(*options)
    with postgresql_server(durable=True) as server:
        return bench("--audit-url", server.new_database().url, *options)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
