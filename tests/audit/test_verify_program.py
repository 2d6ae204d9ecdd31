"""Writer and offline verifier agree on published vectors, and on trees, values and notes of chance.

Vectors: certificate-transparency's `merkle_tree_test`, RFC 8785 (3.2.2 and appendix B), RFC 8032
(7.1), and the note of golang.org/x/mod/sumdb/note. And what the verifier says of hostile files.
"""

import base64
import hashlib
import json
import struct
from base64 import b64decode
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sample_records import a_record
from vouch_verify_program import load

from audit.export import export, line
from audit.log import AuditReader, AuditWriter, StoredEntry
from audit.proof.checkpoints import Signer, VerifierKey, checkpoints_in, receipt
from audit.proof.hashes import canonical_json, entry_hash
from audit.proof.tree import EMPTY_ROOT, Edge, Node, Span, consistency, folded, inclusion, leaf_hash

verifier: Any = load()
LEAVES = [
    bytes.fromhex(each)
    for each in (
        *("", "00", "10", "2021", "3031", "40414243", "5051525354555657"),
        "606162636465666768696a6b6c6d6e6f",
    )
]
ROOTS = (
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)
PATHS = {
    (0, 1): (),
    (0, 8): (
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ),
    (5, 8): (
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ),
    (2, 3): ("fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",),
    (1, 5): (
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    ),
}


class Tree:
    """As the store keeps one: the nodes that each leaf completes."""

    def __init__(self, leaves: list[bytes]) -> None:
        self.nodes: dict[Node, bytes] = {}
        edge = Edge()
        for size, data in enumerate(leaves, start=1):
            for level, each in enumerate(edge.add(leaf_hash(data))):
                self.nodes[Node(level, (size >> level) - 1)] = each

    def root(self, size: int) -> bytes:
        return folded([self.nodes[node] for node in Span(0, size).nodes()])

    def proof(self, spans: list[Span]) -> list[bytes]:
        return [folded([self.nodes[node] for node in each.nodes()]) for each in spans]


def test_roots_and_paths_are_those_of_certificate_transparency() -> None:
    tree, growing = Tree(LEAVES), verifier.GrowingTree()
    assert growing.root() == tree.root(0) == EMPTY_ROOT
    for size, (data, root) in enumerate(zip(LEAVES, ROOTS, strict=True), start=1):
        growing.add(verifier.leaf_hash(data))
        assert growing.root().hex() == tree.root(size).hex() == root
    for (index, size), path in PATHS.items():
        assert [each.hex() for each in tree.proof(inclusion(index, size))] == list(path)


@given(leaves=st.lists(st.binary(max_size=3), min_size=1, max_size=70), data=st.data())
def test_every_proof_holds_and_no_other(leaves: list[bytes], data: st.DataObject) -> None:
    tree, size = Tree(leaves), len(leaves)
    first = data.draw(st.integers(1, size))
    index = data.draw(st.integers(0, size - 1))
    path = tree.proof(inclusion(index, size))
    hashed = leaf_hash(leaves[index])
    assert verifier.inclusion_root(index, size, hashed, path) == tree.root(size)
    assert verifier.inclusion_root(index, size, leaf_hash(b"forged"), path) != tree.root(size)
    for wrong in (path[1:], [*path, hashed]):
        if wrong != path:
            with pytest.raises(verifier.Broken):
                verifier.inclusion_root(index, size, hashed, wrong)
    proof = tree.proof(consistency(first, size))
    roots = tree.root(first), tree.root(size)
    verifier.demand_consistent(first, roots[0], size, roots[1], proof)
    other = Tree([b"forged", *leaves[1:]]).root(first)
    with pytest.raises(verifier.Broken):
        verifier.demand_consistent(first, other, size, roots[1], proof)


NUMBERS = {
    "0000000000000000": "0",
    "8000000000000000": "0",
    "0000000000000001": "5e-324",
    "8000000000000001": "-5e-324",
    "7fefffffffffffff": "1.7976931348623157e+308",
    "ffefffffffffffff": "-1.7976931348623157e+308",
    "4340000000000000": "9007199254740992",
    "c340000000000000": "-9007199254740992",
    "4430000000000000": "295147905179352830000",
    "44b52d02c7e14af5": "9.999999999999997e+22",
    "44b52d02c7e14af6": "1e+23",
    "44b52d02c7e14af7": "1.0000000000000001e+23",
    "444b1ae4d6e2ef4e": "999999999999999700000",
    "444b1ae4d6e2ef4f": "999999999999999900000",
    "444b1ae4d6e2ef50": "1e+21",
    "3eb0c6f7a0b5ed8c": "9.999999999999997e-7",
    "3eb0c6f7a0b5ed8d": "0.000001",
    "41b3de4355555553": "333333333.3333332",
    "41b3de4355555554": "333333333.33333325",
    "41b3de4355555555": "333333333.3333333",
    "41b3de4355555556": "333333333.3333334",
    "41b3de4355555557": "333333333.33333343",
    "becbf647612f3696": "-0.0000033333333333333333",
    "43143ff3c1cb0959": "1424953923781206.2",
}
SAMPLE = r"""{
  "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
  "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
  "literals": [null, true, false]
}"""
CANONICAL = (
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],'
    r'"string":"€$\u000f\nA' + "'" + r'B\"\\\\\"/"}'
)
NAMES = ["\r", "1", "\u0080", "ö", "€", "😀", "\ufb33"]


