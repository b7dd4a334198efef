# SPDX-License-Identifier: Apache-2.0

# For `make run`: what `otolith run` is given, for instance ARGS='--duration 5 --format csv'.
ARGS ?=

# The targets that are also compiled for microcontrollers: those that scripts/layers calls portable.
EMBEDDED = $(shell scripts/layers | awk '$$2 == "portable:" { print $$1 }' )

.DEFAULT_GOAL := help

.PHONY: help
help: ## List the targets.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-20s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: prerequisites
prerequisites:
	@command -v swift > /dev/null || \
	  { echo 'otolith: there is no `swift` here; install Swift 6.2.3 or later: https://www.swift.org/install' >&2; exit 69; }
	@scripts/install-system-packages

.PHONY: run
run: prerequisites ## Build otolith and show live motion (ARGS='--duration 5').
	swift build -c release --product otolith
	.build/release/otolith run $(ARGS)

.PHONY: bringup
bringup: prerequisites ## Build otolith and check a board from bus to axes (ARGS='raspberry-pi-gy521').
	swift build -c release --product otolith
	.build/release/otolith bringup $(ARGS)

.PHONY: monitor
monitor: prerequisites ## Build otolith and watch the board turn, full screen (ARGS='--board FILE').
	swift build -c release --product otolith
	.build/release/otolith monitor $(ARGS)

# Where `make install` puts things.
PREFIX ?= /usr/local
SHELLS = .build/share

.PHONY: completions
completions: prerequisites ## Write completions for bash, zsh and fish into .build/share.
	swift build -c release --product otolith
	mkdir -p $(SHELLS)/bash-completion/completions $(SHELLS)/zsh/site-functions $(SHELLS)/fish/vendor_completions.d
	.build/release/otolith --generate-completion-script bash > $(SHELLS)/bash-completion/completions/otolith
	.build/release/otolith --generate-completion-script zsh > $(SHELLS)/zsh/site-functions/_otolith
	.build/release/otolith --generate-completion-script fish > $(SHELLS)/fish/vendor_completions.d/otolith.fish

.PHONY: man
man: prerequisites ## Write the man page into .build/share.
	swift package generate-manual
	mkdir -p $(SHELLS)/man/man1
	cp "$$(find .build/plugins -name otolith.1 | head -1)" $(SHELLS)/man/man1/otolith.1

