# One word a task; `make` alone lists them.
VENV := .venv
BIN := $(VENV)/bin
SAMPLE_HOME := .vouch/sample

.DEFAULT_GOAL := help
.PHONY: help install run test check-types lint evaluate bench lock clean postgresql chromium emulate
.PHONY: train-embedder train-reranker train-entailment

help: ## List these targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-16s %s\n", $$1, $$2}'

# PyTorch first, as exactly the CPU build where one is offered: the plain release pulls
# gigabytes of CUDA libraries. Point PIP_EXTRA_INDEX_URL at an index that has it.
TORCH := $(shell sed -n 's/^torch==//p' requirements.lock)
INSTALLED := $(VENV)/installed

$(INSTALLED): requirements.lock pyproject.toml
	python3 -m venv $(VENV)
	@echo "Installing PyTorch $(TORCH), the CPU build if there is one"
	$(BIN)/pip install --quiet "torch==$(TORCH)+cpu" || $(BIN)/pip install --quiet "torch==$(TORCH)"
	$(BIN)/pip install --quiet -r requirements.lock
	$(BIN)/pip install --quiet --no-deps --no-build-isolation -e .
	touch $(INSTALLED)

install: $(INSTALLED) ## Create the environment in .venv

run: install ## Open a local workspace with a sample organisation, and the bot in it
	VOUCH_HOME=$(SAMPLE_HOME) $(BIN)/vouch up --sample deploy/sample $(if $(DISPLAY)$(WAYLAND_DISPLAY),--browser)

test: install postgresql chromium emulate lint check-types ## Install what tests need, and run them all
	$(BIN)/lint-imports
	$(BIN)/pytest

lint:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

check-types:
	$(BIN)/mypy

# The audit store is tested against a real PostgreSQL server; VOUCH_TEST_WITHOUT_POSTGRESQL=1
# leaves that out, for a machine on which nobody may install one.
postgresql:
	@test -n "$$VOUCH_TEST_WITHOUT_POSTGRESQL" || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || \
	  { echo "Installing PostgreSQL for the tests"; apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq postgresql; }

# The local workspace's page is tested in a real browser; VOUCH_TEST_WITHOUT_BROWSER=1
# leaves that out.
chromium:
	@test -n "$$VOUCH_TEST_WITHOUT_BROWSER" || command -v chromium >/dev/null || \
	  { echo "Installing Chromium for the tests"; apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium; }

# The bot is held to an independent stand-in for Slack's Web API too;
# VOUCH_TEST_WITHOUT_EMULATE=1 leaves that out.
EMULATE := tests/emulate/node_modules/installed
emulate:
	@test -n "$$VOUCH_TEST_WITHOUT_EMULATE" || $(MAKE) --no-print-directory $(EMULATE)

$(EMULATE): tests/emulate/package-lock.json
	@command -v npm >/dev/null || { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends nodejs npm; }
	npm ci --prefix tests/emulate --ignore-scripts --no-audit --no-fund --loglevel=error
	touch $@

evaluate: install ## Measure on labelled questions: QUESTIONS=file.jsonl DOCS=folder
	$(BIN)/vouch evaluate $(QUESTIONS) --docs $(DOCS) --split test --recipe vouch --recipe dense --recipe bm25 --recipe fusion --picture risk-coverage.png

bench: install ## Time every stage of ask and ingest at 10,000 passages
	$(BIN)/vouch bench

# A run that was stopped goes on where it stood; two cores need at most 150 minutes for one.
# DEVICE=cuda trains on a GPU. Options such as --seed, and the mean of several runs, are not for
# make: `python -m retrieval.training --help`, `python -m retrieval.training.mean --help`.
# For a GPU put PyTorch's plain release in place of the CPU build:
# $(BIN)/pip install torch===$(TORCH)
TRAINING ?= ../shared/training
TRAINED ?= build/models
DEVICE ?= cpu
TRAIN = $(BIN)/python -m retrieval.training --data $(TRAINING) --device $(DEVICE)

train-embedder: install ## Train an embedder, one of those whose mean ships: TRAINING=folder
	$(TRAIN) --out $(TRAINED)/embedder embedder

train-reranker: install ## Train a reranker, one of those whose mean ships
	$(TRAIN) --out $(TRAINED)/reranker reranker

train-entailment: install ## Train an entailment model, one of those whose mean ships
	$(TRAIN) --out $(TRAINED)/entailment entailment

lock: install ## Resolve all dependencies anew into requirements.lock
	$(BIN)/pip-compile --quiet --strip-extras --allow-unsafe --no-emit-index-url --no-emit-find-links --extra test --extra train --output-file requirements.lock pyproject.toml
	sed -i 's/^\(torch==[0-9.]*\)+cpu/\1/' requirements.lock

clean: ## Remove the environment and the sample's state
	rm -rf $(VENV) .vouch
