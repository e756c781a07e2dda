# Every target sets up what it needs; a machine with python3 (3.11 or later), make and a C library suffices.
PYTHON ?= python3
BIN := .venv/bin
# Hundreds of processes read the modules, so the compiled ones are kept; `setup` makes them, since
# where PYTHONDONTWRITEBYTECODE is set, compiling takes as long as all else that a short command does.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup demo test test-all fuzz fuzz-checks fuzz-robust lint test-alone bench-compilers bench-analysis bench-static bench-overhead bench-events bench-foreseen bench-integers bench-modeling bench-scaling bench-prior bench-load bench-scale bench-gate bench-repository bench-scaling-tests bench-time bench-limits bench-traffic bench-editor docs screenshots clean bench-signals bench-faults fuzz-inputs mutants release-check bench-idioms bench-whole

setup: .venv/ready

.venv/ready: pyproject.toml setup.py
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[compiler,dev]'
	$(BIN)/python -m compileall -q looplaw looplaw_common modeling runtime staticana
	$(BIN)/python -m modeling.kernel
	touch $@

# What the tests need besides, so that none of them skips for want of a package. Zig builds its
# libraries when it first links on a machine, which takes longer than any test.
.venv/test: .venv/ready
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[data,plot,notebook,docs,hpc,scale,editor]'
	$(BIN)/python -m ziglang cc examples/lu.c -lm -o .venv/linked-by-zig
	touch $@

# The main job on the samples: analyse, run, model, compare. The last line is where the reports are.
demo: setup
	@$(BIN)/python -m tools.demo

# Four workers on two cores: tests wait for compilers and programs to end. Each takes five seconds to find all tests.
# Python keeps what it compiled: tests start it a thousand times.
test: export PYTHONDONTWRITEBYTECODE =
test: .venv/test
	$(BIN)/python -m pytest -q -n 4 --dist loadfile --durations 10

test-all: .venv/test
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[accessibility]'
	LOOPLAW_NESTS=1000 $(BIN)/python -m pytest -q -m ''

# The tests of what differs from a revision, by default the last commit: make test-changed ARGS='--base origin/main --list'
.PHONY: test-changed
test-changed: .venv/test
	@$(BIN)/python -m tools.changed_tests $(ARGS)

# The tests of each room by themselves, and how long they take: make test-rooms ARGS='--only tests/looplaw --json FILE'
test-rooms: .venv/test
	@$(BIN)/python -m tools.rooms_of_tests $(ARGS)

# Random functions and whole programs against their counts: make fuzz ARGS='--number 10000 --seed 1 --json FILE'; --keep FOLDER keeps minimal programs.
fuzz: setup
	@$(BIN)/python -m tests.fuzz $(ARGS)

# Random laws of random functions against brute force: make fuzz-checks ARGS='--number 2000 --seed 1'
fuzz-checks: setup
	@$(BIN)/python -m tests.fuzz.checks $(ARGS)

# Programs of csmith and damaged IR through the command line: make fuzz-robust ARGS='--programs 300 --modules 200 --seed 1'
fuzz-robust: setup
	@$(BIN)/python -m tests.fuzz.robust $(ARGS)

# Damaged files of every kind through the command line: make fuzz-inputs ARGS='--number 5000 --subprocesses 500 --seed 1'
fuzz-inputs: .venv/test
	@$(BIN)/python -m tests.fuzz.inputs $(ARGS)

# The table of attacks and faults, each tried: make attacks ARGS='--only formula'
.PHONY: attacks
attacks: .venv/test
	@$(BIN)/python -m tests.attacks $(ARGS)

# Small changes to the code that tests must notice: make mutants ARGS='--number 300 --seed 1 --json FILE'
mutants: .venv/test
	@$(BIN)/python -m tools.mutants $(ARGS)

# The wheel and the source distribution, built and tried on the Pythons found: ARGS='--wheelhouse build/wheelhouse' for offline
release-check: setup
	$(BIN)/python -m tools.release_check $(ARGS)

