"""What documents say of themselves, and what is never taken for openness."""

import os
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml
from growth import MOST_GROWTH, steps
from hypothesis import given
from hypothesis import strategies as st

from retrieval.errors import BadMetadata, NotYetPublished
from retrieval.metadata.access import EVERYBODY, Audience
from retrieval.metadata.folder_metadata import FolderMetadata
from retrieval.metadata.ontology import load_ontology
from retrieval.metadata.statements import metadata, statements
from retrieval.parsing.embedded_metadata import split_front_matter, stated_in_front_matter
from retrieval.types import AccessRule, Metadata, Stated, Stream

STAFF = {"audience": {"programmes": ["staff"]}}


@dataclass(frozen=True)
class Rules:
    """A folder's metadata files, with whatever file is asked about lying in it, and others."""

    root: Path
    others: tuple[str, ...] = ()
    said: Audience | None = EVERYBODY

    def of(self, file: str) -> FolderMetadata:
        return FolderMetadata(self.root, load_ontology(), self.said, {file, *self.others})

    def resolve(self, front_matter: dict[str, Any], file: str) -> Metadata:
        return self.of(file).resolve(stated_in_front_matter(front_matter), file)

    def fingerprint(self, file: str) -> str:
        return self.of(file).fingerprint(file)


Folder = Callable[..., Rules]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """Writes mappings by the folder that they stand in, `here` being the root."""

    def write(*others: str, **mappings: Any) -> Rules:
        for where, mapping in mappings.items():
            path = tmp_path / ("" if where == "here" else where.replace("__", "/"))
            path.mkdir(parents=True, exist_ok=True)
            text = mapping if isinstance(mapping, str) else in_full(mapping)
            (path / "metadata.yaml").write_text(text, encoding="utf-8")
        return Rules(tmp_path, others)

    return write


def in_full(mapping: Any) -> str:
    """As YAML without aliases, which are not read."""
    dumper = type("InFull", (yaml.SafeDumper,), {"ignore_aliases": lambda *_: True})
    return yaml.dump(mapping, Dumper=dumper)


def audience(metadata: Metadata) -> dict[str, tuple[str, ...]]:
    return dict(metadata.access.audience)


# --- what can be stated ---------------------------------------------------------------


def test_everything_that_front_matter_can_state_is_read(folder: Folder) -> None:
    text = """---
title: Re-evaluation of examinations
stream: academic
subtype: policy
level: university
audience:
  faculties: [computing]
  departments: cs
  batches: [2023, "2024 ", 2023]
valid_from: 2025-08-01
valid_to: "2026-07-31"
effective: 2025-08-01 10:00:00
owner: exams@example.org
link: https://docs.example.org/re-evaluation
---
"""
    assert folder().resolve(split_front_matter(text)[0], "a.md") == Metadata(
        title="Re-evaluation of examinations",
        stream=Stream.ACADEMIC,
        subtype="policy",
        level="university",
        access=AccessRule(
            (
                ("batches", ("2023", "2024")),
                ("departments", ("cs",)),
                ("faculties", ("computing",)),
            ),
            date(2025, 8, 1),
            date(2026, 7, 31),
        ),
        effective=date(2025, 8, 1),
        owner="exams@example.org",
        link="https://docs.example.org/re-evaluation",
        restricted_in=("its front matter",),
        states_readers=True,
    )


def test_a_document_that_states_nothing_is_the_organisations_and_for_everyone(
    folder: Folder,
) -> None:
    assert folder().resolve({}, "a.md") == Metadata()


def test_a_site_generators_own_keys_are_left_alone(folder: Folder) -> None:
    page = {
        "title": 404,
        "permalink": "/x/",
        "sidebar": {"a": 1},
        "questions": [{}],
        "layout": None,
    }
    assert folder().resolve(page, "a.md") == Metadata(title="404")


def test_a_key_with_nothing_after_it_states_nothing(folder: Folder) -> None:
    empty = dict.fromkeys(["title", "stream", "level", "valid_from", "valid_to", "owner"])
    mapping = {"a.md": {"owner": "far@example.org", "valid_to": date(2026, 1, 1)}}
    metadata = folder(here=mapping).resolve(empty, "a.md")
    assert metadata.owner == "far@example.org"
    assert metadata.access.valid_to == date(2026, 1, 1)