.PHONY: install
install: ## Install otolith, its completions, man page, boards and module for Python (PREFIX=/usr/local).
	@# Under sudo what was built before is installed: root may have no Swift.
	@if [ -z "$$SUDO_USER" ]; then $(MAKE) --no-print-directory completions man; \
	elif [ ! -x .build/release/otolith ] || [ ! -d $(SHELLS)/man ] || \
	  [ -n "$$(find Sources boards -newer .build/release/otolith -type f | head -1)" ]; then \
	  echo "install: what was built is missing or older than its sources; first, without sudo: make completions man" >&2; exit 69; \
	fi
	install -D .build/release/otolith $(DESTDIR)$(PREFIX)/bin/otolith
	mkdir -p $(DESTDIR)$(PREFIX)/share/otolith/boards
	cp -r $(SHELLS)/. $(DESTDIR)$(PREFIX)/share/
	cp boards/*.yaml boards/*.json $(DESTDIR)$(PREFIX)/share/otolith/boards/
	install -m 644 share/otolith/otolith.py $(DESTDIR)$(PREFIX)/share/otolith/otolith.py

# ARCH: the machine, arm64 or amd64. SUITE: Debian's or Raspberry Pi OS's release, trixie (13) or bookworm (12).
ARCH ?= arm64
DEBIAN = $(if $(filter file,$(origin SUITE)),trixie,$(SUITE))

.PHONY: sdk
sdk: ## Make a Swift SDK of Debian's packages, to build for another machine with (ARCH=arm64 SUITE=trixie).
	@scripts/debian/sdk $(ARCH) $(DEBIAN)

.PHONY: deb
deb: ## Make the packages otolith and otolith-doc in .build/packages (ARCH=arm64 SUITE=trixie).
	@scripts/debian/package $(ARCH) $(DEBIAN)

.PHONY: test-deb
test-deb: ## Install the packages in an emulated system and use them (ARCH=arm64 SUITE=trixie).
	@Tests/Packages/check $(ARCH) $(DEBIAN)

.PHONY: service
service: prerequisites ## Build otolith and serve the board to all programs (ARGS='--board FILE').
	swift build -c release --product otolith
	.build/release/otolith service $(ARGS)

.PHONY: test
test: prerequisites ## Run the unit tests, but those of test-faults (TESTS='BoardsTests': of these targets; OTOLITH_RECORD=1: write what is pinned).
	OTOLITH_TESTS_ALONE='$(if $(filter file,$(origin TESTS)),unit,$(TESTS))' swift build --build-tests
	@scripts/run-tests debug FaultBelowTests KillTests SocketFaultTests

# TESTS: the test targets that are built and run, instead of all.
TESTS ?= all
# SKIP: a suite that is left out.
SKIP ?=
# In a folder of its own, so that what is built for use stays, and without debug information, a quarter of the time that tests
# of chips take to build. Some of all tests look into a module, which an optimised one allows when asked.
OPTIMISED = --scratch-path .build-optimised -c release -debug-info-format none \
  $(if $(filter all,$(TESTS)),-Xswiftc -enable-testing)

.PHONY: build-release
build-release: prerequisites ## Build what test-release and test-kernel run (TESTS).
	OTOLITH_TESTS_ALONE='$(TESTS)' swift build $(OPTIMISED) --build-tests
	OTOLITH_TESTS_ALONE='$(TESTS)' swift build $(OPTIMISED) --product otolith

.PHONY: test-release
test-release: build-release ## Run all unit tests, optimised (TESTS='FusionTests': these alone).
	@OTOLITH_BUILD=.build-optimised scripts/run-tests release $(SKIP)

.PHONY: test-conformance
test-conformance: ## Run every chip in each of its configurations, with faults and planted clocks, optimised.
	@$(MAKE) --no-print-directory test-release TESTS=ConformanceTests

.PHONY: test-debian-swift
test-debian-swift: ## Build the tool and run the unit tests with the Swift of Debian sid (6.2), in a chroot in ~/.cache/otolith.
	@scripts/debian/test

.PHONY: test-arm64
test-arm64: ## Build unit tests for 64-bit ARM and run them by QEMU (TESTS='ChipsTests': these, not the portable core's).
	@scripts/debian/test-arm64 $(if $(filter file,$(origin TESTS)),,$(TESTS))

# TARGET: one of those that scripts/fuzz names. SECONDS: how long it is fed.
TARGET ?= board

.PHONY: fuzz
fuzz: prerequisites ## Feed one target of libFuzzer, with Address Sanitizer (TARGET=board SECONDS=60).
	scripts/fuzz build
	scripts/fuzz run $(TARGET) $(SECONDS)

.PHONY: test-fuzz
test-fuzz: prerequisites ## Feed every target of libFuzzer for a few seconds, from what is committed (SECONDS=4).
	FUZZ_CONFIGURATION=debug scripts/fuzz build
	FUZZ_CONFIGURATION=debug scripts/fuzz all $(if $(filter file,$(origin SECONDS)),4,$(SECONDS))

.PHONY: test-faults
test-faults: prerequisites ## Each fault of a board on every chip, compared with docs/faults.md; each call on a file fails; kills.
	OTOLITH_TESTS_ALONE='ConformanceTests HistoryTests OtolithCommandTests' swift build --build-tests
	OTOLITH_FAULTS=all .build/debug/otolithPackageTests.xctest --testing-library swift-testing --no-parallel \
	  --filter '(FaultTableTests|FaultBelowTests|KillTests|SocketFaultTests)/'

.PHONY: tables-faults
tables-faults: prerequisites ## Write the tables of docs/faults.md.
	OTOLITH_TESTS_ALONE=ConformanceTests swift build --build-tests
	OTOLITH_RECORD=1 .build/debug/otolithPackageTests.xctest --testing-library swift-testing --filter 'FaultTableTests/'

# What a microcontroller's checks need beside Swift, from Debian.
EMBEDDED_PACKAGES = qemu-system-arm gcc-arm-none-eabi libnewlib-arm-none-eabi
OTHER_PACKAGES = gcc-riscv64-unknown-elf newlib-source gcc-aarch64-linux-gnu libc6-dev-arm64-cross \
  gcc-arm-linux-gnueabihf libc6-dev-armhf-cross

.PHONY: packages-embedded
packages-embedded:
	@scripts/install-system-packages $(EMBEDDED_PACKAGES) $(OTHER_PACKAGES)

.PHONY: test-embedded-build
test-embedded-build: prerequisites ## Compile the portable core for a Cortex-M4 (Embedded Swift), module by module.
	@set -e; for target in $(EMBEDDED); do \
	  [ -d Sources/$$target ] || continue; \
	  echo "$$target for armv7em"; \
	  swift build -c release --triple armv7em-none-none-eabi --toolset Examples/Microcontroller/toolset.json \
	    --scratch-path .build-embedded --target $$target; \
	done

.PHONY: test-embedded
test-embedded: prerequisites ## Run the portable core on an emulated Cortex-M4F and compare it with Linux; tables of flash and RAM.
	@scripts/install-system-packages $(EMBEDDED_PACKAGES)
	@scripts/lint
	swift build --product EmbeddedReference
	Tests/Embedded/run .build/debug/EmbeddedReference .build-embedded/tests $(ARGS)

.PHONY: test-embedded-plants
test-embedded-plants: prerequisites ## Plant an `any`, a class and an array in a driver; the checks of test-embedded must refuse each.
	@scripts/install-system-packages $(EMBEDDED_PACKAGES)
	Tests/Embedded/check-plants

.PHONY: test-portable
test-portable: prerequisites ## Portable core: Cortex-M0, RISC-V 32, AArch64; C shims for the Raspberry Pi; no other package needed.
	@scripts/install-system-packages $(EMBEDDED_PACKAGES) $(OTHER_PACKAGES)
	Tests/Embedded/check-shims
	Tests/Embedded/check-consumer
	Tests/Embedded/check-targets

# A board that is built in has to be built again before what follows from it can be written.
.PHONY: tables
tables: prerequisites ## Write the tables and pages that are made from the catalogue, the boards and their keys.
	scripts/layers --write
	@set -e; for record in 1 1 0; do \
	  OTOLITH_TESTS_ALONE=BoardsTests swift build --product otolithPackageTests; \
	  OTOLITH_RECORD=$$record .build/debug/otolithPackageTests.xctest --testing-library swift-testing \
	    --filter '^BoardsTests.GeneratedTests' > .build/tables.log 2>&1 || [ $$record = 1 ] || { cat .build/tables.log; exit 1; }; \
	done

.PHONY: test-planted-chip
test-planted-chip: prerequisites ## Plant a chip that nobody makes in a copy: three folders and a line of the catalogue must do.
	Tests/PlantedChip/check

.PHONY: train-activity
train-activity: ## Train the model of ActivityRecognizer (DATA=, WALKS=folders, HANDLED=folder; see docs/movement.md).
	@[ -n '$(DATA)' ] || { echo 'make train-activity: say DATA=folder, one with a manifest.csv' >&2; exit 64; }
	@mkdir -p .build && [ -d .build/training ] || python3 -m venv .build/training
	@.build/training/bin/pip install -q -r Training/activity/requirements.txt
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 .build/training/bin/python -B Training/activity/train.py $(DATA) \
	  $(if $(WALKS),--walks $(WALKS)) $(if $(HANDLED),--handled '$(HANDLED)')
	swift format format -i Sources/Recognition/Activity/ActivityModel+Trained.swift

.PHONY: test-examples
test-examples: prerequisites ## Run every example on the simulated board and check what it prints.
	swift build
	python3 -B Tests/Examples/run .build/debug

.PHONY: test-symbols
test-symbols: prerequisites ## Compare the names of CoreMotion with Core Motion's, and every public declaration with Tests/PublicAPI.
	@for target in CoreMotionTesting BusTesting; do swift build --target $$target || exit; done
	@scripts/check-symbols .build/debug

.PHONY: test-clients
test-clients: prerequisites ## Compile programs of iOS developers against module CoreMotion, as Swift 5 and 6.
	swift build --target CoreMotionTesting
	@scripts/check-clients .build/debug

.PHONY: test-app
test-app: prerequisites ## Build an app with trait Host, and with Client; see what it fetches, compiles and reads.
	swift build --product otolith
	@Tests/AppClient/check .build/debug/otolith

.PHONY: test-snippets
test-snippets: prerequisites ## Compile the Swift of README, docs and the pages of documentation, as Swift 6, and run it.
	swift build --target CoreMotionTesting
	swift build --product Shake
	@scripts/check-snippets --run .build/debug

.PHONY: test-recipes
test-recipes: prerequisites ## Type what docs/recipes.md says, and the Python of README, and see what comes of it.
	swift build --product otolith
	@Tests/Recipes/check .build/debug/otolith

.PHONY: test-threads
test-threads: prerequisites ## Run the tests of what has threads, eight threads at odds, and a service with clients under Thread Sanitizer (TESTS).
	@Tests/ThreadSanitizer/check $(if $(filter file,$(origin TESTS)),RuntimeTests ServiceTests OtolithTests CoreMotionTests,$(TESTS))

# Alone, since it counts what the whole process holds.
.PHONY: test-leaks
test-leaks: prerequisites ## Start and stop managers and streams 14000 times, and see what is left.
	OTOLITH_TESTS_ALONE=unit swift build --build-tests
	OTOLITH_LEAKS=1 OTOLITH_TESTS_ALONE=unit swift test --skip-build --filter LeakTests

# The suites of CoreMotion and Otolith once more, each source given to its hub by a service (Tests/ServedSources).
.PHONY: test-service-mode
test-service-mode: prerequisites ## Run the tests of CoreMotion and Otolith through a service.
	OTOLITH_TESTS_ALONE=unit swift build --build-tests
	OTOLITH_TEST_SERVICE=1 OTOLITH_SOCKET= .build/debug/otolithPackageTests.xctest --testing-library swift-testing \
	  --no-parallel --filter '^(CoreMotionTests|OtolithTests)\.'

.PHONY: test-third-party
test-third-party: prerequisites ## Run other people's drivers from PyPI on the simulated chips, and readers on recordings.
	swift build --product otolith
	python3 -B Tests/ThirdPartyDrivers/run.py .build/debug/otolith
	python3 -B Tests/ThirdPartyDrivers/readers.py .build/debug/otolith

.PHONY: packages-browser packages-publish
packages-browser:
	@scripts/install-system-packages chromium prometheus python3-venv fonts-dejavu-core

packages-publish:
	@scripts/install-system-packages mosquitto libmosquitto1 openssl dbus iio-sensor-proxy python3 python3-pip

.PHONY: test-browser
test-browser: prerequisites packages-browser ## Look at the page of `otolith serve` with Chromium and axe, at its port as strangers do (ARGS='page --pictures FOLDER').
	swift build --product otolith
	Tests/Browser/check .build/debug/otolith $(ARGS)

.PHONY: test-publish
test-publish: prerequisites packages-publish ## Publish to Debian's mosquitto over outages and kills, and to monitor-sensor on a private bus.
	swift build --product otolith
	python3 -B Tests/Publishing/check .build/debug/otolith

.PHONY: bench-setup
bench-setup: ## Prepare the virtual bench: Debian's kernel and our module in .cache.
	@Tests/VirtualBench/setup

.PHONY: bench-shell
bench-shell: prerequisites bench-setup ## A shell on the virtual bench, with a simulated board on /dev/i2c-0.
	swift build -c release --product otolith
	@Tests/VirtualBench/run --shell -- Tests/VirtualBench/shell

# SUITE: another suite than that of the bench, to try it there.
SUITE ?= KernelBenchTests

.PHONY: test-kernel
test-kernel: build-release bench-setup ## Run the tests on the kernel's device nodes, in the virtual bench.
	@Tests/LinuxBusTests/build-over-libgpiod .cache/gpio Tests/VirtualBench/check-gpio-edges.c
	@OTOLITH_BUILD=.build-optimised OTOLITH_GPIO_PROGRAMS=$(CURDIR)/.cache/gpio Tests/VirtualBench/run --timeout 1200 -- Tests/VirtualBench/tests $(SUITE)

.PHONY: test-kernel-arm64
test-kernel-arm64: ## Run these tests on the device nodes of a 64-bit ARM's kernel, cross-built, in the virtual bench (SUITE).
	@scripts/debian/test-kernel $(SUITE)

.PHONY: bench-cost
bench-cost: prerequisites bench-setup ## Measure what a sample costs, and write it into docs/performance.md.
	swift build -c release --product otolith
	swift build -c release --product OtolithCost
	Tests/VirtualBench/cost/build .cache/cost
	Tests/VirtualBench/cost/record .cache/cost

# SAMPLES: a recording to measure with, instead of made samples.
SAMPLES ?=

.PHONY: bench-fusion
bench-fusion: prerequisites ## Measure an update of the fusion engine beside VQF's C++ (SAMPLES=recording.csv).
	swift build -c release --product FusionCost
	python3 -B Benchmarks/fusion.py .build/release/FusionCost $(SAMPLES)

# SEEDS: how many draws of each chip in each world.
SEEDS ?= 20

.PHONY: bench-worlds
bench-worlds: prerequisites ## Compare the fusion engine with VQF in simulated worlds (SEEDS=20 draws of each chip).
	swift build -c release --product FusionWorlds
	python3 -B Benchmarks/worlds.py .build/release/FusionWorlds --seeds $(SEEDS)

# SOURCES: a folder of recordings with truth, a folder each source; without it, simulated worlds.
SOURCES ?=
ABLATION_PROGRAMS = .build/release/FusionAblation .build/release/FusionWorlds

.PHONY: bench-ablation bench-choice bench-rival
bench-ablation bench-choice bench-rival: prerequisites
	swift build -c release --product FusionAblation
	swift build -c release --product FusionWorlds
	python3 -B Benchmarks/ablation.py $(@:bench-%=%) $(ABLATION_PROGRAMS) $(SOURCES)

bench-ablation: ## Switch off one mechanism of the fusion engine after another, source by source (SOURCES=folder).
bench-choice: ## Choose each of its numbers by all sources but one, in turn (SOURCES=folder).
bench-rival: ## Compare it with VQF at the best shift of time of each, source by source (SOURCES=folder).

.PHONY: bench-delivery
bench-delivery: prerequisites ## Measure what device motion at 1 kHz to three managers costs, beside a plain C loop.
	swift build -c release --product DeliveryCost
	python3 -B Benchmarks/delivery.py .build/release/DeliveryCost

# SECONDS of each run, and how many messages of garbage.
SECONDS ?= 60
FUZZ ?= 10000000

.PHONY: bench-service
bench-service: prerequisites ## Measure what the service costs, and what it bears (SECONDS=60 FUZZ=10000000).
	swift build -c release --product ServiceCost
	python3 -B Benchmarks/service.py .build/release/ServiceCost $(SECONDS) $(FUZZ)

.PHONY: bench-publish
bench-publish: prerequisites ## Let 200 publishers lose and find again one broker, and count what arrives.
	@scripts/install-system-packages mosquitto libmosquitto1
	swift build -c release --product PublishLoad
	python3 -B Benchmarks/publish.py .build/release/PublishLoad

.PHONY: bench-history
bench-history: prerequisites ## Measure what seven days of history cost to keep and to ask.
	swift build -c release --product HistoryCost
	.build/release/HistoryCost

.PHONY: lint
lint: ## Check format, layers, licences and the other rules of CONTRIBUTING.md.
	swift format lint --strict --recursive Package.swift Sources Tests Benchmarks $(wildcard Examples)
	scripts/lint

.PHONY: hooks
hooks: ## Let git check the format of Swift sources before each commit.
	git config core.hooksPath scripts/hooks

.PHONY: format
format: ## Format all Swift sources in place.
	swift format format --in-place --recursive Package.swift Sources Tests Benchmarks $(wildcard Examples)

.PHONY: docs
docs: prerequisites ## Build the documentation pages into .build/docs.
	scripts/build-docs

.PHONY: clean
clean: ## Remove everything that was built.
	rm -rf .build .build-embedded .build-fuzz .build-threads
