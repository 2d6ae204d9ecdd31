# One word a task; `make` alone lists them.
VENV := .venv
BIN := $(VENV)/bin
SAMPLE_HOME := .vouch/sample

.DEFAULT_GOAL := help
.PHONY: help install install-all run ready collected test test-all test-fast check-types lint evaluate bench bench-parse lock mutants clean programs weaviate build-weaviate emulate
.PHONY: train-embedder train-reranker train-entailment

help: ## List these targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-16s %s\n", $$1, $$2}'

# Two sets in one environment: what the bot runs on, and everything: other models, training,
# evaluation, tests. Each lock names every file by its hash, but for PyTorch, which differs by
# machine: its CPU build where one is offered (point PIP_EXTRA_INDEX_URL at an index that has it),
# else the plain release, which pulls gigabytes of CUDA libraries.
TORCH := $(shell sed -n 's/.*"torch==\([0-9.]*\)".*/\1/p' pyproject.toml)
LIGHT := $(VENV)/light
ALL := $(VENV)/all
PIP := $(BIN)/pip install --quiet --disable-pip-version-check

$(LIGHT): requirements/run.lock pyproject.toml
	@test -x $(BIN)/python || { echo "Making a Python environment in $(VENV)"; python3 -m venv $(VENV); }
	@echo "Installing what the bot needs: $$(grep -c == requirements/run.lock) packages, 0.8 GB, a minute or two"
	@$(PIP) --no-deps --require-hashes -r requirements/run.lock
	@$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

$(ALL): $(LIGHT) requirements/all.lock
	@echo "Installing what tests, training and evaluation need: $$(grep -c == requirements/all.lock) packages"
	@$(PIP) --no-deps --require-hashes -r requirements/all.lock
	@echo "Installing PyTorch $(TORCH), the CPU build if there is one"
	@$(PIP) "torch==$(TORCH)+cpu" || $(PIP) "torch==$(TORCH)"
	@touch $@

install: $(LIGHT) ## Create the environment in .venv, with what the bot needs

install-all: $(ALL) ## Add what other models, training, evaluation and tests need

run: install ## Open a local workspace with a sample organisation, and the bot in it
	VOUCH_HOME=$(SAMPLE_HOME) $(BIN)/vouch up --sample deploy/sample $(if $(DISPLAY)$(WAYLAND_DISPLAY),--browser)

# Three processes, for two cores: a third of the time is spent waiting. Each has servers and models
# of its own, some 2 GB, and takes one file of tests after the other, for what is made for a file's
# tests is made once; the slow ones first. `make test WORKERS=0` runs one test after the other.
WORKERS ?= 3
PYTEST = $(BIN)/pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder
# Hundreds of programs are started, on machines too that keep nothing compiled.
COMPILED = $(BIN)/python -m compileall -q -j 0 audit bot retrieval
NOT_THE_REST = not exhaustive
READY = @$(MAKE) --no-print-directory -j4 ready

# Side by side: one waits for the network while another builds.
ready: install-all programs weaviate emulate lint check-types collected
	$(BIN)/lint-imports
	$(COMPILED)

# What pytest makes of each file's asserts is kept, or every process would make it for itself.
collected: install-all
	@env -u PYTHONDONTWRITEBYTECODE $(BIN)/pytest --collect-only -qq -m "$(NOT_THE_REST)" >/dev/null || true

test: ## Install what tests need, and prove every promise once
	$(READY)
	$(PYTEST) -m "$(NOT_THE_REST)"

test-all: ## Prove them at length: kills by the hundred, wild input, training
	$(READY)
	$(PYTEST) --hypothesis-profile=thorough --timeout=1800

test-fast: install-all ## Run what needs no server, no browser, no process and no large model
	$(PYTEST) -m "not slow and not server and $(NOT_THE_REST)"

# Mutmut has an environment of its own, on top of the checkout's.
MUTMUT := build/mutants/env
SAMPLE ?= 25

$(MUTMUT)/bin/mutmut: | $(ALL)
	$(BIN)/python -m venv $(MUTMUT)
	$(BIN)/python -c 'import sysconfig; print("import site; site.addsitedir(%r)" % sysconfig.get_path("purelib"))' \
	  > "$$($(MUTMUT)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/checkout.pth"
	$(MUTMUT)/bin/pip install --quiet --disable-pip-version-check mutmut==3.8.1

mutants: $(MUTMUT)/bin/mutmut ## Break code on purpose, and see whether tests notice: MODULE=part of a path, SAMPLE=most of each
	$(MUTMUT)/bin/python tests/support/mutants.py --module '$(MODULE)' --sample $(SAMPLE)

lint: install-all
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

check-types: install-all
	$(BIN)/mypy

