"""What an agent of NeMo Gym asks of a resources server, request by request.

Run with Python 3.11 against this service; NeMo Gym itself was not run. It is written
after the documentation of NeMo Gym 0.7 and its agent simple_agent: /seed_session with
the row of the dataset, the tools under their names, /verify with the row and the
response, and one cookie through them all.

It plays the rows of a dataset with gold calls in the place of a model:

    convert --variant slot --out out
    serve --samples out &
    curl -o tasks.jsonl 'http://127.0.0.1:8080/v1/tasks?variant=slot'
    python3 docs/examples/nemo_gym.py tasks.jsonl out/slot
"""

import http.cookiejar
import json
import sys
import urllib.request

from http_rollout import Gold

SERVICE = "http://127.0.0.1:8080"  # one where control is open: the same client calls and verifies


class Client:
    """Keeps the cookies of one rollout."""

    def __init__(self):
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))

    def post(self, path, body):
        request = urllib.request.Request(SERVICE + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
        with self.opener.open(request, timeout=60) as answer:
            return answer.read().decode()


def run(row, policy):
    """Plays one row, as simple_agent does, and returns what /verify answers."""
    client = Client()
    client.post("/seed_session", row)
    asked = row["responses_create_params"]
    messages, output = list(asked["input"]), []
    while call := policy.next_call(row, messages, asked["tools"]):
        seen = client.post("/" + call["name"], call["arguments"])
        at = f"call_{len(output)}"
        output.append({"type": "function_call", "call_id": at, "name": call["name"], "arguments": json.dumps(call["arguments"])})
        output.append({"type": "function_call_output", "call_id": at, "output": seen})
        messages.append({"role": "tool", "content": seen})
    return json.loads(client.post("/verify", row | {"response": {"output": output}}))


if __name__ == "__main__":
    tasks, gold = sys.argv[1:]
    policy = Gold(gold)
    with open(tasks, encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    rewards = [run(row, policy)["reward"] for row in rows]
    print(f"{len(rewards)} rows, mean reward {sum(rewards) / max(1, len(rewards)):.3f}")
