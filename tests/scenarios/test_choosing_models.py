"""The operator names other models, or one more, and is told what they still need."""

import json
import re
import shutil
import socket
from pathlib import Path

import pytest
from other_weights import change_weights
from test_checking_the_house import findings
from vouch_home import Home, write

from bot.answering.gate import Calibration, GateCalibration
from bot.settings import Settings
from bot.wiring import Container
from retrieval.search.reranking import RelevanceCalibration

MODELS = ("VOUCH_EMBEDDER", "VOUCH_RERANKER", "VOUCH_ENTAILMENT")
QUESTION = "how many days of leave may staff carry over?"


@pytest.fixture(scope="module")
def office(shared_home: Home) -> Home:
    text = "# Leave\n\nStaff may carry over five days of leave."
    shared_home.reads({"leave.md": text})
    return shared_home


def calibrated(path: Path, **chosen: str) -> Path:
    """A calibration file as `vouch calibrate` writes it with these settings."""
    calibration = Calibration("mine", RelevanceCalibration(1.0, 0.0), GateCalibration(2.0, 1.0))
    Container(Settings(_env_file=None, **chosen)).models.save_calibration(calibration, path)  # type: ignore[call-arg, arg-type]  # settings by name
    return path


def test_the_bundled_models_are_there_and_calibrated(office: Home) -> None:
    found = findings(office.vouch("check"))
    for model in ("embedder", "reranker", "entailment"):
        mark, detail = found[model]
        assert mark == "ok"
        assert f"vouch-{model}-" in detail
        assert "bundled" in detail
    mark, detail = found["calibration"]
    assert mark == "ok"
    assert detail.endswith("fitted with these models and this writer")


@pytest.mark.exhaustive
def test_another_reranker_that_ranks_nothing_aright_needs_a_calibration(
    office: Home, small_reranker: Path
) -> None:
    other = {"VOUCH_RERANKER": str(small_reranker)}
    finished = office.vouch("check", **other)
    found = findings(finished)
    mark, detail = found["reranker"]
    assert mark == "ok"
    assert re.fullmatch(rf"{re.escape(str(small_reranker))} \([0-9a-f]{{8}}\), a folder", detail)
    finding_out = f"Finding out what the scores of {detail.removesuffix(', a folder')} mean"
    said, found_out = finished.err.splitlines()  # and no progress bar of a library
    assert said.startswith(finding_out)
    assert "do not tell what answers a question from what does not" in found_out
    mark, detail = found["calibration"]
    assert (finished.status, mark) == (1, "FAIL")
    assert f"not fitted with the reranker {small_reranker}" in detail
    assert "Run `vouch calibrate`" in detail


@pytest.mark.exhaustive
def test_an_answer_without_a_fitting_calibration_says_so(
    office: Home, small_reranker: Path
) -> None:
    other = {"VOUCH_RERANKER": str(small_reranker)}
    finished = office.vouch("ask", QUESTION, "--json", **other)
    assert "uncalibrated" in finished.err
    record = office.record(finished.json["audit_id"])
    assert record["calibration_id"] == "uncalibrated"
    silent = office.vouch("ask", QUESTION, "--json")
    assert silent.err == ""
    assert "uncalibrated" not in office.record(silent.json["audit_id"])["calibration_id"]


def test_a_calibration_of_these_models_is_used(
    office: Home, small_reranker: Path, tmp_path: Path
) -> None:
    file = calibrated(tmp_path / "mine.json", reranker=str(small_reranker))
    mine = {"VOUCH_RERANKER": str(small_reranker), "VOUCH_CALIBRATION": str(file)}
    found = findings(office.vouch("check", **mine))
    assert found["calibration"] == ("ok", "mine, fitted with these models and this writer")
    audit_id = office.ask(QUESTION, **mine)["audit_id"]
    assert office.record(audit_id)["calibration_id"] == "mine"


