"""Rollouts over plain HTTP, with nothing but Python's standard library.

Run with Python 3.11 against this service, with gold calls in the place of a model:

    convert --variant slot --out out
    serve --samples out &
    python3 docs/examples/http_rollout.py --gold out/slot
"""

import argparse
import glob
import json
import os
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor


class NoSample(RuntimeError):
    """There is no such task, as of a question that convert refused."""


def ask(url, body=None, method="POST", tries=10):
    """Sends JSON, and returns the lines of JSON that come back.

    What the service asks to be sent again later is sent again.
    """
    headers = {"Content-Type": "application/json"}
    if key := os.environ.get("BIRDCALL_KEY"):  # an API key, or a control key
        headers["Authorization"] = "Bearer " + key
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return [json.loads(line) for line in answer]
    except urllib.error.HTTPError as e:  # a problem of RFC 9457
        problem = json.load(e)
        if tries > 1 and (wait := e.headers.get("Retry-After")):
            time.sleep(int(wait))
            return ask(url, body, method, tries - 1)
        kind = NoSample if problem["title"] == "No such task" else RuntimeError
        raise kind(problem["detail"]) from None


class Gold:
    """Makes the gold calls of what convert wrote. A model goes in its place."""

    def __init__(self, folder):
        self.calls = {}
        for path in glob.glob(os.path.join(folder, "*.json")):
            with open(path, encoding="utf-8") as file:
                records = json.load(file)
            if isinstance(records, list) and records and "output" in records[0]:  # and not the report, or tools
                self.calls |= {(r["dataset_name"], r["sample_id"]): r["output"] for r in records}

    def next_call(self, task, messages, tools):
        """Returns the next call, or None when the question is answered."""
        made = sum(m["role"] == "tool" for m in messages)
        calls = self.calls.get((task["db"], task["sample_id"]), [])
        return calls[made] if made < len(calls) else None


def rollout(task, policy, service, control, turns=30):
    """Plays one task, and returns its messages and score; no score without a sample."""
    about = {name: task[name] for name in ("variant", "db", "sample_id")}
    try:
        session = ask(service + "/v1/sessions", about)[0]
    except NoSample:
        return [], None
    messages = [{"role": "system", "content": session.get("system", "")}, {"role": "user", "content": session["question"]}]
    at = "/v1/sessions/" + session["id"]
    for _ in range(turns):
        call = policy.next_call(task, messages, session["tools"])
        if call is None:
            break
        seen = ask(service + at + "/calls", {"name": call["name"], "arguments": call["arguments"]})[0]
        messages.append({"role": "tool", "content": json.dumps(seen)})
    score = ask(control + at + "/score")[0]
    ask(service + at, method="DELETE")
    return messages, score


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--service", default="http://127.0.0.1:8080", help="the address for agents")
    options.add_argument("--control", default="http://127.0.0.1:8080", help="the address for scores")
    options.add_argument("--variant", default="slot")
    options.add_argument("--gold", required=True, help="folder that convert wrote")
    o = options.parse_args()
    tasks = ask(f"{o.control}/v1/tasks?bare=true&variant={o.variant}", method="GET")
    policy = Gold(o.gold)
    with ThreadPoolExecutor(8) as pool:
        scores = [s for _, s in pool.map(lambda t: rollout(t, policy, o.service, o.control), tasks) if s]
    print(f"{len(scores)} tasks, mean reward {sum(s['reward'] for s in scores) / max(1, len(scores)):.3f}")
