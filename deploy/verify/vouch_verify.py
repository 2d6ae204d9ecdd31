#!/usr/bin/env python3
"""Check what Vouch's audit log has signed, on any machine, without Vouch and without a network.

    vouch_verify.py receipt RECEIPT.json            the receipt of one reply
    vouch_verify.py export EXPORT.jsonl             a whole export, against the checkpoint beside it
                                                    and those of witnesses; to its end it is signed
    vouch_verify.py consistency PROOF.json          that a later checkpoint only adds to an earlier

`--key KEY` is the log's verifier key, as `vouch audit key` shows it: not got from where the file is
from. Without it the file's own key is used, which says nothing of who has signed.
`--checkpoint FILE` (export; as often as there are files) is a file with checkpoints, of a witness,
which count beside the one that stands beside the export.

The exit status is 0 where everything holds, 1 where something does not, 2 where nothing can be
checked.

It needs Python 3.9 or later and nothing else, and has no line in common with what writes the log:
the forms are stated in docs/verifying.md, and by RFC 9162, RFC 8785, RFC 8032, C2SP's signed-note
and tlog-checkpoint.
"""

import argparse
import base64
import binascii
import hashlib
import hmac
import json
import re
import sys
from decimal import Decimal
from pathlib import Path

GENESIS = "sha256:" + "0" * 64
_NOTE = re.compile(r"(?m)^\S+\n\d+\n[A-Za-z0-9+/]+=*\n(?:\S.*\n)*\n(?:\u2014 \S+ \S+(?:\n|$))+")


class Broken(Exception):
    """What was to be checked does not hold."""


BAD = (
    *(Broken, ValueError, LookupError, TypeError, AttributeError),
    *(OverflowError, RecursionError),
)
"""What reading something forged may raise."""


# --- RFC 8032: Ed25519, verification alone --------------------------------------------

