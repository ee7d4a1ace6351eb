# Everything a newcomer, a developer and a machine that checks this project need. "make" alone lists it.

# Real field recordings, if they are there: used by test and bench.
TRAFFIC ?= ../shared/traffic
# demo and up: debug is built in a few minutes and is quick enough for them; release takes twice as long to build.
CONFIGURATION ?= debug
# Tests side by side. ObservabilityTests run whole services, which want the threads of their process for themselves: last, one by one.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= 2
# What says within how many seconds something is done: by itself, one by one, as others would take its time.
TIMED = EndToEndTests\.(Freshness|FullMachine|HostileClient|RecordingClock|Restart|Spine|StartOrder|Up)(EndToEnd)?Tests
# More arguments for "swift test" and "swift build": make test ARGUMENTS="--filter WireTests"
ARGUMENTS ?=

SOURCES = find Package.swift Shared Services Tests Benchmarks -name '*.swift' -not -path '*/.build/*' -print0
export NKUL_TRAFFIC = $(abspath $(TRAFFIC))

# Where install puts things; BUILD=0 installs what has been built, as root may not have Swift.
PREFIX ?= /usr/local
DESTDIR ?=
BUILD ?= 1

.PHONY: help setup build programs test fuzz lint format bench bench-releases up demo e2e planted nightly docs install uninstall check-compose setup-page check-page pictures setup-api check-api setup-notifier check-notifier setup-panels check-panels check-figures setup-open-data check-open-data setup-providers check-providers check-slow clean check-app

help:
	@echo "make setup    install what Debian has of it (apt), say what is missing"
	@echo "make build    build everything (CONFIGURATION=debug|release)"
	@echo "make test     set up, build and run the suites, 100 seeds of the simulator and of the power cut (NKUL_SEEDS=400: more)"
	@echo "make e2e      the tests with real processes: kill -9, lost replies, restarts, tenants, rewards"
	@echo "make nightly  everything there is, with 2 000 seeds, planted bugs, fuzzing and benchmarks: hours"
	@echo "make planted  plants known bugs one by one and expects the contract tests to find each"
	@echo "make fuzz     the corpus of all fuzz targets once; TARGET=json SECONDS=600: looks for more (docs/fuzzing.md)"
	@echo "make lint     formatting, style, links and names in pages; make format mends what can be mended"
	@echo "make docs     reference pages of the shared modules, into .build/docs"
	@echo "make bench    the benchmarks of docs/performance.md (JSON=1: nothing but JSON on stdout, CHECK=1: fails if a bar is missed)"
	@echo "make bench-rules     200 simulated days with faults: how many the built-in rules find, how soon (SEEDS=200 JSON=1 CHECK=1)"
	@echo "make bench-releases  how much of a simulated day is released how finely, and how large the tables are (docs/releases.md)"
	@echo "make up       start the services on ./var and keep them running"
	@echo "make demo     set up, build, start, replay a recording, say where to look"
	@echo "make install  build for release and install (PREFIX=/usr/local DESTDIR=, BUILD=0: what is built already)"
	@echo "make uninstall       remove what install put there"
	@echo "make check-compose   containers, units and installation against the programs (CONFIGURATION=debug|release)"
	@echo "make check-page      the page in Chromium, while a day is played; make setup-page installs what that needs"
	@echo "make pictures        takes the pictures of docs/console.md anew, while a day is played: six minutes"
	@echo "make check-app       the subscribers' app in Chromium, on and off line; make setup-page installs what that needs"
	@echo "make check-figures   every published figure of recordings, counted anew in Python"
	@echo "make check-rules     rules of shares as Prometheus judges them; make setup-rules installs promtool"
	@echo "make check-notifier  what channels are told, by Alertmanager, aiosmtpd and http_ece; make setup-notifier installs them"
	@echo "make check-panels    the SIA DC-09 receiver, dialled by my-dc09-spt; make setup-panels installs it"
	@echo "make check-open-data what a release is as CSV, Parquet and tile, by pyarrow, DuckDB and mapbox-vector-tile; make setup-open-data"
	@echo "make check-providers the emulated providers of rewards, by the providers' own SDKs; make setup-providers installs those"
	@echo "make check-slow      does a good phone notice ten thousand slow connections?"
	@echo "make check-api       the device API by schemathesis, curl, openssl and websockets; make setup-api installs what that needs"
	@echo "make clean    remove what was built"

