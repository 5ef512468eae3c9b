#!/bin/sh
# Measures the service against hand-written gin handlers with wrk: a point
# query and a list of 100 rows at 32 connections, then memory and start-up. The
# service runs twice, by default and with --immutable.
set -eu
: "${SECONDS_EACH:=5}" "${ROUNDS:=3}" "${PORT:=18181}"
command -v wrk >/dev/null || { echo "bench-serve needs wrk: apt-get install wrk" >&2; exit 2; }

dir=$(mktemp -d)
pids=
trap 'kill $pids 2>/dev/null || true; rm -rf "$dir"' EXIT
export CGO_ENABLED=0
go build -trimpath -o "$dir/serve" ./cmd/serve
go build -trimpath -o "$dir/bench" ./internal/dev/servebench
mkdir "$dir/data"
"$dir/bench" make "$dir/data"

service=127.0.0.1:$PORT
bare=127.0.0.1:$((PORT + 1))
fixed=127.0.0.1:$((PORT + 2))
"$dir/serve" --dataset "$dir/data" --addr "$service" 2>"$dir/serve.log" &
serving=$!
"$dir/serve" --dataset "$dir/data" --addr "$fixed" --immutable 2>/dev/null &
fixing=$!
"$dir/bench" bare "$dir/data" "$bare" &
written=$!
pids="$serving $fixing $written"
sleep 4 # until the data count as quiet

paths=$(curl -fsS "http://$service/openapi.json" | grep -o '/v1/bird/bench/[a-z_]*')
point="$(echo "$paths" | grep _by_item_id)?item_id=500"
list="$(echo "$paths" | grep -v _by_item_id)?limit=100"
for url in "$service$point" "$service$list" "$fixed$point" "$fixed$list" "$bare/point?id=500" "$bare/list?limit=100" "$bare/sql/point?id=500" "$bare/sql/list?limit=100"; do
	curl -fsS -o /dev/null "$url"
done

# The processor time of the server is shown, too: other programs do not add to it.
ticks() { awk '{print $14 + $15}' "/proc/$1/stat"; }
measure() { # name, process, url
	before=$(ticks "$2")
	wrk -t1 -c32 -d"${SECONDS_EACH}s" --latency "$3" >"$dir/wrk"
	after=$(ticks "$2")
	awk -v name="$1" -v ticks=$((after - before)) -v hz="$(getconf CLK_TCK)" '
		/ 50% /{p50=$2} / 99% /{p99=$2} /requests in/{n=$1} /Requests\/sec/{rate=$2} /Non-2xx/{bad=" with errors: " $0}
		END {printf "%-27s %7.0f requests/s  p50 %8s  p99 %8s  %5.1f us of CPU each%s\n", name, rate, p50, p99, ticks / hz * 1e6 / n, bad}' "$dir/wrk" |
		tee -a "$dir/results"
}
round=0
while [ $round -lt "$ROUNDS" ]; do
	measure "point, database/sql" "$written" "http://$bare/sql/point?id=500"
	measure "point, hand-written" "$written" "http://$bare/point?id=500"
	measure "point, immutable" "$fixing" "http://$fixed$point"
	measure "point, default" "$serving" "http://$service$point"
	measure "list of 100, database/sql" "$written" "http://$bare/sql/list?limit=100"
	measure "list of 100, hand-written" "$written" "http://$bare/list?limit=100"
	measure "list of 100, immutable" "$fixing" "http://$fixed$list"
	measure "list of 100, default" "$serving" "http://$service$list"
	round=$((round + 1))
done
# The medians of all rounds.
median() { grep "^$1 " "$dir/results" | sed 's/ requests.*//; s/.* //' | sort -n | awk '{v[NR]=$1} END {print v[int((NR+1)/2)]}'; }
for kind in point "list of 100"; do
	echo "$(median "$kind, hand-written") $(median "$kind, immutable") $(median "$kind, default") $(median "$kind, database/sql")" | awk -v kind="$kind" '
		{printf "%s: --immutable %d requests/s, %.0f %% of hand-written, %.0f %% of that on database/sql; default %d, %.0f %% of --immutable\n", kind, $2, 100*$2/$1, 100*$2/$4, $3, 100*$3/$2}'
done
awk '/VmRSS/{printf "resident memory of the service: %.0f MB\n", $2/1024}' "/proc/$serving/status"
sed -n 's/.*"msg":"ready".*"endpoints":\([0-9]*\),"ms":\([0-9]*\).*/ready with \1 endpoints after \2 ms/p' "$dir/serve.log"