def test_weights_that_changed_in_their_folder_are_another_model(
    office: Home, small_embedder: Path, tmp_path: Path
) -> None:
    copy = Path(shutil.copytree(small_embedder, tmp_path / "embedder"))
    file = calibrated(tmp_path / "mine.json", embedder=str(copy))
    named = {"VOUCH_EMBEDDER": str(copy), "VOUCH_CALIBRATION": str(file)}
    home = office.copy_to(tmp_path / "home")
    home.does("ingest", "--re-embed", **named)
    before = findings(home.vouch("check", **named))
    assert (before["calibration"][0], before["index"][0]) == ("ok", "ok")
    change_weights(copy)
    after = findings(home.vouch("check", **named))
    assert after["calibration"][0] == "ok", "it only chooses candidates"
    assert "vouch ingest --re-embed" in after["index"][1]


def test_models_in_each_others_place_are_refused(
    office: Home, small_embedder: Path, small_inference_model: Path
) -> None:
    swapped = {
        "VOUCH_EMBEDDER": str(small_inference_model),
        "VOUCH_RERANKER": str(small_inference_model),
        "VOUCH_ENTAILMENT": str(small_embedder),
    }
    finished = office.vouch("check", **swapped)
    found = findings(finished)
    assert finished.status == 1
    assert "is no embedder: it reads two texts together" in found["embedder"][1]
    assert "is no reranker: it has 3 labels" in found["reranker"][1]
    assert "Set VOUCH_RERANKER" in found["reranker"][1]
    assert "Name a cross-encoder instead" in found["entailment"][1]


MODEL_WRITES = {"VOUCH_WRITER": "openai", "VOUCH_OPENAI_API_KEY": "sk-none"}


def test_a_language_model_that_writes_leaves_the_relevance_calibrated(
    office: Home, tmp_path: Path
) -> None:
    of_copies = {**MODEL_WRITES, "VOUCH_CALIBRATION": str(calibrated(tmp_path / "mine.json"))}
    mark, detail = findings(office.vouch("check", **of_copies))["calibration"]
    assert mark == "FAIL"
    assert "not fitted with the writer openai gpt-4.1-mini in use" in detail
    assert "the confidence of answers is uncalibrated. Run `vouch calibrate`" in detail
    asked = office.vouch("ask", "who won the chess tournament?", "--json", **of_copies)
    assert "not fitted with the writer openai gpt-4.1-mini" in asked.err
    record = office.record(asked.json["audit_id"])
    assert record["calibration_id"].endswith(", gate uncalibrated")


def test_a_calibration_made_with_a_language_model_is_for_that_one_alone(
    office: Home, tmp_path: Path
) -> None:
    file = calibrated(tmp_path / "mine.json", writer="openai")
    mine = {**MODEL_WRITES, "VOUCH_CALIBRATION": str(file)}
    found = findings(office.vouch("check", **mine))
    assert found["calibration"] == ("ok", "mine, fitted with these models and this writer")
    copying = findings(office.vouch("check", VOUCH_CALIBRATION=str(file)))
    assert "not fitted with the writer extractive in use" in copying["calibration"][1]
    other = findings(office.vouch("check", **mine, VOUCH_OPENAI_MODEL="another"))
    assert "not fitted with the writer openai another in use" in other["calibration"][1]


def test_a_calibration_that_names_no_models_is_not_used(office: Home, tmp_path: Path) -> None:
    file = calibrated(tmp_path / "old.json")
    content = json.loads(file.read_text())
    del content["models"]
    file.write_text(json.dumps(content))
    mark, detail = findings(office.vouch("check", VOUCH_CALIBRATION=str(file)))["calibration"]
    assert mark == "FAIL"
    assert "The calibration mine was not fitted with the reranker vouch-reranker-" in detail