setup:
	@compose/setup

build:
	swift build --configuration $(CONFIGURATION) $(ARGUMENTS)

# All services in the process of the tests: one at a time, for they would starve the others.
WHOLE := AlarmsProgrammeTests|ObservabilityTests|RainGaugeTests

test: setup
	@echo "==> test: builds (five to fifteen minutes the first time), then about a quarter of an hour of tests on two free cores"
	swift build --build-tests
	Tests/run $(if $(ARGUMENTS),,--skip '$(WHOLE)') $(ARGUMENTS)
	$(if $(ARGUMENTS),,Tests/run --no-parallel --filter '$(WHOLE)')

e2e: setup
	swift build --build-tests
	NKUL_E2E=1 Tests/run $(if $(ARGUMENTS),,--filter EndToEndTests --skip '$(TIMED)') $(ARGUMENTS)
	$(if $(ARGUMENTS),,NKUL_E2E=1 Tests/run --no-parallel --filter '$(TIMED)')

planted: setup
	Tests/Planted/run

# What takes too long for each change.
nightly:
	NKUL_SEEDS=2000 NKUL_KITS=500 $(MAKE) test
	NKUL_REWARD_RUNS=50 NKUL_PROVIDER_RUNS=50 $(MAKE) e2e
	$(MAKE) planted
	$(MAKE) fuzz TARGET=corpus
	$(MAKE) fuzz TARGET=all SECONDS=300
	$(MAKE) check-compose CONFIGURATION=debug
	$(MAKE) setup-api check-api CONFIGURATION=debug
	$(MAKE) setup-notifier check-notifier CONFIGURATION=debug
	$(MAKE) setup-panels check-panels CONFIGURATION=debug
	$(MAKE) setup-page check-page check-app CONFIGURATION=debug
	Tests/Page/measure --memory --minutes 60
	$(MAKE) check-figures CONFIGURATION=debug
	$(MAKE) setup-open-data check-open-data
	$(MAKE) setup-providers check-providers
	$(MAKE) check-slow
	$(MAKE) setup-rules check-rules CONFIGURATION=debug
	Tests/Rules/kills
	Tests/Rules/panels
	$(MAKE) bench-rules CHECK=1
	$(MAKE) bench CHECK=1

# The parsers under libFuzzer and AddressSanitizer; TARGET=corpus runs the committed inputs once, TARGET=all looks for new ones with each.
TARGET ?= corpus
SECONDS ?= 60
fuzz: setup
	Tests/Fuzz/run $(TARGET) $(SECONDS)

# What the shared modules show, of their docstrings.
DOCUMENTED := Lanes Models QoE ServiceKit Storage SubjectRights Wire ZeroMQ

docs: setup
	@echo "==> docs: builds $(words $(DOCUMENTED)) modules, then their pages; a few minutes"
	@rm -rf .build/docs
	@NKUL_DOCS=1 swift package --allow-writing-to-directory .build/docs generate-documentation \
	    $(addprefix --target ,$(DOCUMENTED)) --enable-experimental-combined-documentation --output-path .build/docs \
	    --transform-for-static-hosting >.build/docs.log 2>&1 || { tail -20 .build/docs.log >&2; exit 1; }
	@echo "==> docs: .build/docs; \"python3 -m http.server -d .build/docs\" shows them at http://localhost:8000/documentation/"

