"""A tiny folder of training data, and tiny weights to start from."""

import json
import lzma
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from retrieval.models.bundled_model import BUNDLED, TOKENIZER

HELD_OUT = "heldout"
FILES_OF_HANDBOOK = 12
FAMILIES = 5
GENERAL_DOCUMENTS = 60
TABLES, PREMISES = 14, 12
"""One more than what is held out at regular distances needs to be held out twice."""


@pytest.fixture(scope="session")
def training_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("training")
    passages = list(_handbook_passages())
    _write_lines(folder / "handbook_passages.jsonl.xz", passages)
    _write_lines(
        folder / "handbook_items.jsonl.xz", [_item(row) for row in passages if "split" in row]
    )
    _write_lines(folder / "families.jsonl.xz", [_family(n) for n in range(FAMILIES)])
    short = [row for row in passages if row.get("split") == "train" and row["n"] == 0]
    _write_lines(folder / "short_questions.jsonl.xz", map(_short, short))
    _write_lines(folder / "tables.jsonl.xz", map(_table, range(TABLES)))
    _write_lines(folder / "written_claims.jsonl.xz", map(_premise, range(PREMISES)))
    more = list(_more_passages())
    _write_lines(folder / "more_passages.jsonl.xz", more)
    _write_lines(
        folder / "more_items.jsonl.xz", [_more_item(row) for row in more if "split" in row]
    )
    _write(folder / "r_passages.json.xz", json.dumps(_general_passages()))
    _write(folder / "r_questions.json.xz", json.dumps(list(_general_questions())))
    _write_lines(folder / "e_train.jsonl.xz", _claims())
    return folder


@pytest.fixture(scope="session")
def held_out_word() -> str:
    """In every text of the dev split, and in no other."""
    return HELD_OUT