# --- what leaves a document out -------------------------------------------------------

BAD = [
    ({"audience": None}, "audience"),
    ({"audience": "cs"}, "audience"),
    ({"audience": [{"departments": "cs"}]}, "audience"),
    ({"audience": {"deparments": ["cs"]}}, "deparments"),
    ({"audience": {1: ["cs"]}}, "audience"),
    ({"audience": {"departments": []}}, "departments"),
    ({"audience": {"departments": None}}, "departments"),
    ({"audience": {"departments": [None]}}, "departments"),
    ({"audience": {"departments": [" "]}}, "departments"),
    ({"audience": {"departments": {"cs": True}}}, "departments"),
    ({"audience": {"departments": [["cs"]]}}, "departments"),
    ({"audience": {"courses": [6.10]}}, "courses"),
    ({"audience": {"departments": [False]}}, "departments"),
    ({"stream": "acedemic"}, "stream"),
    ({"stream": ["academic"]}, "stream"),
    ({"level": "facuty"}, "level"),
    ({"level": 2}, "level"),
    ({"valid_from": "soon"}, "valid_from"),
    ({"valid_from": "2026-02-30"}, "valid_from"),
    ({"valid_to": 2026}, "valid_to"),
    ({"valid_to": [date(2026, 1, 1)]}, "valid_to"),
    ({"effective": True}, "effective"),
    ({"valid_from": date(2026, 2, 1), "valid_to": date(2026, 1, 1)}, "valid_to"),
    ({"title": ["a"]}, "title"),
    ({"owner": {"mail": "x"}}, "owner"),
]


@pytest.mark.parametrize(("stated", "key"), BAD)
def test_a_malformed_value_leaves_the_document_out(
    folder: Folder, stated: dict[str, Any], key: str
) -> None:
    with pytest.raises(BadMetadata, match=f"front matter.*{key}"):
        folder().resolve(stated, "a.md")


@pytest.mark.parametrize(("stated", "key"), BAD)
def test_so_does_one_in_a_mapping_and_where_it_restricts_all_that_is_below(
    folder: Folder, stated: dict[str, Any], key: str
) -> None:
    metadata = folder("rules/a.pdf", "rules/b.pdf", rules={"a.pdf": stated, "b.pdf": STAFF})
    with pytest.raises(BadMetadata, match=f"rules/metadata.yaml.*{key}"):
        metadata.resolve({}, "rules/a.pdf")
    if not {"audience", "valid_from", "valid_to"} & stated.keys():
        assert audience(metadata.resolve({}, "rules/b.pdf")) == {"programmes": ("staff",)}
        return
    with pytest.raises(BadMetadata, match=f"rules/metadata.yaml.*a.pdf.*{key}"):
        metadata.resolve({}, "rules/b.pdf")
    assert metadata.resolve({}, "c.pdf") == Metadata()


NOT_UNDERSTOOD = [
    *(
        "a.md: [1",
        "- a.md",
        "just text",
        "a.md: {level: x}\na.md: {}",
        "./a.md: {}\na.md: {}",
        "\0",
    ),
    *("a.pdf:", "a.pdf: staff", "a.pdf: [staff]", "a.pdf: 3"),  # an entry that is no mapping
    *("audience: {departments: [cs]}", "Audience: {departments: [cs]}", "valid_to: 2020-01-01"),
    *("visibility: internal", "departments: [cs]", "title: x\nexpires: 2020-01-01"),
    "files: {a.md: {audience: {departments: [cs]}}}",
    "deep/: {er.md: {visibility: private}}",
    "'.': {audience: {departments: [cs]}}",
    "./: {audience: {departments: [cs]}}",
]


@pytest.mark.parametrize("text", NOT_UNDERSTOOD)
def test_a_mapping_that_is_not_understood_leaves_out_all_that_is_below_it(
    folder: Folder, text: str
) -> None:
    metadata = folder("rules/a.pdf", rules=text)
    for file in ("rules/a.pdf", "rules/x.md", "rules/deep/er/y.pdf"):
        for page in ({}, {"audience": {"departments": ["cs"]}}):
            with pytest.raises(BadMetadata, match=r"rules/metadata\.yaml"):
                metadata.resolve(page, file)
        with pytest.raises(BadMetadata, match=r"rules/metadata\.yaml"):
            metadata.fingerprint(file)
    assert metadata.resolve({}, "elsewhere/z.md") == Metadata()


