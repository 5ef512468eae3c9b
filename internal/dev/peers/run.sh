#!/bin/sh
# Measures package tools against DuckDB, Polars, pandas and gota. What is missing of
# them is installed if it can be: the packages of npm into a folder that git ignores,
# pandas by apt as root.
set -eu
: "${ROUNDS:=10}" "${UPDATE:=}" "${MODULES:=out/peers}"

if command -v npm >/dev/null && [ ! -d "$MODULES/node_modules/@duckdb/node-api" ]; then
	mkdir -p "$MODULES"
	# Polars' program is named too: npm leaves it out where node is older than 22, with which it runs.
	target=$(node -p '({linux: `linux-${process.arch}-gnu`, darwin: `darwin-${process.arch}`, win32: "win32-x64-msvc"})[process.platform]')
	npm install --silent --no-audit --no-fund --no-save --prefix "$MODULES" \
		"@duckdb/node-api@1.4.5-r.1" nodejs-polars@0.26.1 "nodejs-polars-$target@0.26.1" || true
fi
NODE_PATH=$(cd "$MODULES" 2>/dev/null && pwd)/node_modules
export NODE_PATH

with_pandas() {
	for python in python3 /usr/bin/python3; do
		if "$python" -c 'import pandas' 2>/dev/null; then
			echo "$python"
			return
		fi
	done
	return 1
}
if ! with_pandas >/dev/null && command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
	(apt-get -qq update && apt-get -qq install -y --no-install-recommends python3-pandas) >/dev/null || true
fi
python=$(with_pandas) || python=python3

core=
if command -v taskset >/dev/null; then
	core=$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//') # the first that this process may use
fi

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
CGO_ENABLED=0 go build -o "$dir/peers" ./internal/dev/peers
"$dir/peers" -python "$python" -core "$core" -rounds "$ROUNDS" ${UPDATE:+-update docs/performance.md}