# A broad part of the tests on newer Pythons, where there are any: make test-pythons ARGS='--newest'
.PHONY: test-pythons
test-pythons: setup
	@$(BIN)/python -m tools.newer_pythons $(ARGS)

# With all optional packages, so that types are checked the same wherever it runs.
lint: .venv/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# CPU time of small calls: a file of five lines, a series of five points.
# how long the report of 100, 1,000 and 2,000 loops takes to open: make bench-page ARGS='--opens 9'
.PHONY: bench-page
bench-page: setup
	$(BIN)/python -m benchmarks.bench_page $(ARGS)

.PHONY: bench-startup test-rooms
bench-startup: setup
	$(BIN)/python -m benchmarks.bench_startup $(ARGS)

# CPU time and memory of the analysis: make bench-analysis ARGS='--instructions 1000 10000 100000 sqlite3.c,driver.c'
bench-analysis: setup
	$(BIN)/python -m benchmarks.bench_analysis $(ARGS)

# Seeded growth edits and neutral edits: make bench-gate ARGS='--growth 500 --neutral 300 --seed 2 --json gate.jsonl'
bench-gate: setup
	$(BIN)/python -m benchmarks.bench_gate $(ARGS)

# CPU time of diff in a repository of 20 files, one of which changed: without a cache, and with one
bench-repository: setup
	$(BIN)/python -m benchmarks.bench_repository $(ARGS)

# How often tests of time are right: make bench-scaling-tests ARGS='--runs 100'
bench-scaling-tests: setup
	$(BIN)/python -m benchmarks.bench_scaling_tests $(ARGS)

# Real programs, where environment variables say they are: LULESH=DIR HPCG=DIR ... make bench-static ARGS=--reasons
bench-static: setup
	$(BIN)/python -m benchmarks.bench_static $(ARGS)

# The same laws with every compiler found, of clang 14, 16, 19, 22 and zig: POLYBENCH=DIR make bench-compilers
bench-compilers: setup
	$(BIN)/python -m benchmarks.bench_compilers $(if $(JSON),--json $(JSON)) $(ARGS)

# The whole way as on a machine with one compiler, or none: make test-alone COMPILER=clang-14 (see tools/alone.py)
test-alone:
	$(PYTHON) -m tools.alone --clone $(or $(CLONE),build/alone/clone-$(COMPILER)) $(ALONE) $(COMPILER) make setup test demo

# Everyday C++, idiom by idiom, with every compiler found: make bench-idioms ARGS='--failures --compiler zig'
bench-idioms: setup
	$(BIN)/python -m benchmarks.bench_idioms $(if $(JSON),--json $(JSON)) $(ARGS)

# Counted programs against uncounted ones: LULESH=DIR HPCG=DIR JSON=FILE make bench-overhead
bench-overhead: setup
	$(BIN)/python -m benchmarks.bench_overhead $(ARGS)

# What --max-overhead foresees beside what counters cost: make bench-foreseen ARGS='--only rows,graphs --compilers zig'
bench-foreseen: setup
	$(BIN)/python -m benchmarks.bench_foreseen $(if $(JSON),--json $(JSON)) $(ARGS)

# looplaw ended in seven ways in five states: make bench-signals ARGS='--ways SIGTERM SIGKILL'
bench-signals: setup
	$(BIN)/python -m benchmarks.hardening.bench_signals $(if $(JSON),--json $(JSON)) $(ARGS)

# Every file operation of a command fails once: make bench-faults ARGS='--all --verbs fit merge'
bench-faults: setup
	$(BIN)/python -m benchmarks.hardening.bench_faults $(if $(JSON),--json $(JSON)) $(ARGS)

# What once sounded sure and was wrong: the tests that hold each family, and its generator: make bench-sure
.PHONY: bench-sure
bench-sure: .venv/test
	@$(BIN)/python -m benchmarks.hardening.bench_sure_and_wrong $(if $(JSON),--json $(JSON)) $(ARGS)

# What one recorded call of a kernel costs.
bench-events: setup
	$(BIN)/python -m benchmarks.bench_events $(ARGS)

