# A thin layer over CMake presets and CTest: `make help` lists the verbs.
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
JOBS ?= $(shell nproc)
RELEASE := build/release
# What packages.txt installs belongs to the system's Python, which another one on PATH may hide.
PYTHON := $(firstword $(wildcard /usr/bin/python3) python3)
EXPERIMENTS := $(RELEASE)/assay-experiments
CTEST = ctest --test-dir $(1) --output-on-failure -j $(JOBS)
SOURCES = $(shell find $(wildcard src experiments verify bench examples python fuzz) -name '*.[ch]pp')
configure = test -f build/$(1)/build.ninja || cmake --preset $(1) >/dev/null
compile = cmake --build --preset $(1) -j $(JOBS)

.PHONY: help
help: ## list the verbs
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-15s %s\n", $$1, $$2 }' Makefile

.PHONY: setup formatter tools build test
setup:
	@scripts/setup build
formatter:
	@scripts/setup build format
tools:
	@scripts/setup build tools

build: setup ## configure and build (Release) into build/release
	@$(call configure,release)
	@$(call compile,release)

.PHONY: figures
figures: setup
	@$(call configure,release)
	@$(call compile,release) --target assay_experiments

test: setup ## unit tests, layering, install test, quick cross-checks
	@$(call configure,release)
	@$(call compile,release) --target assay_tested
	@$(call CTEST,$(RELEASE)) -LE verify-full

.PHONY: check format-check werror format lint sanitize
check: formatter format-check werror ## before a commit: format, -Werror build, unit tests, layering
	@$(call CTEST,build/check) -LE verify-full
format-check:
	@clang-format --dry-run -Werror $(SOURCES)
werror: setup
	@$(call configure,check)
	@$(call compile,check)
format: formatter ## rewrite the sources with clang-format
	@clang-format -i $(SOURCES)
# The commands of the check build: clang cannot read what GCC precompiled for the others.
lint: tools setup ## clang-tidy over the library, the programs and the experiments
	@$(call configure,check)
	@$(call compile,check) --target assay_commit
	@find $(wildcard src experiments bench) -name '*.cpp' ! -name '*_test.cpp' ! -name catch_main.cpp ! -name test_support.cpp \
	    ! -name mpi_main.cpp -print0 \
	    | xargs -0 -n 1 -P $(JOBS) clang-tidy -p build/check --quiet --extra-arg=-Wno-unknown-warning-option
sanitize: setup ## build with ASan and UBSan and run the tests
	@$(call configure,asan)
	@$(call compile,asan)
	@$(call CTEST,build/asan) -LE verify-full

.PHONY: sanitize-threads
sanitize-threads: setup ## build with TSan and run the tests of the parallel parts
	@$(call configure,tsan)
	@$(call compile,tsan) --target assay_verify_tests assay_tests
	@TSAN_OPTIONS="suppressions=$(CURDIR)/cmake/tsan.supp" build/tsan/assay_verify_tests "[engine],[hunt]"
	@TSAN_OPTIONS="suppressions=$(CURDIR)/cmake/tsan.supp" build/tsan/assay_tests "[parallel]"

# The page is drawn of a run that failed as well, and the failure remains. Ctrl-C ends the run, not the page.
verify_run = trap : INT; $(RELEASE)/assay-verify run --tier $(1) --out results/latest/verify/$(1) \
    $(if $(SEED),--seed $(SEED)) $(foreach row,$(ONLY),--only '$(row)') $(if $(BUDGET),--budget $(BUDGET)) \
    $(if $(RESUME),--resume); code=$$?; test $$code -gt 1 || \
    $(PYTHON) plots/verify_report.py results/latest/verify/$(1)/report.json || code=2; exit $$code

# Every target by turns, from the committed corpus, which only inputs that were minimised join by hand.
FUZZ_CLANG ?= $(firstword $(notdir $(wildcard /usr/bin/clang++ /usr/bin/clang++-1[4-9])))
export FUZZ_CLANG
.PHONY: fuzz
fuzz: setup ## libFuzzer with ASan and UBSan (clang) on every reader and the front door: SECONDS=600 ONLY=toml
	@scripts/setup fuzz
	@$(call configure,fuzz)
	@$(call compile,fuzz)
	@scripts/fuzz build/fuzz/fuzz fuzz/corpus results/latest/fuzz $(or $(SECONDS),600) $(ONLY)

.PHONY: verify verify-quick mutants
verify-quick: build ## every claim against independent oracles, about a minute: SEED= ONLY='exact.*' BUDGET=
	@$(call verify_run,quick)
verify: build ## the same at many more points, and the test vectors; RESUME=1 goes on with an interrupted run
	@$(call verify_run,full)
	@scripts/conformance $(RELEASE)/assay-verify $(RELEASE)/assay assay --jobs $(JOBS)
