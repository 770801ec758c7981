import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importTraces } from '../../src/core/traces';
import { programs, runOf } from './harness';

/** The solver asks no model: Inspect counts the tokens of its mock model with a table that it would download. */
const evaluation = `
from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import match
from inspect_ai.solver import solver
from agent import answer

@solver
def harness():
    async def solve(state, generate):
        state.output = ModelOutput.from_content("scripted", answer(state.input_text))
        return state
    return solve

@task
def sums():
    samples = [Sample(id="one", input="1+1", target="2"), Sample(id="two", input="2*3", target="6")]
    return Task(dataset=samples, solver=harness(), scorer=match())
`;
const agent = (signs: string) => `
def answer(text):
    left, sign, right = text[0], text[1], text[2]
    if sign not in "${signs}":
        return "no idea"
    return str(eval(left + sign + right))
`;

it('Inspect runs one sample a trial, in the worktree of each arm, and leaves a trace', async () => {
  const suite = {
    engine: 'inspect',
    program: [join(programs, 'inspect')],
    target: 'sums.py@sums',
    model: 'mockllm/model',
    tasks: ['one', 'two'],
    trials: 1,
    environment: { PYTHONPATH: '{worktree}' },
  };
  const { trials, verdict, manifest, root } = await runOf(
    suite,
    { 'sums.py': evaluation, 'agent.py': agent('+') },
    { 'agent.py': agent('+*') },
  );
  expect(trials).toHaveLength(4);
  const verdicts = (arm: string, task: string) =>
    trials.filter((trial) => trial.arm === arm && trial.task === task).map((trial) => trial.verdict);
  expect(verdicts('baseline', 'one')).toEqual(['pass']);
  expect(verdicts('baseline', 'two')).toEqual(['fail']);
  expect(verdicts('candidate', 'two')).toEqual(['pass']);
  expect(trials.every(({ exception, infrastructure }) => exception === null && !infrastructure)).toBe(true);
  expect(verdict).toMatchObject({ up: 1, down: 0, coverage: { measured: 4, planned: 4 } });
  const traces = trials.map(({ trace }) => join(root, '.harnessmith', 'runs', manifest.id, trace ?? 'none'));
  const { runs } = await importTraces(traces);
  expect(runs.map(({ format }) => format)).toEqual(Array(4).fill('inspect'));
});

it('Inspect that fails before its samples gives trials without a verdict', async () => {
  const suite = {
    engine: 'inspect',
    program: [join(programs, 'inspect')],
    target: 'sums.py',
    tasks: ['one'],
    trials: 1,
  };
  const broken = { 'sums.py': 'raise RuntimeError("no model here")\n' };
  const { trials, verdict } = await runOf(suite, broken, { 'sums.py': 'import nothing_of_this_name\n' });
  expect(trials.map((trial) => [trial.verdict, trial.infrastructure])).toEqual([
    ['missing', true],
    ['missing', true],
  ]);
  expect(verdict.verdict).toBe('not measured');
});
