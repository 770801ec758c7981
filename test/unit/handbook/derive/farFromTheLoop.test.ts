/** Shapes of behaviours that are easily missed: heads over several lines, state in an object, texts made by functions. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BuiltHarness, placesOf, unitsOf } from '../../../fixtureHarness';
import { harnessOf } from './harnessOf';

const agent = `import subprocess

import openai

from .errors import FormatError, MissingActionError
from .limits import Guard

client = openai.OpenAI()


class Spinner:
    def stop(self):
        self.running = False


class State:
    def __init__(self):
        self.messages = []
        self.turn = 0


class Agent:
    def __init__(self, config):
        self.config = config
        self.state = State()
        self.should_stop = False

    def add_message(self, message):
        self.state.messages.append(message)

    def save_session(self, path):
        with open(path, "w") as file:
            file.write(str(self.state.messages))

    def execute_tools(self, tool_calls):
        return [self.execute_tool(call) for call in tool_calls]

    def execute_tool(self, call):
        if call["name"] == "delegate":
            return AgentExecutor().execute(call["task"])
        return subprocess.run(call["command"], shell=True).stdout

    def run(self, task):
        self.add_message({"role": "user", "content": task})
        while (
            self.config.max_turns is None
            or self.state.turn < self.config.max_turns
        ):
            self.state.turn += 1
            try:
                answer = client.chat.completions.create(model="m", messages=self.state.messages)
                tool_calls = answer.choices[0].message.tool_calls
            except (
                FormatError,
                MissingActionError,
            ) as error:
                self.state.messages.append({"role": "user", "content": str(error)})
                continue
            results = self.execute_tools(tool_calls)
            self.state.messages.extend(results)
            if self.state.turn >= self.config.max_requests:
                self.should_stop = True
            if self.should_stop:
                return
        self.save_session("session.json")


class AgentExecutor:
    def execute(self, task):
        return Agent({}).run(task)


def build_command_description(shell):
    parts = [
        "Runs a command in the shell of the machine and gives back what it printed, both streams in one text.",
        "Give one command at a time, as each starts in the folder of the repository.",
    ]
    return " ".join(parts)


if __name__ == "__main__":
    Agent({}).run("task")
`;

describe('what is easily missed', () => {
  let harness: BuiltHarness;
  beforeAll(async () => {
    harness = await harnessOf({
      'agent/agent.py': agent,
      'agent/errors.py':
        'class FormatError(Exception):\n    pass\n\n\nclass MissingActionError(Exception):\n    pass\n',
      'agent/limits.py': 'class Guard:\n    pass\n',
    });
  });
  afterAll(() => harness.remove());

  const lines = (kind: Parameters<typeof unitsOf>[1]): number[] =>
    unitsOf(harness.map, kind).flatMap((unit) => unit.sites.map((site) => site.start));
  const lineOf = (text: string): number => agent.split('\n').findIndex((line) => line.includes(text)) + 1;

  it('finds the limit in the head of a loop that runs over several lines', () => {
    expect(lines('limits')).toContain(lineOf('while ('));
  });

  it('finds a limit that sets a flag under which the rounds end', () => {
    const limits = unitsOf(harness.map, 'limits').flatMap((unit) => unit.sites);
    const flag = lineOf('self.state.turn >= self.config.max_requests');
    expect(limits.some((site) => site.start <= flag && flag <= site.end)).toBe(true);
  });

  it('finds a handler whose errors stand in brackets over several lines', () => {
    expect(lines('format_error')).toContain(lineOf('except ('));
  });

  it('takes what writes the session for the record before what adds to it in memory', () => {
    expect(placesOf(harness.map, 'trajectory')[0]).toBe('agent/agent.py#Agent.save_session');
  });

  it('takes what the loop runs and what runs the loop again for a sub-agent', () => {
    expect(placesOf(harness.map, 'subagents')).toContain('agent/agent.py#AgentExecutor.execute');
  });

  it('takes no indicator that is stopped for the interruption of a run', () => {
    expect(placesOf(harness.map, 'stop')).not.toContain('agent/agent.py#Spinner.stop');
  });

  it('finds state that lies in an object of the loop', () => {
    const found = Object.fromEntries(harness.map.registers.map((register) => [register.name, register]));
    expect(found['state.turn']?.owner).toBe('Agent');
    const accesses = (found['state.messages']?.sites ?? []).map(({ access, site }) => `${access} ${site.symbol}`);
    expect(accesses).toContain('write Agent.add_message');
    expect(accesses).toContain('read Agent.run');
  });

  it('finds a text for the model that a function makes', () => {
    expect(placesOf(harness.map, 'system_prompt').join()).toContain('build_command_description');
  });
});
