# `make play` and `make test` are all that a newcomer needs; both set up what they use.
# PYTHON chooses the interpreter, ARGS is handed to the command: make play ARGS=--no-browser
PYTHON ?= python3
ARGS ?=

bin := .venv/bin
install := $(bin)/uv pip install --quiet --python $(bin)/python --require-hashes
# Where the pins are made for every platform and the oldest Python at once.
compile := $(bin)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--custom-compile-command "make lock"

.PHONY: play lab test check bench facts shots stills setup lock clean

play: .venv/lean
	@$(bin)/war app $(ARGS)

lab: .venv/full
	@$(bin)/war lab $(ARGS)

test: .venv/full
	@$(bin)/python -m tests.servers
	@$(bin)/python -m pytest --numprocesses auto --maxprocesses 4 --dist loadfile $(ARGS)

check: .venv/full
	@$(bin)/ruff check
	@$(bin)/ruff format --check
	@$(bin)/mypy
	@$(bin)/typos

bench: .venv/full
	@$(bin)/python -m bench $(ARGS)

# Every published figure, found again from as many games as it was found with.
facts: .venv/full
	@$(bin)/python -m war.lab.facts $(ARGS)

# The pictures in docs/shots, and the stills that the saved notebooks hold.
shots: .venv/full
	@$(bin)/python -m tools.shots

stills: .venv/full
	@$(bin)/python -m tools.stills

setup: .venv/full
	@echo "All is set up: make play, make lab or make test."

# make lock ARGS=--upgrade takes the newest versions; without it the pins stay where they can.
lock: .venv/uv
	$(compile) $(ARGS) --all-extras pyproject.toml --output-file requirements/all.txt
	$(compile) --constraints requirements/all.txt --extra study --extra sheet pyproject.toml --output-file requirements/app.txt
	printf 'uv\nhatchling\n' | $(compile) --constraints requirements/all.txt - --output-file requirements/uv.txt

clean:
	rm -rf .venv

.venv/uv: requirements/uv.txt
	@echo "Setting up Python's environment in .venv …"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; name one with: make PYTHON=…")'
	@$(PYTHON) -m venv .venv
	@$(bin)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements/uv.txt
	@touch $@

# The full set holds the lean one at the same versions, so playing after testing installs nothing.
.venv/lean: .venv/uv requirements/app.txt pyproject.toml
	@echo "Installing what the game needs …"
	@$(install) --compile-bytecode --requirements requirements/app.txt
	@$(bin)/uv pip install --quiet --python $(bin)/python --no-deps --no-build-isolation --editable .
	@touch $@

.venv/full: .venv/lean requirements/all.txt
	@echo "Installing JupyterLab and the tools for the tests …"
	@$(install) --requirements requirements/all.txt
	@touch $@