# The formula of every loop found in its counts: POLYBENCH=DIR LULESH=DIR make bench-integers
bench-integers: setup
	$(BIN)/python -m benchmarks.bench_integers $(ARGS)

# The law of every loop of small whole programs in their inputs, with every compiler found.
bench-whole: setup
	@$(BIN)/python -m benchmarks.bench_whole $(ARGS)

# Whole programs at 4 and 8 times the largest size: make bench-programs PROGRAMS=DIR ARGS='--only join --keep DIR'
.PHONY: bench-programs
bench-programs: setup
	$(BIN)/python -m benchmarks.bench_programs $(PROGRAMS) $(ARGS)

bench-modeling: setup
	$(BIN)/python -m benchmarks.bench_modeling $(ARGS)

bench-scaling: setup
	$(BIN)/python -m benchmarks.bench_scaling $(ARGS)

# The observations and the noise that the static prior saves: make bench-prior ARGS='--functions 100 --seeds 1 2 3'
bench-prior: setup
	$(BIN)/python -m benchmarks.bench_prior $(ARGS)

# Ten thousand profiles of every format into one set of measurements.
bench-load: setup
	$(BIN)/python -m benchmarks.bench_load $(ARGS)

# A million series, a hundred thousand ranks: JSON=FILE make bench-scale; ARGS='--series 10000' for less.
bench-scale: .venv/scale
	$(BIN)/python -m benchmarks.bench_scale $(if $(JSON),--json $(JSON)) $(ARGS)

# Times predicted at 4 and 8 times the largest size: POLYBENCH=DIR EXTRAP_PYTHON=FILE make bench-time ARGS='--measure runs.json'
bench-time: setup
	$(BIN)/python -m benchmarks.bench_time $(ARGS)

# What limits kernels, against exact simulation on made-up machines: POLYBENCH=DIR make bench-limits ARGS='--machines 3'
bench-limits: setup
	$(BIN)/python -m benchmarks.bench_limits $(ARGS)

# Laws of libraries against calls with random arguments: make bench-libraries ARGS='--runs 12 --seed 1 DIR'
.PHONY: bench-libraries
bench-libraries: setup
	$(BIN)/python -m benchmarks.bench_libraries $(ARGS)

# Lines that miss caches, the law against a simulation: POLYBENCH=DIR make bench-traffic ARGS='--json FILE'
bench-traffic: setup
	$(BIN)/python -m benchmarks.bench_traffic $(ARGS)

# Laws while one types, in files of 1,000 lines: make bench-editor ARGS='--edits 9 --json FILE' (or SOURCE...)
bench-editor: .venv/editor
	$(BIN)/python -m benchmarks.bench_editor $(ARGS)

.venv/editor: .venv/ready
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[editor]'
	touch $@

.venv/scale: .venv/ready
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[scale]'
	touch $@

# docs/figures.md from the files NAME.json that `make bench-NAME ARGS='--json build/figures/NAME.json'` wrote
.PHONY: figures
figures: .venv/test
	@$(BIN)/python -m tools.figures $(or $(JSON),build/figures)

# The documentation as a site in build/site, with the pages that are made from the code; a warning is an error.
docs: .venv/test
	$(BIN)/python -m mkdocs build --strict

# The pictures of the report in docs/images; needs chromium.
# The picture of the README: a study, what it foretells, and larger runs made to check that.
.PHONY: readme-picture
readme-picture: .venv/test
	$(BIN)/python -m tools.readme_picture docs/images/prediction.svg $(ARGS)

# Seven ways to an answer, as people type them, into docs/ways: make ways ARGS='gate mpi'
.PHONY: ways
ways: .venv/test
	@$(BIN)/python -m tools.ways $(ARGS)

screenshots: setup
	$(BIN)/python -m looplaw study examples/stencil.c --vary n=64,128,256,512,1024 --args '{n} 10' --cost-per-hour 3 --out build/screenshots
	$(BIN)/python -m tools.screenshots build/screenshots/report.html docs/images

clean:
	rm -rf modeling/kernel/kernel-*.bc .venv build dist *.egg-info .demo looplaw-out .pytest_cache .mypy_cache .ruff_cache