def of_gigabytes(path: Path) -> None:
    path.touch()
    os.truncate(path, 3 * 1024**3)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda path: path.write_bytes("prüfung.md: {}".encode("latin-1")), r"metadata\.yaml"),
        (lambda path: path.symlink_to(path.with_name("moved.yaml")), "leads nowhere"),
        (os.mkfifo, "no plain file"),
        (of_gigabytes, "more than"),
    ],
    ids=["latin-1", "broken link", "pipe", "gigabytes"],
)
def test_a_metadata_file_that_nobody_can_read_leaves_out_all_that_is_below_it(
    tmp_path: Path, make: Callable[[Path], object], said: str
) -> None:
    make(tmp_path / "metadata.yaml")
    with pytest.raises(BadMetadata, match=said):
        Rules(tmp_path).resolve({}, "a.md")


def test_a_day_that_is_none_is_named(folder: Folder) -> None:
    metadata = folder("a.md", here="a.md: {valid_to: 2026-02-30}\nb.md: {}\n")
    for file in ("a.md", "b.md"):
        with pytest.raises(BadMetadata, match=r"a\.md.*valid_to"):
            metadata.resolve({}, file)


def test_an_empty_mapping_states_nothing(folder: Folder) -> None:
    assert folder(here="# nothing yet\n").resolve({}, "a.md") == Metadata()


# --- what wins over what --------------------------------------------------------------


def owner(name: str) -> dict[str, str]:
    return {"owner": name}


def test_front_matter_wins_over_mappings_key_by_key(folder: Folder) -> None:
    metadata = folder(here={"a.md": {"owner": "mapping", "subtype": "policy"}})
    resolved = metadata.resolve({"owner": "page"}, "a.md")
    assert (resolved.owner, resolved.subtype) == ("page", "policy")


def test_the_nearer_mapping_wins_over_the_farther(folder: Folder) -> None:
    metadata = folder(
        here={"x/y/a.md": {"owner": "far", "subtype": "far", "link": "https://far.example/"}},
        x={"y/a.md": {"owner": "nearer", "subtype": "nearer"}},
        x__y={"*": {"owner": "nearest"}},
    )
    resolved = metadata.resolve({}, "x/y/a.md")
    assert (resolved.owner, resolved.subtype) == ("nearest", "nearer")
    assert resolved.link == "https://far.example/"


def test_in_one_mapping_a_path_wins_over_a_name_over_globs(folder: Folder) -> None:
    keys = ["x/a.md", "a.md", "x/*.md", "*.md", "*"]
    while keys:
        metadata = folder(here={key: {"subtype": key} for key in reversed(keys)})
        assert metadata.resolve({}, "x/a.md").subtype == keys.pop(0)
        metadata = folder(here={key: {"subtype": key} for key in keys})


@pytest.mark.parametrize(
    ("key", "file"),
    [
        ("a.md", "a.md"),
        ("a.md", "x/y/a.md"),
        ("./x/a.md", "x/a.md"),
        ("*", "x/y/a.md"),
        ("*.md", "x/a.md"),
        ("a?.md", "x/ab.md"),
        ("x/*", "x/y/a.md"),
        ("x/", "x/y/a.md"),
        ("x/**", "x/a.md"),
        ("**/a.md", "a.md"),
        ("**/a.md", "x/y/a.md"),
        ("x/**/a.md", "x/a.md"),
        ("report [1].md", "report [1].md"),
        ("2023", "2023"),
        (unicodedata.normalize("NFC", "prüfung.md"), unicodedata.normalize("NFD", "prüfung.md")),
        (unicodedata.normalize("NFD", "prüfung*"), unicodedata.normalize("NFC", "x/prüfung.md")),
    ],
)
def test_a_key_holds_for_the_files_that_it_names(folder: Folder, key: str, file: str) -> None:
    metadata = folder(here={key: STAFF})
    assert audience(metadata.resolve({}, file)) == {"programmes": ("staff",)}


