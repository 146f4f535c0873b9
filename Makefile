PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
LOWEST := .venv-lowest
SPHINX = $(BIN)/sphinx-build --fresh-env --fail-on-warning --keep-going --jobs auto

# Tests run in several processes; threads of the linear algebra would only fight them.
export OPENBLAS_NUM_THREADS ?= 1
export OMP_NUM_THREADS ?= 1
# Digits depend on the vector unit that OpenBLAS uses; tests/golden was recorded with this one.
ifeq ($(shell uname -m),x86_64)
export OPENBLAS_CORETYPE ?= Haswell
endif

# Tests start many processes; without bytecode each would compile every module again.
unexport PYTHONDONTWRITEBYTECODE

# Only what is used is compiled to bytecode, when it is first used: half the time of an installation.
INSTALL := -m pip install --quiet --no-compile --editable

# What the lowest versions of the dependencies are tried on: the core without the theorems on
# measures and the finer points of the solvers, and a file for each dependency that the core does
# not ask for (click and rich, matplotlib, pyarrow, skops).
CORE := $(wildcard tests/learners/test_*.py) $(addprefix tests/, \
	blocks errors features kinds labels search selection sweep thresholds \
	learners/losses learners/solvers/test_hinge.py learners/solvers/test_smooth.py \
	test_classifier.py test_classifier_errors.py test_decision.py test_retarget.py \
	test_sklearn_checks.py datasets/test_readers.py \
	cli/test_cli.py cli/test_fit.py inspection/test_displays.py \
	persistence/test_earlier_versions.py extreme/test_tree_model.py scale/test_files.py)

.PHONY: demo browser test test-slow test-all test-lowest test-bounds fuzz audit lint types docs benchmark clean

demo: $(VENV)/ready
	$(BIN)/pseudolinear demo

# What the tests of the report look at its page with; without one they are skipped.
browser:
	@command -v chromium || command -v chromium-browser || command -v google-chrome \
		|| { test "$$(id -u)" = 0 && apt-get update -qq && apt-get install -y -qq chromium > /dev/null; } \
		|| echo "no browser: the tests of the report's page are skipped"

test: $(VENV)/ready
	$(BIN)/pytest -n auto --dist worksteal -m "not slow"

# One process more than two cores have work for: many of these wait for others that they kill.
test-slow: $(VENV)/ready
	$(BIN)/pytest -n 3 --dist worksteal -m slow

test-all: $(VENV)/ready
	PSEUDOLINEAR_FUZZ=10000 PSEUDOLINEAR_EXAMPLES=100 $(BIN)/pytest -n auto --dist worksteal

# Compiled loops with every index checked; that code must not mix with the ordinary cache.
test-bounds: $(VENV)/ready
	NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$(CURDIR)/$(VENV)/bounds $(BIN)/pytest -n auto \
		-m "not slow" tests/test_fuzz.py tests/loops

# 10,000 odd inputs, of which the slow tests try 400.
fuzz: $(VENV)/ready
	PSEUDOLINEAR_FUZZ=10000 $(BIN)/pytest -n auto --dist worksteal -m slow tests/test_fuzz.py

# Known weaknesses of the dependencies, where the list of them can be had.
audit: $(VENV)/ready
	$(BIN)/python .ci/audit.py

# In this check, scikit-learn 1.6 gives the two fits of a binary classifier different labels.
test-lowest: $(LOWEST)/ready
	NUMBA_CACHE_DIR=$(CURDIR)/$(LOWEST)/numba $(LOWEST)/bin/pytest -n auto --dist worksteal \
		-m "not slow" -k "not sample_weight_equivalence" $(CORE)

lint: $(VENV)/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache

types: $(VENV)/ready
	$(BIN)/mypy

# The documentation site, in docs/_build/html; warnings and broken links are errors. Examples of the
# gallery run again only if they have changed. docs-quick runs none of them.
docs: $(VENV)/docs
	$(SPHINX) docs docs/_build/html
	$(BIN)/python .ci/links.py docs/_build/html

.PHONY: docs-quick
docs-quick: $(VENV)/docs
	$(SPHINX) --define plot_gallery=0 docs docs/_build/quick

# The wheel, made from the source distribution, in an environment of its own with the lowest
# versions of the dependencies: the core tests run outside of this folder.
.PHONY: release-check
release-check: $(VENV)/ready
	$(BIN)/python $(INSTALL) '.[release]'
	BIN=$(CURDIR)/$(BIN) PYTHON=$(PYTHON) CORE="$(CORE)" .ci/release

benchmark: $(VENV)/ready
	$(BIN)/python $(INSTALL) '.[dev,benchmark]'
	for name in thresholds first_fit growth linear_grid kernel_grid multiclass default_fits cuts threads roofline; do \
		$(BIN)/python -m benchmarks.run $$name || exit 1; \
	done
	$(BIN)/python -m benchmarks.draw

$(VENV)/ready: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python $(INSTALL) '.[dev]'
	touch $@

$(VENV)/docs: $(VENV)/ready
	$(BIN)/python $(INSTALL) '.[dev,docs]'
	touch $@

$(LOWEST)/ready: pyproject.toml .ci/lowest.py
	test -x $(LOWEST)/bin/python || $(PYTHON) -m venv $(LOWEST)
	$(LOWEST)/bin/python .ci/lowest.py > $(LOWEST)/versions.txt
	$(LOWEST)/bin/python $(INSTALL) '.[data,plot]' --constraint $(LOWEST)/versions.txt \
		hypothesis 'pyparsing<3.3' pytest pytest-xdist
	touch $@

clean:
	rm -rf $(VENV) $(LOWEST) build dist .pytest_cache .mypy_cache .ruff_cache docs/_build docs/gallery \
		docs/reference/generated
