"""Somebody wrote who may read a document, in a way that is not understood: nobody reads it.

Each of these was once told to guests.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from stating import book, labelled, pdf, sheet, word
from vouch_home import Finished, Home

SECRET = "The pool of the directors is cleaned on Thursdays."
FOR_HR = "audience:\n  departments: [hr]\n"
BLOCK = f"---\n{FOR_HR}---\n\n{SECRET}\n"
EXAMPLE = "```yaml\naudience: vault\n```\nThat is an example."
SCHEMA = '{\n"audience": {"@type": "x"}}'
OPEN: dict[str, str | bytes] = {
    "open.md": "The reading room closes at nine.",
    "open too.html": "<p>Parking is free.</p>",
    # What looks a little like it, and is not.
    "example.md": f"---\ntitle: x\n---\n# Roles\n\n{EXAMPLE}",
    "example alone.md": f"# Roles\n\nAs here:\n\n{EXAMPLE}",
    "package.md": '```json\n{"private": true, "name": "x"}\n```\nThat is an example.',
    "notice.md": "***Important***\n\nAccess: by the main door.\n\n***Thanks***\n",
    "bullets.txt": "\u2013 purpose\nVisibility: good.\n\u2013 end\n",
    "drawn.txt": "=====\nHOURS\n=====\n\nAccess: by the main door.\n",
    "sentence.md": "# Policy\n\nThe audience: whoever comes to a talk of the week on Fridays.",
    "public.md": "---\naccess: public\nowner: [facilities, security]\nlink: ../rooms/\n---\nSo.",
    # By words that restrict elsewhere.
    "card.docx": word("The canteen", "Access: by the main door", "It is so."),
    "law.epub": book("<dc:rights>Copyright 2026 Westhill</dc:rights>", "It is so."),
    "general.docx": labelled("General", "It is so."),
    "published.md": "---\npublished: 2024-03-01\ndraft:\n---\nIt is so.",
    "unseen.html": "<p class='sr-only' hidden>For screen readers only</p><p>It is so.</p>",
    "schema.html": f"<script>\n{SCHEMA}\n</script><p>It is so.</p>",
}


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
    "closed by two dashes.md": f"---\nexpires: soon\n--\n{SECRET}",
    "long comment.md": "<!--\n" + "A licence.\n" * 80 + f"-->\n{BLOCK}",
    "misspelt below a comment.md": f"<!--\nx\n-->\n---\nAudience: hr\n---\n{SECRET}",
    "synonym below a title.md": f"# Pool\n---\nvisibility: private\n---\n{SECRET}",
    "dotted.md": f"---\naudience.departments: [hr]\n---\n{SECRET}",
    "nobody.md": f"---\naudience: {{}}\n---\n\n{SECRET}",
    "visibility.md": f"---\nvisibility: internal\n---\n\n{SECRET}",
    "facet alone.md": f"---\ndepartments: [hr]\n---\n\n{SECRET}",
    "too deep.md": f"---\nparams:\n  audience: {{departments: [hr]}}\n---\n\n{SECRET}",
    "seen.html": f"<h1>Pool</h1><p>Audience: HR</p><p>{SECRET}</p>",
    "below the title.md": f"# Pool\n\nFor managers only\n\n{SECRET}",
    "two cells.md": f"# Pool\n\n| Audience | HR |\n|---|---|\n| Owner | Kim |\n\n{SECRET}",
    "two cells below.md": f"# Pool\n\n| | |\n|---|---|\n| Audience: | Staff |\n\n{SECRET}",
    "in bold.md": f"# Pool\n\n**Audience:** all staff\n\n{SECRET}",
    "column.csv": f"what,audience\n{SECRET},hr\n",
    "yes in a column.csv": f"what,amount,confidential\n{SECRET},3,yes\n",
    "columns of words.xlsx": sheet(("what", "visible to"), (SECRET, "hr")),
    "definition.html": f"<h1>Pool</h1><dl><dt>Audience<dd>HR</dl><p>{SECRET}</p>",
    "line.txt": f"POOL\nCONFIDENTIAL\n\n{SECRET}",
    "line.pdf": pdf("CONFIDENTIAL", SECRET),
    "title.md": f"# Pool (confidential)\n\n{SECRET}",
    "dash.md": f"# Pool\n\n*Internal \u2013 HR only*\n\n{SECRET}",
    "among other words.docx": word(SECRET, comment="Please do not share, HR only"),
    "column.xlsx": sheet(("what", "audience"), (SECRET, "hr")),
    "property.docx": word(SECRET, Classification="Confidential"),
    "keywords.docx": word(SECRET, keywords="pool, HR only"),
    "label.docx": labelled("Confidential", SECRET),
    "comment.docx": word(SECRET, comment="Audience: HR"),
    "head.docx": word(SECRET, head="Confidential"),
    "info.pdf": pdf(SECRET, Audience="hr"),
    "keywords.pdf": pdf(SECRET, Keywords="HR only"),
    "xmp.pdf": pdf(SECRET, xmp="<pdfx:Classification>Secret</pdfx:Classification>"),
    "rights.epub": book("<dc:rights>For the board only</dc:rights>", SECRET),
    "audience.epub": book('<meta property="audience">staff</meta>', SECRET),
    "login.md": f"---\nlogin: required\n---\n\n{SECRET}",
    "role.md": f"---\nrequired_role: manager\n---\n\n{SECRET}",
    "invisible.md": f"---\nvisible: false\n---\n\n{SECRET}",
    "tlp.md": f"---\ntlp: red\n---\n\n{SECRET}",
    "tlp.html": f'<meta name="tlp" content="TLP:RED"><p>{SECRET}</p>',
    "alias.md": f"---\nx: &hr [hr]\naudience: {{departments: *hr}}\n---\n\n{SECRET}",
}
RULE = {"audience": {"departments": ["hr"]}}
IN_A_METADATA_FILE: dict[str, tuple[str, str]] = {
    "yml/pool.md": ("yml/metadata.yml", yaml.safe_dump({"pool.md": RULE})),
    "top/pool.md": ("top/metadata.yaml", yaml.safe_dump(RULE)),
    "part/hr/pool.md": ("part/metadata.yaml", yaml.safe_dump({"hr": RULE})),
    "case/hr.md": ("case/metadata.yaml", yaml.safe_dump({"HR.md": RULE})),
    "suffix/hr.md": ("suffix/metadata.yaml", yaml.safe_dump({"hr.docx": RULE})),
    "slash/hr/pool.md": ("slash/metadata.yaml", yaml.safe_dump({"hr\\*": RULE})),
    "empty/pool.md": ("empty/metadata.yaml", yaml.safe_dump({"*": {"audience": {}}})),
    "no/pool.md": ("no/metadata.yaml", "no:\n  audience: {departments: [hr]}\n"),
    "octal/pool.md": ("octal/metadata.yaml", "010:\n  audience: {departments: [hr]}\n"),
    "braces/s.md": ("braces/metadata.yaml", "'{s,t}.md': {audience: {departments: [hr]}}"),
    "docs/hr/pool.md": ("docs/metadata.yaml", "docs/hr/: {audience: {departments: [hr]}}"),
    "merge/pool.md": ("merge/metadata.yaml", "pool.md: {<<: {audience: {departments: [hr]}}}"),
    "unseen/pool.md": ("unseen/metadata.yaml", "po\u200bol.md: {audience: {departments: [hr]}}"),
}
UNDERSTOOD = {
    "toml.md": f"+++\naudience = {{departments = ['hr']}}\n+++\n\n{SECRET}",
    "toml table.md": f"+++\n[audience]\ndepartments = ['hr']\n+++\n\n{SECRET}",
}
"""Is for those whom it says."""
KEPT_OUT = [*IN_THE_DOCUMENT, *IN_A_METADATA_FILE]


def fill(folder: Path) -> Path:
    contents = {
        **OPEN,
        **UNDERSTOOD,
        **IN_THE_DOCUMENT,
        **dict.fromkeys(IN_A_METADATA_FILE, SECRET),
    }
    for name, content in [*contents.items(), *IN_A_METADATA_FILE.values()]:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        raw = content.encode() if isinstance(content, str) else content
        (folder / name).write_bytes(raw)
    return folder


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fill(tmp_path_factory.mktemp("written") / "docs")


@pytest.fixture(scope="module")
def ingested(docs: Path, shared_home: Home) -> tuple[Home, Finished]:
    return shared_home, shared_home.vouch("ingest", "--for=everyone", docs)


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
    assert set(home.texts()) == {*OPEN, *UNDERSTOOD}
    assert home.is_whole()
    home.people({"id": "hr", "departments": ["hr"]}, {"id": "ben", "departments": ["cs"]})
    for file in UNDERSTOOD:
        why = {who: home.vouch("why", who, file, "--json").json[0] for who in ("hr", "ben")}
        assert {who: each["may_read"] for who, each in why.items()} == {"hr": True, "ben": False}


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
    assert fresh.vouch("ingest", "--for=everyone", docs / "part" / "hr").status == 1
    assert fresh.texts() == {}
    known = new_home(tmp_path / "known")
    known.vouch("ingest", "--for=everyone", docs)
    for part in ("part/hr", "part/hr/pool.md", "case", "top"):
        assert known.vouch("ingest", "--for=everyone", docs / part).status == 1
    assert set(known.texts()) == {*OPEN, *UNDERSTOOD}


def test_an_entry_that_names_nothing_is_an_error_whatever_part_is_read(
    home: Home, tmp_path: Path
) -> None:
    docs = tmp_path / "docs"
    (docs / "a").mkdir(parents=True)
    (docs / "a" / "open.md").write_text("The reading room closes at nine.")
    (docs / "metadata.yaml").write_text(yaml.safe_dump({"b/pool.md": RULE}))
    for part in (docs, docs / "a", docs / "a" / "open.md"):
        home.refuses("Names no file: b/pool.md in metadata.yaml", "ingest", "--for=everyone", part)
        assert home.texts() == {}
    (docs / "metadata.yaml").unlink()
    assert home.ingest(docs).status == 0
    assert "Kept out" not in home.vouch("check").said
