"""Runs mini-swe-agent 2.x with a deterministic model and the local environment; the trace goes to the first argument."""

import os
import pathlib
import sys
import tempfile

os.environ.setdefault("MSWEA_SILENT_STARTUP", "1")
os.environ.setdefault("MSWEA_COST_TRACKING", "ignore_errors")

import yaml  # noqa: E402
from minisweagent import package_dir  # noqa: E402
from minisweagent.agents.default import DefaultAgent  # noqa: E402
from minisweagent.environments.local import LocalEnvironment  # noqa: E402
from minisweagent.models.test_models import DeterministicToolcallModel, make_toolcall_output  # noqa: E402

COMMANDS = [
    ("I look at the files first.", ["ls", "cat calc.py"]),
    ("The operator is wrong.", ["sed -i 's/a - b/a + b/' calc.py && cat calc.py"]),
    ("A command that fails.", ["cat missing.txt"]),
    ("A long output.", ["python3 -c \"print('line of output ' * 3000)\""]),
    (None, ["python3 -c 'import calc; assert calc.add(1, 2) == 3' && echo passed"]),
    ("Done.", ["echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && cat calc.py"]),
]


def answers():
    for turn, (text, commands) in enumerate(COMMANDS):
        ids = ["call_%d_%d" % (turn, at) for at in range(len(commands))]
        calls = [
            {"id": one, "type": "function", "function": {"name": "bash", "arguments": '{"command": "..."}'}} for one in ids
        ]
        yield make_toolcall_output(text, calls, [{"command": command, "tool_call_id": one} for one, command in zip(ids, commands)])


def main():
    out = pathlib.Path(sys.argv[1])
    config = yaml.safe_load((package_dir / "config" / "mini.yaml").read_text())
    agent = {key: config["agent"][key] for key in ("system_template", "instance_template")}
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "calc.py").write_text("def add(a, b):\n    return a - b\n")
        model = DeterministicToolcallModel(outputs=list(answers()), observation_template=config["model"]["observation_template"])
        DefaultAgent(model, LocalEnvironment(cwd=folder), cost_limit=0, **agent, output_path=out).run("Repair add in calc.py.")


if __name__ == "__main__":
    main()