@pytest.mark.parametrize(
    ("key", "file"),
    [
        ("a.md", "b.md"),
        ("a.md", "a.md.txt"),
        ("x/a.md", "y/x/a.md"),
    ],
)
def test_a_key_holds_for_no_other_files(folder: Folder, key: str, file: str) -> None:
    assert folder("a.md", "x/a.md", here={key: STAFF}).resolve({}, file) == Metadata()


@pytest.mark.parametrize(
    ("key", "file"),
    [
        ("A.md", "a.md"),
        ("a.md", "x/A.MD"),
        ("X/*", "x/a.md"),
        ("X/", "x/y/a.md"),
        ("*.MD", "a.md"),
        ("x", "x/a.md"),
        ("x/y", "x/y/z/a.md"),
        ("a", "a.md"),
        ("a.pdf", "x/a.docx"),
        ("x/a.markdown", "x/a.md"),
        ("docs/x/", "x/a.md"),
        ("{a,b}.md", "a.md"),
        ("x\\a.md", "x/a.md"),
        ("x\\*", "x/a.md"),
        ("/x/a.md", "x/a.md"),
        ("C:/x/a.md", "x/a.md"),
        ("../x/a.md", "x/a.md"),
        ("x/../a.md", "a.md"),
        (" a.md ", "a.md"),
        ("a\u200b.md", "a.md"),
        ("ａ.md", "a.md"),
        ("no", "a.md"),
    ],
)
def test_a_restriction_that_names_nothing_keeps_out_all_that_is_below(
    folder: Folder, key: str, file: str
) -> None:
    metadata = folder("sub/b.md", sub={key: STAFF})
    for each in (f"sub/{file}", "sub/other.md"):
        with pytest.raises(BadMetadata, match=r"sub/metadata\.yaml"):
            metadata.resolve({}, each)
    assert metadata.resolve({}, "b.md") == Metadata()


def test_an_entry_that_restricts_nobody_keeps_nothing_out_wherever_it_leads(folder: Folder) -> None:
    assert folder(here={"mispelt.md": owner("anybody@example.org")}).resolve({}, "a.md") == (
        Metadata()
    )


@pytest.mark.parametrize("file", ["pay.doc", "pay.odt", "pay.pages"])
def test_a_restriction_of_what_others_are_exported_from_may_be_meant_for_its_export(
    folder: Folder, file: str
) -> None:
    metadata = folder(file, "car.png", here={file: STAFF, "car.png": STAFF})
    assert metadata.resolve({}, "a.md") == Metadata()
    with pytest.raises(BadMetadata, match=re.escape(f"`{file}`")):
        metadata.resolve({}, "pay.pdf")


def test_a_restriction_of_an_open_document_alone_is_its_own(folder: Folder) -> None:
    metadata = folder("pay.odt", here={"pay.odt": STAFF})
    assert metadata.resolve({}, "pay.odt").access.audience
    assert metadata.resolve({}, "a.md") == Metadata()


def test_keys_are_read_as_they_stand(folder: Folder) -> None:
    metadata = folder("no", "010", here="no: {owner: a}\n010: {owner: b}\n")
    assert [metadata.resolve({}, file).owner for file in ("no", "010")] == ["a", "b"]


def test_a_merge_is_refused_as_nobody_sees_what_it_brings(folder: Folder) -> None:
    with pytest.raises(BadMetadata, match="merge"):
        folder(here="a.md:\n  <<: {audience: {departments: [hr]}}\n").resolve({}, "a.md")


def test_what_was_named_and_is_gone_is_named_by_its_content_under_another_name(
    folder: Folder, tmp_path: Path
) -> None:
    folder(here={"pay.md": STAFF})

    def resolved(file: str, sha256: str) -> dict[str, tuple[str, ...]]:
        past = {"pay.md": {"1a", "2b"}}
        metadata = FolderMetadata(
            tmp_path, load_ontology(), EVERYBODY, ["salaries.md", "a.md"], past=lambda: past
        )
        return audience(metadata.resolve([], file, sha256))

    assert resolved("salaries.md", "2b") == {"programmes": ("staff",)}
    assert resolved("a.md", "3c") == {}


