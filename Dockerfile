# The service as a static binary on an empty image.
#
#   docker build --tag birdcall .
#   docker build --tag birdcall-dev --build-arg DATASET=bird/dev .
#
# Without DATASET, a folder of the build context, the image serves the sample
# inside the binary, or a dataset mounted at /dataset with
# BIRDCALL_DATASET=/dataset. What is baked in is taken as immutable.
#
# docker build --target convert --tag birdcall-convert . is an image of convert,
# for clusters; see docs/shards.md.
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -tags nomsgpack -trimpath -ldflags="-s -w" -o /out/serve ./cmd/serve
ARG DATASET=
RUN mkdir -p /out/dataset && if [ -n "$DATASET" ]; then cp -r "$DATASET/." /out/dataset/; fi

FROM build AS build-convert
RUN CGO_ENABLED=0 go build -tags nomsgpack -trimpath -ldflags="-s -w" -o /out-convert/convert ./cmd/convert

FROM scratch AS convert
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build-convert /out-convert/ /
USER 65532:65532
ENTRYPOINT ["/convert"]

FROM scratch
ARG DATASET=
# For --apis and --source, whose servers are known by them.
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /out/ /
USER 65532:65532
ENV BIRDCALL_ADDR=:8080 BIRDCALL_DATASET=${DATASET:+/dataset} BIRDCALL_IMMUTABLE=${DATASET:+true}
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=2s CMD ["/serve", "healthcheck"]
ENTRYPOINT ["/serve"]
