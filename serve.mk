# The service: benchmarks and the container image. Included by the Makefile.

SERVE_BENCH_SECONDS ?= 5
SERVE_BENCH_ROUNDS ?= 3
IMAGE ?= birdcall
DOCKER ?= docker
DOCKER_BUILD_FLAGS ?=
# A folder in the build context to bake into the image, or "" for none.
DATASET ?=

# How long to soak.
SOAK ?= 30m

.PHONY: bench-serve soak image image-test

# Needs wrk. Service and hand-written handlers take turns, so that what else
# the computer does falls on both.
bench-serve:
	@SECONDS_EACH=$(SERVE_BENCH_SECONDS) ROUNDS=$(SERVE_BENCH_ROUNDS) sh internal/server/bench/run.sh

# The service under good and hostile load, with writers and kills beside it.
soak:
	CGO_ENABLED=0 go build -trimpath -o bin/serve ./cmd/serve
	go run ./internal/server/soak -serve bin/serve -for $(SOAK)

image:
	$(DOCKER) build $(DOCKER_BUILD_FLAGS) --build-arg DATASET=$(DATASET) --tag $(IMAGE) .

image-test: image
	@DOCKER=$(DOCKER) IMAGE=$(IMAGE) DATASET=$(DATASET) sh internal/server/bench/image-test.sh