def test_many_entries_for_what_is_gone_are_looked_at_in_little_time(
    folder: Folder, tmp_path: Path
) -> None:
    def looking(files: int) -> None:
        gone = [f"gone {number}.md" for number in range(files)]
        folder(here=dict.fromkeys(gone, STAFF))
        there = [f"{number}.md" for number in range(files)]
        asked: list[str] = []

        def past() -> dict[str, set[str]]:
            asked.append("past")
            return {file: {file} for file in gone}

        metadata = FolderMetadata(tmp_path, load_ontology(), EVERYBODY, there, past=past)
        assert len({metadata.fingerprint(file) for file in there}) == len(asked) == 1
        assert audience(metadata.resolve([], "a.md", "gone 7.md")) == {"programmes": ("staff",)}

    once, twice = (steps(partial(looking, files)) for files in (100, 200))
    assert twice / once < MOST_GROWTH


@pytest.mark.parametrize("key", ["visible", "public", "listed"])
def test_what_is_seen_by_some_alone_is_not_for_everyone(folder: Folder, key: str) -> None:
    for value in ("hr", "members only", "none", ["hr"], {"a": 1}, 0):
        with pytest.raises(BadMetadata, match="may restrict"):
            folder().resolve({key: value}, "a.md")
    for said in (True, 1, "yes", "everyone", None, date(2024, 1, 1)):
        assert folder().resolve({key: said}, "a.md") == Metadata()


@pytest.mark.parametrize(
    ("key", "value"), [("publish_date", "9999-12-31T05:00"), ("expires", "0001-01-01T05:00")]
)
def test_a_day_beyond_all_days_is_refused_in_words(folder: Folder, key: str, value: str) -> None:
    with pytest.raises(BadMetadata, match="may restrict"):
        folder().resolve({key: value}, "a.md")


@pytest.mark.parametrize("key", ["publish_date", "publishAt", "go_live"])
def test_when_it_is_published_is_read_as_people_write_it_or_keeps_it_out(
    folder: Folder, key: str
) -> None:
    for value in ("31.12.2099", "2099/12/31", "December 31, 2099", "31 Dec 2099"):
        with pytest.raises(BadMetadata):
            folder().resolve({key: value}, "a.md")
    for said in ("03/04/2025", "someday", "2025-13-01", 20250304):
        with pytest.raises(BadMetadata, match="may restrict"):
            folder().resolve({key: said}, "a.md")
    assert folder().resolve({"publish_date": "March 3, 2024"}, "a.md").access == AccessRule(
        valid_from=date(2024, 3, 3)
    )
    assert folder().resolve({key: ""}, "a.md") == Metadata()


@pytest.mark.parametrize(
    "key", ["published_at", "date_published", "article:published_time", "release_date"]
)
def test_what_was_published_on_a_day_ahead_is_not_yet(folder: Folder, key: str) -> None:
    with pytest.raises(NotYetPublished):
        folder().resolve({key: "2099-12-31"}, "a.md")
    assert folder().resolve({key: "2024-12-31"}, "a.md") == Metadata()


@pytest.mark.parametrize("key", ["effective_date", "Effective from", "effectiveOn"])
def test_what_takes_effect_on_a_day_ahead_holds_from_then(folder: Folder, key: str) -> None:
    ahead = AccessRule(valid_from=date(2099, 12, 31))
    assert folder().resolve({key: "31.12.2099"}, "a.md").access == ahead
    for said in ("2024-12-31", "03/04/2099", "on signature", None):
        assert folder().resolve({key: said}, "a.md") == Metadata()


def test_of_a_time_that_is_stated_twice_the_first_counts() -> None:
    said = [Stated(f"line {n}", "effective", datetime(2025, n, 1, 10, tzinfo=UTC)) for n in (8, 7)]
    found = metadata(statements(said, load_ontology()), load_ontology())
    assert found.effective == date(2025, 8, 1)


def test_a_page_cannot_lift_its_folders_restriction_by_leaving_it_out(folder: Folder) -> None:
    metadata = folder(here={"*": STAFF})
    page = {"audience": {"departments": ["cs"]}}
    both = {"programmes": ("staff",), "departments": ("cs",)}
    assert audience(metadata.resolve(page, "a.md")) == both
    with pytest.raises(BadMetadata, match="names nobody"):
        metadata.resolve({"audience": {}}, "a.md")