_P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, _P - 2, _P) % _P
_ROOT_OF_MINUS_1 = pow(2, (_P - 1) // 4, _P)


def _add(p, q):
    a = (p[1] - p[0]) * (q[1] - q[0]) % _P
    b = (p[1] + p[0]) * (q[1] + q[0]) % _P
    c = 2 * p[3] * q[3] * _D % _P
    d = 2 * p[2] * q[2] % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


def _times(scalar, point):
    total = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            total = _add(total, point)
        point = _add(point, point)
        scalar >>= 1
    return total


def _point(encoded):
    y = int.from_bytes(encoded, "little")
    sign, y = y >> 255, y & (1 << 255) - 1
    if y >= _P:
        return None
    square = (y * y - 1) * pow(_D * y * y + 1, _P - 2, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if (x * x - square) % _P:
        x = x * _ROOT_OF_MINUS_1 % _P
    if (x * x - square) % _P or (x == 0 and sign):
        return None
    x = _P - x if x & 1 != sign else x
    return x, y, 1, x * y % _P


_BASE = _point((4 * pow(5, _P - 2, _P) % _P).to_bytes(32, "little"))


def ed25519_holds(public, signature, message):
    """Whether a signature (64 bytes) is that of the public key (32 bytes)."""
    if len(public) != 32 or len(signature) != 64:
        return False
    a, r = _point(public), _point(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= ORDER:
        return False
    digest = hashlib.sha512(signature[:32] + public + message).digest()
    left = _times(s, _BASE)
    right = _add(r, _times(int.from_bytes(digest, "little") % ORDER, a))
    same = (left[0] * right[2] - right[0] * left[2]) % _P == 0
    return same and (left[1] * right[2] - right[1] * left[2]) % _P == 0


# --- RFC 8785: canonical JSON ---------------------------------------------------------


def jcs(value):
    """Canonical JSON as bytes; a lone surrogate, which the RFC refuses, is written as an escape."""
    parts = []
    _write(value, parts.append)
    return "".join(parts).encode("utf-8", "backslashreplace")


def _write(value, out):
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
        for number, name in enumerate(names):
            out("," if number else "{")
            out(json.dumps(name, ensure_ascii=False) + ":")
            _write(value[name], out)
        out("}" if names else "{}")
    elif isinstance(value, list):
        out("[")
        for number, each in enumerate(value):
            out("," if number else "")
            _write(each, out)
        out("]")
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        out(_ecmascript(float(value)))
    else:
        out(json.dumps(value, ensure_ascii=False))


def _ecmascript(number):
    if number != number or number in (float("inf"), float("-inf")):
        raise Broken("it holds a number that JSON has not")
    if number == 0:
        return "0"
    sign, digits, exponent = Decimal(repr(number)).normalize().as_tuple()
    text, n = "".join(map(str, digits)), len(digits) + exponent
    minus = "-" if sign else ""
    if exponent >= 0 and n <= 21:
        return minus + text + "0" * exponent
    if 0 < n <= 21:
        return minus + text[:n] + "." + text[n:]
    if -6 < n <= 0:
        return minus + "0." + "0" * -n + text
    return minus + text[0] + ("." + text[1:] if text[1:] else "") + f"e{n - 1:+d}"


# --- RFC 9162: the tree ---------------------------------------------------------------


def leaf_hash(data):
    return hashlib.sha256(b"\0" + data).digest()


def node_hash(left, right):
    return hashlib.sha256(b"\1" + left + right).digest()


def _climb(index, last, proof):
    """Each hash of a proof, with whether it stands on the left, from a leaf up to the root."""
    for each in proof:
        if last == 0:
            raise Broken("the proof is too long")
        on_left = bool(index & 1) or index == last
        yield each, on_left
        while on_left and index and not index & 1:
            index, last = index >> 1, last >> 1
        index, last = index >> 1, last >> 1
    if last:
        raise Broken("the proof is too short")


def inclusion_root(index, size, leaf, proof):
    """The root that an inclusion proof comes to (2.1.3.2)."""
    if not 0 <= index < size:
        raise Broken("the leaf's number is not in the tree")
    root = leaf
    for each, on_left in _climb(index, size - 1, proof):
        root = node_hash(each, root) if on_left else node_hash(root, each)
    return root


def demand_consistent(first, first_root, second, second_root, proof):
    """Raise `Broken` unless the second tree begins with the first (2.1.4.2)."""
    if not 0 < first <= second:
        raise Broken("the earlier checkpoint is of no smaller tree than the later one")
    if first == second:
        if proof or first_root != second_root:
            raise Broken("two roots of one size differ")
        return
    path = [first_root, *proof] if first & (first - 1) == 0 else list(proof)
    if not path:
        raise Broken("the proof is too short")
    index, last = first - 1, second - 1
    while index & 1:
        index, last = index >> 1, last >> 1
    earlier = later = path[0]
    for each, on_left in _climb(index, last, path[1:]):
        earlier = node_hash(each, earlier) if on_left else earlier
        later = node_hash(each, later) if on_left else node_hash(later, each)
    if (earlier, later) != (first_root, second_root):
        raise Broken("the later tree does not begin with the earlier one: the log was rewritten")


class GrowingTree:
    """The perfect subtrees at the right edge of a tree, smallest last."""

    def __init__(self):
        self.size, self._edge = 0, []

    def add(self, leaf):
        self.size += 1
        self._edge.append(leaf)
        rest = self.size
        while rest & 1 == 0:
            right = self._edge.pop()
            self._edge.append(node_hash(self._edge.pop(), right))
            rest >>= 1

    def root(self):
        if not self._edge:
            return hashlib.sha256(b"").digest()
        root = self._edge[-1]
        for left in self._edge[-2::-1]:
            root = node_hash(left, root)
        return root


# --- C2SP: signed notes and checkpoints -----------------------------------------------


class Key:
    """A verifier key, `name+hash+key`."""

    def __init__(self, text):
        self.text = text.strip()
        self.name, hashed, encoded = [*self.text.split("+", 2), "", ""][:3]
        typed = _base64(encoded)
        self.public = typed[1:]
        self.hash = hashlib.sha256(self.name.encode() + b"\n" + typed).digest()[:4]
        one_word = [self.name] == self.name.split()
        if typed[:1] != b"\x01" or len(typed) != 33 or self.hash.hex() != hashed or not one_word:
            raise Broken("the key is no verifier key of Ed25519")

    def demand_signed(self, note):
        """The signed text of a note, the last line feed with it."""
        text, gap, signatures = note.rpartition("\n\n")
        for line in signatures.splitlines() if gap else ():
            dash, _, rest = line.partition(" ")
            name, _, encoded = rest.partition(" ")
            signature = _base64(encoded)
            if (dash, name, signature[:4]) == ("\u2014", self.name, self.hash):
                if ed25519_holds(self.public, signature[4:], (text + "\n").encode()):
                    return text + "\n"
                raise Broken("the checkpoint's signature is not that of its text")
        raise Broken("the checkpoint is not signed with this key")


class Checkpoint:
    """A signed size and root."""

    def __init__(self, note, key):
        lines = key.demand_signed(note).split("\n")
        if len(lines) < 4 or lines[0] != key.name or not lines[1].isdecimal():
            raise Broken("the signed note is no checkpoint of this log")
        self.size, self.root = int(lines[1]), _base64(lines[2])
        times = [line[len("time ") :] for line in lines[3:] if line.startswith("time ")]
        self.time = times[0] if times else "a time that it does not say"


def _base64(text):
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise Broken("it holds what is no base64") from error


def notes_in(text):
    """The checkpoints that stand in a text, one after the other, among anything else."""
    return [found[0].rstrip("\n") + "\n" for found in _NOTE.finditer(text)]


# --- what is checked ------------------------------------------------------------------


def commitment(salt, name, value):
    return base64.b64encode(hashlib.sha256(jcs([salt, name, value])).digest()).decode()


def committed_values(record, entry):
    """What a leaf commits to, by name."""
    plain = ("audit_id", "time", "kind", "question", "reply", "decision")
    found = {"entry": entry, **{name: record[name] for name in plain if name in record}}
    for number, claim in enumerate(record.get("claims", []), 1):
        found[f"claims/{number}"] = {"text": claim["text"], "status": claim["status"]}
        for place, citation in enumerate(claim["citations"], 1):
            found.update(_source(f"claims/{number}/citations/{place}", citation))
    for number, nearest in enumerate(record.get("nearest", []), 1):
        found.update(_source(f"nearest/{number}", nearest))
    for number, sides in enumerate(record.get("contradictions", []), 1):
        for side in ("holds", "against"):
            found.update(_source(f"contradictions/{number}/{side}", sides[side]["citation"]))
    return found


def _source(name, source):
    """What was cited, and apart from it how it was judged."""
    judged = {key: source[key] for key in ("status", "score", "overridden") if key in source}
    cited = {key: value for key, value in source.items() if key not in judged}
    return {name: cited, name + "/judged": judged}


def leaf_of(values, salt):
    """The canonical JSON of an entry's leaf."""

    def keyed(text):
        return base64.b64encode(hmac.new(salt, text.encode(), hashlib.sha256).digest()).decode()

    hashes = [commitment(keyed(name), name, value) for name, value in values.items()]
    hashes += [keyed(f"filler {number}") for number in range(-len(hashes) % 16)]
    return jcs({"algorithm": "vouch-leaf-1", "commitments": sorted(hashes)})


def check_receipt(receipt, key):
    """Return the opened values by name, and the checkpoint."""
    if receipt["form"] != "vouch-receipt-1" or receipt["tree"] != "RFC9162_SHA256":
        raise Broken("it is no receipt of a form that is known here")
    leaf = receipt["leaf"]
    if leaf["algorithm"] != "vouch-leaf-1":
        raise Broken("its leaf is of no form that is known here")
    opened = {}
    for salt, name, value in receipt["opened"]:
        if name in opened or commitment(salt, name, value) not in leaf["commitments"]:
            raise Broken(f"what it says of {name} is not what was recorded")
        opened[name] = value
    if not opened:
        raise Broken("nothing of the record is opened in it, so it says nothing")
    checkpoint = Checkpoint(receipt["checkpoint"], key)
    proof = [_base64(each) for each in receipt["proof"]]
    hashed = leaf_hash(jcs(leaf))
    if inclusion_root(receipt["index"], checkpoint.size, hashed, proof) != checkpoint.root:
        raise Broken("the log that was signed has no such record")
    return opened, checkpoint


def _split(line):
    """The chain's part of an export's line, and the payload as it was sealed."""
    begin = '{"chain": '
    if not line.startswith(begin):
        raise Broken("it is no line of an export")
    chain, length = json.JSONDecoder().raw_decode(line[len(begin) :])
    payload = "{" + line[len(begin) + length + 1 :]
    if not line[len(begin) + length :].startswith(","):
        raise Broken("it is no line of an export")
    return chain, payload


def check_export(lines, checkpoints):
    """Return the number of entries, the head of the chain, and the last checkpoint that holds."""
    tree, head, held, wanted, erased = GrowingTree(), GENESIS, None, {}, Erased()
    for each in checkpoints:
        wanted.setdefault(each.size, []).append(each)
    if any(each.root != tree.root() for each in wanted.pop(0, ())):
        raise Broken("the checkpoint of an empty log has not its root")
    for number, line in enumerate(lines, 1):
        since = f"; up to entry {held.size} it is as it was signed on {held.time}" if held else ""
        try:
            head = _check_line(number, line, head, tree, erased)
        except BAD as error:
            raise Broken(f"entry {number}: {error}{since}") from error
        for each in wanted.pop(number, ()):
            if each.root != tree.root():
                which = f"those that were signed on {each.time}"
                raise Broken(f"the first {number} entries are not {which}{since}")
            held = each
    erased.demand_said()
    if wanted:
        raise Broken(
            f"{max(wanted)} entries were signed on {wanted[max(wanted)][0].time}, and it ends "
            f"after {tree.size}"
        )
    return tree.size, head, held


class Erased:
    """Which entries lack their content, held to the later events that name them."""

    def __init__(self):
        self._by_event = {}

    def add(self, event, number, payload, kept):
        numbers, hashed = self._by_event.setdefault(event, ([], hashlib.sha256()))
        numbers.append(number)
        hashed.update(f"{number}\n{payload}\n{kept}\n".encode())

    def demand_named(self, number, event):
        """Raise `Broken` unless an event, whose payload it is, names what it erased."""
        numbers, hashed = self._by_event.pop(number, ([], hashlib.sha256()))
        runs = []
        for each in numbers:
            if runs and runs[-1][1] == each - 1:
                runs[-1][1] = each
            else:
                runs.append([each, each])
        if event["details"].get("entries") != runs:
            raise Broken("the entries that it says were erased are not those that are")
        if event["details"].get("remains") != "sha256:" + hashed.hexdigest():
            raise Broken("what stays of the entries that it erased was altered since")

    def demand_said(self):
        numbers = [each for some, _ in self._by_event.values() for each in some]
        if numbers:
            raise Broken(f"entry {min(numbers)}: it was erased, and no event of the log says so")


def _erased_leaf(payload, entry, kept):
    """The leaf of an entry that lacks its content; all that it still says must be in there."""
    erased, held = payload["erased"], json.loads(kept)
    told = {**erased["cited"], "entry": entry}
    told.update({n: payload[n] for n in ("audit_id", "time", "kind", "decision") if n in payload})
    may_say = {"audit_id", "time", "kind", "decision", "event_id", "schema_version", "erased"}
    for name, value in payload.items():
        is_day = name == "filter" and value == {"on": payload["time"][:10]}
        if name not in may_say and not is_day and _says_something(value):
            raise Broken(f"it was erased, and says something: {name}")
    if set(erased) != {"on", "by", "because", "cited"}:
        raise Broken("what it says of its erasure is of no form that is known here")
    for name, value in told.items():
        if commitment(held["salts"].get(name, ""), name, value) not in held["commitments"]:
            raise Broken(f"what stays of it is not what was recorded: {name}")
    return jcs({"algorithm": "vouch-leaf-1", "commitments": held["commitments"]})


def _says_something(value):
    if isinstance(value, dict):
        return any(map(_says_something, value.values()))
    return bool(value)


def _check_line(number, line, head, tree, erased):
    chain, payload = _split(line)
    if chain["sequence"] != number:
        raise Broken(f"it says that it is entry {chain['sequence']}")
    if chain["previous_hash"] != head:
        raise Broken("it does not continue the entry before")
    record = json.loads(payload)
    if ("erased" in record) != ("erased" in chain):
        raise Broken("it says in one place that it was erased, and in another not")
    if "erased" in chain:
        if record["kind"] in ("erased", "expired"):
            raise Broken("it says what was erased, and was erased itself")
        erased.add(chain["erased"], number, payload, chain["salt"])
        tree.add(leaf_hash(_erased_leaf(record, chain["hash"], chain["salt"])))
        return chain["hash"]
    sealed = f"vouch-audit-1\n{number}\n{head}\n{payload}".encode()
    if chain["hash"] != "sha256:" + hashlib.sha256(sealed).hexdigest():
        raise Broken("its hash is not that of what it says")
    if record["kind"] in ("erased", "expired"):
        erased.demand_named(number, record)
    values = committed_values(record, chain["hash"])
    tree.add(leaf_hash(leaf_of(values, _base64(chain["salt"]))))
    return chain["hash"]


# --- the command line -----------------------------------------------------------------


def _receipt(options):
    receipt = json.loads(options.file.read_text("utf-8"))
    opened, checkpoint = check_receipt(receipt, _key(options, receipt["key"]))
    for name, value in opened.items():
        said = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        first, *more = said.split("\n")
        _say(f"{name}: {first}")
        for line in more:
            _say(f"    {line}")
    _say(
        f"Holds: entry {receipt['index'] + 1} of the {checkpoint.size} that were signed on "
        f"{checkpoint.time} says so."
    )


def _export(options):
    beside = options.file.with_name(options.file.name + ".checkpoint")
    files = [*(options.checkpoint or ()), *([beside] if beside.exists() else ())]
    notes = [note for file in files for note in notes_in(file.read_text("utf-8"))]
    if not notes:
        raise Broken("there is no checkpoint to hold it against")
    key = _key(options, options.file.with_name(options.file.name + ".key"))
    with options.file.open(encoding="utf-8", newline="\n") as file:
        lines = (line.rstrip("\n") for line in file)
        count, head, held = check_export(lines, [Checkpoint(note, key) for note in notes])
    signed = held.size if held else 0
    if signed < count:
        first = f"; the first {signed} are as they were signed on {held.time}" if held else ""
        unsigned = f"the last {count - signed} of its {count} entries" if held else "its entries"
        raise Broken(f"{unsigned} are signed by nobody and prove nothing{first}")
    _say(f"Holds: {count} entries, head {head}" + (f", signed on {held.time}." if held else "."))


def _consistency(options):
    proof = json.loads(options.file.read_text("utf-8"))
    key = _key(options, proof["key"])
    if proof["form"] != "vouch-consistency-1":
        raise Broken("it is no proof of a form that is known here")
    first, second = Checkpoint(proof["first"], key), Checkpoint(proof["second"], key)
    path = [_base64(each) for each in proof["proof"]]
    demand_consistent(first.size, first.root, second.size, second.root, path)
    _say(
        f"Holds: the {second.size} entries signed on {second.time} begin with the {first.size} "
        f"signed on {first.time}."
    )


def _key(options, found):
    """The key that was handed over, else the one that came with what is checked."""
    if options.key:
        return Key(options.key)
    text = found.read_text("utf-8") if isinstance(found, Path) else found
    key = Key(text)
    _say(f"Signed with the key that came along, {key.text}: compare it with `vouch audit key`.")
    return key


def _say(text, to=None):
    """One line, with nothing in it that a terminal would obey."""
    print("".join(each if each.isprintable() else "\ufffd" for each in text), file=to)


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="vouch-verify", description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(required=True)
    for name, check in (("receipt", _receipt), ("export", _export), ("consistency", _consistency)):
        command = commands.add_parser(name)
        command.add_argument("file", type=Path)
        command.add_argument("--key", help="as `vouch audit key` shows it")
        command.set_defaults(check=check, checkpoint=None)
        if name == "export":
            command.add_argument("--checkpoint", type=Path, action="append")
    options = parser.parse_args(arguments)
    try:
        options.check(options)
    except OSError as error:
        _say(f"Cannot be checked: {error}", sys.stderr)
        return 2
    except json.JSONDecodeError:
        _say(f"Does not hold: {options.file} is empty, cut off, or of another kind", sys.stderr)
        return 1
    except KeyError as error:
        _say(f"Does not hold: it has no {error}, so it is whole no more", sys.stderr)
        return 1
    except BAD as error:
        _say(f"Does not hold: {error or type(error).__name__}", sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