@pytest.mark.parametrize("write", [canonical_json, verifier.jcs])
def test_json_is_written_as_rfc_8785_has_it(write: Any) -> None:
    for bits, said in NUMBERS.items():
        [number] = struct.unpack(">d", bytes.fromhex(bits))
        assert write(number).decode() == said
    assert write(json.loads(SAMPLE)).decode() == CANONICAL
    assert list(json.loads(write(dict.fromkeys(reversed(NAMES), 0)))) == NAMES
    assert write("Pr\udcfcfung") == rb'"Pr\udcfcfung"'
    assert write([]) + write({}) == b"[]{}"


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.text() | st.integers() | st.floats(allow_nan=False),
    lambda each: st.lists(each, max_size=4) | st.dictionaries(st.text(), each, max_size=4),
    max_leaves=12,
).map(lambda value: json.loads(json.dumps(value).replace("Infinity", "1")))


@given(value=ANY_JSON)
def test_both_write_any_json_alike(value: Any) -> None:
    try:
        written = canonical_json(value)
    except OverflowError:
        return  # a whole number that no double is near
    assert written == verifier.jcs(value)
    assert canonical_json(json.loads(written)) == written


@pytest.mark.parametrize("value", ["[" * 100_000, "1" + "0" * 400])
def test_a_forged_line_of_an_export_is_named(value: str) -> None:
    payload = f'"reply": {value}}}'
    sealed = f"vouch-audit-1\n1\n{verifier.GENESIS}\n{{{payload}".encode()
    hashed = f"sha256:{hashlib.sha256(sealed).hexdigest()}"
    chain = {"sequence": 1, "previous_hash": verifier.GENESIS, "hash": hashed, "salt": ""}
    with pytest.raises(verifier.Broken, match="entry 1: "):
        verifier.check_export([f'{{"chain": {json.dumps(chain)},{payload}'], [])


GO_KEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
GO_NOTE = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n\n"
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6"
    "KE6RyyBwJnAM=\n"
)
RFC_8032 = (
    "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
    "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
    "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
    "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
)
NOW = datetime(2026, 3, 2, 4, tzinfo=UTC)


def test_gos_note_is_read_by_both_and_no_altered_one() -> None:
    key = VerifierKey.parse(GO_KEY)
    assert str(key) == GO_KEY
    assert key.signed(GO_NOTE)
    assert verifier.Key(GO_KEY).demand_signed(GO_NOTE) == GO_NOTE.split("\n\n")[0] + "\n"
    for forged in (GO_NOTE.replace("know", "knew"), GO_NOTE.replace("JnAM=", "JnAL=")):
        assert not key.signed(forged)
        with pytest.raises(verifier.Broken):
            verifier.Key(GO_KEY).demand_signed(forged)


def test_a_signature_of_rfc_8032_holds_and_no_other() -> None:
    _, public, signature = (bytes.fromhex(each) for each in RFC_8032)
    assert verifier.ed25519_holds(public, signature, b"")
    assert not verifier.ed25519_holds(public, signature, b"\0")
    twice = (int.from_bytes(signature[32:], "little") + verifier.ORDER).to_bytes(32, "little")
    assert not verifier.ed25519_holds(public, signature[:32] + twice, b"")
    assert not verifier.ed25519_holds(b"\xff" * 32, signature, b"")


@given(seed=st.binary(min_size=32, max_size=32), size=st.integers(0, 10**17), root=st.binary())
def test_a_checkpoint_is_read_back_by_both(seed: bytes, size: int, root: bytes) -> None:
    signer, hashed = Signer(seed), leaf_hash(root)
    made = signer.sign(size, hashed, NOW)
    bad = made.note.replace("2026-03", "2026-13") + made.note.replace("2026", "٢٠٢٦")
    assert list(checkpoints_in(f"torn\n{made.note}\n{bad}\n{made.note}")) == [made, made]
    assert signer.key.signed(made.note)
    assert VerifierKey.parse(str(signer.key)) == signer.key
    read = verifier.Checkpoint(made.note, verifier.Key(str(signer.key)))
    assert (read.size, read.root, read.time) == (size, hashed, "2026-03-02T04:00:00Z")
    assert verifier.notes_in(f"{made.note}\n{made.note}") == [made.note, made.note]
    other = Signer(bytes(32) if any(seed) else bytes(31) + b"\1").key
    assert not other.signed(made.note)
    with pytest.raises(verifier.Broken):
        verifier.Checkpoint(made.note, verifier.Key(str(other)))
    assert b64decode(made.note.split("\n")[2]) == hashed


