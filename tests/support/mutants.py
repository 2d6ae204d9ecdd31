"""`make mutants`: what is broken on purpose and no test of its room notices, by mutmut."""

import argparse
import contextlib
import json
import os
import random
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

ROOMS = {
    "bot/answering/gate.py bot/answering/verification.py": (
        "gate verification fitted exact_comparison contradictions written_claims "
        "lists_and_their_leads numbered_steps hostile_documents what_is_there elsewhere "
        "openai_judging"
    ),
    "bot/access/*.py retrieval/metadata/access.py": (
        "access record_visibility teams_apart live_access user_groups audit_names digest metadata "
        "beside_the_evidence filters directory opening_citations receipts channel_settings "
        "reading_user_groups audit_query answering_in_process evidence_finder blocks_evidence "
        "citation_page other_versions"
    ),
    "bot/slack/inbox/*.py": (
        "inbox inbox_memory inbox_restored job_runs edits referring unasked pacing "
        "channel_settings reading_user_groups workspaces home_tab"
    ),
    "audit/record.py audit/log.py audit/finding/queries.py audit/proof/*.py audit/storing/*.py "
    "audit/erasure/erasing.py audit/erasure/guards.py": (
        "record verify_program queries term_index structure failures opening export audit_log "
        "audit_tree erasing"
    ),
}
"""The modules, and the tests from which each mutant meets those that reach its function."""
TOO_LONG = (
    "not a_locked_store_is_said and not what_is_older_than_it_is_kept_expires"
    " and not the_falsehoods_reach_nobody and not few_invented_connections_pass"
)
TREE = Path("build/mutants/tree")
SURVIVORS = Path("build/mutants/survivors.diff")
SECTION = "[tool.mutmut]\n"
SEED = 39
KILLED = (1, 3, 24, 152, -24)
"""A test failed, or broke down, or met the time limit; 255 is none: pytest did not run."""
NOT_MET = 33


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--module", default="", help="part of a file's path")
    parser.add_argument("--sample", type=int, default=25, help="most mutants of a module")
    options = parser.parse_args(arguments)
    _copy_checkout()
    rows: list[tuple[str, Counter[int]]] = []
    for modules, tests in ROOMS.items():
        files = [file for each in modules.split() for file in sorted(Path().glob(each))]
        named = [file for file in files if options.module in str(file)]
        drawn = {each: names for each in named if (names := _drawn(each, options.sample))}
        if drawn:
            found = _run(drawn, tests)
            rows += (
                (str(file), Counter(map(found.__getitem__, names))) for file, names in drawn.items()
            )
    sys.stdout.write("\n".join(_table(rows)))
    return 0


def _copy_checkout() -> None:
    shutil.rmtree(TREE, ignore_errors=True)
    SURVIVORS.unlink(missing_ok=True)
    for name in subprocess.check_output(["git", "ls-files", "-z"]).rstrip(b"\0").split(b"\0"):
        copy = TREE / os.fsdecode(name)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(os.fsdecode(name), copy)


def _drawn(file: Path, sample: int) -> list[str]:
    from mutmut.mutation.file_mutation import mutate_file_contents
    from mutmut.utils.format_utils import get_mutant_name

    made = mutate_file_contents(str(file), file.read_text(), None, None).mutant_names
    names = sorted(get_mutant_name(file, name) for name in made)
    return random.Random(f"{SEED} {file}").sample(names, min(sample, len(names)))


def _run(drawn: Mapping[Path, Sequence[str]], tests: str) -> dict[str, int]:
    """Its exit code by a mutant's name; those that lived are kept as a patch."""
    from mutmut.mutation.diff_apply import get_diff_for_mutant

    files = map(file_of, tests.split())
    room = {
        "only_mutate": list(map(str, drawn)),
        "pytest_add_cli_args_test_selection": [*map(str, files), "-k", TOO_LONG],
    }
    said = "".join(f"{key} = {json.dumps(value)}\n" for key, value in room.items())
    whole = Path("pyproject.toml").read_text().replace(SECTION, SECTION + said)
    (TREE / "pyproject.toml").write_text(whole)
    shutil.rmtree(TREE / "mutants", ignore_errors=True)
    names = [name for each in drawn.values() for name in each]
    mutmut = [sys.executable, "-m", "mutmut", "run", "--max-children", "1", *names]
    subprocess.run(mutmut, cwd=TREE, check=True)
    metas = [json.loads((TREE / "mutants" / f"{file}.meta").read_text()) for file in drawn]
    found = {name: code for meta in metas for name, code in meta["exit_code_by_key"].items()}
    with SURVIVORS.open("a") as kept, contextlib.chdir(TREE):
        for file, of_file in drawn.items():
            for name in sorted(name for name in of_file if found[name] not in KILLED):
                kept.write(f"# {name}: {found[name]}\n{get_diff_for_mutant(name, path=file)}\n\n")
    return found


def file_of(test: str) -> Path:
    for file in Path("tests").rglob(f"test_{test}.py"):
        return file
    raise FileNotFoundError(f"ROOMS names test_{test}.py, which is not there")


def _table(rows: Sequence[tuple[str, Counter[int]]]) -> Iterator[str]:
    whole = sum((found for _, found in rows), Counter[int]())
    yield f"\n| module | mutants | killed | lived | of these met by no test |\n|{'---|' * 5}"
    for name, found in [*rows, ("all", whole)]:
        killed = sum(found[each] for each in KILLED)
        cells = name, found.total(), killed, found.total() - killed, found[NOT_MET]
        yield f"| {' | '.join(map(str, cells))} |"
    yield f"\n{SURVIVORS} shows those that lived. By exit code: {dict(whole)}\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
