# The targets people need; the commands behind them are plain Go.

LINT = github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.12.0

# What --version says.
VERSION ?= $(shell git describe --tags --dirty 2>/dev/null || echo devel)
COMMIT ?= $(shell git rev-parse --short=12 HEAD 2>/dev/null)
CLI = github.com/birdcall/birdcall/internal/cli

.PHONY: all build sizes test thorough lint fmt fuzz golden bench bench-peers bench-convert bench-find tune-find sqlsmith mutants bench-serve bench-postgres soak image image-test

all: test lint

# The programs as static binaries in bin, without the formats of gin that nothing asks
# for.
build:
	CGO_ENABLED=0 go build -tags nomsgpack -trimpath -ldflags "-s -w -X $(CLI).version=$(VERSION) -X $(CLI).commit=$(COMMIT)" -o bin/ ./cmd/...

# What the programs are made of: bytes of code and data of the largest modules, without
# the 32 MiB that a program begins with empty and no file has.
sizes:
	@for program in convert serve evaluate; do \
		CGO_ENABLED=0 go build -tags nomsgpack -trimpath -o bin/sized ./cmd/$$program && echo $$program && \
		go tool nm -size bin/sized | awk '$$2 < 16777216 {n = $$4; sub(/\.[^\/]*$$/, "", n); k = split(n, part, "/"); if (k > 3) k = 3; m = part[1]; for (i = 2; i <= k; i++) m = m "/" part[i]; size[m] += $$2} END {for (m in size) printf "%10d  %s\n", size[m], m}' | sort -rn | sed -n 1,16p; \
	done; rm -f bin/sized

test:
	go test ./...

# The same with all that tests can try, and more that is drawn: half an hour or so.
THOROUGH_RANDOM ?= 20000
thorough:
	BIRDCALL_THOROUGH=1 BIRDCALL_RANDOM=$(THOROUGH_RANDOM) go test -timeout 90m ./...

lint:
	go run $(LINT) run ./...

fmt:
	gofmt -w $$(git ls-files '*.go')

# Each fuzz target for a while: make fuzz FUZZTIME=10m. With FUZZ_JOBS=2 two at a
# time, with a worker each: compilers and linkers then leave no core idle. One that
# fails with no input at the very end of its time has another try: before Go 1.27 it
# is no fault of the target (golang.org/issue/75804).
FUZZTIME ?= 1m
FUZZ_JOBS ?= 1
fuzz:
	@git grep -E '^func Fuzz' -- '*_test.go' | sed -E 's|^(.*)/[^/]*:func (Fuzz[A-Za-z0-9]*).*|\1 \2|' | xargs -P $(FUZZ_JOBS) -L 1 sh -c ' \
		try() { out=$$(go test -vet=off -run "^\$$" -fuzz "^$$1\$$" -fuzztime $(FUZZTIME) $(if $(filter-out 1,$(FUZZ_JOBS)),-parallel 1) ./$$0 2>&1); }; \
		try "$$1"; code=$$?; \
		case "$$code $$out" in 0*|*"Failing input"*) ;; *"context deadline exceeded"*) try "$$1"; code=$$? ;; esac; \
		printf "%s %s\n%s\n" "$$0" "$$1" "$$out"; [ $$code -eq 0 ] || exit 255'

# Writes the golden files anew; read the difference before you keep it.
golden:
	go test ./cmd/convert ./cmd/evaluate ./cmd/serve ./pkg/slot ./pkg/spec ./internal/evaluation/agent ./internal/querytool/oracle ./internal/serving/mcpserver ./internal/planner/plan ./internal/sql/pgsql ./internal/querytool/query ./internal/querytool/querygrid ./internal/mixed ./pkg/rest/internal/naming ./internal/evaluation/calltext ./pkg/tools ./pkg/sel ./pkg/rest ./internal/federation/openapi ./internal/convert/chat ./internal/artifact/export ./internal/convert/stats ./internal/convert/pipeline ./internal/serving/explorer ./internal/evaluation/prompt ./internal/evaluation/scorereport ./internal/evaluation/scorereport/plot ./internal/evaluation/scorereport/inspect ./pkg/find -update

# The tools against the record of their speed, which UPDATE=1 writes anew.
bench:
	@GOMAXPROCS=1 go run ./internal/dev/toolbench/record $(if $(UPDATE),-update)

# The tools against DuckDB, Polars, pandas and gota. Installs what it can of them;
# UPDATE=1 writes the tables of docs/performance.md.
PEERS_ROUNDS ?= 10
bench-peers:
	@ROUNDS=$(PEERS_ROUNDS) UPDATE=$(UPDATE) sh internal/dev/peers/run.sh

