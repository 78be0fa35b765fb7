# Everything is set up inside .venv/ and build/; `make clean` removes both.

PYTHON ?= python3
VENV := .venv/bin/python

.PHONY: help demo test bench valgrind stubs clean

help:
	@echo "make demo      see kvwire at work, then compare it with other clients (about two minutes)"
	@echo "make test      run every test: C, Python, types, style, the documents' examples (10 min)"
	@echo "make bench     the whole comparison with other clients, as table, JSON and chart"
	@echo "make valgrind  the C tests and a Python session under memcheck"
	@echo "make stubs     remake pyclient/client.pyi from the command table"
	@echo "make clean     remove what these made"

demo:
	@$(PYTHON) tests/environment.py demo
	@$(VENV) -m kvwire demo
	@$(VENV) -m kvwire bench --quick

test:
	@$(PYTHON) tests/environment.py test
	@$(VENV) -m pytest

bench:
	@$(PYTHON) tests/environment.py bench
	@$(VENV) -m kvwire bench --works all --sizes 128,16k,1m \
		--json build/bench.json --chart build/bench.svg
	@echo "build/bench.json and build/bench.svg have it all"

valgrind:
	@$(PYTHON) tests/environment.py test
	@$(VENV) bench/memcheck.py
	@$(VENV) bench/callgrind.py

stubs:
	@$(PYTHON) tests/environment.py test
	@$(VENV) tests/make_stubs.py

clean:
	rm -rf .venv build dist *.egg-info .hypothesis
	find bench pyclient tests -name __pycache__ -prune -exec rm -rf {} +