@pytest.fixture(scope="session")
def tiny_weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two random layers, the same in every session, with the tokenizer that ships."""
    import torch
    from transformers import BertConfig, BertModel

    folder = tmp_path_factory.mktemp("weights")
    torch.manual_seed(1)
    config = BertConfig(
        hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64
    )
    BertModel(config).save_pretrained(folder)
    shutil.copyfile(BUNDLED / "reranker" / TOKENIZER, folder / "tokenizer.json")
    return folder


def _handbook_passages() -> Iterable[dict[str, Any]]:
    """Of each file three annotated passages and one without annotation; every third is dev."""
    for source in ("meltano", "clef"):
        for file in range(FILES_OF_HANDBOOK):
            split = "dev" if source == "clef" or file % 3 == 0 else "train"
            for n in range(4):
                told = split if n < 3 or split == "dev" else ""
                subject, section = f"{source} office {file}", f"Office {file} > Rules"
                yield _passage(source, f"handbook/{file}.md", n, subject, section, told)


def _more_passages() -> Iterable[dict[str, Any]]:
    """Of each file the first is dev, and the last has no annotation."""
    for file in range(4):
        for n, split in enumerate(("dev", "train", "")):
            subject, section = f"studio {file}", f"Studio {file}"
            yield _passage("artsy", f"docs/{file}.md", n, subject, section, split)


def _passage(
    source: str, file: str, n: int, subject: str, section: str, split: str
) -> dict[str, Any]:
    sentences = _sentences(f"{subject} rule {n}", split == "dev")
    row = {
        "id": f"{source}-{Path(file).stem}-{n}",
        "source": source,
        "file": file,
        "n": n,
        "section": f"{section} > Rule {n}",
        "text": " ".join(sentences),
    }
    return row | ({"sents": sentences, "split": split} if split else {})


def _sentences(subject: str, dev: bool) -> list[str]:
    mark = f" {HELD_OUT}" if dev else ""
    # A line separator inside a text must not end a line of the file.
    return [
        f"The {subject}{mark} allows {len(subject)} days.",
        f"Ask the desk of {subject}{mark}\u2028before you travel.",
        f"Only members of {subject}{mark} may sign.",
    ]


def _item(row: dict[str, Any]) -> dict[str, Any]:
    mark = f" {HELD_OUT}" if row["split"] == "dev" else ""
    subject = row["id"] + mark
    return {
        "id": row["id"],
        "q": [f"How many days does {subject} allow?", f"who signs for {subject}"],
        "a": [[1], [3]],
        "near": f"What does {subject} cost?",
        "yes": f"Members sign for {subject}.",
        "no": f"Nobody signs for {subject}.",
        "maybe": f"Members of {subject} sign on Mondays.",
    }


def _short(row: dict[str, Any]) -> dict[str, Any]:
    subject = row["id"]
    return {
        "id": subject,
        "q": [f"days {subject}", f"who signs {subject}", f"before travel {subject}"],
        "a": [[1], [3], [2]],
        "near": [f"cost of {subject}", f"who runs {subject}"],
    }


def _table(number: int) -> dict[str, Any]:
    mark = f" {HELD_OUT}" if number % 12 == 0 else ""
    return {
        "title": f"Fees {number}{mark}",
        "section": "Prices",
        "head": ["Thing", "Fee"],
        "rows": [[f"locker {number}{mark}", "4 EUR"], [f"key {number}", "9 EUR"]],
        "q": [
            [f"fee of locker {number}{mark}", [1]],
            [f"fee of key {number}{mark}", [2]],
            [f"most in {number}{mark}", [2]],
            [f"under 5 eur {number}{mark}", [1]],
        ],
        "near": [f"fee of a bike {number}{mark}", f"deposit {number}{mark}"],
        "claims": [[f"A key {number}{mark} is 9 EUR.", 1], [f"A key {number}{mark} is 4 EUR.", 0]],
    }


def _premise(number: int) -> dict[str, Any]:
    mark = f" {HELD_OUT}" if number % 10 == 0 else ""
    return {
        "heading": f"Club {number}{mark}",
        "source": f"We open at {number} on Mondays.",
        "question": f"I come to club {number}{mark} at nine; is it open?",
        "claims": [
            [f"Club {number}{mark} opens at {number}.", 1, "name-for-we"],
            [f"Club {number}{mark} closes at {number}.", 0, "name-for-we"],
            [f"At nine club {number}{mark} is open.", 1, "asker"],
            [f"At nine club {number}{mark} is shut.", 0, "asker"],
        ],
    }


def _more_item(row: dict[str, Any]) -> dict[str, Any]:
    mark = f" {HELD_OUT}" if row["split"] == "dev" else ""
    subject = row["id"] + mark
    return {
        "id": row["id"],
        "q": [f"I go for a week, may I, {subject}?", f"who signs {subject}?", f"desk {subject}"],
        "a": [[1], [3], [2]],
        "near": [f"May my dog go, {subject}?", f"cost {subject}"],
        "claims": [
            [f"Your week is allowed by {subject}.", 1, "asker"],
            [f"Members sign for {subject}.", 1, "roles"],
            [f"Desks sign for {subject}.", 0, "roles"],
            [f"Your week is refused by {subject}.", 0, "asker"],
        ],
    }


def _family(number: int) -> dict[str, Any]:
    dev = number == 0
    mark = f" {HELD_OUT}" if dev else ""
    return {
        "id": f"F-{number}",
        "split": "dev" if dev else "train",
        "subject": f"loans {number}{mark}",
        "passages": [
            {
                "section": f"Library > Loans {number} > Group {n}",
                "text": f"Group {n} of library {number}{mark} may keep books for {n + 2} weeks.",
                "q": [f"How long may group {n} of library {number}{mark} keep books?", f"g {n}"]
                if not dev
                else [f"How long for group {n}{mark}?", f"weeks of {n}{mark}"],
                "near": f"What does group {n} of library {number}{mark} pay?",
                "yes": f"Group {n}{mark} keeps books for {n + 2} weeks.",
                "no": f"Group {n}{mark} keeps books for {n + 9} weeks.",
                "maybe": f"Group {n}{mark} is large.",
            }
            for n in range(4)
        ],
    }


def _general_passages() -> dict[str, list[dict[str, str]]]:
    return {
        "squad": [
            {"pid": f"squad-{n}", "doc": f"article {n}", "text": f"Town {n} lies on river {n}."}
            for n in range(GENERAL_DOCUMENTS)
        ]
    }


def _general_questions() -> Iterable[dict[str, str]]:
    for n in range(GENERAL_DOCUMENTS):
        for question in (f"Where does town {n} lie?", f"What is on river {n}?"):
            yield {"src": "squad", "q": question, "pid": f"squad-{n}", "doc": f"article {n}"}


def _claims() -> list[dict[str, Any]]:
    return [
        {"p": f"Town {n} lies on river {n}.", "h": claim, "y": label, "s": "snli"}
        for n in range(GENERAL_DOCUMENTS)
        for label, claim in enumerate((f"Town {n} has a river.", f"It is big {n}.", "It is dry."))
    ]


def _write_lines(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    _write(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def _write(path: Path, text: str) -> None:
    path.write_bytes(lzma.compress(text.encode(), preset=0))
