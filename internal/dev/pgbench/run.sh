#!/bin/sh
# Measures the service on a Postgres server against handlers written by hand with
# pgx, and against MCP Toolbox where TOOLBOX names its program (npm install
# @toolbox-sdk/server-linux-x64@1.12.0): a point query and 100 rows, with wrk at
# 32 connections of clients and CONNECTIONS to a Postgres server that it starts, which
# for the Toolbox are always 4. They take turns, for a
# second each, so that what else the computer does falls on all.
set -eu
: "${SECONDS_EACH:=1}" "${ROUNDS:=15}" "${PORT:=18191}" "${CONNECTIONS:=4}" "${TOOLBOX:=}"
command -v wrk >/dev/null || { echo "bench-postgres needs wrk: apt-get install wrk" >&2; exit 2; }
bin=$(dirname "$(ls /usr/lib/postgresql/*/bin/initdb 2>/dev/null | sort -V | tail -n 1)")
[ -x "$bin/initdb" ] || bin=$(dirname "$(command -v initdb)") || { echo "bench-postgres needs Postgres: apt-get install postgresql" >&2; exit 2; }
as=
[ "$(id -u)" != 0 ] || as="setpriv --reuid=postgres --regid=postgres --init-groups --" # it does not run as root

dir=$(mktemp -d)
chmod 755 "$dir"
mkdir "$dir/pg"
[ -z "$as" ] || chown postgres "$dir/pg"
pids=
stop() {
	kill $pids 2>/dev/null || true
	(cd "$dir/pg" && $as "$bin/pg_ctl" -D "$dir/pg/data" -m immediate stop >/dev/null) || true
	rm -rf "$dir"
}
trap stop EXIT
CGO_ENABLED=0 go build -trimpath -o "$dir/bench" ./internal/dev/pgbench
CGO_ENABLED=0 go build -trimpath -o "$dir/serve" ./cmd/serve
database=$((PORT + 3))
(
	cd "$dir/pg"
	$as "$bin/initdb" -D data -U postgres -A trust -E UTF8 --locale=C --no-sync >/dev/null
	$as "$bin/pg_ctl" -D data -l log -w -o "-c fsync=off -c listen_addresses=127.0.0.1 -c port=$database -c unix_socket_directories=$dir/pg" start >/dev/null
)
"$dir/bench" make "postgres://postgres@127.0.0.1:$database/postgres?sslmode=disable"
url="postgres://reader@127.0.0.1:$database/postgres?sslmode=disable"
"$dir/bench" hand "$url" "127.0.0.1:$PORT" "$CONNECTIONS" &
hand=$!
cat >"$dir/questions.jsonl" <<-END
	{"id": 1, "db": "bench", "question": "An item.", "sql": "SELECT id, name, price FROM item WHERE id = 500"}
	{"id": 2, "db": "bench", "question": "A hundred items.", "sql": "SELECT id, name, price FROM item WHERE id >= 500 ORDER BY id LIMIT 100"}
END
service="http://127.0.0.1:$((PORT + 1))"
"$dir/serve" --source "$url" --questions "$dir/questions.jsonl" --addr "127.0.0.1:$((PORT + 1))" --connections "$CONNECTIONS" 2>"$dir/serve.log" &
serving=$!
pids="$hand $serving"
if [ -n "$TOOLBOX" ]; then
	cat >"$dir/tools.yaml" <<-END
		sources:
		  bench: {kind: postgres, host: 127.0.0.1, port: "$database", database: postgres, user: reader, password: none}
		tools:
		  point:
		    kind: postgres-sql
		    source: bench
		    description: An item.
		    statement: SELECT id, name, price FROM bench.item WHERE id = \$1
		    parameters: [{name: id, type: integer, description: Its number.}]
		  list:
		    kind: postgres-sql
		    source: bench
		    description: A hundred items.
		    statement: SELECT id, name, price FROM bench.item WHERE id >= \$1 ORDER BY id LIMIT 100
		    parameters: [{name: id, type: integer, description: The first one's number.}]
	END
	"$TOOLBOX" --config "$dir/tools.yaml" --enable-api --disable-version-check --disable-reload --log-level ERROR --port $((PORT + 2)) >"$dir/toolbox.log" 2>&1 &
	pids="$pids $!"
	printf 'wrk.method = "POST"\nwrk.body = "{\\"id\\": 500}"\nwrk.headers["Content-Type"] = "application/json"\n' >"$dir/post.lua"
fi
sleep 3 # until all listen

point="/v1/bird/bench/item_id_and_name_and_price_by_item_id?item_id=500"
list="/v1/bird/bench/item_id_and_name_and_price_with_lowest_id?minimum_item_id=500&limit=100"
for path in point list; do
	eval ours=\$$path
	curl -fsS "http://127.0.0.1:$PORT/$path?id=500" >"$dir/a"
	curl -fsS "$service$ours" | sed 's/,"count":.*/}/' >"$dir/b"
	cmp "$dir/a" "$dir/b"
	[ -z "$TOOLBOX" ] || curl -fsS -o /dev/null -d '{"id": 500}' -H 'Content-Type: application/json' "http://127.0.0.1:$((PORT + 2))/api/tool/$path/invoke"
done
measure() { # name, then what wrk gets
	name=$1
	shift
	wrk -t1 -c32 -d"${SECONDS_EACH}s" --latency "$@" >"$dir/wrk"
	awk -v name="$name" '
		/ 50% /{p50=$2} / 99% /{p99=$2} /Requests\/sec/{rate=$2} /Non-2xx/{bad=" with errors: " $0}
		END {printf "%-22s %7.0f requests/s  p50 %8s  p99 %8s%s\n", name, rate, p50, p99, bad}' "$dir/wrk" | tee -a "$dir/results"
}
round=0
while [ $round -lt "$ROUNDS" ]; do
	for path in point list; do
		measure "$path, hand-written" "http://127.0.0.1:$PORT/$path?id=500"
		eval ours=\$$path
		measure "$path, service" "$service$ours"
		[ -z "$TOOLBOX" ] || measure "$path, toolbox" -s "$dir/post.lua" "http://127.0.0.1:$((PORT + 2))/api/tool/$path/invoke"
	done
	round=$((round + 1))
done
# The medians of all rounds.
median() { grep "^$1 " "$dir/results" | sed 's/ requests.*//; s/.* //' | sort -n | awk '{v[NR]=$1} END {print v[int((NR+1)/2)]}'; }
for path in point list; do
	awk -v path=$path -v hand="$(median "$path, hand-written")" -v ours="$(median "$path, service")" -v toolbox="$([ -z "$TOOLBOX" ] || median "$path, toolbox")" 'BEGIN {
		printf "%s: %d requests/s, %.0f %% of hand-written", path, ours, 100 * ours / hand
		if (toolbox) printf ", %.2f times MCP Toolbox", ours / toolbox
		print ""}'
done
awk '/VmRSS/ {printf "the service takes %d MB\n", $2 / 1024}' "/proc/$serving/status"