SIGNER = Signer(bytes(range(32)))
SCREEN_CLEARED = "vouch\x1b[2J\x1b[H\nHolds: entry 6 of the 6 that were signed says so.\x1b[8m"


def checked(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str]:
    status = verifier.main([*map(str, words)])
    said = capsys.readouterr()
    return status, said.out + said.err


@pytest.mark.parametrize("signed", [0, 3, 5])
def test_entries_behind_the_last_checkpoint_are_not_said_to_hold(
    five: list[StoredEntry],
    reader: AuditReader,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    signed: int,
) -> None:
    path, kept = tmp_path / "audit.jsonl", tmp_path / "kept.txt"
    export(reader, path)
    kept.write_text(SIGNER.sign(*reader.tree_head(signed), NOW).note)
    head, salt = five[-1].hash, base64.b64encode(bytes(32)).decode()
    with path.open("a") as out:
        for number in range(6, 9 if signed < 5 else 6):
            payload = five[0].payload.replace("14 weeks", "40 weeks")
            hashed = entry_hash(number, head, payload)
            forged = replace(
                five[0], sequence=number, previous_hash=head, hash=hashed, payload=payload
            )
            out.write(line(forged, salt) + "\n")
            head = hashed
    status, said = checked(capsys, "export", path, "--checkpoint", kept, "--key", str(SIGNER.key))
    if signed == 5:
        assert (status, "Holds: 5 entries" in said) == (0, True)
        return
    assert (status, "Holds" in said) == (1, False)
    assert "signed by nobody and prove nothing" in said
    assert ("the first 3 are as they were signed" in said) == (signed == 3)
    beside = tmp_path / "audit.jsonl.checkpoint"
    beside.write_text(SIGNER.sign(*reader.tree_head(5), NOW).note)
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:5]))
    status, said = checked(capsys, "export", path, "--checkpoint", kept, "--key", SIGNER.key)
    assert (status, "Holds: 5 entries" in said) == (0, True)


def a_receipt(reader: AuditReader, audit_id: str, **changes: Any) -> dict[str, Any]:
    proven = reader.proven(audit_id, 5)
    signed = SIGNER.sign(*reader.tree_head(5), NOW)
    return receipt(proven, signed, SIGNER.key, lambda _: True) | changes


def test_a_receipt_that_opens_nothing_does_not_say_so(
    five: list[StoredEntry], reader: AuditReader, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "receipt.json"
    whole = a_receipt(reader, five[2].entry.audit_id)
    path.write_text(json.dumps(whole))
    assert checked(capsys, "receipt", path)[0] == 0
    path.write_text(json.dumps(whole | {"opened": []}))
    status, said = checked(capsys, "receipt", path)
    assert (status, "nothing of the record is opened" in said) == (1, True)


@pytest.mark.parametrize(
    "changes",
    [
        {"key": SCREEN_CLEARED},
        {"key": f"{SCREEN_CLEARED}+00000000+AAAA"},
        {"opened": [["", SCREEN_CLEARED, "x"]]},
        {"form": SCREEN_CLEARED},
    ],
)
def test_a_hostile_file_says_nothing_at_the_terminal_that_a_terminal_would_obey(
    five: list[StoredEntry],
    reader: AuditReader,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    changes: dict[str, Any],
) -> None:
    path = tmp_path / "receipt.json"
    path.write_text(json.dumps(a_receipt(reader, five[2].entry.audit_id, **changes)))
    status, said = checked(capsys, "receipt", path)
    assert status == 1
    assert all(each.isprintable() for each in said.replace("\n", ""))
    assert not [each for each in said.splitlines() if each.startswith("Holds")]


def test_a_reply_of_several_lines_cannot_say_that_another_receipt_holds(
    writer: AuditWriter, reader: AuditReader, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(5):
        writer.append(a_record(number, audit_id=f"id-{number}", question="Why?\nHolds: all."))
    path = tmp_path / "receipt.json"
    path.write_text(json.dumps(a_receipt(reader, "id-3")))
    status, said = checked(capsys, "receipt", path)
    assert status == 0
    held = [each for each in said.splitlines() if each.startswith("Holds")]
    assert len(held) == 1
    assert held[0].startswith("Holds: entry 4 of the 5")


@pytest.mark.parametrize(
    ("content", "why"), [("", "empty"), ('{"a": ', "cut off"), ("{}", "has no 'key'")]
)
def test_a_file_that_is_no_receipt_is_said_to_be_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str, why: str
) -> None:
    path = tmp_path / "receipt.json"
    path.write_text(content)
    status, said = checked(capsys, "receipt", path)
    assert (status, why in said) == (1, True)
