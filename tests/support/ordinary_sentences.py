"""Sentences that nobody wrote to steer a machine; run with folders it takes more of them."""

import json
import re
import sys
from hashlib import sha256
from pathlib import Path

import retrieval.training
from retrieval.parsing import parser_for

CHECKOUT = Path(__file__).parents[2]
OF_CORPORA = CHECKOUT / "tests" / "fixtures" / "ordinary.txt"
WORDED_ALIKE = OF_CORPORA.with_name("worded_alike.txt")
ORGANISATIONS = Path(retrieval.training.__file__).parent / "organisations.jsonl"
SAMPLE = CHECKOUT / "deploy" / "sample" / "documents"
SHARED_WITH_ATTACKS = (
    r"assistants?|ai|bots?|chatbots?|language models?|models?|programs?|software|tools?",
    r"ignor\w+|disregard\w*|forget|overrid\w+|bypass\w*|drop|set aside",
    r"(?:previous|prior|above|earlier) \w+|instructions?|rules?|guidelines?|orders?|commands?",
    r"prompts?|system|developer|(?:the )?user|human|role",
    r"your (?:answer|response|reply|output)s?|(?:every|any|all) questions?",
    r"answer|reply|respond|say|state|confirm|report|mention|tell",
    r"print|repeat|reveal|show|output|send|call|run|include|add",
    r"you are|you must|act as|pretend|as an?|if you are",
    r"verif\w+|decision|answer(?:ed|s)|sources?|confidence|score|claims?|status",
    r"dear|attention|note|hello|please|now|never|always",
)
EACH = 45


def worded_alike() -> list[str]:
    """Written for this: ordinary sentences of the same words as attacks."""
    return WORDED_ALIKE.read_text(encoding="utf-8").splitlines()


def of_corpora() -> list[str]:
    return OF_CORPORA.read_text(encoding="utf-8").splitlines()


def of_organisations() -> list[str]:
    """What was written for training; those held out from it."""
    told = map(json.loads, ORGANISATIONS.read_text(encoding="utf-8").splitlines())
    return [
        sentence
        for each in told
        if each["dev"]
        for passage in each["passages"]
        for sentence in passage["sentences"]
    ]


def of_files(*files: Path) -> list[str]:
    return [
        " ".join(sentence.text.split())
        for file in files
        for fragment in parser_for(file.name)(file.read_bytes()).fragments
        for sentence in fragment.sentences
    ]


def of_sample() -> list[str]:
    return of_files(*sorted(SAMPLE.rglob("*.md")), *sorted(SAMPLE.rglob("*.html")))


def taken(sentences: set[str]) -> list[str]:
    """Those that share a word with attacks, in an order that nobody chose."""
    shuffled = sorted(sentences, key=lambda each: sha256(each.encode()).digest())
    whole = [each for each in shuffled if 25 <= len(each) <= 250]
    found: dict[str, None] = {}
    for words in SHARED_WITH_ATTACKS:
        shares = re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
        fresh = (each for each in whole if each not in found and shares.search(each))
        found |= dict.fromkeys(each for each, _ in zip(fresh, range(EACH), strict=False))
    return sorted(found)


if __name__ == "__main__":
    documents = [file for folder in sys.argv[1:] for file in sorted(Path(folder).rglob("*.md"))]
    OF_CORPORA.write_text("\n".join(taken(set(of_files(*documents)))) + "\n", encoding="utf-8")
