# The targets people need; the commands behind them are plain Go.

LINT = github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.12.0

.PHONY: all test lint fmt golden bench-convert

all: test lint

test:
	go test ./...

lint:
	go run $(LINT) run ./...

fmt:
	gofmt -w $$(git ls-files '*.go')

# Writes the golden files anew; read the difference before you keep it.
golden:
	go test ./pkg/plan ./pkg/tools ./pkg/sel ./pkg/rest ./pkg/export ./internal/stats ./internal/pipeline -update

# Milliseconds a question, against the SQL alone: make bench-convert DATASET=dir
bench-convert:
	BIRDCALL_DATASET="$(if $(DATASET),$(abspath $(DATASET)))" go test -run '^$$' -bench Convert -benchtime 1x -timeout 60m ./internal/pipeline

-include serve.mk
