# Builds, checks and installs coach. `make` alone lists the targets.
#
# Nothing but make and a Swift toolchain is assumed; scripts/prepare installs the system libraries that are missing.
# Work that needs other compiler settings has a scratch folder of its own, so that no target makes another build anew.

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
# What `make run` replays, how fast on a terminal, and more arguments for it (or for `make bench`).
SCENARIO ?= scenarios/first-run.json
SPEED ?= 240
ARGS ?=
# For how long `make fuzz` gives input to each target, to how many at once, and to which; all when nothing is said.
FUZZ_SECONDS ?= 60
FUZZ_JOBS ?= 1
TARGET ?=

# Options of the debug build, and where it is: `make check` has one for all of its parts, which counts coverage.
DEBUG_OPTIONS ?=
DEBUG_FOLDER ?= .build

# What computes is optimised in debug builds, so that the tests take a third of the time (Package.swift). A `swift build` by hand
# without it builds those targets anew, and so does make after it; empty, all is as a debugger wants it.
COACH_FAST_TESTS ?= 1

export SWIFT FUZZ_SECONDS FUZZ_JOBS TARGET DEBUG_OPTIONS DEBUG_FOLDER COACH_FAST_TESTS
MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: test-service-pages help run build build-all build-development build-packages test check docs examples lint format scenarios test-debug test-release test-unsanitized asan coverage check-scripts \
	bench bench-peers test-pages test-slurm test-fleet test-service test-oidc test-onnx test-openapi test-beats test-r deb fuzz fuzz-corpus stage install uninstall clean prepare prepare-tests build-tests

SWIFT_CODE := Package.swift Sources Tests Fuzzing/coach-fuzz Benchmarks/Package.swift Benchmarks/Sources \
	Benchmarks/decode-benchmark Benchmarks/live-benchmark Benchmarks/sweep-benchmark Benchmarks/interval-benchmark Examples

# All scripts of a language, by their first lines, so that none has to be listed here; Python that others import is known by its name.
scripts-of = $(sort $(shell find .ci Benchmarks Examples Fuzzing Tests deploy scripts studies -name .build -prune -o -type f -size -512k \
	-exec env LC_ALL=C awk 'FNR == 1 && /^.!.*[\/ ]$(1)$$/ { print FILENAME } { nextfile }' {} +))
SHELL_CODE = $(call scripts-of,(ba)?sh)
PYTHON_CODE = $(sort $(call scripts-of,python3) $(shell find Benchmarks Examples scripts -name .build -prune -o -name '*.py' -print))

# Runs every one of the targets in $(1), the last one last, and fails at the end naming those that failed.
define each
@failed=; \
for part in $(1); do $(MAKE) $$part || failed="$$failed $$part"; done; \
[ -z "$$failed" ] || { echo "make $@: failed:$$failed" >&2; exit 1; }
endef

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

run: build ## build coach and replay a scenario (SCENARIO=FILE SPEED=N ARGS=…)
	@if [ -t 1 ]; then set -- --speed $(SPEED); else set --; fi; \
	exec .build/release/coach replay "$(SCENARIO)" "$$@" $(ARGS)

build: prepare ## build .build/release/coach, which needs no Swift where it runs
	@$(SWIFT) build -c release --static-swift-stdlib --product coach >&2

test: build-tests ## lint, scenarios and all tests, in a debug build
	+$(call each,lint check-scripts scenarios test-debug)

# Three builds: the tests that count coverage are all tests in debug, and what the sanitizer watches is all but a few, optimised.
# With its index: `swift build` finds the tests of XCTest by it, also where there are none.
COVERED := --enable-code-coverage --scratch-path .build/coverage
check: DEBUG_OPTIONS := $(COVERED)
check: DEBUG_FOLDER := .build/coverage
check: build-tests ## everything: test with coverage, optimised and with the address sanitizer, examples, documentation
	+$(call each,lint check-scripts scenarios docs examples coverage test-unsanitized asan)

docs: prepare ## make the documentation of the libraries, in .build/docs
	@SWIFT="$(SWIFT)" scripts/docs $(DEBUG_OPTIONS)

examples: prepare ## build what uses the libraries, outside of the tree, and compare what it prints
	@SWIFT="$(SWIFT)" scripts/examples

