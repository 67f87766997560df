# The verbs of the project. `make run` is all that a new user needs.

export CGO_ENABLED ?= 1
BIN := bin/gomokud
LAB := bin/lab

.PHONY: run build pages test check go-test page-test e2e chaos bench arena lab fmt clean

run: build ## build everything and serve on the address of GOMOKUD_ADDR
	$(BIN) serve

build: pages ## the program with its pages inside
	go build -buildvcs=auto -o $(BIN) ./cmd/gomokud

pages: frontend/node_modules/.package-lock.json
	npm --prefix frontend run --silent build

frontend/node_modules/.package-lock.json: frontend/package-lock.json
	npm --prefix frontend ci --no-audit --no-fund
	@touch $@

test: ## everything that must hold; installs what the tests need
	scripts/test-needs
	$(MAKE) check page-test build go-test e2e

check: ## formatting, vet and static analysis
	@test -z "$$(gofmt -l cmd internal frontend/*.go | tee /dev/stderr)" || (echo 'run make fmt' >&2; exit 1)
	go vet ./...
	go tool staticcheck ./...

go-test: ## unit, property and contract tests under the race detector
	go test -race -timeout 15m ./...

page-test: frontend/node_modules/.package-lock.json ## types and unit tests of the pages
	npm --prefix frontend run --silent check
	npm --prefix frontend test

e2e: build ## real browsers against the real program, with each store
	npm --prefix frontend run --silent e2e

chaos: ## the long fault suite: hundreds of games over each kind of Redis; GOMOKUD_CHAOS_SEED=... plays a seed again
	GOMOKUD_CHAOS=long go test -race -count=1 -timeout 90m -v -run 'TestNoFaultHurtsAGame|TestAbuseDoesNotReachThePlayers' ./internal/chaos

bench: build ## the Go benchmarks, games through real sockets beside a bare relay, then the arena
	go test -run '^$$' -bench . -benchmem ./internal/...
	$(BIN) bench
	$(MAKE) arena

arena: lab ## the Elo of our engine against each of the bots, from a few games
	@for bot in $$($(LAB) players | grep -v '^tengen'); do $(LAB) match tengen $$bot -n 20 --time 100ms -q || exit; done

lab: ## the laboratory of the engines; bin/lab --help
	go build -o $(LAB) ./cmd/lab

fmt:
	gofmt -w cmd internal frontend/*.go

clean:
	rm -rf bin frontend/node_modules
	find frontend/dist -mindepth 1 ! -name .gitkeep -delete
