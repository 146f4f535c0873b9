PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# Tests run in several processes; threads of the linear algebra would only fight them.
export OPENBLAS_NUM_THREADS ?= 1
export OMP_NUM_THREADS ?= 1

.PHONY: demo test lint types benchmark clean

demo: $(VENV)/ready
	$(BIN)/pseudolinear demo

test: $(VENV)/ready
	$(BIN)/pytest -n auto

lint: $(VENV)/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache

types: $(VENV)/ready
	$(BIN)/mypy

benchmark: $(VENV)/ready
	$(BIN)/python -m pip install --quiet --editable '.[dev,benchmark]'
	$(BIN)/python benchmarks/thresholds.py
	$(BIN)/python benchmarks/first_fit.py
	$(BIN)/python benchmarks/growth.py
	$(BIN)/python benchmarks/linear_grid.py
	$(BIN)/python benchmarks/kernel_grid.py

$(VENV)/ready: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache
