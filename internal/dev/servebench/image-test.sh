#!/bin/sh
# Runs the image as it is meant to be run, asks it a few things, and stops it.
set -eu
: "${DOCKER:=docker}" "${IMAGE:=birdcall}" "${PORT:=18280}"
base=http://127.0.0.1:$PORT

size=$($DOCKER image inspect --format '{{.Size}}' "$IMAGE")
echo "image: $((size / 1000000)) MB"
[ "$size" -lt 30000000 ] || [ -n "${DATASET:-}" ] || { echo "the image is larger than 30 MB" >&2; exit 1; }

# The host's network, as not every engine can make one of its own.
id=$($DOCKER run --detach --network host --read-only --cap-drop ALL --security-opt no-new-privileges \
	--env "BIRDCALL_ADDR=127.0.0.1:$PORT" "$IMAGE")
trap '$DOCKER rm --force "$id" >/dev/null' EXIT
tries=0
until curl -fsS -o /dev/null "$base/readyz" 2>/dev/null; do
	tries=$((tries + 1))
	[ $tries -lt 100 ] || { $DOCKER logs "$id" >&2; exit 1; }
	sleep 0.1
done

expect() { # status, path, text in the body
	got=$(curl -s -w '\n%{http_code}' "$base$2")
	case $got in
	*"$3"*"$1") echo "ok: $1 $2" ;;
	*) echo "$2: got $got" >&2; exit 1 ;;
	esac
}
expect 200 /healthz ok
expect 200 /openapi.json '"openapi":"3.1.0"'
expect 200 /docs/ swagger-ui
expect 200 /metrics birdcall_endpoints
if [ -z "${DATASET:-}" ]; then
	expect 200 '/v1/bird/city_library/branch_names_by_branch_code?branch_code=007' '{"name":"Märchenhaus"}'
	expect 200 "/v1/bird/city_library/branch_names_by_branch_code?branch_code=it's" '"count":0'
	expect 400 /v1/bird/city_library/branch_names_by_branch_code '"parameter":"branch_code"'
fi
expect 404 /v1/nothing '"No such path"'
$DOCKER exec "$id" /serve healthcheck && echo "ok: healthcheck"
user=$($DOCKER inspect --format '{{.Config.User}}' "$id")
[ "$user" = 65532:65532 ] && echo "ok: runs as $user"
$DOCKER stop --time 10 "$id" >/dev/null
[ "$($DOCKER inspect --format '{{.State.ExitCode}}' "$id")" = 0 ] && echo "ok: stopped by itself"