def test_a_page_can_lift_it_by_saying_so(folder: Folder) -> None:
    page = {"audience": {"programmes": "*"}}
    assert audience(folder(here={"*": STAFF}).resolve(page, "a.md")) == {"programmes": ("*",)}


@pytest.mark.parametrize("audience", [None, "staff", [], {}, {"departments": None}, {"team": "a"}])
def test_a_restriction_that_nobody_understands_is_not_overridden(
    folder: Folder, audience: object
) -> None:
    metadata = folder(here={"*": {"audience": audience}})
    with pytest.raises(BadMetadata, match="audience"):
        metadata.resolve({"audience": {"departments": ["cs"]}}, "a.md")


@given(
    front_matter=st.dictionaries(
        st.sampled_from(["title", "stream", "level", "audience", "valid_from", "valid_to", "x"]),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.dates(),
            lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        ),
    )
)
def test_whatever_stands_in_front_matter_is_understood_or_refused(
    folder: Folder, front_matter: dict[str, object]
) -> None:
    metadata = folder()
    try:
        resolved = metadata.resolve(front_matter, "a.md")
    except BadMetadata:
        return
    assert "audience" not in front_matter  # no facet is called by a wild name
    assert audience(resolved) == {}
    if front_matter.get("valid_to") is not None:
        assert resolved.access.valid_to is not None


# --- noticing a change ----------------------------------------------------------------


def test_a_fingerprint_changes_with_what_bears_on_the_file_and_only_then(folder: Folder) -> None:
    before = folder("a.md", here={"a.md": STAFF, "b.md": owner("x")})
    prints = [before.fingerprint(file) for file in ("a.md", "b.md", "c.md")]
    after = folder("a.md", here={"b.md": owner("x"), "a.md": {"audience": {"programmes": ["msc"]}}})
    changed = [
        after.fingerprint(file) != known
        for file, known in zip(("a.md", "b.md", "c.md"), prints, strict=True)
    ]
    assert changed == [True, False, False]


def test_a_fingerprint_changes_when_the_mapping_is_removed(folder: Folder, tmp_path: Path) -> None:
    before = folder(here={"*": STAFF}).fingerprint("x/a.md")
    (tmp_path / "metadata.yaml").unlink()
    assert Rules(tmp_path).fingerprint("x/a.md") != before


def test_a_fingerprint_changes_with_the_ontology(folder: Folder, tmp_path: Path) -> None:
    before = folder().fingerprint("a.md")
    company = tmp_path / "company.yaml"
    company.write_text("facets: [teams]\nlevels: [{name: company, score: 1}]")
    assert FolderMetadata(tmp_path, load_ontology(company), EVERYBODY).fingerprint("a.md") != before


def test_entries_that_name_no_file_are_told_wherever_they_stand(
    folder: Folder, tmp_path: Path
) -> None:
    folder(
        here={"a.md": owner("a"), "mispelt.md": owner("b"), "picture.png": owner("c")},
        x={"*.pdf": STAFF, "*": STAFF},
        empty={"*": STAFF, "a.md": STAFF, ".*": STAFF, "*.": STAFF, "**.": STAFF},
    )
    files = ["a.md", "picture.png", "x/b.md"]
    metadata_files = ["metadata.yaml", "x/metadata.yaml", "empty/metadata.yaml"]
    metadata = FolderMetadata(tmp_path, load_ontology(), EVERYBODY, files, metadata_files)
    assert metadata.unused() == [
        *(("empty/metadata.yaml", key) for key in ("**.", "*.", ".*", "a.md")),
        ("metadata.yaml", "mispelt.md"),
        ("x/metadata.yaml", "*.pdf"),
    ]