lint: prepare ## report what the formatter would write otherwise, missing documentation, missing dependencies and folders in circles
	$(SWIFT) format lint --strict --parallel --recursive $(SWIFT_CODE)
	@SWIFT="$(SWIFT)" scripts/check-imports
	@scripts/check-folders

format: ## let the formatter rewrite the Swift files
	$(SWIFT) format --in-place --parallel --recursive $(SWIFT_CODE)

scenarios: build-tests ## hold every scenario against its expectations
	LLVM_PROFILE_FILE=/dev/null $(DEBUG_FOLDER)/debug/coach verify scenarios/

test-debug: prepare-tests ## the tests alone, in debug
	SWIFT="$(SWIFT)" scripts/run-tests $(DEBUG_OPTIONS)

OPTIMISED := -c release -Xswiftc -enable-testing
test-release: prepare-tests ## the tests alone, optimised
	SWIFT="$(SWIFT)" scripts/run-tests $(OPTIMISED) --scratch-path .build/release-tests

# A suite says itself that something of it needs a build without sanitizer.
test-unsanitized: prepare-tests ## the tests that `make asan` leaves out, optimised
	@suites=$$(grep -rl 'SanitizedBuild[.]isRunning' --include='*Tests.swift' Tests | xargs sed -n 's/^struct \([A-Za-z]*Tests\) .*/\1/p' | paste -sd '|') && \
	[ -n "$$suites" ] && SWIFT="$(SWIFT)" scripts/run-tests --only "^ZoneEngineTests[.]|[.]($$suites)/" \
		$(OPTIMISED) --scratch-path .build/release-tests

# A target of tests is left out where the compiler lets nothing unsafe through: PurityTests holds that of ZoneEngine.
# Optimised, for in debug it takes over an hour.
asan: prepare-tests ## the tests alone, optimised, with the address sanitizer
	RUN_TESTS_SECONDS="$${RUN_TESTS_SECONDS:-3600}" \
	ASAN_SYMBOLIZER_PATH="$$(scripts/toolchain llvm-symbolizer)" \
	LSAN_OPTIONS="suppressions='$(CURDIR)/scripts/leak-suppressions':print_suppressions=0:$$LSAN_OPTIONS" \
	SWIFT="$(SWIFT)" scripts/run-tests --without ZoneEngineTests $(OPTIMISED) \
		--sanitize=address --scratch-path .build/asan

coverage: prepare-tests ## the tests alone, then the share of lines they run, per target
	scripts/coverage

fuzz: prepare ## give made-up input to every reader for a while (FUZZ_SECONDS=60 for each, FUZZ_JOBS=2 at once, TARGET="fit xml")
	@Fuzzing/run

fuzz-corpus: prepare ## renew the corpus from what the fuzzer found
	@Fuzzing/run corpus

check-scripts: ## try the shell scripts against fake tools
	scripts/prepare --self-test
	scripts/run-tests-self-test
	@if command -v shellcheck >/dev/null 2>&1; then shellcheck $(SHELL_CODE); \
	else echo "check-scripts: no shellcheck here, left out"; fi
	@python3 -c 'import sys; [compile(open(name).read(), name, "exec") for name in sys.argv[1:] or sys.exit("check-scripts: no Python here")]' $(PYTHON_CODE)

bench: build ## the benchmarks, optimised (ARGS="--json", ARGS="--filter TEXT")
	@$(SWIFT) build -c release --static-swift-stdlib --package-path Benchmarks >&2
	@Benchmarks/.build/release/coach-benchmarks $(ARGS)
	@Benchmarks/replay-day
	@Benchmarks/history-year

bench-peers: prepare ## coach against other readers of recordings, from PyPI (ARGS="--job fit --rounds 3")
	@Benchmarks/against-peers $(ARGS)

test-slurm: build ## a study on a Slurm cluster of its own, and by GNU parallel, byte by byte (RUNNERS=2000)
	scripts/test-slurm

test-service: build-tests ## the service as others use it: the example clients, an app's key, TLS, nginx in front
	@scripts/test-clients
	@scripts/prepare --list scripts/service-packages
	@scripts/test-tls
	@scripts/test-nginx

test-fleet: build ## two instances, a PostgreSQL and nginx of their own, accidents under load (SESSIONS=1000 SECONDS=90 ROUNDS=20 SEED=1)
	@scripts/test-fleet
	@scripts/test-fleet-backup
	@scripts/test-pgbouncer
	@SESSIONS=6 SECONDS=12 scripts/test-pgbouncer transaction

