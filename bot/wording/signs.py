"""Why a sentence of a document is kept out, in words; by `retrieval.language.steering.Sign`."""

KEPT_OUT = {
    "tags": "it has roles or tags of a language model's prompt",
    "order": "it gives orders to a machine",
    "imitation": "it imitates what Vouch says of its answers",
    "alphabets": "it has words of mixed alphabets, or a look-alike address",
    "stuffing": "it says the same words over and over",
}


def kept_out(where: str, sign: str, text: str) -> str:
    return f"Neither copied nor quoted: {where}: {KEPT_OUT[sign]}: {text}"


def not_named(file: str, sign: str, text: str) -> str:
    return f"Nothing goes by this title or heading: {file}: {KEPT_OUT[sign]}: {text}"
