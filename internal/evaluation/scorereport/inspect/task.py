"""Birdcall's samples as a task for Inspect (https://inspect.aisi.org.uk).

NOT RUN HERE: this file was written from Inspect's documentation, and no part
of it was executed by the program that wrote it. README.md says what to check.

    inspect eval task.py --model PROVIDER/MODEL
    evaluate --dataset DIR --predictions predictions.jsonl
"""

import json
from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import Sample, json_dataset
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, get_model
from inspect_ai.scorer import CORRECT, INCORRECT, Score, Target, accuracy, scorer
from inspect_ai.solver import Generate, TaskState, solver
from inspect_ai.tool import ToolInfo, ToolParams

HERE = Path(__file__).parent


def to_sample(record):
    """A line of dataset.jsonl as Inspect has samples."""
    kinds = {"system": ChatMessageSystem, "user": ChatMessageUser}
    return Sample(
        id=record["id"],
        input=[kinds[m["role"]](content=m["content"]) for m in record["input"]],
        target=record["target"],
        metadata=record["metadata"],
    )


@solver
def ask_once():
    """Asks for all calls in one answer. The tools are shown and never run."""
    lists = json.loads((HERE / "tools.json").read_text(encoding="utf-8"))

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        shown = [
            ToolInfo(
                name=t["name"],
                description=t["description"],
                parameters=ToolParams(**t["parameters"]),
            )
            for t in lists[state.metadata["tools"]]
        ]
        state.output = await get_model().generate(state.messages, tools=shown)
        state.messages.append(state.output.message)
        return state

    return solve


@scorer(metrics=[accuracy()])
def same_functions(predictions: str):
    """Writes what the model called for evaluate, which scores it.

    Its own score is a coarse one: whether the functions are those of the gold
    calls, in the same order. It looks at no argument and no answer.
    """

    async def score(state: TaskState, target: Target) -> Score:
        called = [
            {
                "id": c.id,
                "function": {
                    "name": c.function,
                    "arguments": json.dumps(c.arguments, ensure_ascii=False),
                },
            }
            for c in state.output.message.tool_calls or []
        ]
        prediction = {
            "db_id": state.metadata["db_id"],
            "sample_id": state.metadata["sample_id"],
            "model": str(state.model),
            "message": {"content": state.output.completion, "tool_calls": called},
        }
        with open(predictions, "a", encoding="utf-8") as f:
            f.write(json.dumps(prediction, ensure_ascii=False) + "\n")
        names = [c["function"]["name"] for c in called]
        gold = [c["name"] for c in state.metadata["gold_calls"]]
        return Score(
            value=CORRECT if names == gold else INCORRECT,
            answer=", ".join(names),
            explanation="the functions' names alone; evaluate scores arguments and answers",
        )

    return score


@task
def birdcall(predictions: str = str(HERE / "predictions.jsonl")):
    """The task; -T predictions=FILE names the file to write."""
    if Path(predictions).exists():
        raise FileExistsError(f"{predictions} exists; move it away, or give another -T predictions=FILE")
    return Task(
        dataset=json_dataset(str(HERE / "dataset.jsonl"), to_sample),
        solver=ask_once(),
        scorer=same_functions(predictions),
        epochs=1,
    )
