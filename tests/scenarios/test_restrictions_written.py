"""Somebody wrote who may read a document, in a way that is not understood: nobody reads it.

Each of these was once told to guests.
"""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import docx
import pytest
import yaml
from reportlab.pdfgen.canvas import Canvas
from vouch_home import Finished, Home

SECRET = "The pool of the directors is cleaned on Thursdays."
FOR_HR = "audience:\n  departments: [hr]\n"
BLOCK = f"---\n{FOR_HR}---\n\n{SECRET}\n"
EXAMPLE = "```yaml\naudience: vault\n```\nThat is an example."
SCHEMA = '{\n"audience": {"@type": "x"}}'
OPEN = {
    "open.md": "The reading room closes at nine.",
    "open too.html": "<p>Parking is free.</p>",
    # What looks a little like it, and is not.
    "example.md": f"---\ntitle: x\n---\n# Roles\n\n{EXAMPLE}",
    "example alone.md": f"# Roles\n\nAs here:\n\n{EXAMPLE}",
    "package.md": '```json\n{"private": true, "name": "x"}\n```\nThat is an example.',
    "notice.md": "***Important***\n\nAccess: by the main door.\n\n***Thanks***\n",
    "bullets.txt": "\u2013 purpose\nVisibility: good.\n\u2013 end\n",
    "drawn.txt": "=====\nHOURS\n=====\n\nAccess: by the main door.\n",
    "table.md": "# Policy\n\n| | |\n|---|---|\n| Audience: | All staff |\n\nIt is so.",
    "said.md": "# Policy\n\n**Audience:** all staff\n\nAudience: all staff. It is so.",
    "published.md": "---\npublished: 2024-03-01\ndraft:\n---\nIt is so.",
    "schema.html": f"<script>\n{SCHEMA}\n</script><p>It is so.</p>",
}


def pdf(*lines: str) -> bytes:
    out = BytesIO()
    canvas = Canvas(out)
    for number, line in enumerate(lines):
        canvas.drawString(72, 720 - 14 * number, line)
    canvas.save()
    return out.getvalue()


def word(*paragraphs: str) -> bytes:
    document, out = docx.Document(), BytesIO()
    for paragraph in paragraphs:
        document.add_paragraph(paragraph)
    document.save(out)
    return out.getvalue()


IN_THE_DOCUMENT: dict[str, str | bytes] = {
    "front matter.html": f"---\n{FOR_HR}---\n<p>{SECRET}</p>",
    "front matter.txt": BLOCK,
    "front matter.pdf": pdf(*BLOCK.splitlines()),
    "front matter.docx": word(*BLOCK.splitlines()),
    "dashes made one.docx": word("—", *FOR_HR.splitlines(), "—", SECRET),
    "meta.html": f'<head><meta name="audience" content="hr"></head><p>{SECRET}</p>',
    "comment.html": f"<!-- audience: hr -->\n<p>{SECRET}</p>",
    "below a comment.md": f"<!-- a comment -->\n{BLOCK}",
    "below a heading.md": f"# The pool\n\n{BLOCK}",
    "below another block.md": f"---\ntitle: The pool\n---\n{BLOCK}",
    "zero width.md": f"\u200b{BLOCK}",
    "two marks.md": f"\ufeff\ufeff{BLOCK}",
    "indented.md": f" {BLOCK}",
    "four dashes.md": BLOCK.replace("---", "----"),
    "long dashes.md": BLOCK.replace("---", "—"),
    "old mac.md": BLOCK.replace("\n", "\r"),
    "toml.md": f"+++\naudience = {{departments = ['hr']}}\n+++\n\n{SECRET}",
    "toml table.md": f"+++\n[audience]\ndepartments = ['hr']\n+++\n\n{SECRET}",
    "json.md": f'{{\n  "audience": {{"departments": ["hr"]}}\n}}\n\n{SECRET}',
    "json in a line.md": f'{{"title": "x", "audience": {{"departments": ["hr"]}}}}\n\n{SECRET}',
    "code block.md": f"```yaml\n{FOR_HR}```\n\n{SECRET}",
    "no fence.md": f"title: x\n{FOR_HR}\n{SECRET}",
    "unclosed and indented.md": f"---\n  audience:\n    departments: [hr]\n\n{SECRET}",
    "unclosed and quoted.md": f'---\n"audience":\n  departments: [hr]\n\n{SECRET}',
    "unclosed and long.md": "---\n" + "key: value\n" * 40 + f"{FOR_HR}\n{SECRET}",
    "long and below a comment.md": "<!-- x -->\n---\n"
    + "key: value\n" * 40
    + f"{FOR_HR}---\n{SECRET}",
    "no opening fence.md": f"title: x\n{FOR_HR}---\n{SECRET}",
    "no blank line.md": f"{FOR_HR}# The pool\n{SECRET}",
    "two opening fences.md": f"---\n{BLOCK}",
    "dots and more.md": f"---\ntitle: x\n...\n{FOR_HR}---\n{SECRET}",
    "unclosed and misspelt.md": f"---\nAudience: hr\n\n{SECRET}",
    "unclosed synonym.md": f"---\nvisibility: private\n\n{SECRET}",
    "closed by two dashes.md": f"---\nexpires: 2020-01-01\n--\n{SECRET}",
    "long comment.md": "<!--\n" + "A licence.\n" * 80 + f"-->\n{BLOCK}",
    "misspelt below a comment.md": f"<!--\nx\n-->\n---\nAudience: hr\n---\n{SECRET}",
    "synonym below a title.md": f"# Pool\n---\nvisibility: private\n---\n{SECRET}",
    "dotted.md": f"---\naudience.departments: [hr]\n---\n{SECRET}",
    "nobody.md": f"---\naudience: {{}}\n---\n\n{SECRET}",
    "valid until.md": f"---\nvalid_until: 2020-01-01\n---\n\n{SECRET}",
    "expires.md": f"---\nexpires: 2020-01-01\n---\n\n{SECRET}",
    "visibility.md": f"---\nvisibility: internal\n---\n\n{SECRET}",
    "facet alone.md": f"---\ndepartments: [hr]\n---\n\n{SECRET}",
    "too deep.md": f"---\nparams:\n  audience: {{departments: [hr]}}\n---\n\n{SECRET}",
    "alias.md": f"---\nx: &hr [hr]\naudience: {{departments: *hr}}\n---\n\n{SECRET}",
}
RULE = {"audience": {"departments": ["hr"]}}
IN_A_METADATA_FILE: dict[str, tuple[str, str]] = {
    "yml/pool.md": ("yml/metadata.yml", yaml.safe_dump({"pool.md": RULE})),
    "top/pool.md": ("top/metadata.yaml", yaml.safe_dump(RULE)),
    "hr/pool.md": ("metadata.yaml", yaml.safe_dump({"hr": RULE})),
    "case/hr.md": ("case/metadata.yaml", yaml.safe_dump({"HR.md": RULE})),
    "suffix/hr.md": ("suffix/metadata.yaml", yaml.safe_dump({"hr.docx": RULE})),
    "slash/hr/pool.md": ("slash/metadata.yaml", yaml.safe_dump({"hr\\*": RULE})),
    "empty/pool.md": ("empty/metadata.yaml", yaml.safe_dump({"*": {"audience": {}}})),
    "until/pool.md": ("until/metadata.yaml", "'*': {valid_until: 2020-01-01}"),
}
KEPT_OUT = [*IN_THE_DOCUMENT, *IN_A_METADATA_FILE]


