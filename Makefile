# SPDX-License-Identifier: Apache-2.0

# For the targets that run the tool: its arguments, for instance ARGS='--duration 5 --format csv'.
ARGS ?=

.DEFAULT_GOAL := help

.PHONY: help
help: ## List the targets, and the kinds of test, bench and tables.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@for script in test bench tables; do \
	  printf '\nmake %s KIND=...\n' $$script; \
	  scripts/$$script --kinds | awk -F '\t' '{ printf "  %-17s %s\n", $$1, $$2 }'; \
	done

.PHONY: prerequisites
prerequisites:
	@command -v swift > /dev/null || \
	  { echo 'otolith: there is no `swift` here; install Swift 6.2.3 or later: https://www.swift.org/install' >&2; exit 69; }
	@scripts/install-system-packages

.PHONY: run
run: tool ## Build otolith and show live motion (ARGS='--duration 5').
	.build/release/otolith run $(ARGS)

.PHONY: bringup
bringup: tool ## Build otolith and check a board from bus to axes (ARGS='raspberry-pi-gy521').
	.build/release/otolith bringup $(ARGS)

.PHONY: monitor
monitor: tool ## Build otolith and watch the board turn, full screen (ARGS='--board FILE').
	.build/release/otolith monitor $(ARGS)

.PHONY: service
service: tool ## Build otolith and serve the board to all programs (ARGS='--board FILE').
	.build/release/otolith service $(ARGS)

.PHONY: tool
tool: prerequisites
	swift build -c release --product otolith

# Where `make install` puts things.
PREFIX ?= /usr/local
SHELLS = .build/share

.PHONY: build
build: tool ## Build otolith, its completions for bash, zsh and fish, and its man page, which `make install` installs.
	mkdir -p $(SHELLS)/bash-completion/completions $(SHELLS)/zsh/site-functions $(SHELLS)/fish/vendor_completions.d
	.build/release/otolith --generate-completion-script bash > $(SHELLS)/bash-completion/completions/otolith
	.build/release/otolith --generate-completion-script zsh > $(SHELLS)/zsh/site-functions/_otolith
	.build/release/otolith --generate-completion-script fish > $(SHELLS)/fish/vendor_completions.d/otolith.fish
	swift package generate-manual
	mkdir -p $(SHELLS)/man/man1
	cp "$$(find .build/plugins -name otolith.1 | head -1)" $(SHELLS)/man/man1/otolith.1

.PHONY: install
install: ## Install otolith, its completions, man page, boards and module for Python (PREFIX=/usr/local).
	@# Under sudo what was built before is installed: root may have no Swift.
	@if [ -z "$$SUDO_USER" ]; then $(MAKE) --no-print-directory build; \
	elif [ ! -x .build/release/otolith ] || [ ! -d $(SHELLS)/man ] || \
	  [ -n "$$(find Sources boards -newer .build/release/otolith -type f | head -1)" ]; then \
	  echo "install: what was built is missing or older than its sources; first, without sudo: make build" >&2; exit 69; \
	fi
	install -D .build/release/otolith $(DESTDIR)$(PREFIX)/bin/otolith
	mkdir -p $(DESTDIR)$(PREFIX)/share/otolith/boards
	cp -r $(SHELLS)/. $(DESTDIR)$(PREFIX)/share/
	cp boards/*.yaml boards/*.json $(DESTDIR)$(PREFIX)/share/otolith/boards/
	install -m 644 share/otolith/otolith.py $(DESTDIR)$(PREFIX)/share/otolith/otolith.py

# ARCH: the machine, arm64 or amd64. SUITE: Debian's or Raspberry Pi OS's release, trixie (13) or bookworm (12).
.PHONY: sdk
sdk: ## Make a Swift SDK of Debian's packages, to build for another machine with (ARCH=arm64 SUITE=trixie).
	@scripts/debian/sdk $(or $(ARCH),arm64) $(or $(SUITE),trixie)

.PHONY: deb
deb: ## Make the packages otolith and otolith-doc in .build/packages (ARCH=arm64 SUITE=trixie).
	@scripts/debian/package $(or $(ARCH),arm64) $(or $(SUITE),trixie)

# bash counts the time in SECONDS, so the scripts are given another name.
.PHONY: test
test: ## Run tests; without KIND the unit tests (TESTS='BoardsTests': only these targets).
	@FOR_SECONDS='$(SECONDS)' scripts/test $(or $(KIND),unit)

.PHONY: bench
bench: ## Measure what KIND says.
	@FOR_SECONDS='$(SECONDS)' scripts/bench $(KIND)

.PHONY: tables
tables: ## Write tables and pages that are made from the sources; without KIND those of the catalogue.
	@scripts/tables $(or $(KIND),catalogue)

# TARGET: one of those that scripts/fuzz names. SECONDS: how long it is fed.
.PHONY: fuzz
fuzz: prerequisites ## Feed one target of libFuzzer, with Address Sanitizer (TARGET=board SECONDS=60).
	scripts/fuzz build
	scripts/fuzz run $(or $(TARGET),board) $(or $(SECONDS),60)

.PHONY: shell
shell: tool ## Open a shell in the virtual bench, with a simulated board on /dev/i2c-0.
	@Tests/VirtualBench/setup
	@Tests/VirtualBench/run --shell -- Tests/VirtualBench/shell

.PHONY: train
train: prerequisites ## Train the model of ActivityRecognizer (DATA=, WALKS=folders, HANDLED=folder; see docs/movement.md).
	@[ -n '$(DATA)' ] || { echo 'make train: say DATA=folder, one with a manifest.csv' >&2; exit 64; }
	@mkdir -p .build && [ -d .build/training ] || python3 -m venv .build/training
	@.build/training/bin/pip install -q -r Training/activity/requirements.txt
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 .build/training/bin/python -B Training/activity/train.py $(DATA) \
	  $(if $(WALKS),--walks $(WALKS)) $(if $(HANDLED),--handled '$(HANDLED)')
	swift format format -i Sources/Core/Recognition/Activity/ActivityModel+Trained.swift

.PHONY: lint
lint: ## Check format, layers, licences and the other rules of CONTRIBUTING.md.
	swift format lint --strict --recursive Package.swift Sources Tests Benchmarks $(wildcard Examples)
	scripts/lint

.PHONY: hooks
hooks: ## Let git check the format of Swift sources, and messages, before each commit.
	git config core.hooksPath scripts/hooks

.PHONY: format
format: ## Format all Swift sources in place.
	swift format format --in-place --recursive Package.swift Sources Tests Benchmarks $(wildcard Examples)

.PHONY: docs
docs: prerequisites ## Build the documentation pages into .build/docs.
	scripts/build-docs

.PHONY: clean
clean: ## Remove everything that was built.
	rm -rf .build .build-embedded .build-fuzz .build-optimised .build-threads
