"""An operator measures the index at a size before the documents are there."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from vouch_home import Home, write
from weaviate_servers import WeaviateNode, weaviate_node

PAGES = {
    f"{subject}-{number}.md": f"# {subject.title()} {number}\n\nThe {subject} office answers "
    f"within {number} days, and it asks for a card. A lost card costs {number * 5} euros.\n"
    for subject in ("leave", "travel", "library", "laptop")
    for number in range(2, 8)
}
PNG = b"\x89PNG"


def measured(home: Home, folder: Path, *more: str, **settings: str) -> Mapping[str, Any]:
    """The row that is kept of the smallest bench."""
    docs, rows = folder / "docs", folder / "rows"
    if not docs.exists():
        write(docs, PAGES)
    asked = ("--folder", str(folder / "bench"), "--docs", str(docs), "--queries", "2")
    said = home.vouch("bench-index", "run", *asked, "--json", str(rows), *more, **settings)
    assert said.status == 0, said.said
    row: Mapping[str, Any] = json.loads(rows.read_text().splitlines()[-1])
    assert row["passages"] == 10_000
    assert len(row["times"]) == 12
    assert all(each["share"] == 1 for each in row["recalls"]), "so few are compared one by one"
    return row


@pytest.mark.exhaustive
def test_the_embedded_index_is_measured_once_and_its_curve_drawn(
    home: Home, tmp_path: Path
) -> None:
    once, again = measured(home, tmp_path), measured(home, tmp_path)
    assert (once["engine"], once["exact"]) == ("lancedb", True)
    assert once["build_seconds"] == again["build_seconds"], "what is filled is not filled again"
    assert once["disk_megabytes"] > 10
    picture = tmp_path / "curve.png"
    rows = str(tmp_path / "rows")
    assert home.vouch("bench-index", "curve", rows, "--picture", str(picture)).status == 0
    assert picture.read_bytes().startswith(PNG)


def test_a_folder_filled_under_other_rules_is_not_mixed_with_these(
    home: Home, tmp_path: Path
) -> None:
    measured(home, tmp_path)
    asked = ("--folder", str(tmp_path / "bench"), "--docs", str(tmp_path / "docs"))
    said = home.vouch("bench-index", "run", *asked, "--rules", "0")
    assert said.status == 2
    assert "name another folder" in said.err


def test_a_file_that_holds_no_rows_is_not_drawn(home: Home, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.write_text("Buy milk.\n")
    picture = ("--picture", str(tmp_path / "curve.png"))
    said = home.vouch("bench-index", "curve", str(notes), *picture)
    assert said.status == 2
    assert "holds no rows" in said.err


@pytest.mark.exhaustive
@pytest.mark.server
def test_a_server_is_measured_with_its_memory_and_its_disk(home: Home, tmp_path: Path) -> None:
    with weaviate_node() as node:
        row = measured(
            home,
            tmp_path,
            *("--server-process", str(_process(node)), "--server-folder", str(node.folder)),
            VOUCH_INDEX="weaviate",
            VOUCH_WEAVIATE_URL=node.url,
            VOUCH_WEAVIATE_GRPC_PORT=str(node.ports["grpc"]),
        )
    assert (row["engine"], row["exact"]) == ("weaviate", False)
    assert row["peak_megabytes"] > 50
    assert row["disk_megabytes"] > 10


def _process(node: WeaviateNode) -> int:
    assert node.process is not None
    return node.process.pid