lint:
	@$(SOURCES) | xargs -0 swift format lint --strict --parallel
	@for patch in Tests/Planted/*.patch; do git apply --check $$patch || exit 1; done
	@Tests/Docs/check && Tests/Docs/check --self-test
	@Tests/Structure/check && Tests/Structure/check --self-test

format:
	@$(SOURCES) | xargs -0 swift format --in-place --parallel

bench: setup
	@Benchmarks/run $(if $(filter 1,$(JSON)),--json) $(if $(filter 1,$(CHECK)),--check)

SEEDS ?= 200
bench-rules: setup
	@echo "bench-rules: builds nkul in release first; then about ten minutes on two free cores" >&2
	@NKUL_ONLY=nkul swift build -c release >&2
	@Benchmarks/rules --seeds $(SEEDS) $(if $(filter 1,$(JSON)),--json) $(if $(filter 1,$(CHECK)),--check)

bench-releases: setup
	@NKUL_ONLY=nkul-bench-releases swift build -c release >&2
	@.build/release/nkul-bench-releases

# Of everything that a build makes, what runs: tests and benchmarks are left out.
PROGRAMS := nkul,nkul-ingest,nkul-alert-router,nkul-batch-aggregator,nkul-reward-dispatcher,nkul-privacy-worker,nkul-analytics-exporter,nkul-notifier

programs:
	@[ -x .build/$(CONFIGURATION)/nkul ] || echo "building the programs: about five minutes the first time, a quarter of an hour on a slow machine" >&2
	NKUL_ONLY=$(PROGRAMS) swift build --configuration $(CONFIGURATION)

up: programs
	.build/$(CONFIGURATION)/nkul up

demo: setup programs
	@CONFIGURATION=$(CONFIGURATION) compose/demo

install uninstall: CONFIGURATION = release
install: $(if $(filter 0,$(BUILD)),,programs)
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' CONFIGURATION='$(CONFIGURATION)' compose/install add

uninstall:
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' compose/install remove

check-compose: $(if $(filter 0,$(BUILD)),,programs)
	@compose/check '$(CONFIGURATION)'

setup-page:
	@compose/setup --page

check-page: $(if $(filter 0,$(BUILD)),,programs)
	@Tests/Page/check --configuration $(CONFIGURATION) $(ARGUMENTS)

pictures: $(if $(filter 0,$(BUILD)),,programs)
	@Tests/Page/pictures --configuration $(CONFIGURATION)

check-app: $(if $(filter 0,$(BUILD)),,programs)
	@Tests/WebApp/check --configuration $(CONFIGURATION) $(ARGUMENTS)

setup-rules:
	@compose/setup --rules

check-rules: $(if $(filter 0,$(BUILD)),,programs)
	@Tests/Rules/check --configuration $(CONFIGURATION) $(ARGUMENTS)
	@Tests/Rules/examples

check-slow: CONFIGURATION = release
check-slow: $(if $(filter 0,$(BUILD)),,build)
	@Tests/Slow/check --configuration $(CONFIGURATION) $(ARGUMENTS)

setup-api:
	@compose/setup --api

check-api: $(if $(filter 0,$(BUILD)),,programs)
	@Tests/API/check --configuration $(CONFIGURATION) $(ARGUMENTS)

setup-notifier:
	@compose/setup --notifier

check-notifier: $(if $(filter 0,$(BUILD)),,programs)
	@Tests/Notifier/check --configuration $(CONFIGURATION) $(ARGUMENTS)

setup-panels:
	@compose/setup --panels

check-panels: $(if $(filter 0,$(BUILD)),,programs)
	@Tests/Panels/check --configuration $(CONFIGURATION) $(ARGUMENTS)

setup-open-data:
	@compose/setup --open-data

check-open-data:
	$(if $(filter 0,$(BUILD)),,swift build --build-tests)
	@Tests/OpenData/check

setup-providers:
	@compose/setup --providers

check-providers:
	$(if $(filter 0,$(BUILD)),,swift build --build-tests)
	@Tests/Providers/check

check-figures: $(if $(filter 0,$(BUILD)),,programs)
	@Tests/Reference/check --configuration $(CONFIGURATION) $(ARGUMENTS)

clean:
	swift package clean
