"""pandas, asked as its documentation does. Texts are objects, as they are read, and
not categories. Lines that compute a column compute it alone, without a copy of the
others. See engine.go for what goes to and fro."""

import gc
import json
import sys
import time

import numpy as np
import pandas as pd

table = pd.read_csv(sys.argv[1])


def position(result):
    return np.arange(len(result)) % 1000


# Each line with what of its result is added up.
lines = {
    "filter integer": (lambda: table[table["group"] > 900], lambda r: r["id"]),
    "filter text": (lambda: table[table["text"] == "text 7"], lambda r: r["id"]),
    "filter like": (lambda: table[table["text"].str.contains("7", regex=False)], lambda r: r["id"]),
    "filter columns": (lambda: table[table["id"] < table["real"]], lambda r: r["id"]),
    "sort integer": (lambda: table.sort_values("group"), lambda r: r["group"] * position(r)),
    "sort real": (lambda: table.sort_values("real"), lambda r: r["real"] * position(r)),
    "sort text": (lambda: table.sort_values(["text", "id"]), lambda r: r["id"] * position(r)),
    "sum real": (lambda: pd.Series([table["real"].sum()]), lambda r: r),
    "sum integer": (lambda: pd.Series([table["group"].sum()]), lambda r: r),
    "group and sum": (lambda: table.groupby("group", sort=False)["real"].sum(), lambda r: r * r.index),
    "group two keys": (
        lambda: table.groupby(["group", "text"], sort=False).size(),
        lambda r: r * r.index.get_level_values("group"),
    ),
    "distinct": (lambda: table["text"].drop_duplicates(), lambda r: r.str.len()),
    "add": (lambda: table["id"] + table["group"], lambda r: r),
    "upper": (lambda: table["text"].str.upper(), lambda r: r.str.startswith("TEXT")),
    "join": (lambda: table.merge(table, on="id"), lambda r: r["id"] * r["group_y"]),
    "window": (lambda: table.groupby("group")["real"].rank("min"), lambda r: r * table["id"]),
}


def say(message):
    print(json.dumps(message), flush=True)


say({"version": "pandas " + pd.__version__, "lines": list(lines)})
for request in sys.stdin:
    request = json.loads(request)
    run, added = lines[request["line"]]
    gc.collect()
    used, start = time.process_time(), time.perf_counter()
    result = run()
    answer = {"seconds": time.perf_counter() - start, "cpu": time.process_time() - used}
    if request["check"]:
        answer["rows"] = len(result)
        answer["sum"] = float(added(result).sum())
    del result
    say(answer)
