PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
LOWEST := .venv-lowest

# Tests run in several processes; threads of the linear algebra would only fight them.
export OPENBLAS_NUM_THREADS ?= 1
export OMP_NUM_THREADS ?= 1
# Digits depend on the vector unit that OpenBLAS uses; tests/golden was recorded with this one.
ifeq ($(shell uname -m),x86_64)
export OPENBLAS_CORETYPE ?= Haswell
endif

# What the lowest versions of the dependencies are tried on.
CORE := $(addprefix tests/, \
	bounds errors extreme features kinds labels learners measures portfolio scale search selection \
	sweep thresholds \
	test_classifier.py test_classifier_errors.py test_decision.py test_retarget.py \
	test_sklearn_checks.py datasets/test_readers.py)

.PHONY: demo browser test test-slow test-all test-lowest lint types benchmark clean

demo: $(VENV)/ready
	$(BIN)/pseudolinear demo

# What the tests of the report look at its page with; without one they are skipped.
browser:
	@command -v chromium || command -v chromium-browser || command -v google-chrome \
		|| { test "$$(id -u)" = 0 && apt-get update -qq && apt-get install -y -qq chromium > /dev/null; } \
		|| echo "no browser: the tests of the report's page are skipped"

test: $(VENV)/ready
	$(BIN)/pytest -n auto --dist worksteal -m "not slow"

test-slow: $(VENV)/ready
	$(BIN)/pytest -n auto --dist worksteal -m slow

test-all: $(VENV)/ready
	$(BIN)/pytest -n auto --dist worksteal

# In the first check, scikit-learn 1.6 gives the two fits of a binary classifier different labels;
# in the second, matplotlib 3.8 warns of a newer pyparsing.
test-lowest: $(LOWEST)/ready
	NUMBA_CACHE_DIR=$(CURDIR)/$(LOWEST)/numba $(LOWEST)/bin/pytest -n auto \
		-m "not slow" -k "not sample_weight_equivalence and not names_are_shown" $(CORE)

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

$(LOWEST)/ready: pyproject.toml .ci/lowest.py
	test -x $(LOWEST)/bin/python || $(PYTHON) -m venv $(LOWEST)
	$(LOWEST)/bin/python .ci/lowest.py > $(LOWEST)/versions.txt
	$(LOWEST)/bin/python -m pip install --quiet --constraint $(LOWEST)/versions.txt \
		--editable '.[data,plot]' hypothesis pytest pytest-xdist
	touch $@

clean:
	rm -rf $(VENV) $(LOWEST) build dist .pytest_cache .mypy_cache .ruff_cache