@pytest.mark.parametrize(
    "key",
    [
        *("audiance", "Audience", "audiences", "AUDIENCE", "valid-to", "validTo", "vaild_to"),
        *("visibility", "access", "required_role", "min_role", "login", "tlp"),
        *("readers", "departments", "Department", "courses", "restricted_to", "aud\u200bience"),
        *("аudience", "private", "audience.departments", "audience (only)"),
        *("audience:departments", "intended_audience", "valid_to_date", "staff_only", "privacy"),
        *("classification", "Data Classification", "shared_with", "unlisted", "sensitivity_label"),
    ],
)
def test_a_key_that_looks_like_a_restriction_is_refused(folder: Folder, key: str) -> None:
    with pytest.raises(BadMetadata, match="may restrict"):
        folder().resolve({key: "2020-01-01"}, "a.md")
    with pytest.raises(BadMetadata, match="may restrict"):
        folder(here={"a.md": {key: ["cs"]}}).resolve({}, "a.md")


@pytest.mark.parametrize(
    "key", ["author", "layout", "permalink", "valid", "audio", "date", "tags", "status", "updated"]
)
def test_a_key_of_others_is_left_alone(tmp_path: Path, key: str) -> None:
    assert Rules(tmp_path).resolve({key: "x"}, "a.md") == Metadata()


@pytest.mark.parametrize(
    "said",
    [
        *({"draft": False}, {"draft": None}, {"published": True}, {"private": "no"}),
        *({"publish": "weekly"}, {"access": "public"}, {"visible": True}, {"roles": ["all"]}),
        *({"rights": "© 2026 Westhill"}, {"privacy": "/privacy/"}, {"expires": "never"}),
    ],
)
def test_what_says_that_it_is_open_restricts_nobody(
    folder: Folder, said: dict[str, object]
) -> None:
    assert folder().resolve(said, "a.md") == Metadata()


@pytest.mark.parametrize("key", ["visible", "page_visible", "public", "published", "listed"])
def test_what_says_that_it_is_not_seen_is_kept_out(folder: Folder, key: str) -> None:
    for said in (False, "no", "off"):
        with pytest.raises(BadMetadata, match="may restrict"):
            folder().resolve({key: said}, "a.md")


@pytest.mark.parametrize(
    ("said", "start", "end"),
    [
        ({"publishDate": date(2024, 1, 1)}, date(2024, 1, 1), None),
        ({"published": "2024-01-01T09:00:00+02:00"}, date(2024, 1, 2), None),
        ({"expiryDate": "2030-01-01"}, None, date(2030, 1, 1)),
        ({"expires": datetime(2030, 1, 1, 12)}, None, date(2029, 12, 31)),
    ],
)
def test_a_day_under_a_key_of_others_is_the_same_day(
    folder: Folder, said: dict[str, object], start: date | None, end: date | None
) -> None:
    assert folder().resolve(said, "a.md").access == AccessRule((), start, end)


@pytest.mark.parametrize("key", ["publishDate", "published", "embargo_until", "go_live"])
def test_what_is_published_later_is_kept_out_till_then(folder: Folder, key: str) -> None:
    """Also from who asks about a day ahead, whom a rule with `valid_from` answers."""
    tomorrow = date.today() + timedelta(1)
    with pytest.raises(NotYetPublished, match=f"is published on {tomorrow}"):
        folder().resolve({key: tomorrow}, "a.md")
    assert folder().resolve({key: date.today()}, "a.md").access.valid_from == date.today()


@pytest.mark.parametrize("where", ["params", "extra"])
@pytest.mark.parametrize("key", ["audience", "audiance", "valid_to"])
def test_a_restriction_that_stands_too_deep_is_refused(
    folder: Folder, where: str, key: str
) -> None:
    with pytest.raises(BadMetadata, match=f"below `{where}`"):
        folder().resolve({where: [{"x": {key: "hr"}}]}, "a.md")


@pytest.mark.parametrize("key", ["valid_from", "valid_to"])
@pytest.mark.parametrize("time", ["2026-01-31T23:59:00Z", "2026-01-31 12:00", "2026-01-31T00:00Z"])
def test_a_time_of_day_that_restricts_is_refused_as_it_is_not_read(
    folder: Folder, key: str, time: str
) -> None:
    with pytest.raises(BadMetadata, match="time of day"):
        folder().resolve({key: time}, "a.md")
    assert folder().resolve({key: "2026-01-31 00:00:00"}, "a.md").access != AccessRule()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("metadata.yml", "a.md: {}"),
        ("Metadata.yaml", "a.md: {}"),
        ("METADATA.YML", ""),
        ("meta-data.yaml", ""),
        (".metadata.yaml", ""),
        ("metadta.yaml", ""),
        ("metadata.yaml.txt", "a.md: {}"),
        ("metadata.json", '{"*": {"audience": {"departments": ["cs"]}}}'),
        ("metadata.toml", "[a.audience]"),
        ("metadata (1).yaml", "a.md: {visibility: private}"),
        ("metadata-copy.yaml", "a.md: {audience: {departments: [hr]}}"),
        ("metadata.yaml.yaml", "a.md: {}"),
        ("metadata.ymal", "a.md: {}"),
        ("meta.yaml", "a.md: {audience: {departments: [hr]}}"),
        ("metadata", "a.md: {audience: {departments: [hr]}}"),
        ("metadata.txt", "a.md:\n  audience: {departments: [hr]}"),
        ("metadata.yaml ", "a.md: {}"),
    ],
)
def test_a_metadata_file_under_another_name_keeps_out_all_below(
    folder: Folder, tmp_path: Path, name: str, text: str
) -> None:
    (tmp_path / "hr" / "deep").mkdir(parents=True)
    (tmp_path / "hr" / name).write_text(text)
    metadata = folder()
    for file in ("hr/a.md", "hr/deep/b.pdf"):
        with pytest.raises(BadMetadata, match=f"hr/{re.escape(name)}.*call it metadata.yaml"):
            metadata.resolve({}, file)
    assert metadata.resolve({}, "a.md") == Metadata()


@pytest.mark.parametrize(
    "name", ["metadata.md", "metadata.json", "data.yaml", "meta.yml", "metadata.yaml.bak"]
)
def test_a_file_that_is_no_metadata_file_keeps_nothing_out(
    folder: Folder, tmp_path: Path, name: str
) -> None:
    (tmp_path / name).write_text('{"title": "of somebody else"}')
    assert folder().resolve({}, "a.md") == Metadata()


def test_a_rule_above_the_ingested_folder_keeps_out_what_it_restricts(tmp_path: Path) -> None:
    (tmp_path / "docs" / "hr").mkdir(parents=True)
    rules = {"hr/pool.md": STAFF, "hr/open.md": {"owner": "x@example.org"}}
    (tmp_path / "docs" / "metadata.yaml").write_text(in_full(rules))
    metadata = Rules(tmp_path / "docs" / "hr", ("pool.md",))
    with pytest.raises(BadMetadata, match="above what was ingested"):
        metadata.resolve({}, "pool.md")
    assert metadata.resolve({}, "open.md") == metadata.resolve({}, "other.md") == Metadata()


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("metadata.yaml", {"hr/Case.md": STAFF}),
        ("metadata.yaml", {"hr/a.md": {"visibility": "private"}}),
        ("metadata.yaml", {"elsewhere.md": {"Audience": {"x": ["y"]}}}),
        ("metadata.yaml", {"hr/deep.md": {"params": {"audience": "x"}}}),
        ("metadata.yaml", {"audience": {"departments": ["hr"]}}),
        ("metadata.yaml", {"access": "hr"}),
        ("metadata.yml", {"hr/": {"audience": {"a": "b"}}}),
    ],
)
def test_a_rule_above_that_names_nothing_there_or_is_not_understood_keeps_out_all(
    tmp_path: Path, name: str, rule: dict[str, object]
) -> None:
    (tmp_path / "docs" / "hr").mkdir(parents=True)
    (tmp_path / "docs" / name).write_text(in_full(rule))
    with pytest.raises(BadMetadata, match="above what was ingested"):
        Rules(tmp_path / "docs" / "hr").resolve({}, "pool.md")


def test_a_folder_is_meant_though_a_file_is_called_so(folder: Folder, tmp_path: Path) -> None:
    folder(here={"hr": STAFF})
    files = ["bin/hr", "hr/pool.md"]
    metadata = FolderMetadata(tmp_path, load_ontology(), EVERYBODY, files, ["metadata.yaml"])
    with pytest.raises(BadMetadata, match="`hr`"):
        metadata.resolve([], "hr/pool.md")
