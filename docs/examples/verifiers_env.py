"""A taskset for verifiers: the session is an MCP server, the reward is of the trace.

Not run here: Python packages could not be installed. It is written after the
documentation of verifiers.v1 (0.2): tasks with their data and rewards, toolsets that
are MCP servers, among them running ones by their URL. How a task names its toolsets,
and what the calls of a trace are called, has differed between versions: hold the lines
that say so against yours.
"""

import json
import os
import urllib.request

import verifiers.v1 as vf

SERVICE = os.environ.get("BIRDCALL_SERVICE", "http://127.0.0.1:8080")  # the address for agents
CONTROL = os.environ.get("BIRDCALL_CONTROL", "http://127.0.0.1:8080")  # the address for tasks and rewards


def post(url, body):
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


class BirdcallData(vf.TaskData):
    task_id: str  # variant/db/sample_id


class BirdcallTask(vf.Task[BirdcallData]):
    def tools(self) -> list[vf.Toolset]:
        """Opens a session for this rollout, and has the harness call its tools."""
        variant, rest = self.data.task_id.split("/", 1)
        db, sample = rest.rsplit("/", 1)
        session = post(SERVICE + "/v1/sessions", {"variant": variant, "db": db, "sample_id": sample})
        return [vf.Toolset(vf.ToolsetConfig(url=session["mcp_url"]))]  # differs between versions

    @vf.reward
    async def completed(self, trace: vf.Trace) -> float:
        """Has the calls of the trace run again and scored, so that no session need be found."""
        calls = [
            {"type": "function_call", "name": call.name, "arguments": call.arguments}  # differs between versions;
            for message in trace.assistant_messages  # take off what the harness puts before names
            for call in message.tool_calls or []
        ]
        return post(CONTROL + "/verify", {"task_id": self.data.task_id, "response": {"output": calls}})["reward"]


class BirdcallConfig(vf.TasksetConfig):
    variant: str = "slot"


class BirdcallTaskset(vf.Taskset[BirdcallTask, BirdcallConfig]):
    def load(self):
        with urllib.request.urlopen(f"{CONTROL}/v1/tasks?variant={self.config.variant}") as lines:
            for i, line in enumerate(lines):
                row = json.loads(line)
                system, user = row["responses_create_params"]["input"]
                data = BirdcallData(idx=i, prompt=user["content"], system_prompt=system["content"], task_id=row["task_id"])
                yield BirdcallTask(data, self.config.task)


__all__ = ["BirdcallTaskset"]