test-oidc: build-tests ## signing in with a real provider of OpenID Connect, and what it should not answer (from PyPI)
	@scripts/test-oidc

test-onnx: build-tests ## the ONNX files of motion models against onnxruntime (from PyPI), window by window
	@scripts/test-onnx

test-beats: ## the vectors of beats against NeuroKit2 and nolds (from PyPI)
	@scripts/test-beats

test-r: build ## what is written in R: the policy against our own strategy, a trial estimated once more (needs Rscript)
	@scripts/test-r

test-openapi: build-tests ## the service against its own description, by schemathesis (from PyPI), for each scope
	@scripts/test-openapi

test-service-pages: build ## the pages of the service in a real browser, from the strap's radio to the cue (axe from PyPI)
	@scripts/prepare --list scripts/page-packages
	@scripts/test-service-pages

deb: build ## make a Debian package, .build/coach_VERSION_ARCH.deb
	@scripts/make-deb

test-pages: build ## pages in a real browser: on a phone, by keys, in the dark, on paper (axe from PyPI)
	@scripts/prepare --list scripts/page-packages
	@scripts/test-pages

# The staged files are rebuilt only when a source is newer, so that after `make stage` a `sudo make install` needs no
# toolchain and leaves nothing of root's in the build folder. Folders count too: a file may have gone.
STAGE := .build/install
$(STAGE)/coach: Package.swift $(shell find Sources)
	@$(MAKE) build
	mkdir -p $(STAGE)
	.build/release/coach completions bash >$(STAGE)/coach.bash && test -s $(STAGE)/coach.bash
	.build/release/coach completions zsh >$(STAGE)/_coach && test -s $(STAGE)/_coach
	.build/release/coach completions fish >$(STAGE)/coach.fish && test -s $(STAGE)/coach.fish
	cp .build/release/coach $@

stage: $(STAGE)/coach ## build what install copies

BIN := $(DESTDIR)$(PREFIX)/bin/coach
BASH_COMPLETION := $(DESTDIR)$(PREFIX)/share/bash-completion/completions/coach
ZSH_COMPLETION := $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_coach
FISH_COMPLETION := $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/coach.fish

install: stage ## install coach and its completions (PREFIX=/usr/local DESTDIR=); for root: make stage first
	install -D -m 755 $(STAGE)/coach "$(BIN)"
	install -D -m 644 $(STAGE)/coach.bash "$(BASH_COMPLETION)"
	install -D -m 644 $(STAGE)/_coach "$(ZSH_COMPLETION)"
	install -D -m 644 $(STAGE)/coach.fish "$(FISH_COMPLETION)"

uninstall: ## remove what install put there, with the same PREFIX and DESTDIR
	rm -f "$(BIN)" "$(BASH_COMPLETION)" "$(ZSH_COMPLETION)" "$(FISH_COMPLETION)"

clean: ## remove everything that was built
	rm -rf .build Benchmarks/.build

prepare:
	@scripts/prepare

prepare-tests: prepare
	@scripts/prepare --list scripts/test-packages

build-all: build-tests build-development build-packages ## build every target that there can be, in debug: benchmarks, fuzzers and examples too

# Targets that no ordinary build sees, as Package.swift has them: compiled, not linked, since a fuzzer is linked with a
# sanitizer only.
DEVELOPMENT := $(shell sed -n '/^var development/,/^let tests/s/.*name: "\([a-z-]*\)".*/\1/p' Package.swift)
build-development: build-tests
	@[ -n "$(DEVELOPMENT)" ] || { echo "make $@: Package.swift has no targets of development where they are looked for" >&2; exit 1; }
	@for target in $(DEVELOPMENT); do \
	COACH_BENCHMARKS=1 COACH_FUZZING=1 $(SWIFT) build --target $$target $(DEBUG_OPTIONS) || exit 1; done

# Packages beside this one, which build the libraries as strangers do, once for all of them.
build-packages: examples
	COACH_FAST_TESTS= $(SWIFT) build --package-path Benchmarks --scratch-path .build/libraries

# A file that does not compile is reported once, before the parts of `test` and `check`.
build-tests: prepare-tests
	$(SWIFT) build --build-tests $(DEBUG_OPTIONS)