def fill(folder: Path) -> Path:
    contents = {**OPEN, **IN_THE_DOCUMENT, **dict.fromkeys(IN_A_METADATA_FILE, SECRET)}
    for name, content in [*contents.items(), *IN_A_METADATA_FILE.values()]:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        raw = content.encode() if isinstance(content, str) else content
        (folder / name).write_bytes(raw)
    return folder


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fill(tmp_path_factory.mktemp("written") / "docs")


@pytest.fixture(scope="module")
def ingested(
    docs: Path, tmp_path_factory: pytest.TempPathFactory, new_home: Callable[[Path], Home]
) -> tuple[Home, Finished]:
    home = new_home(tmp_path_factory.mktemp("home") / "home")
    return home, home.vouch("ingest", docs)


@pytest.mark.parametrize("file", KEPT_OUT)
def test_what_was_not_understood_is_kept_out_by_name(
    ingested: tuple[Home, Finished], file: str
) -> None:
    home, finished = ingested
    assert f"Left out: {file} " in finished.err
    assert file not in home.texts()


def test_nothing_else_is_kept_out_and_the_exit_status_is_1(
    ingested: tuple[Home, Finished],
) -> None:
    home, finished = ingested
    assert finished.status == 1
    assert set(home.texts()) == set(OPEN)
    assert home.is_whole()


def test_an_administrator_is_told_what_is_kept_out_and_why(
    ingested: tuple[Home, Finished],
) -> None:
    home, _ = ingested
    said = home.vouch("check").said
    for file in KEPT_OUT:
        assert file in said
    assert "Kept out, or not understood" in said


def test_a_part_of_the_folder_is_no_way_round(
    docs: Path, tmp_path: Path, new_home: Callable[[Path], Home]
) -> None:
    """Whether the folder above was ingested before or not."""
    fresh = new_home(tmp_path / "fresh")
    assert fresh.vouch("ingest", docs / "hr").status == 1
    assert fresh.texts() == {}
    known = new_home(tmp_path / "known")
    known.vouch("ingest", docs)
    for part in (docs / "hr", docs / "hr" / "pool.md", docs / "case", docs / "top"):
        assert known.vouch("ingest", part).status == 1
    assert set(known.texts()) == set(OPEN)


def test_an_entry_that_names_nothing_is_an_error_whatever_part_is_read(
    home: Home, tmp_path: Path
) -> None:
    docs = tmp_path / "docs"
    (docs / "a").mkdir(parents=True)
    (docs / "a" / "open.md").write_text(OPEN["open.md"])
    (docs / "metadata.yaml").write_text(yaml.safe_dump({"b/pool.md": RULE}))
    for part in (docs, docs / "a", docs / "a" / "open.md"):
        finished = home.vouch("ingest", part)
        assert finished.status == 1
        assert "Names no file: b/pool.md in metadata.yaml" in finished.said
    assert set(home.texts()) == {"a/open.md"}
    (docs / "metadata.yaml").unlink()
    assert home.ingest(docs).status == 0
    assert "Kept out" not in home.vouch("check").said
