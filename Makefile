# make run    build, and watch a session of an agent framework with bin/egod
# make test   everything a change must pass
#
# Both set up what a bare machine lacks; see tools/setup.sh.

.DEFAULT_GOAL := help
SHELL := /bin/sh
MAKEFLAGS += --no-print-directory

# Debian keeps its newer Go versions beside each other.
export PATH := /usr/lib/go-1.26/bin:$(PATH)
# A Go that is too old fetches the one that go.mod asks for, also where a distribution turned that off.
GOTOOLCHAIN ?= auto
export GOTOOLCHAIN
# The version comes from git below; stamping by Go fails in a checkout of another user.
export GOFLAGS := -buildvcs=false $(filter-out -buildvcs=%,$(GOFLAGS))

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
BUILD := CGO_ENABLED=0 go build -trimpath -ldflags '-s -w -X main.version=$(VERSION)'
FUZZTIME ?= 30s
FUZZ ?= ^Fuzz
BENCH ?= .
PKG ?= ./...

.PHONY: help
help: ## show the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-13s %s\n", $$1, $$2 }' Makefile

.PHONY: run
run: setup-run build ## build, then show a session: four calls, and a note edited in between
	$(BUILD) -o bin/session ./examples/session
	bin/session -egod bin/egod

.PHONY: test
test: FUZZTIME = 10s
test: setup-test check build test-plain test-race fuzz-framing ## all checks and all tests

.PHONY: build
build: ## bin/egod
	$(BUILD) -o bin/egod ./cmd/egod

.PHONY: check
check: fmt vet lint tidy fresh ## formatting, vet, linters, go.mod, generated files

.PHONY: fmt
fmt: ## fails on files that gofmt would change
	@files=$$(gofmt -l .) && { [ -z "$$files" ] || { echo "gofmt -w these:"; echo "$$files"; exit 1; } >&2; }

.PHONY: vet
vet:
	go vet ./...

.PHONY: lint
lint: bin/golangci-lint ## linters of .golangci.yml, at the version pinned in tools/go.mod
	bin/golangci-lint run ./...

bin/golangci-lint: tools/go.mod tools/go.sum
	cd tools && go build -o ../bin/golangci-lint github.com/golangci/golangci-lint/v2/cmd/golangci-lint

.PHONY: tidy
tidy: ## fails when go.mod or go.sum are not tidy
	go mod tidy -diff
	cd tools && go mod tidy -diff

.PHONY: fresh
fresh: ## fails when go generate changes a file
	tools/fresh.sh

.PHONY: test-go
test-go: ## every test; of one package: make test-go PKG=./internal/skills
	go test $(PKG)

# The race detector takes memory and time of its own: what some tests say of limits
# is only true without it, and Chrome and the clients of others gain nothing by it.
.PHONY: test-plain
test-plain: ## the tests of the binary and of the runtime, without the race detector
	go test -count=1 -timeout 20m ./internal/runtime ./tests

# The tests of the binary in which much happens at once.
RACE := Stress|Cancel|Control|Hostile|NothingIsLeftBehind|MCPClient|MCPNotes|TestScenarios$$

.PHONY: test-race
test-race: ## with the race detector: every package, and of the tests of the binary those where much happens at once
	$(MAKE) -j2 test-race-packages test-race-binary

.PHONY: test-race-packages test-race-binary
test-race-packages:
	CGO_ENABLED=1 go test -race -count=1 -timeout 20m $$(go list $(PKG) | grep -v '/tests$$')
test-race-binary:
	CGO_ENABLED=1 go test -race -count=1 -timeout 20m -run '$(RACE)' ./tests

.PHONY: fuzz
fuzz: ## every fuzz target for FUZZTIME; one: make fuzz PKG=./internal/skills FUZZ=Hostname
	FUZZTIME=$(FUZZTIME) tools/fuzz.sh '$(FUZZ)' $(PKG)

.PHONY: fuzz-framing
fuzz-framing: ## the fuzz targets of the two framings for FUZZTIME each
	FUZZTIME=$(FUZZTIME) tools/fuzz.sh 'Fuzz.*Framing' ./internal/rpc

.PHONY: bench
bench: build ## benchmarks; one: make bench PKG=./internal/skills BENCH=Lookup
	go test -run '^$$' -bench '$(BENCH)' -benchmem $(PKG)

.PHONY: setup-run
setup-run:
	@tools/setup.sh go chrome

.PHONY: setup-test
setup-test:
	@tools/setup.sh go cc chrome node python ffmpeg

.PHONY: clean
clean: ## remove what make built
	rm -rf bin