def test_checking_never_asks_the_hub(office: Home, tmp_path: Path) -> None:
    named = dict.fromkeys(MODELS, "no-such/model")
    with socket.create_server(("127.0.0.1", 0)) as hub:
        hub.setblocking(False)
        finished = office.vouch(
            "check",
            HF_HUB_OFFLINE="0",
            TRANSFORMERS_OFFLINE="0",
            HF_ENDPOINT=f"http://127.0.0.1:{hub.getsockname()[1]}",
            HF_HOME=str(tmp_path),
            **named,
        )
        with pytest.raises(BlockingIOError):
            hub.accept()
    found = findings(finished)
    for model in ("embedder", "reranker", "entailment"):
        mark, detail = found[model]
        assert mark == "FAIL"
        assert "not on this machine" in detail
        assert "the first `vouch ask` fetches it" in detail


def test_asking_a_hub_that_is_not_reached_ends_in_one_line(office: Home, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    finished = office.refuses(
        "the hub does not give it",
        "ask",
        QUESTION,
        VOUCH_RERANKER="no-such/model",
        HF_HUB_OFFLINE="0",
        HF_ENDPOINT=f"http://127.0.0.1:{port}",
        HF_HOME=str(tmp_path),
    )
    assert "Name a folder" in finished.err


@pytest.fixture(scope="module")
def trained(
    tmp_path_factory: pytest.TempPathFactory,
    small_embedder: Path,
    small_reranker: Path,
    small_inference_model: Path,
) -> dict[str, str]:
    """The settings that name what training writes, in the form that ships."""
    from transformers import AutoModel, AutoModelForSequenceClassification

    from retrieval.training.export import write_cross_encoder, write_encoder

    folder, tokenizer = tmp_path_factory.mktemp("trained"), small_embedder / "tokenizer.json"
    write_encoder(AutoModel.from_pretrained(small_embedder), tokenizer, folder / "embedder")
    for kind, model in (("reranker", small_reranker), ("entailment", small_inference_model)):
        network = AutoModelForSequenceClassification.from_pretrained(model)
        write_cross_encoder(network, tokenizer, folder / kind)
    return {name: str(folder / name.removeprefix("VOUCH_").lower()) for name in MODELS}


@pytest.mark.exhaustive
def test_models_that_one_has_trained_are_used(
    office: Home, trained: dict[str, str], tmp_path: Path
) -> None:
    mine = office.copy_to(tmp_path / "mine")
    mine.does("ingest", "--re-embed", **trained)
    found = findings(mine.vouch("check", **trained))
    for model in ("embedder", "reranker", "entailment"):
        mark, detail = found[model]
        assert mark == "ok"
        assert f"vouch-{model}-" in detail
        assert "a folder" in detail
    assert found["index"][0] == "ok"
    audit_id = mine.ask(QUESTION, **trained)["audit_id"]
    models = mine.record(audit_id)["versions"]["models"]
    assert all(found[which][1].startswith(models[which]) for which in ("embedder", "entailment"))


def test_a_trained_model_of_another_kind_is_refused(office: Home, trained: dict[str, str]) -> None:
    turned = dict(zip(MODELS, [*list(trained.values())[1:], trained[MODELS[0]]], strict=True))
    found = findings(office.vouch("check", **turned))
    for model in ("embedder", "reranker", "entailment"):
        mark, detail = found[model]
        assert mark == "FAIL"
        assert f"it is no {model} model" in detail
        assert "name another model in the settings" in detail


def test_what_is_left_empty_is_what_ships(office: Home) -> None:
    left_empty = dict.fromkeys((*MODELS, "VOUCH_CALIBRATION", "VOUCH_ONTOLOGY"), "")
    assert office.vouch("check", **left_empty).out == office.vouch("check").out


def test_an_index_of_the_embedder_that_shipped_before_is_made_anew_by_the_next_ingest(
    office: Home, tmp_path: Path
) -> None:
    home = office.copy_to(tmp_path / "home")
    home.made_by_the_embedder_before()
    home.refuses("vouch-embedder-4", "ask", QUESTION)
    renewed = home.vouch("ingest", str(write(tmp_path / "more", {"b.md": "# B\n\nBees hum."})))
    assert "is made anew" in renewed.said
    assert "five days" in home.ask(QUESTION)["text"]
    again = home.vouch("ingest", str(tmp_path / "more"))
    assert "is made anew" not in again.said