mutants: setup ## seed faults into a copy of the library: each must fail its row. ONLY='pld-*'
	@scripts/mutants --jobs $(JOBS) $(if $(ONLY),--only '$(ONLY)')

.PHONY: tables
CERTIFIED := results/reference/certified
tables: build ## compute the certified values for other libraries anew
	@$(RELEASE)/assay-verify tables --out $(CERTIFIED)
	@cd $(CERTIFIED) && sha256sum *.csv >SHA256SUMS

.PHONY: vectors conformance
vectors: tools build ## compute the test vectors for accountants anew
	@$(PYTHON) verify/conformance/make_vectors.py --assay $(RELEASE)/assay --jobs $(JOBS) --work build/vectors.jsonl
conformance: build ## put an accountant on trial: PEER=opacus; without it, Assay itself
	@scripts/conformance $(RELEASE)/assay-verify $(RELEASE)/assay $(or $(PEER),assay) --jobs $(JOBS) \
	    $(if $(BASELINE),--baseline $(BASELINE)) $(if $(RESUME),--resume)

.PHONY: bench bench-compare profile
bench: build ## measure speed: Google Benchmark JSON under results/latest/bench
	@scripts/bench $(RELEASE)/assay-bench results/latest/bench $(FILTER)
bench-compare: tools build ## compare with an earlier measurement: OLD=<json> [NEW=<json>]
	@scripts/bench-compare "$(OLD)" "$(NEW)"
# A build of its own, with line tables: callgrind's counts go to the functions that were inlined.
PROFILED := build/profile
profile: tools ## a sampling kernel's cost by class, beside its floor: KERNEL=<name>; without it, the list
	@test -z "$(KERNEL)" || test -f $(PROFILED)/build.ninja || \
	    cmake --preset release -B $(PROFILED) -DCMAKE_CXX_FLAGS=-g1 >/dev/null
	@test -z "$(KERNEL)" || cmake --build $(PROFILED) -j $(JOBS) --target assay_bench_profile
	@scripts/profile $(PROFILED)/assay-bench-profile "$(KERNEL)"

.PHONY: python
python: setup ## build the Python package in an environment of its own and test it: PEERS=1 installs Opacus and others
	@scripts/python $(if $(PEERS),peers)

.PHONY: repro repro-check repro-accept
# PRESET=paper takes the papers' sample sizes; its results and pictures stand in results/paper.
repro: figures ## run every experiment, draw every figure, print the verdicts, write one page: PRESET=paper DATA=<dir>
	@$(EXPERIMENTS) run --no-table $(if $(DATA),--data-folder "$(DATA)") $(if $(PRESET),--preset $(PRESET) --out results/$(PRESET))
	@$(PYTHON) plots/make_all.py $(if $(PRESET),--results results/$(PRESET) --out results/$(PRESET)/figures)
	@$(EXPERIMENTS) summary $(if $(PRESET),--out results/$(PRESET))
	@$(PYTHON) plots/results_page.py $(if $(PRESET),--results results/$(PRESET) --figures results/$(PRESET)/figures)
repro-check: figures ## compare the results with results/reference (runs what is missing or stale)
	@$(EXPERIMENTS) run --stale-only --no-table
	@$(EXPERIMENTS) check
repro-accept: figures ## accept one new golden result: FIG=<stem>, PRESET=paper or PRESET=seeds for a larger run beside it
	@$(EXPERIMENTS) accept --figure "$(FIG)" $(if $(PRESET),--larger-run --out results/$(PRESET))

.PHONY: page
page: setup ## draw the committed results and write their page for publication, with its data: build/page
	@$(PYTHON) plots/make_all.py --results results/reference --out build/page-figures
	@$(PYTHON) plots/make_all.py --present --results results/reference/paper --out build/page-figures/paper
	@$(PYTHON) plots/results_page.py --results results/reference --figures build/page-figures \
	    --verify results/latest/verify --publish build/page

.PHONY: install clean
install: build ## install the library, headers and program: PREFIX=<folder>
	@cmake --install $(RELEASE) $(if $(PREFIX),--prefix "$(PREFIX)")
clean: ## remove everything that was built, run or drawn
	@rm -rf build results/latest plots/figures

.PHONY: matrix
matrix: ## the two commands of the README on fresh systems, as root: ROOT=debian13 (debian12, testing, aarch64, and debian12, debian13, testing with -clang)
	@scripts/matrix $(ROOT)

.PHONY: artifact
artifact: page ## one archive for reviewers, with checksums and a bill of materials: build/artifact
	@$(PYTHON) scripts/artifact --page build/page --out build/artifact

.PHONY: deb package-tools
package-tools:
	@scripts/setup package
deb: build package-tools ## one Debian package of program, library, manual pages and data: build/release/package
	@cpack --config $(RELEASE)/CPackConfig.cmake -B $(RELEASE)/package