# Real programs that tests run, from Debian's packages. VOUCH_TEST_WITHOUT_POSTGRESQL=1, ..._TESSERACT=1,
# ..._BROWSER=1, ..._PROMETHEUS=1, ..._STRACE=1 leave one out, for a machine on which nobody may install it.
POSTGRESQL_BIN := $(lastword $(wildcard /usr/lib/postgresql/*/bin))
missing = test -n "$$VOUCH_TEST_WITHOUT_$(1)" || command -v $(2) >/dev/null || wanted="$$wanted $(or $(3),$(2))";

programs: ## Install the programs that tests run, where they are missing
	@PATH="$$PATH:$(POSTGRESQL_BIN)"; wanted=; \
	$(call missing,POSTGRESQL,initdb,postgresql) \
	$(call missing,TESSERACT,tesseract,tesseract-ocr) \
	$(call missing,BROWSER,chromium,chromium fonts-liberation) \
	$(call missing,PROMETHEUS,promtool,prometheus) \
	$(call missing,STRACE,strace) \
	$(call missing,EMULATE,npm,nodejs npm) \
	test -z "$$wanted" || { echo "Installing for the tests:$$wanted"; apt-get update -qq && \
	  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$wanted; }

# The index is tested against a real Weaviate server too, built from its Go module into a cache
# outside the checkout: minutes the first time (a third fewer without inlining), nothing later. Without
# Go its tests are left out and the last lines say so; VOUCH_TEST_REQUIRE_WEAVIATE=1 demands them.
WEAVIATE_MODULE := tests/weaviate
WEAVIATE_VERSION := $(shell sed -n 's|.*github.com/weaviate/weaviate \(v[0-9.]*\).*|\1|p' $(WEAVIATE_MODULE)/go.mod)
WEAVIATE_SERVER := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/vouch/weaviate-$(WEAVIATE_VERSION)/weaviate-server

weaviate: ## Build Weaviate's server for the tests, where Go is
	@test -n "$$VOUCH_TEST_WEAVIATE_URL" || test -x "$(WEAVIATE_SERVER)" || $(MAKE) --no-print-directory build-weaviate

build-weaviate:
	@if command -v go >/dev/null; then \
	  echo "Building Weaviate $(WEAVIATE_VERSION) for the tests, which takes minutes"; \
	  mkdir -p "$(dir $(WEAVIATE_SERVER))" && cd $(WEAVIATE_MODULE) && GOTOOLCHAIN=local GOFLAGS=-mod=readonly \
	    go build -gcflags=all=-l -ldflags='-s -w' -o "$(WEAVIATE_SERVER).new" github.com/weaviate/weaviate/cmd/weaviate-server && \
	    mv "$(WEAVIATE_SERVER).new" "$(WEAVIATE_SERVER)"; \
	fi || test -z "$$VOUCH_TEST_REQUIRE_WEAVIATE"

# The bot is held to independent stand-ins for Slack's Web API and Azure's blobs too;
# VOUCH_TEST_WITHOUT_EMULATE=1 leaves them out.
EMULATE := tests/emulate/node_modules/installed
emulate: programs
	@test -n "$$VOUCH_TEST_WITHOUT_EMULATE" || $(MAKE) --no-print-directory $(EMULATE)

$(EMULATE): tests/emulate/package-lock.json
	npm ci --prefix tests/emulate --ignore-scripts --no-audit --no-fund --loglevel=error
	touch $@

evaluate: install-all ## Measure on labelled questions: QUESTIONS=file.jsonl DOCS=folder
	$(BIN)/vouch evaluate $(QUESTIONS) --docs $(DOCS) --split test --recipe vouch --recipe dense --recipe bm25 --recipe fusion --picture risk-coverage.png

bench: install-all programs ## Time every stage of ask and ingest at 10,000 passages
	$(BIN)/python tests/support/benched.py

DOCUMENTS ?= $(wildcard /usr/share/doc)

bench-parse: install-all ## Time reading, count cells of printed tables (LaTeX, Chromium where installed), read DOCUMENTS (folders)
	$(BIN)/vouch lab bench --no-audit --no-slack --no-asking $(DOCUMENTS:%=--documents %)

# Training starts from a small public model: `python -m retrieval.training start --help` makes START
# of its jar. A run that was stopped goes on where it stood; two cores need days for one.
# DEVICE=cuda trains on a GPU. Options such as --seed, and the mean of several runs, are not for
# make: `python -m retrieval.training --help`.
# For a GPU put PyTorch's plain release in place of the CPU build:
# $(BIN)/pip install torch===$(TORCH)
TRAINING ?= ../shared/training
TRAINED ?= build/models
START ?= $(TRAINED)/start
DEVICE ?= cpu
TRAIN = $(BIN)/python -m retrieval.training train --data $(TRAINING) --start $(START) --device $(DEVICE)

train-embedder: install-all ## Train an embedder, one of those whose mean ships: TRAINING=folder
	$(TRAIN) --out $(TRAINED)/embedder embedder

train-reranker: install-all ## Train a reranker, one of those whose mean ships
	$(TRAIN) --out $(TRAINED)/reranker reranker

train-entailment: install-all ## Train an entailment model, one of those whose mean ships
	$(TRAIN) --out $(TRAINED)/entailment entailment

# PyTorch and what only its CUDA build needs stay out of the locks.
LOCK = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
  --no-header --no-emit-index-url $(foreach left_out,$(WITH_TORCH),--no-emit-package $(left_out))
WITH_TORCH = torch triton cuda-bindings cuda-pathfinder cuda-toolkit $(addprefix nvidia-,cublas \
  cuda-cupti cuda-nvrtc cuda-runtime cudnn-cu13 cufft cufile curand cusolver cusparse cusparselt-cu13 \
  nccl-cu13 nvjitlink nvshmem-cu13 nvtx)

# tokenizers asks for them to fetch from a hub, which only named models do, with the extra `models`.
OF_HUB = huggingface-hub hf-xet fsspec

lock: install-all ## Resolve all dependencies anew into requirements/
	$(LOCK) --all-extras --output-file requirements/all.lock --upgrade pyproject.toml
	$(LOCK) --extra build --extra metrics $(foreach hub,$(OF_HUB),--no-emit-package $(hub)) --constraint requirements/all.lock --output-file requirements/run.lock pyproject.toml
	$(LOCK) --extra build --extra metrics --extra models --constraint requirements/all.lock --output-file requirements/models.lock pyproject.toml

clean: ## Remove the environment and the sample's state
	rm -rf $(VENV) .vouch