# Milliseconds a question, against the SQL alone: make bench-convert DATASET=dir, with
# VARIANTS="slot sel" for some. ROWS_OF=database converts with a tenth of its rows, all
# of them and three times as many.
VARIANTS ?= slot sel rest
ROWS_OF ?=
bench-convert:
	BIRDCALL_DATASET="$(if $(DATASET),$(abspath $(DATASET)))" BIRDCALL_BENCH="$(VARIANTS)" BIRDCALL_BENCH_DB="$(ROWS_OF)" go test -run '^$$' -bench 'Convert$(if $(ROWS_OF),Rows)$$' -benchtime 1x -timeout 90m ./internal/convert/pipeline

# How often what the questions are about is found, and what repair mends:
# make bench-find DATASET=dir; tune-find has other databases choose the weights.
bench-find:
	@BIRDCALL_DATASET="$(abspath $(DATASET))" go test -run '^$$' -bench 'Find(Repair)?$$' -benchtime 1x -timeout 60m ./pkg/find
tune-find:
	@BIRDCALL_DATASET="$(abspath $(DATASET))" go test -run '^$$' -bench 'FindTune$$' -benchtime 1x -timeout 60m ./pkg/find

# What convert does with random queries of another project's generator, in
# variants slot and rest. Needs sqlsmith and a C compiler, and says so.
# make sqlsmith SMITH_FLAGS=-rewrite has longer queries.
SMITH_QUERIES ?= 7000
SMITH_SEED ?= 1
SMITH_FLAGS ?=
sqlsmith:
	@CGO_ENABLED=0 go build -o bin/ ./cmd/convert ./internal/dev/smith
	@bin/smith write -out out/smith -queries $(SMITH_QUERIES) -seed $(SMITH_SEED) $(SMITH_FLAGS)
	@for variant in slot rest; do \
		bin/convert --quiet --variant $$variant --dataset out/smith --out out/smith/samples; code=$$?; \
		[ $$code -gt 1 ] || bin/smith report out/smith/samples/$$variant/report.json; \
		[ $$code -eq 0 ] || exit $$code; done

# Whether tests notice mistakes: changes of single tokens, drawn by a seed, and the
# tests that fail on them. With JOURNAL=FILE a run that was stopped goes on:
# make mutants SEED=2 MUTANTS=50 PACKAGES="./internal/planner/plan ./pkg/..."
SEED ?= 1
MUTANTS ?= 100
PACKAGES ?=
JOURNAL ?=
MUTANTS_FLAGS ?=
mutants:
	@go run ./internal/dev/mutants -seed $(SEED) -n $(MUTANTS) $(if $(JOURNAL),-journal $(JOURNAL)) $(MUTANTS_FLAGS) $(PACKAGES)

# The service against handlers written by hand. Needs wrk. They take turns, so
# that what else the computer does falls on both.
SERVE_BENCH_SECONDS ?= 5
SERVE_BENCH_ROUNDS ?= 3
bench-serve:
	@SECONDS_EACH=$(SERVE_BENCH_SECONDS) ROUNDS=$(SERVE_BENCH_ROUNDS) sh internal/dev/servebench/run.sh

# Package postgres against handlers written by hand with pgx, and what it does when
# clients go and servers fail. Needs wrk, Postgres and PgBouncer; TOOLBOX=program
# measures MCP Toolbox, too.
TOOLBOX ?=
bench-postgres:
	@TOOLBOX=$(TOOLBOX) sh internal/dev/pgbench/run.sh
	go test ./internal/db/postgres -run '^$$' -bench Measure -benchtime 1x

# The service under good and hostile load, with writers and kills at the same time:
# make soak SOAK=2h
SOAK ?= 30m
soak:
	CGO_ENABLED=0 go build -trimpath -o bin/serve ./cmd/serve
	go run ./internal/dev/soak -serve bin/serve -for $(SOAK)

# The container image. DATASET names a folder in the build context that it is to
# hold: make image DATASET=bird/dev
IMAGE ?= birdcall
DOCKER ?= docker
DOCKER_BUILD_FLAGS ?=
image:
	$(DOCKER) build $(DOCKER_BUILD_FLAGS) --build-arg DATASET=$(DATASET) --tag $(IMAGE) .

image-test: image
	@DOCKER=$(DOCKER) IMAGE=$(IMAGE) DATASET=$(DATASET) sh internal/dev/servebench/image-test.sh
