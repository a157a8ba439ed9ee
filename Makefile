# `make demo` and `make test` need Python 3.11 or newer with venv, make, and a package registry.

PYTHON ?= python3
RUN := .venv/bin/python
ARGS ?=
# Set in some containers, it would make each of our many processes compile all modules anew.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help demo test check campaign faults bench bots boards load screenshots clean lock venv

help:
	@echo "make demo      play an example tournament and serve it (PORT=8080, ONCE=1)"
	@echo "make test      all checks and tests (ARGS='tests/engine -k joker' for some of them)"
	@echo "make check     lint, format, types, import contracts, templates, migrations"
	@echo "make campaign  the long forms of the tests"
	@echo "make faults    the long runs with killed processes and flushed brokers"
	@echo "make bench     measure against the peers (ARGS='solver --repeats 1' for less)"
	@echo "make bots      how strong the built-in bots are (ARGS='--boards 40')"
	@echo "make boards    what duplicate boards take off the luck of the cards (ARGS='--games 160')"
	@echo "make load      the server's time for every page with 10,000 games stored"
	@echo "make screenshots  take the pictures of docs/screenshots anew"
	@echo "make clean     forget the demo and its data"
	@echo "make lock      renew requirements/*.txt from requirements/*.in"

venv:
	@command -v $(PYTHON) >/dev/null || { echo "meldboard: there is no $(PYTHON): install Python 3.11 or newer (apt install python3 python3-venv)" >&2; exit 1; }
	@$(PYTHON) requirements/install.py

demo: venv
	@exec $(RUN) -m config.stack demo

test: venv
	@exec $(RUN) -m config.stack test $(ARGS)

check: venv
	@exec $(RUN) -m config.stack check

campaign: venv
	@exec $(RUN) -m config.stack test --campaign --timeout=7200 --ignore=tests/faults $(ARGS)

faults: venv
	@exec $(RUN) -m config.stack test --campaign --timeout=7200 tests/faults $(ARGS)

bench: venv
	@$(PYTHON) requirements/install.py bench || echo "meldboard: going on without the peers that are missing" >&2
	@exec $(RUN) -m benchmarks $(ARGS)

bots: venv
	@exec $(RUN) -m benchmarks.bots $(ARGS)

boards: venv
	@exec $(RUN) -m benchmarks.boards $(ARGS)

load: venv
	@exec $(RUN) -m config.stack load $(ARGS)

screenshots: venv
	@exec $(RUN) -m config.stack test tests/pages/screenshots.py

clean:
	@if [ -x $(RUN) ]; then exec $(RUN) -m config.stack clean; else rm -rf .run; fi

lock: venv
	@exec $(PYTHON) requirements/lock.py
