# `make play` starts the companion, `make test` checks it; both install what they need into .venv.
PYTHON ?= $(shell command -v python3.11 || command -v python3 || command -v python)
BIN := .venv/bin

.PHONY: play setup test lint benchmark clean

play: setup
	$(BIN)/companion serve --open

setup: .venv/.installed

.venv/.installed: pyproject.toml .ci/system-packages
	$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed: set PYTHON=/path/to/it" if sys.version_info < (3, 11) else 0)'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	$(BIN)/python -c 'import cv2' 2>/dev/null || .ci/system-packages libgl1 libglib2.0-0
	touch $@

.venv/.installed-tests: .venv/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	.ci/system-packages chromium ffmpeg
	touch $@

lint: .venv/.installed-tests
	$(BIN)/ruff check .
	$(BIN)/mypy

test: lint
	$(BIN)/python -m pytest -n 2 --dist loadgroup

benchmark: .venv/.installed-tests
	$(BIN)/companion bench

clean:
	rm -rf .venv
